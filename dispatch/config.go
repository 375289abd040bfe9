package dispatch

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// busyWait is the minimum wait in /config while the system is BUSY. Decision: BUSY means
// that more people call than there are cars.
const busyWait = 20 * time.Minute

// Config answers /config: the state of the system, the wait of a typical passenger, and the
// overridden settings of the customer. The settings in the request change nothing, and
// unknown ones are not an error. While the system accepts no bookings, the answer has no
// wait.
func (s *Service) Config(_ context.Context, _ taxi.ConfigRequest) (taxi.ConfigResponse, error) {
	now, leave := s.enter()
	defer leave()
	c := s.System()
	if c.ETA == nil {
		c.ETA = s.typicalWait(now, c.Status)
	}
	return c, nil
}

// typicalWait returns how long a typical passenger waits; nil: not known, or no bookings.
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
