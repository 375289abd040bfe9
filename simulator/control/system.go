package control

import (
	"math"
	"net/url"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Calls of a [Server].
var (
	ReadSystem = Call[url.Values, taxi.ConfigResponse]{get("readSystem", "/system", "The /config settings, without the ETA computed from the cars", readSystem)}
	SetSystem  = Call[taxi.ConfigResponse, taxi.ConfigResponse]{put("setSystem", "/system", "Replace the /config settings", setSystem).
			more("Without an eta, it is computed from the cars. While the status is CLOSED or MAINTENANCE, bookings are refused.")}
)

// systemStatuses are the statuses that /config may return.
var systemStatuses = []taxi.SystemStatus{taxi.SystemOK, taxi.SystemBusy, taxi.SystemClosed, taxi.SystemMaintenance}

// readSystem returns the /config settings, without the ETA that is computed from the
// cars.
func readSystem(c *call) (taxi.ConfigResponse, error) { return c.world().Service().System(), nil }

// setSystem replaces the /config settings. Without an eta, it is computed from the cars.
func setSystem(c *call, b taxi.ConfigResponse) (is taxi.ConfigResponse, err error) {
	switch {
	case b.Status == "":
		return is, taxi.InvalidField("/status", "required", "is missing")
	case !slices.Contains(systemStatuses, b.Status):
		return is, taxi.InvalidField("/status", "range", "is %q, want one of %v", b.Status, systemStatuses)
	case b.ETA != nil && (b.ETA.Value < 0 || b.ETA.Value > math.MaxInt32):
		return is, taxi.InvalidField("/eta/value", "range", "is %v, want 0 to %d", b.ETA.Value, math.MaxInt32)
	case b.ETA != nil && (b.ETA.Unit == "" || len(b.ETA.Unit) > 32):
		return is, taxi.InvalidField("/eta/unit", "range", `wants 1 to 32 bytes, such as "minutes"`)
	}
	err = c.host.SetSystem(c, b)
	return c.world().Service().System(), err
}
