package fault

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

// Op is the name of one of the five operations: its path without the slash.
type Op string

// The operations. An empty Op is any of them.
const (
	Config Op = "config"
	User   Op = "user"
	Book   Op = "book"
	Cancel Op = "cancel"
	Status Op = "status"
)

// Ops lists the operations.
func Ops() []Op { return []Op{Config, User, Book, Cancel, Status} }

// Rule selects requests, how often and how long it applies, and the fault.
type Rule struct {
	// lower-case letters, digits and hyphens, 40 characters at most; left out: a
	// generated id
	ID string `json:"id,omitzero"`

	Match  Match  `json:"match,omitzero"`
	Window Window `json:"window,omitzero"`
	Do     Do     `json:"do"`
}

// Match selects requests: all members that are given must match.
type Match struct {
	Op      Op             `json:"op,omitzero"`
	Phone   taxi.E164      `json:"phone,omitzero"`   // of the caller or of the booking, with or without its plus sign
	User    taxi.UserID    `json:"user,omitzero"`    // in the request
	Journey taxi.JourneyID `json:"journey,omitzero"` // in the request

	// only the nth request that matches the members above, from 1; left out: all of them
	Nth int `json:"nth,omitzero"`

	// share of these requests that is hit, selected by the seed; left out: all
	Probability Share `json:"probability,omitzero" schema:"exclusiveMinimum: 0, maximum: 1"`
}

// Window limits when a rule applies. All times are of the world's clock, which may be
// stopped or run faster than real time.
type Window struct {
	Skip  int           `json:"skip,omitzero"`                      // number of matching requests to skip first
	Times Times         `json:"times,omitzero" schema:"minimum: 1"` // number of requests to hit; left out: no limit
	From  time.Time     `json:"from,omitzero"`                      // beginning; left out: at once
	To    time.Time     `json:"to,omitzero"`                        // end; left out: no limit
	TTL   host.Duration `json:"ttl,omitzero"`                       // duration since it was added or changed; left out: no limit
}

// Do is a fault of the catalogue with its parameters. Each fault has its own parameters,
// whose defaults are in the [Catalogue].
type Do struct {
	Kind string `json:"kind" schema:"example: commit-then-drop"` // its name in the catalogue

	Member     string        `json:"member,omitzero"`                                         // JSON Pointer into the response
	Form       string        `json:"form,omitzero"`                                           // one of several forms of the fault
	Value      string        `json:"value,omitzero"`                                          // a text, depending on the fault
	Part       string        `json:"part,omitzero"`                                           // of the exchange
	Reset      bool          `json:"reset,omitzero"`                                          // the connection is reset instead of closed
	Status     int           `json:"status,omitzero"`                                         // HTTP status
	RetryAfter host.Duration `json:"retryAfter,omitzero"`                                     // value of the header of that name
	AsDate     bool          `json:"asDate,omitzero"`                                         // Retry-After as a date instead of seconds
	For        host.Duration `json:"for,omitzero"`                                            // duration, in real time
	By         host.Duration `json:"by,omitzero" schema:"type: string, examples: [1h, -90s]"` // error of a clock, forwards or, if negative, back
	Bytes      int           `json:"bytes,omitzero"`                                          // number of bytes
	Rate       int           `json:"rate,omitzero"`                                           // bytes per second
	Levels     int           `json:"levels,omitzero"`                                         // depth
	Count      int           `json:"count,omitzero"`                                          // number
	Minutes    int           `json:"minutes,omitzero"`                                        // wait in minutes
	At         taxi.Status   `json:"at,omitzero"`                                             // of a journey
	Once       bool          `json:"once,omitzero"`                                           // apply it only once to a byte-identical request
}

// Times is the number of requests that a rule hits, from 1. If it is left out (0), there
// is no limit; therefore an explicit 0, which would mean the opposite, is refused.
type Times int

// Share is a part of the whole, above 0 and at most 1.
type Share float64

// Limits of rules.
const (
	// DefaultTTL is how long a rule without a number of times and without an end lasts.
	DefaultTTL = host.Duration(15 * time.Minute)

	mostTTL      = host.Duration(31 * 24 * time.Hour)
	mostCount    = 1_000_000 // of nth, skip and times
	mostID       = 40        // characters
	mostText     = 255       // characters of a phone number, an id, a text
	longestPause = host.Duration(10 * time.Minute)
)
