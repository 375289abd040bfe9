package dispatchtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Request is a call of an operation as it was really sent and answered.
type Request struct {
	N         int       // from 1, in the order in which calls ended
	At        time.Time // when it began, by the world's clock
	Op        string    // such as "book"; "": no operation has that path
	Method    string
	Path      string
	Header    http.Header
	Body      []byte
	Status    int    // of the answer; 0: the caller got none, or one that a fault sent past the server
	Answer    []byte // its body
	Phone     string // digits of the number that was sent
	UserID    taxi.UserID
	JourneyID taxi.JourneyID // that was sent, or that a booking was given
}

// Match says which requests are meant: those that fit everything that is given. The zero
// value fits all.
type Match struct {
	Op        string
	Phone     taxi.E164 // however it is written
	UserID    taxi.UserID
	JourneyID taxi.JourneyID
	Status    int
	Body      map[string]any     // what the members of the body that was sent are, as JSON
	Fits      func(Request) bool // anything else; nil: nothing else
}

// Expect says how often a test wants requests that fit a match.
type Expect struct {
	Match

	Times int  // exactly so often; 0: once or more
	Never bool // not once
}

// Bounds of what a fake remembers.
const (
	mostRequests = 1000
	mostBody     = 64 << 10
	mostLogged   = 20
)

// Journal remembers what the platform under test has called: the last thousand calls, with
// the first 64 KiB of each body. It judges nothing. If the test fails, its last calls are
// logged.
type Journal struct {
	t testing.TB

	mu   sync.Mutex
	last int
	kept []Request
	news chan struct{} // closed when a call has ended
}

func newJournal(t testing.TB) *Journal { return &Journal{t: t, news: make(chan struct{})} }

// Requests returns the requests that fit, in the order in which they ended.
func (j *Journal) Requests(m Match) []Request {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(j.kept), func(r Request) bool { return len(m.differences(r)) > 0 })
}

// Wait returns the requests that fit as soon as there are so many, those before included.
// The test fails when ctx ends first, or a minute of the wall has gone by.
func (j *Journal) Wait(ctx context.Context, times int, m Match) []Request {
	j.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		j.mu.Lock()
		news := j.news
		j.mu.Unlock()
		if found := j.Requests(m); len(found) >= times {
			return found
		}
		select {
		case <-news:
		case <-ctx.Done():
			j.t.Fatalf("dispatchtest: waited for %d of %s\n%s", times, m, j.nearest(m))
		}
	}
}

// Verify fails the test for each expectation that is not met, and tells which requests
// came nearest to it, and how they differ.
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

// Clear forgets all requests. Numbers go on counting.
func (j *Journal) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kept = nil
}

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

// differences tell what keeps a request from fitting; none: it fits. The operation counts
// most.
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
		_ = json.Unmarshal(r.Body, &body) // what is no object has no members
		for _, name := range sortedNames(m.Body) {
			got, want := asJSON(body[name]), asJSON(m.Body[name])
			differ(got != want, "its %s is %s, want %s", name, got, want)
		}
	}
	differ(len(all) == 0 && m.Fits != nil && !m.Fits(r), "Fits says no")
	return all
}

// nearest tells of the three requests that come nearest to a match.
func (j *Journal) nearest(m Match) string {
	j.mu.Lock()
	all := slices.Clone(j.kept)
	j.mu.Unlock()
	all = slices.DeleteFunc(all, func(r Request) bool { return len(m.differences(r)) == 0 })
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

// String tells a request in a line. Of the number it has the last three digits.
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

// logIfFailed tells the last calls of a test that has failed.
func (j *Journal) logIfFailed() {
	j.t.Helper()
	if !j.t.Failed() {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	var b strings.Builder
	for _, r := range j.kept[max(0, len(j.kept)-mostLogged):] {
		fmt.Fprintf(&b, "  %s\n", r)
	}
	if b.Len() > 0 {
		j.t.Logf("what was called last, of %d calls:\n%s", j.last, strings.TrimRight(b.String(), "\n"))
	}
}

// keep takes in a call that has ended.
func (j *Journal) keep(r Request) {
	var sent struct {
		PhoneNumber string         `json:"phoneNumber"`
		UserID      taxi.UserID    `json:"userId"`
		JourneyID   taxi.JourneyID `json:"journeyId"`
	}
	_ = json.Unmarshal(r.Body, &sent) // what cannot be read is about nobody
	r.Phone, r.UserID, r.JourneyID = digits(sent.PhoneNumber), sent.UserID, sent.JourneyID
	if r.JourneyID == "" && r.Op == "book" {
		sent.JourneyID = ""
		_ = json.Unmarshal(r.Answer, &sent)
		r.JourneyID = sent.JourneyID
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	r.N = j.last
	if len(j.kept) == mostRequests {
		j.kept = slices.Delete(j.kept, 0, 1)
	}
	j.kept = append(j.kept, r)
	close(j.news)
	j.news = make(chan struct{})
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
