package host

import (
	"fmt"
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/simulator/vary"
)

// Config configures the world of a host: the same Config and the same commands at the
// same times give the same world. Start from [Default].
type Config struct {
	Seed             uint64              `json:"seed"`               // everything random depends on it
	Speed            int                 `json:"speed"`              // how many times faster than real time the clock runs; 0: it is moved by hand
	Start            *time.Time          `json:"start,omitempty"`    // start of the clock of a new world; nil: the real time
	Callers          simulator.Callers   `json:"callers,omitempty"`  // the clock that callers use to name times; "": the wall clock if Speed is not 0
	Cars             int                 `json:"cars"`               // in the fleet, at least one
	Town             string              `json:"town"`               // see [Streets]
	Centre           *taxi.Point         `json:"centre,omitempty"`   // centre of a world without streets; nil: in the North Sea
	Demand           string              `json:"demand"`             // see [demand.Parse]
	Assign           string              `json:"assign"`             // see [assign.Parse]
	Behaviour        string              `json:"behaviour"`          // see [simulator.ParseBehaviour]
	System           taxi.ConfigResponse `json:"system"`             // the /config settings
	UnknownUser      string              `json:"unknownUser"`        // response of /user to an unknown number: 404 or create
	Area             float64             `json:"area"`               // radius around the town that is served, in kilometres; 0: anywhere
	RefuseLateCancel bool                `json:"refuseLateCancel"`   // refuse /cancel when the car is at the door
	DuplicateWindow  Duration            `json:"duplicateWindow"`    // real time within which a byte-identical booking is the same booking; 0: never
	MaxAhead         Duration            `json:"maxAhead,omitempty"` // how far ahead bookings may be; 0: as in [dispatch.DefaultPolicy]

	// Variation is how much responses vary within the limits of the interface.
	Variation vary.Level `json:"variation,omitempty"`
}

// Default is the Config of a small calm town whose clock runs in real time.
func Default() Config {
	return Config{
		Seed: 1, Speed: 1, Cars: 40, Town: "none", Demand: "none", Assign: "eta", Behaviour: "calm",
		System: taxi.ConfigResponse{Status: taxi.SystemOK}, UnknownUser: "404", DuplicateWindow: Duration(time.Minute),
	}
}

// Duration is a span of time, written as "1m30s" in JSON.
type Duration time.Duration

// MarshalText implements [encoding.TextMarshaler].
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// ConfigError is an invalid field of a [Config].
type ConfigError struct {
	Field string // as in JSON
	says  string // the text after the name
	cause error  // nil: the value itself explains the error
}

// Error contains the field, its value and the valid ones.
func (e *ConfigError) Error() string { return e.Field + e.Says() }

// Says returns the error without the field's name, for callers that use another name.
func (e *ConfigError) Says() string { return e.says }

// Unwrap returns the underlying error, if any.
func (e *ConfigError) Unwrap() error { return e.cause }

func refuse(field, format string, args ...any) *ConfigError {
	return &ConfigError{Field: field, says: fmt.Sprintf(format, args...)}
}

func refuseFor(field string, err error) *ConfigError {
	return &ConfigError{Field: field, says: ": " + err.Error(), cause: err}
}

