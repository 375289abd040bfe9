package callingside

import (
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// scene is one thing that callers do, and the world in which they do it.
type scene struct {
	name   conformance.ProbeName // in words
	checks string                // the ids that it is for
	asks   []rules.Ask
	world  world

	control bool          // what others are held against: it is always played
	alone   bool          // nobody else calls meanwhile
	atOnce  bool          // its requests are made at the same time
	long    bool          // it is about a long delay
	rest    time.Duration // nobody is to call for so long after it
	forNow  bool          // its booking names no time
	tls     *tlsMode      // how the third party is reached; nil: as always
	mobile  bool          // its caller has a mobile number
	byStop  bool          // its booking has a stop on the way
	script  bool          // its addresses have letters beyond ASCII
	then    object        // laid over its journey before its second request, which comes after the first: not with atOnce
}

// ids lists the checks that a scene is for.
func (s *scene) ids() []string { return strings.Fields(s.checks) }

// isFor reports a scene that is played when only some checks are asked for.
func (s *scene) isFor(only []string) bool {
	return len(only) == 0 || s.control || slices.ContainsFunc(s.ids(), func(id string) bool { return slices.Contains(only, id) })
}

// needsToBeAlone reports a scene whose calls could not be told from those of others:
// /config does not say who calls.
func (s *scene) needsToBeAlone() bool {
	return s.alone || s.tls != nil || s.world.config != nil || len(s.world.answers[rules.OpConfig]) > 0
}

// about is the operation whose answer is special; "": none is.
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

// gone, as the value of a member that is laid over another, takes it away.
type gone struct{}

// world is what the scripted third party knows of one caller.
type world struct {
	config   object // laid over {"status":"OK"}
	user     object // laid over the ordinary user
	unknown  bool   // /user is answered 404
	journeys []object
	hidden   bool // the journeys are not listed by /user
	answers  map[conformance.Operation][]answer
}

// answer is what is special about the answer to one call.
type answer struct {
	intent  conformance.Intent
	status  int      // 0: 200
	body    string   // in place of the ordinary one; "": that one
	empty   bool     // no body at all
	over    object   // laid over the ordinary one
	only    []string // members that are kept of it
	again   bool     // later calls are answered so too
	effect  bool     // the operation has its effect although the answer does not say so
	delay   time.Duration
	cut     bool // the connection is reset within the answer
	silent  bool // the connection is closed in place of an answer
	drip    bool // the answer comes byte by byte
	hang    bool // it does not end, or does not begin, before the caller gives up
	header  map[string]string
	retryAt time.Duration // Retry-After is the date that is so far ahead, in whole seconds
	toOther bool          // the answer redirects to another host
}

// one is a world in which one operation is answered in a special way.
func one(op conformance.Operation, a ...answer) map[conformance.Operation][]answer {
	return map[conformance.Operation][]answer{op: a}
}

// lay returns base with over on it.
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
