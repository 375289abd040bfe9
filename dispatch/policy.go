package dispatch

import (
	"strings"
	"time"
	_ "time/tzdata" // Europe/London, in case no zone files are installed

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Policy contains the configurable rules of a dispatch office. All of them are this project's
// decisions; the interface does not define them. Start from [DefaultPolicy].
type Policy struct {
	LeadTime      time.Duration // a booking further ahead is HELD, and released this long before its pickup
	NoCarTimeout  time.Duration // a WAITING journey is given up this long after its pickup time, or its release if later
	PastTolerance time.Duration // how far in the past a pickup time may lie and still mean "now"
	MaxAhead      time.Duration // how far ahead a pickup may be booked
	WaitASAP      time.Duration // how long a driver waits for a passenger who booked for now
	WaitPrebooked time.Duration // … and for one who booked ahead
	KeepDriver    time.Duration // an edit that moves the pickup by more takes an accepted job off its driver
	Retention     time.Duration // how long a finished journey can be read

	DuplicateWindow time.Duration // time in which a byte-identical booking counts as the same booking; 0: never
	KeepReplies     time.Duration // how long an Idempotency-Key is remembered

	KeepDriverMetres float64 // an edit that moves the pickup further takes an accepted job off its driver
	RerouteMetres    float64 // how far the pickup may move once the car is on its way

	MaxLive        int      // maximum of one user's journeys under way or booked ahead; 0: any number
	MaxDropoffs    int      // maximum of drop-offs of one journey
	Categories     []string // vehicle categories on offer, in lower case
	LateCancelFee  int64    // fee according to [Transitions] (cancel at ARRIVED, no-show), in pence, or the fleet's flag fall if that is more; 0: none
	Currency       string   // of that fee, ISO 4217
	AreaRadius     float64  // radius of the service area in metres; 0: unlimited
	RefuseLate     bool     // /cancel at ARRIVED is refused with cancel-refused
	CreateUnknown  bool     // /user creates a user for an unknown number instead of answering 404
	DefaultRegion  string   // region of national phone numbers, ISO 3166
	PickupLocation *time.Location
}

// DefaultPolicy returns the policy of the reference server.
func DefaultPolicy() Policy {
	return Policy{
		LeadTime:         15 * time.Minute,
		NoCarTimeout:     20 * time.Minute,
		PastTolerance:    5 * time.Minute,
		MaxAhead:         90 * 24 * time.Hour,
		WaitASAP:         5 * time.Minute,
		WaitPrebooked:    10 * time.Minute,
		KeepDriver:       10 * time.Minute,
		Retention:        30 * 24 * time.Hour,
		DuplicateWindow:  time.Minute,
		KeepReplies:      24 * time.Hour,
		KeepDriverMetres: 500,
		RerouteMetres:    300,
		MaxLive:          100,
		MaxDropoffs:      10,
		Categories:       []string{"standard", "saloon", "estate", "executive", "mpv", "minibus", "accessible", "wheelchair"},
		LateCancelFee:    360,
		Currency:         "GBP",
		DefaultRegion:    "GB",
		PickupLocation:   london,
	}
}

var london = mustLoadLocation("Europe/London")

// ReleaseAt returns when a held journey is released for dispatch.
func (p *Policy) ReleaseAt(j *store.Journey) time.Time { return j.Date.Add(-p.LeadTime) }

// GiveUpAt returns when the search for a car ends. The timeout starts at the release, so
// that a late release has the full time.
func (p *Policy) GiveUpAt(j *store.Journey) time.Time {
	from := j.Date.Time
	if j.ReleasedAt.After(from) {
		from = j.ReleasedAt
	}
	return from.Add(p.NoCarTimeout)
}

// NoShowAt returns when a driver at the pickup may leave without the passenger.
func (p *Policy) NoShowAt(j *store.Journey) time.Time {
	from, wait := j.ArrivedAt, p.WaitASAP
	if j.Date.After(from) {
		from = j.Date.Time
	}
	if j.Date.Sub(j.CreatedAt) > p.LeadTime {
		wait = p.WaitPrebooked
	}
	return from.Add(wait)
}

// lateCancelFee returns the fee as a price, at least the flag fall, which is higher at
// night; nil: no charge.
func (p *Policy) lateCancelFee(flagFall *taxi.Price) *taxi.Price {
	switch fee := float64(p.LateCancelFee) / 100; {
	case fee <= 0:
		return nil
	case flagFall != nil && flagFall.Value > fee:
		return flagFall
	}
	return &taxi.Price{Value: float64(p.LateCancelFee) / 100, Currency: p.Currency, Type: taxi.Fixed}
}

// hasCategory reports whether the office has a vehicle category; "" means any.
func (p *Policy) hasCategory(category string) bool {
	if category == "" {
		return true
	}
	for _, c := range p.Categories {
		if strings.EqualFold(c, category) {
			return true
		}
	}
	return false
}

// mustLoadLocation loads a zone of the embedded time-zone database.
func mustLoadLocation(name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // only for a name that is not in the database
	}
	return loc
}