// options converts a Config to the options of its world, except the streets.
func (c Config) options() (o simulator.Options, err error) {
	switch {
	case c.Speed < 0 || c.Speed > simulator.MaxSpeed:
		return o, refuse("speed", " is %d, want 0 to %d", c.Speed, simulator.MaxSpeed)
	case c.Variation < vary.None || c.Variation > vary.Rich:
		return o, refuse("variation", " is %d, want 0 (none), 1 (mild) or 2 (rich)", c.Variation)
	case c.Cars < 1 || c.Cars > fixtures.FleetSize:
		return o, refuse("cars", " is %d, want 1 to %d", c.Cars, fixtures.FleetSize)
	}
	if o.Callers, err = c.callers(); err != nil {
		return o, err
	}
	if c.Start != nil && (c.Start.Year() < firstYear || c.Start.Year() > lastYear) {
		return o, refuse("start", " is in the year %d, want %d to %d", c.Start.Year(), firstYear, lastYear)
	}
	o = simulator.Options{Callers: o.Callers, Seed: c.Seed, Speed: c.Speed, Cars: c.Cars, System: c.System}
	if c.Centre != nil {
		o.Centre = *c.Centre
	}
	if o.Behaviour, err = simulator.ParseBehaviour(c.Behaviour); err != nil {
		return o, refuseFor("behaviour", err)
	}
	if o.Demand, err = demand.Parse(c.Demand); err != nil {
		return o, refuseFor("demand", err)
	}
	if o.Assigner, err = assign.Parse(c.Assign); err != nil {
		return o, refuseFor("assign", err)
	}
	switch c.System.Status {
	case taxi.SystemOK, taxi.SystemBusy, taxi.SystemClosed, taxi.SystemMaintenance:
	default:
		return o, refuse("system", " is %q, want OK, BUSY, CLOSED or MAINTENANCE", c.System.Status)
	}
	policy, err := c.policy()
	o.Policy = &policy
	return o, err
}

// ids returns the form of ids: at [vary.Rich] it depends on the seed.
func (c Config) ids() dispatch.IDForm {
	if c.Variation != vary.Rich {
		return dispatch.ShortIDs
	}
	return [...]dispatch.IDForm{dispatch.ShortIDs, dispatch.NumberIDs, dispatch.UUIDs}[c.Seed%3]
}

// The years in which a world may begin.
const (
	firstYear = 2000
	lastYear  = 2200
)

// callers returns the clock that callers use to name times.
func (c Config) callers() (simulator.Callers, error) {
	switch {
	case c.Callers == "" && c.Speed == 0:
		return simulator.CallersByWorld, nil
	case c.Callers == "":
		return simulator.CallersByWall, nil
	case !c.Callers.Known():
		return "", refuse("callers", " is %q, want wall, world or either", c.Callers)
	}
	return c.Callers, nil
}

// longest is the longest duplicate window: a year.
const longest = Duration(366 * 24 * time.Hour)

// halfRound is half the way round the Earth, in kilometres.
const halfRound = 20_000

// policy returns the policy of the dispatch system.
func (c Config) policy() (dispatch.Policy, error) {
	p := dispatch.DefaultPolicy()
	switch c.UnknownUser {
	case "404":
	case "create":
		p.CreateUnknown = true
	default:
		return p, refuse("unknownUser", " is %q, want 404 or create", c.UnknownUser)
	}
	switch {
	case !(c.Area >= 0 && c.Area <= halfRound):
		return p, refuse("area", " is %v, want kilometres from 0 to %d", c.Area, halfRound)
	case c.DuplicateWindow < 0:
		return p, refuse("duplicateWindow", " cannot be negative")
	case c.DuplicateWindow > longest:
		return p, refuse("duplicateWindow", " is more than a year")
	case c.MaxAhead < 0:
		return p, refuse("maxAhead", " cannot be negative")
	case c.MaxAhead > 100*longest:
		return p, refuse("maxAhead", " is more than a hundred years")
	case c.MaxAhead > 0:
		p.MaxAhead = time.Duration(c.MaxAhead)
	}
	p.AreaRadius = c.Area * 1000
	p.RefuseLate = c.RefuseLateCancel
	p.DuplicateWindow = c.byTheWall(time.Duration(c.DuplicateWindow))
	p.KeepReplies = c.byTheWall(p.KeepReplies)
	return p, nil
}

// byTheWall converts a real duration to the world's clock: callers repeat requests in
// real time, however fast the clock runs.
func (c Config) byTheWall(d time.Duration) time.Duration {
	return time.Duration(min(float64(d)*float64(max(c.Speed, 1)), math.MaxInt64/2))
}
