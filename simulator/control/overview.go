package control

import (
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

var overviewRoutes = []route{get("/", overview)}

// Overview is what there is to know of a world at a glance.
type Overview struct {
	Version string      `json:"version"`
	Sandbox string      `json:"sandbox"` // "": the main world
	Now     time.Time   `json:"now"`     // by the world's clock
	Config  host.Config `json:"config"`  // what the world was made from
	Live    int         `json:"live"`    // journeys that have not ended
}

func overview(c *call) (any, error) {
	return Overview{
		Version: c.server.options.Version, Sandbox: c.box.name, Now: c.world().Clock().Now(),
		Config: c.host.Config(), Live: len(c.host.Records().AllLive()),
	}, nil
}
