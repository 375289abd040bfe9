package conformance

import "fmt"

// ReasonKind says why a check has no verdict. Programs read it; the text of a
// [Reason] is for people. Run files of newer versions may hold kinds that this
// version does not know.
type ReasonKind string

// The kinds of reason.
const (
	NeedsAid      ReasonKind = "needs-aid"      // the run was not given what Reason.Aid names
	AidFailed     ReasonKind = "aid-failed"     // the aid was given and did not work
	NotAsked      ReasonKind = "not-asked"      // the run was limited to other checks
	NotSeen       ReasonKind = "not-seen"       // the calls did not show what the check is about
	NotServed     ReasonKind = "not-served"     // the server refused a call on which the check depends
	Incomplete    ReasonKind = "incomplete"     // not all calls that the check needs were made
	RateLimited   ReasonKind = "rate-limited"   // the server kept answering that calls are too frequent
	Unanswered    ReasonKind = "unanswered"     // so many calls of an operation got no answer that no more are made
	TooLong       ReasonKind = "too-long"       // a body was longer than the limit
	ServerGone    ReasonKind = "server-gone"    // the server stopped answering
	Interrupted   ReasonKind = "interrupted"    // the run was stopped
	CannotCancel  ReasonKind = "cannot-cancel"  // a thing could not be cancelled, so no more were made
	MostMade      ReasonKind = "most-made"      // the run reached its limit of things made
	OutOfTime     ReasonKind = "out-of-time"    // the time limit of the run was reached
	FailedBefore  ReasonKind = "failed-before"  // the server fails another requirement, on which the check depends
	Limited       ReasonKind = "limited"        // the server keeps fewer things than it takes
	NotApplicable ReasonKind = "not-applicable" // it cannot be tested with this target or server
)

// Reason says why a probe ended early, or why a check has no verdict.
type Reason struct {
	Kind  ReasonKind `json:"kind"`
	Aid   Aid        `json:"aid,omitempty"`   // the aid that may help; "": none
	Probe ProbeName  `json:"probe,omitempty"` // the probe that ended early; "": none did
	Text  string     `json:"text"`            // in words, without the probe's name
}

// Because returns a reason of a kind, with a text that is formatted as by [fmt.Sprintf].
func Because(kind ReasonKind, form string, args ...any) Reason {
	return Reason{Kind: kind, Text: Worded(fmt.Sprintf(form, args...))}
}

// Needs returns the reason that an aid was not given.
func Needs(aid Aid, form string, args ...any) Reason {
	r := Because(NeedsAid, form, args...)
	r.Aid = aid
	return r
}

// Of returns the reason with the name of the probe that did not finish because of it.
func (r Reason) Of(probe ProbeName) Reason {
	r.Probe = probe
	return r
}

// ServerOwn reports whether a reason may lie in the server: it is neither a missing aid nor the choice of
// checks.
func (r Reason) ServerOwn() bool { return r.Kind != NeedsAid && r.Kind != NotAsked }

// String returns the reason as a sentence.
func (r Reason) String() string {
	text := r.Brief()
	if r.Probe != "" {
		text = fmt.Sprintf("probe %q did not finish: %s", r.Probe, text)
	}
	return wording(text)
}

// Brief returns the reason without the probe.
func (r Reason) Brief() string {
	switch r.Kind {
	case NeedsAid:
		return "needs " + r.Text
	case NotSeen:
		return "not seen: " + r.Text
	case NotAsked:
		return "left out: " + r.Text
	}
	return r.Text
}

// wording rewrites each sentence about a verdict.
var wording = func(text string) string { return text }

// Worded returns a sentence about a verdict as [SetWording] rewrites it.
func Worded(text string) string { return wording(text) }

// SetWording passes each sentence about a verdict through rewrite until restore is
// called. No verdict depends on wording, so a translation or a test may replace every
// sentence. It must not be called during a run.
func SetWording(rewrite func(string) string) (restore func()) {
	was := wording
	wording = rewrite
	return func() { wording = was }
}
