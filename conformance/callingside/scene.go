package callingside

import (
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// A scene is one customer situation: its requests, and what the third party answers.
type scene struct {
	Name   conformance.ProbeName // in words
	Checks string                // ids of the checks that it tests, separated by spaces
	Asks   []rules.Ask
	World  world

	Control  bool     // a control for other scenes: always played
	Alone    bool     // no other scene runs meanwhile
	AtOnce   bool     // its requests are made at the same time
	Long     bool     // tests a long delay
	Rest     seconds  // time without calls after it
	ForNow   bool     // its booking has no time
	Past     bool     // its booking is for yesterday
	FarAhead bool     // its booking is for an afternoon of the other half of the year
	TLS      *tlsMode `json:"-"` // TLS mode of the third party; nil: the usual one
	Number   string   // how its caller's number begins, before three digits; "": usualNumber
	Houses   bool     // its addresses have flats, letters and ranges of houses
	Stops    int      // how many drop-offs its booking has before the last
	Script   bool     // its addresses have non-ASCII letters
	Then     object   // overrides members of its journey before its second request; not with AtOnce
	Delayed  bool     // its journey is moved by three hours before its second request
	User2    object   // overrides members of its user before its second request; not with AtOnce
}

// seconds is a duration in scenes.json.
type seconds float64

func (s seconds) duration() time.Duration { return time.Duration(float64(s) * float64(time.Second)) }

// ids returns the ids of the checks that a scene tests.
func (s *scene) ids() []string { return strings.Fields(s.Checks) }

// isFor reports whether a scene is played in a run limited to some checks; if only is empty, all are.
func (s *scene) isFor(only []string) bool {
	return len(only) == 0 || s.Control || slices.ContainsFunc(s.ids(), func(id string) bool { return slices.Contains(only, id) })
}

// needsToBeAlone reports whether the calls of a scene could not be distinguished from those of other scenes,
// since /config does not identify the caller.
func (s *scene) needsToBeAlone() bool {
	return s.Alone || s.TLS != nil || s.World.Config != nil || len(s.World.Answers[rules.OpConfig]) > 0
}

// about returns the operation whose answer is unusual, or "" if none is.
func (s *scene) about() conformance.Operation {
	for _, op := range rules.Operations() {
		if slices.ContainsFunc(s.World.Answers[op], func(a answer) bool { return a.Intent != "" }) {
			return op
		}
	}
	return ""
}

// object is a JSON object; a nil value is null.
type object = map[string]any

// gone is the value of a member in an override that removes the member.
const gone = "<gone>"

// world is the data of the scripted third party about one caller.
type world struct {
	Config   object // overrides {"status":"OK"}
	User     object // overrides the ordinary user
	Unknown  bool   // /user is answered 404
	Journeys []object
	Hidden   bool // the journeys are not listed by /user
	Answers  map[conformance.Operation][]answer
}

// answer describes how one answer of the third party differs from an ordinary one.
type answer struct {
	Intent  conformance.Intent
	Status  int      // 0: 200
	Body    string   // replaces the ordinary body; "": the ordinary body
	Empty   bool     // no body at all
	Over    object   // overrides members of the ordinary body
	Only    []string // the only members to send
	Again   bool     // also applies to later calls
	Effect  bool     // the operation is carried out although the answer does not say so
	Delay   seconds
	Cut     bool // the connection is reset within the answer
	Silent  bool // the connection is closed without an answer
	Drip    bool // the answer comes byte by byte
	Hang    bool // it does not start or end before the caller gives up
	Header  map[string]string
	RetryAt seconds // Retry-After is a date this far ahead, in whole seconds
	ToOther bool    // the answer redirects to another host
}

// merged returns base with the members of over, which replace those of base. Objects are merged member by member, and gone
// removes a member.
func merged(base, over object) object {
	all := object{}
	for _, from := range []object{base, over} {
		for k, v := range from {
			if v == gone {
				delete(all, k)
				continue
			}
			inner, isObject := v.(object)
			below, was := all[k].(object)
			if isObject && was {
				v = merged(below, inner)
			}
			all[k] = v
		}
	}
	return all
}
