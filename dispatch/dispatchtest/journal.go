package dispatchtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Request is a call of an operation as it was really sent and answered.
type Request struct {
	N         int       // from 1, in the order in which calls ended
	At        time.Time // when it started, on the world's clock
	Op        string    // such as "book"; "": no operation has that path
	Method    string
	Path      string
	Header    http.Header
	Body      []byte
	Status    int            // of the answer; 0: the caller got none, or one that a fault sent past the server
	Answer    []byte         // its body
	Phone     string         // digits of the number that was sent
	UserID    taxi.UserID    // that was sent, or else answered
	JourneyID taxi.JourneyID // that was sent, or that a booking was given

	// Findings are what the rules of the interface find in what was sent, alone or after the
	// requests before it. Those of level [conformance.CallMust] break the interface.
	Findings []conformance.CallFinding
}

// Match selects requests: those that meet all of its conditions. The zero value matches
// all.
type Match struct {
	Op        string
	Phone     taxi.E164 // in any form
	UserID    taxi.UserID
	JourneyID taxi.JourneyID
	Status    int
	Body      map[string]any     // members of the request body, with values as JSON
	Fits      func(Request) bool // another condition; nil: none
}

// Expect says how many requests that match a test expects.
type Expect struct {
	Match

	Times int  // exact number; 0: at least one
	Never bool // none
}

// mostLogged bounds the calls that a test that failed logs.
const mostLogged = 20

// Journal keeps and judges what the platform under test has called: the last thousand calls, with
// the first 64 KiB of each body. If the test fails, its last calls are logged. [Fake.Control] asks
// the same journal, and has the report on it.
type Journal struct {
	t    testing.TB
	live *query.Journal
}

// Requests returns the requests that match, in the order in which they ended.
func (j *Journal) Requests(m Match) []Request {
	j.live.Ended(j.t.Context())
	j.live.Settle(true)
	return j.fitting(m)
}

// fitting returns the requests that match, with their findings so far.
func (j *Journal) fitting(m Match) []Request {
	return slices.DeleteFunc(j.all(), func(r Request) bool { return len(m.differences(r)) > 0 })
}

// all returns the requests that are kept, with their findings so far.
func (j *Journal) all() []Request {
	calls, _ := j.live.After(0)
	requests := make([]Request, len(calls))
	for i, k := range calls {
		requests[i] = requestOf(j.live.Copy(k))
	}
	return requests
}

// requestOf converts a recorded call to a [Request].
func requestOf(k *live.Call) Request {
	x := &k.X
	r := Request{
		N: x.ID, At: x.Started, Op: string(x.Operation), Method: x.Request.Method, Header: x.Request.Header, Body: x.Request.Body,
		Phone: k.Phone, UserID: taxi.UserID(k.IDs["userId"]), JourneyID: taxi.JourneyID(k.IDs["journeyId"]),
	}
	if u, err := url.Parse(x.Request.URL); err == nil { // a long one was cut
		r.Path = u.Path
	}
	if x.Response != nil && x.ErrKind != conformance.ErrHungUp {
		r.Status, r.Answer = x.Response.Status, x.Response.Body
	}
	for _, f := range k.Findings {
		if f.About == conformance.AboutRequest {
			r.Findings = append(r.Findings, f)
		}
	}
	return r
}

// Wait waits until at least times requests match, including earlier ones, and returns them.
// The test fails if ctx ends first, or after a minute of real time.
func (j *Journal) Wait(ctx context.Context, times int, m Match) []Request {
	j.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		news := j.live.News()
		if j.live.Settle(false); len(j.fitting(m)) >= times {
			return j.Requests(m)
		}
		select {
		case <-news:
		case <-ctx.Done():
			j.t.Fatalf("dispatchtest: waited for %d of %s\n%s", times, m, j.nearest(m))
		}
	}
}

// Verify fails the test for each unmet expectation, and logs the nearest requests and their
// differences.
func (j *Journal) Verify(expected ...Expect) {
	j.t.Helper()
	for _, e := range expected {
		n := len(j.Requests(e.Match))
		switch {
		case e.Never && n > 0:
			j.t.Errorf("dispatchtest: %d of %s, want none", n, e.Match)
		case e.Times > 0 && n != e.Times:
			j.t.Errorf("dispatchtest: %d of %s, want %d\n%s", n, e.Match, e.Times, j.nearest(e.Match))
		case !e.Never && n == 0:
			j.t.Errorf("dispatchtest: none of %s\n%s", e.Match, j.nearest(e.Match))
		}
	}
}

