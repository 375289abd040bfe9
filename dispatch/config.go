package dispatch

import (
	"context"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Config answers /config: how the system is, how long a typical caller waits,
// and which of the customer's settings are overridden. What it is asked with
// changes nothing; unknown settings are nobody's fault.
func (s *Service) Config(_ context.Context, _ taxi.ConfigRequest) (taxi.ConfigResponse, error) {
	now, leave := s.enter()
	defer leave()
	c := s.System()
	if c.ETA == nil {
		c.ETA = s.fleet.Pickup(now)
	}
	return c, nil
}
