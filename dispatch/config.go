package dispatch

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// busyWait is the least that a passenger is told to wait while the system is BUSY.
// Decision: that word means that calls come faster than cars.
const busyWait = 20 * time.Minute

// Config answers /config: the state of the system, how long a typical passenger
// waits, and which of the customer's settings are overridden. The settings in the
// request change nothing, and unknown ones are no error. While no booking is taken there
// is no wait to tell.
func (s *Service) Config(_ context.Context, _ taxi.ConfigRequest) (taxi.ConfigResponse, error) {
	now, leave := s.enter()
	defer leave()
	c := s.System()
	if c.ETA == nil {
		c.ETA = s.typicalWait(now, c.Status)
	}
	return c, nil
}

// typicalWait is how long a typical passenger waits; nil: not known, or for nothing.
func (s *Service) typicalWait(now time.Time, status taxi.SystemStatus) *taxi.ETA {
	switch status {
	case taxi.SystemClosed, taxi.SystemMaintenance:
		return nil
	}
	wait := s.fleet.Pickup(now)
	if status == taxi.SystemBusy && wait != nil && wait.Value < busyWait.Minutes() {
		return &taxi.ETA{Value: busyWait.Minutes(), Unit: taxi.UnitMinutes}
	}
	return wait
}