// VerifyRules fails the test for each request that breaks a MUST of the interface, but for the
// rules whose ids are named: 'cabrank explain' describes them.
func (j *Journal) VerifyRules(except ...string) {
	j.t.Helper()
	for _, r := range j.Requests(Match{}) {
		for _, f := range r.Findings {
			if f.Level == conformance.CallMust && !slices.Contains(except, f.Rule) {
				j.t.Errorf("dispatchtest: request %s breaks %s: %s, want %s", r, f.Rule, f.Message, f.Expected)
			}
		}
	}
}

// Clear forgets all requests. The numbers of later ones continue.
func (j *Journal) Clear() { j.live.Clear() }

// String says what a match asks for.
func (m Match) String() string {
	var all []string
	add := func(name string, v any) {
		if !reflect.ValueOf(v).IsZero() {
			all = append(all, fmt.Sprintf("%s %v", name, v))
		}
	}
	add("phone", m.Phone)
	add("userId", m.UserID)
	add("journeyId", m.JourneyID)
	add("status", m.Status)
	for _, name := range sortedNames(m.Body) {
		all = append(all, name+" "+asJSON(m.Body[name]))
	}
	if m.Fits != nil {
		all = append(all, "what Fits says")
	}
	what := "requests"
	if m.Op != "" {
		what = "/" + m.Op
	}
	if len(all) == 0 {
		return what
	}
	return what + " with " + strings.Join(all, ", ")
}

// differences lists the conditions that a request does not meet; empty: it matches. The
// operation counts most.
func (m Match) differences(r Request) []string {
	var all []string
	differ := func(is bool, form string, args ...any) {
		if is {
			all = append(all, fmt.Sprintf(form, args...))
		}
	}
	differ(m.Op != "" && m.Op != r.Op, "it is /%s, want /%s", r.Op, m.Op)
	differ(m.Phone != "" && digits(string(m.Phone)) != r.Phone, "its phone is %q, want %q", r.Phone, digits(string(m.Phone)))
	differ(m.UserID != "" && m.UserID != r.UserID, "its userId is %q, want %q", r.UserID, m.UserID)
	differ(m.JourneyID != "" && m.JourneyID != r.JourneyID, "its journeyId is %q, want %q", r.JourneyID, m.JourneyID)
	differ(m.Status != 0 && m.Status != r.Status, "its status is %d, want %d", r.Status, m.Status)
	if len(m.Body) > 0 {
		var body map[string]any
		_ = json.Unmarshal(r.Body, &body) // a body that is not an object has no members
		for _, name := range sortedNames(m.Body) {
			got, want := asJSON(body[name]), asJSON(m.Body[name])
			differ(got != want, "its %s is %s, want %s", name, got, want)
		}
	}
	differ(len(all) == 0 && m.Fits != nil && !m.Fits(r), "Fits says no")
	return all
}

// nearest describes the three requests nearest to a match.
func (j *Journal) nearest(m Match) string {
	all := slices.DeleteFunc(j.all(), func(r Request) bool { return len(m.differences(r)) == 0 })
	if len(all) == 0 {
		return "nothing else was called"
	}
	far := func(r Request) int {
		n := len(m.differences(r))
		if m.Op != "" && m.Op != r.Op {
			n += len(m.Body) + 5
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b Request) int { return far(a) - far(b) })
	var b strings.Builder
	b.WriteString("nearest to it:\n")
	for _, r := range all[:min(3, len(all))] {
		fmt.Fprintf(&b, "  %s: %s\n", r, strings.Join(m.differences(r), "; "))
	}
	return strings.TrimRight(b.String(), "\n")
}

// String describes a request in one line, with the last three digits of the number.
func (r Request) String() string {
	line := fmt.Sprintf("%d  %s  %s %s", r.N, r.At.UTC().Format(time.TimeOnly), r.Method, r.Path)
	if n := len(r.Phone); n > 3 {
		line += " …" + r.Phone[n-3:]
	}
	if r.JourneyID != "" {
		line += " " + string(r.JourneyID)
	}
	if r.Status == 0 {
		return line + " → no answer"
	}
	return fmt.Sprintf("%s → %d", line, r.Status)
}

// logIfFailed logs the last calls of a failed test.
func (j *Journal) logIfFailed() {
	j.t.Helper()
	if !j.t.Failed() {
		return
	}
	all := j.Requests(Match{})
	var b strings.Builder
	for _, r := range all[max(0, len(all)-mostLogged):] {
		var refused taxi.Problem
		_ = json.Unmarshal(r.Answer, &refused) // another answer has no code
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("  %s %s", r, refused.Code), " "))
	}
	if b.Len() > 0 {
		j.t.Logf("what was called last, of %d calls:\n%s", j.live.Range().Last, strings.TrimRight(b.String(), "\n"))
	}
}

func digits(number string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number)
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// asJSON writes a value so that it can be compared and read.
func asJSON(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(b.String())
}
