package dispatch

import (
	"context"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Config answers /config: the state of the system, how long a typical passenger
// waits, and which of the customer's settings are overridden. The settings in the
// request change nothing, and unknown ones are no error.
func (s *Service) Config(_ context.Context, _ taxi.ConfigRequest) (taxi.ConfigResponse, error) {
	now, leave := s.enter()
	defer leave()
	c := s.System()
	if c.ETA == nil {
		c.ETA = s.fleet.Pickup(now)
	}
	return c, nil
}
