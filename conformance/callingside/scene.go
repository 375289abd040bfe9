package callingside

import (
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// scene is one customer situation: its requests and the world of the caller.
type scene struct {
	name   conformance.ProbeName // in words
	checks string                // ids of its checks
	asks   []rules.Ask
	world  world

	control bool          // a control for other scenes: always played
	alone   bool          // no other scene runs meanwhile
	atOnce  bool          // its requests are made at the same time
	long    bool          // tests a long delay
	rest    time.Duration // time without calls after it
	forNow  bool          // its booking has no time
	past    bool          // its booking is for yesterday
	tls     *tlsMode      // TLS mode of the third party; nil: the usual one
	mobile  bool          // its caller has a mobile number
	byStop  bool          // its booking has two drop-offs
	script  bool          // its addresses have non-ASCII letters
	then    object        // overrides members of its journey before its second request; not with atOnce
	user2   object        // overrides members of its user before its second request; not with atOnce
}

// ids lists the checks of a scene.
func (s *scene) ids() []string { return strings.Fields(s.checks) }

// isFor reports whether a scene is played in a run limited to some checks.
func (s *scene) isFor(only []string) bool {
	return len(only) == 0 || s.control || slices.ContainsFunc(s.ids(), func(id string) bool { return slices.Contains(only, id) })
}

// needsToBeAlone reports a scene whose calls could not be distinguished from those of other
// scenes, since /config does not identify the caller.
func (s *scene) needsToBeAlone() bool {
	return s.alone || s.tls != nil || s.world.config != nil || len(s.world.answers[rules.OpConfig]) > 0
}

// about returns the operation with the special answer; "": none.
func (s *scene) about() conformance.Operation {
	for _, op := range rules.Operations() {
		if slices.ContainsFunc(s.world.answers[op], func(a answer) bool { return a.intent != "" }) {
			return op
		}
	}
	return ""
}

// object is a JSON object; a nil value is null.
type object = map[string]any

// gone, as the value of an override, removes the member.
type gone struct{}

// world is the data of the scripted third party about one caller.
type world struct {
	config   object // overrides {"status":"OK"}
	user     object // overrides the ordinary user
	unknown  bool   // /user is answered 404
	journeys []object
	hidden   bool // the journeys are not listed by /user
	answers  map[conformance.Operation][]answer
}

// answer describes the special features of one answer.
type answer struct {
	intent  conformance.Intent
	status  int      // 0: 200
	body    string   // replaces the ordinary body; "": the ordinary body
	empty   bool     // no body at all
	over    object   // overrides members of the ordinary body
	only    []string // the only members to send
	again   bool     // also applies to later calls
	effect  bool     // the operation is carried out although the answer does not say so
	delay   time.Duration
	cut     bool // the connection is reset within the answer
	silent  bool // the connection is closed without an answer
	drip    bool // the answer comes byte by byte
	hang    bool // it does not start or end before the caller gives up
	header  map[string]string
	retryAt time.Duration // Retry-After is a date this far ahead, in whole seconds
	toOther bool          // the answer redirects to another host
}

// one is a world in which one operation is answered in a special way.
func one(op conformance.Operation, a ...answer) map[conformance.Operation][]answer {
	return map[conformance.Operation][]answer{op: a}
}

// lay returns base with the members of over.
func lay(base, over object) object {
	all := object{}
	for _, from := range []object{base, over} {
		for k, v := range from {
			if _, is := v.(gone); is {
				delete(all, k)
				continue
			}
			inner, isObject := v.(object)
			below, was := all[k].(object)
			if isObject && was {
				v = lay(below, inner)
			}
			all[k] = v
		}
	}
	return all
}
