package dispatch

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// systemState is the answer of /config; it can be changed while serving.
type systemState struct {
	current atomic.Pointer[taxi.ConfigResponse]
}

func (s *systemState) set(c taxi.ConfigResponse) {
	if c.Status == "" {
		c.Status = taxi.SystemOK
	}
	s.current.Store(&c)
}

// System returns the answer of /config, without the live ETA.
func (s *Service) System() taxi.ConfigResponse { return *s.system.current.Load() }

// SetSystem changes the answer of /config, in its own turn. While the status is CLOSED or
// MAINTENANCE, bookings are refused; booked journeys continue.
func (s *Service) SetSystem(c taxi.ConfigResponse) {
	_, leave := s.enter()
	defer leave()
	s.system.set(c)
}

// refuseIfClosed refuses bookings while the office is closed.
func (s *Service) refuseIfClosed() error {
	switch s.System().Status {
	case taxi.SystemClosed:
		return refuse(taxi.CodeServiceClosed, "the office is closed; /config says OK when it is open again")
	case taxi.SystemMaintenance:
		return refuse(taxi.CodeDispatchPaused, "the dispatch system is being worked on")
	default:
		return nil
	}
}

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
