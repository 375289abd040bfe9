package dispatch

import (
	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Gazetteer is the well-known places of the service area, as listed by /places: their
// names, and addresses for /book.
type Gazetteer struct {
	Town   string  `json:"town"` // "" on an open plane
	Places []Place `json:"places"`
}

// Place is a common pickup or destination.
type Place struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // "station", "hospital", "pub", …
	taxi.Address
}

// listPlaces answers /places.
func (s *web) listPlaces(c *gin.Context) { c.JSON(200, s.places) }
