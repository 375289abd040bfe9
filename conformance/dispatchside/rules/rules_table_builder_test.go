package rules_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

// row is one history and the verdict that one check has to give on it.
type row struct {
	check string // "CAN-01"; "W-01@book": on one of its operations
	name  string
	want  conformance.Outcome
	calls []step
	at    string // part of the pointer, of what is expected, of the cure or of the message, in a finding that decides; "": any
}

// The verdicts of the rows.
const (
	passes     = conformance.Pass
	fails      = conformance.Fail
	warns      = conformance.Warn
	observed   = conformance.Seen
	flaky      = conformance.Flaky
	unverified = conformance.NotVerified
)

// step is one call of a history in short form. Its methods return a changed copy.
type step struct {
	op, sent        string
	code            int // of the answer; 0: no answer came
	reply           string
	method, url     string // "": POST, and the path of the operation
	probe, intent   string
	unsound         bool          // a right server need not serve it
	at, took        time.Duration // after firstCall; 0: a second after the call before, and for 10 ms
	asked, answered http.Header
	tls             *conformance.Security
	again           int  // the number of the call that this one makes again
	stalled         bool // the suite's own machine stood still
	epoch           int  // how often the run had moved the clock before
	echoes          bool // the answer repeats the caller's credentials
}

// asked returns a call that a right server serves.
func asked(op, sent string, code int, reply string) step {
	return step{op: op, sent: sent, code: code, reply: reply, probe: "story"}
}

// but changes the reply; the text to be replaced must be in it.
func (s step) but(old, now string) step {
	s.reply = swap(s.reply, old, now)
	return s
}

// sending changes the request in the same way.
func (s step) sending(old, now string) step {
	s.sent = swap(s.sent, old, now)
	return s
}

func swap(text, old, now string) string {
	if !strings.Contains(text, old) {
		panic(fmt.Sprintf("no %s in %s", old, text))
	}
	return strings.Replace(text, old, now, 1)
}

// gets changes the answer.
func (s step) gets(code int, reply string) step {
	s.code, s.reply = code, reply
	return s
}

// refused changes the answer to a code with a short error.
func (s step) refused(code int) step { return s.gets(code, `{"error":"refused"}`) }

// unanswered removes the answer.
func (s step) unanswered() step { return s.gets(0, "") }

// intends sets the intent of a call that a right server still has to serve.
func (s step) intends(intent string) step {
	s.intent = intent
	return s
}

// tries sets the intent of a call that a right server need not serve.
func (s step) tries(intent string) step {
	s.intent, s.unsound = intent, true
	return s
}

// doubtful marks a call that a right server need not serve.
func (s step) doubtful() step { return s.tries("") }

// in moves a call into a probe; "": it becomes a call of another client.
func (s step) in(probe string) step {
	s.probe = probe
	return s
}

func (s step) byGET() step {
	s.method = "GET"
	return s
}

func (s step) to(url string) step {
	s.url = url
	return s
}

// lasting sets how long a call took, and from when it began.
func (s step) lasting(took time.Duration) step {
	s.took = took
	return s
}

func (s step) from(at time.Duration) step {
	s.at = at
	return s
}

// asking adds a header to the request, and answering one to the reply.
func (s step) asking(name, text string) step {
	s.asked = withHeader(s.asked, name, text)
	return s
}

func (s step) answering(name, text string) step {
	s.answered = withHeader(s.answered, name, text)
	return s
}

func withHeader(h http.Header, name, text string) http.Header {
	h = h.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set(name, text)
	return h
}

// over sets what is known of the TLS connection of a call.
func (s step) over(tls conformance.Security) step {
	s.tls = &tls
	return s
}

// stalling marks a call during which the suite's own machine was paused.
func (s step) stalling() step {
	s.stalled = true
	return s
}

// moved marks a call that came after the run had moved the server's clock.
func (s step) moved() step {
	s.epoch++
	return s
}

// echoing marks a call whose answer repeats the caller's credentials.
func (s step) echoing() step {
	s.echoes = true
	return s
}

// firstCall is when every history begins.
var firstCall = time.Date(2026, 10, 12, 9, 0, 0, 0, time.UTC)

// exchange returns the step as the nth call of a history.
func (s step) exchange(n int) conformance.Exchange {
	x := conformance.Exchange{
		ID: n, Operation: conformance.Operation(s.op), Probe: conformance.ProbeName(s.probe), Intent: conformance.Intent(s.intent), Sound: !s.unsound && s.probe != "",
		Epoch: s.epoch,
		Again: s.again, Stalled: s.stalled,
		Request: conformance.Request{
			Method: cmp.Or(s.method, http.MethodPost), URL: cmp.Or(s.url, "http://127.0.0.1:8080/"+s.op),
			Header: withHeader(s.asked, "Content-Type", "application/json"), Body: []byte(s.sent),
		},
		Started: firstCall.Add(cmp.Or(s.at, time.Duration(n)*time.Second)), Took: cmp.Or(s.took, 10*time.Millisecond),
	}
	if s.code == 0 {
		x.Err = "connection reset"
		return x
	}
	x.Response = &conformance.Response{
		Status: s.code, Proto: "HTTP/1.1", Header: s.answered, Body: []byte(s.reply), Echoes: s.echoes, TLS: s.tls,
	}
	if s.answered.Get("Content-Type") == "" {
		x.Response.Header = withHeader(s.answered, "Content-Type", "application/json")
	}
	return x
}

// then adds calls to a history.
func then(before []step, more ...step) []step { return slices.Concat(before, more) }

// inProbe moves a whole history into one probe.
func inProbe(probe string, calls ...step) []step {
	all := slices.Clone(calls)
	for i := range all {
		all[i] = all[i].in(probe)
	}
	return all
}

// times repeats a call n times; # in its texts becomes the number of the call.
func times(n int, s step) []step {
	all := make([]step, n)
	for i := range all {
		all[i] = s
		all[i].sent = strings.ReplaceAll(s.sent, "#", fmt.Sprint(i+1))
		all[i].reply = strings.ReplaceAll(s.reply, "#", fmt.Sprint(i+1))
	}
	return all
}

// judged returns the verdicts on a row's check, one for each operation on which there is one.
func (r row) judged() []conformance.Result {
	history := make([]conformance.Exchange, len(r.calls))
	for i, s := range r.calls {
		history[i] = s.exchange(i + 1)
	}
	id, op, _ := strings.Cut(r.check, "@")
	return slices.DeleteFunc(dispatchside.Suite.Verdicts(history), func(v conformance.Result) bool {
		return v.ID != id || op != "" && string(v.Operation) != op
	})
}

// shows reports whether a finding that decides a verdict refers to a text: in its pointer, expectation, hint or message.
func shows(v conformance.Result, at string) bool {
	return slices.ContainsFunc(v.Findings, func(f conformance.Finding) bool {
		return f.Outcome == v.Outcome && (strings.Contains(f.Pointer, at) || strings.Contains(f.Expected, at) || strings.Contains(f.Hint, at) || strings.Contains(f.Message, at))
	})
}
