package conformance

import "fmt"

// ReasonKind says what kept a check from a verdict. Programs go by it; the words
// of a [Reason] are for people. Run files may hold kinds that are newer than the
// reader.
type ReasonKind string

// The kinds of reason.
const (
	NeedsAid      ReasonKind = "needs-aid"      // the run was not given what Reason.Aid names
	AidFailed     ReasonKind = "aid-failed"     // it was given, and did not do its work
	NotAsked      ReasonKind = "not-asked"      // the run was limited to other checks
	NotSeen       ReasonKind = "not-seen"       // the calls did not show what the check is about
	NotServed     ReasonKind = "not-served"     // the server refused a call on which the check depends
	Incomplete    ReasonKind = "incomplete"     // not all calls that the check is about were made
	RateLimited   ReasonKind = "rate-limited"   // the server asked to be called less often, and went on asking
	Unanswered    ReasonKind = "unanswered"     // an operation left so many calls without an answer that no more are made
	TooLong       ReasonKind = "too-long"       // a body was longer than is read or kept
	ServerGone    ReasonKind = "server-gone"    // the server stopped answering
	Interrupted   ReasonKind = "interrupted"    // the run was stopped
	CannotCancel  ReasonKind = "cannot-cancel"  // a thing could not be taken away again, so that no more were made
	MostMade      ReasonKind = "most-made"      // the run has made as many things as it may
	OutOfTime     ReasonKind = "out-of-time"    // the time that the run may take was over
	FailedBefore  ReasonKind = "failed-before"  // the server fails another requirement, on which the check depends
	NotApplicable ReasonKind = "not-applicable" // with this target or server it cannot be tried
)

// Reason says why a probe ended early, or why a check has no verdict.
type Reason struct {
	Kind  ReasonKind `json:"kind"`
	Aid   Aid        `json:"aid,omitempty"`   // what may help; "": nothing that a run can be given
	Probe ProbeName  `json:"probe,omitempty"` // the probe that ended early; "": none did
	Text  string     `json:"text"`            // in words, without the probe's name
}

// Because makes a reason.
func Because(kind ReasonKind, form string, args ...any) Reason {
	return Reason{Kind: kind, Text: Worded(fmt.Sprintf(form, args...))}
}

// Needs is the reason that an aid was not given; what says it in words.
func Needs(aid Aid, form string, args ...any) Reason {
	r := Because(NeedsAid, form, args...)
	r.Aid = aid
	return r
}

// Of returns the reason as that of a probe which did not finish.
func (r Reason) Of(probe ProbeName) Reason {
	r.Probe = probe
	return r
}

// ServerOwn reports a reason that lies with the server, and not with what the
// run was given or asked for.
func (r Reason) ServerOwn() bool { return r.Kind != NeedsAid && r.Kind != NotAsked }

// String says the reason in a sentence.
func (r Reason) String() string {
	text := r.Brief()
	if r.Probe != "" {
		text = fmt.Sprintf("probe %q did not finish: %s", r.Probe, text)
	}
	return wording(text)
}

// Brief says the reason without the probe.
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

// wording is what each sentence about a verdict goes through.
var wording = func(text string) string { return text }

// Worded is the one door through which a sentence about a verdict comes.
func Worded(text string) string { return wording(text) }

// SetWording has each sentence about a verdict go through rewrite, until the
// function that it returns is called. No verdict depends on words, so another
// language or a test may replace them all. It must not be called while a run is
// under way.
func SetWording(rewrite func(string) string) (restore func()) {
	was := wording
	wording = rewrite
	return func() { wording = was }
}
