package control

import (
	"math"
	"net/url"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
)

// Calls of a [Server].
var (
	ReadSystem = Call[url.Values, taxi.ConfigResponse]{get("readSystem", "/system", "The /config settings, without the ETA computed from the cars", readSystem)}
	SetSystem  = Call[taxi.ConfigResponse, taxi.ConfigResponse]{put("setSystem", "/system", "Replace the /config settings", setSystem).
			more("Without an eta, it is computed from the cars. While the status is CLOSED or MAINTENANCE, bookings are refused.")}
)

// systemStatuses lists the statuses that /config may return.
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

// ReadOverview is the call that returns the summary of a world.
var ReadOverview = Call[url.Values, Overview]{get("overview", "/", "What there is to know of a world at a glance", overview)}

// Overview is a summary of a world.
type Overview struct {
	Version string      `json:"version"`
	Sandbox string      `json:"sandbox"` // name; empty: the main world
	Clock   Clock       `json:"clock"`
	Config  host.Config `json:"config"` // the configuration of the world
	Live    int         `json:"live"`   // journeys that have not ended
	Faults  string      `json:"faults"` // a summary of the active rules

	// the address for a platform; left out: the one that this client used
	ThirdPartyURL string `json:"thirdPartyUrl,omitempty"`

	// the firm's, whose time of day people use, such as Europe/London
	TimeZone string `json:"timeZone"`

	// how much responses vary within the limits of the interface
	Variation vary.Level `json:"variation" schema:"enum: [0, 1, 2]"`

	// settings that orders have made for the future. Unless the server remembers them, they
	// are in memory only: a restart of the program and restoring a snapshot remove them.
	Orders simulator.Standing `json:"orders"`
}

func overview(c *call) (Overview, error) { return c.server.overviewOf(c.box), nil }

func (s *Server) overviewOf(box *sandbox) Overview {
	h := box.Gate.Latest()
	elsewhere := s.options.ThirdPartyURL
	if elsewhere != "" && box.Name != "" {
		elsewhere += sandboxPrefix + box.Name
	}
	return Overview{
		Version: s.options.Version, Sandbox: box.Name, Clock: clockOf(h.World()),
		Config: h.Config(), Live: len(h.Records().AllLive()), Faults: box.faults.Summary(),
		ThirdPartyURL: elsewhere, TimeZone: h.World().Zone().String(), Variation: h.Config().Variation,
		Orders: h.World().Standing(),
	}
}
