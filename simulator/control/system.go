package control

import (
	"math"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

var systemRoutes = []route{get("/system", readSystem), put("/system", setSystem)}

// systemStatuses are what /config may say of the system.
var systemStatuses = []taxi.SystemStatus{taxi.SystemOK, taxi.SystemBusy, taxi.SystemClosed, taxi.SystemMaintenance}

// readSystem tells what /config answers, without the wait that follows from the cars.
func readSystem(c *call) (any, error) { return c.world().Service().System(), nil }

// setSystem replaces what /config answers. Without an eta it is the wait for a car.
func setSystem(c *call) (any, error) {
	b, err := body[taxi.ConfigResponse](c)
	switch {
	case err != nil:
		return nil, err
	case b.Status == "":
		return nil, refuseField("/status", "required", "is missing")
	case !slices.Contains(systemStatuses, b.Status):
		return nil, refuseField("/status", "range", "is %q, want one of %v", b.Status, systemStatuses)
	case b.ETA != nil && (b.ETA.Value < 0 || b.ETA.Value > math.MaxInt32):
		return nil, refuseField("/eta/value", "range", "is %v, want 0 to %d", b.ETA.Value, math.MaxInt32)
	case b.ETA != nil && (b.ETA.Unit == "" || len(b.ETA.Unit) > 32):
		return nil, refuseField("/eta/unit", "range", `wants 1 to 32 bytes, such as "minutes"`)
	}
	c.world().Service().SetSystem(b)
	return c.world().Service().System(), nil
}
