package dispatch

import (
	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Gazetteer is the well-known places of the area that is served, which /places lists:
// what people call them, and addresses to send to /book.
type Gazetteer struct {
	Town   string  `json:"town"` // "" on an open plane
	Places []Place `json:"places"`
}

// Place is somewhere that people want to be taken to or picked up from.
type Place struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // "station", "hospital", "pub", …
	taxi.Address
}

// listPlaces answers /places.
func (s *Service) listPlaces(c *gin.Context) { c.JSON(200, s.places) }
