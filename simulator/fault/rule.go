package fault

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

// Op names one of the five operations, as its path does without the slash.
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

// Rule says which requests it is for, how often and how long, and what goes wrong.
type Rule struct {
	// lower-case letters, digits and hyphens, 40 characters at most; left out: it is given one
	ID string `json:"id,omitzero"`

	Match  Match  `json:"match,omitzero"`
	Window Window `json:"window,omitzero"`
	Do     Do     `json:"do"`
}

// Match says which requests a rule is for: members that are given must all agree.
type Match struct {
	Op      Op             `json:"op,omitzero"`
	Phone   taxi.E164      `json:"phone,omitzero"`   // of the caller or of the booking, with or without its plus sign
	User    taxi.UserID    `json:"user,omitzero"`    // in the request
	Journey taxi.JourneyID `json:"journey,omitzero"` // in the request

	// only that one, from 1, of those that agree with the members above; left out: all of them
	Nth int `json:"nth,omitzero"`

	// how likely each of them is hit, drawn from the seed; left out: all are
	Probability Share `json:"probability,omitzero" schema:"exclusiveMinimum: 0, maximum: 1"`
}

// Window says when a rule is at work. All times are of the world's clock, which may
// stand still or run faster than the wall.
type Window struct {
	Skip  int           `json:"skip,omitzero"`                      // how many matching requests it lets through first
	Times Times         `json:"times,omitzero" schema:"minimum: 1"` // how many requests it hits; left out: no such limit
	From  time.Time     `json:"from,omitzero"`                      // it is at work from then on; left out: at once
	To    time.Time     `json:"to,omitzero"`                        // until then; left out: no such limit
	TTL   host.Duration `json:"ttl,omitzero"`                       // how long after it was added, or changed; left out: no such limit
}

// Do is a fault of the catalogue with its parameters. Each fault takes some; those that are
// left out are as the [Catalogue] says.
type Do struct {
	Kind string `json:"kind" schema:"example: commit-then-drop"` // its name in the catalogue

	Status     int           `json:"status,omitzero"`                                         // of HTTP
	RetryAfter host.Duration `json:"retryAfter,omitzero"`                                     // in the header of that name
	AsDate     bool          `json:"asDate,omitzero"`                                         // Retry-After as a date in place of seconds
	For        host.Duration `json:"for,omitzero"`                                            // how long it takes, by the wall
	By         host.Duration `json:"by,omitzero" schema:"type: string, examples: [1h, -90s]"` // how far a clock is wrong, forwards or, negative, back
	Bytes      int           `json:"bytes,omitzero"`                                          // how many
	Rate       int           `json:"rate,omitzero"`                                           // bytes a second
	Levels     int           `json:"levels,omitzero"`                                         // how deep
	Count      int           `json:"count,omitzero"`                                          // how many
	Minutes    int           `json:"minutes,omitzero"`                                        // to wait
	Field      string        `json:"field,omitzero"`                                          // a JSON Pointer into the answer
	Text       string        `json:"text,omitzero"`                                           // a word, as the fault says
	At         taxi.Status   `json:"at,omitzero"`                                             // of a journey
	Once       bool          `json:"once,omitzero"`                                           // a request that comes again byte for byte is answered
}

// Times is how many requests a rule hits, from 1. Left out, 0, it is without limit, and so
// a 0 that is written is refused: it would mean the opposite of what it says.
type Times int

// Share is a part of the whole, above 0 and at most 1.
type Share float64

// Limits of rules.
const (
	// DefaultTTL is how long a rule lasts that says neither how often nor how long.
	DefaultTTL = host.Duration(15 * time.Minute)

	mostTTL      = host.Duration(31 * 24 * time.Hour)
	mostCount    = 1_000_000 // of nth, skip and times
	mostID       = 40        // characters
	mostText     = 255       // characters of a phone number, an id, a text
	longestPause = host.Duration(10 * time.Minute)
)
