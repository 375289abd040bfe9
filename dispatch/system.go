package dispatch

import (
	"sync/atomic"

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
