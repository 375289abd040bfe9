package har

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Recording is one server's traffic from a HAR file.
type Recording struct {
	Base      string                 // the server's base address
	History   []conformance.Exchange // the calls made to it, in the order in which they ended
	Elsewhere map[string]int         // skipped calls of the interface, by other base address
}

// Read reads the calls of a suite's operations from a HAR file: those made to base or, if
// base is empty, to the address with the most operations and then the most calls. It skips
// other requests; a file without calls of the interface is an error. A call that was not
// recorded completely is not judged, nor is what it may have changed: its body is missing,
// shorter than stated, or in an encoding other than base64. Calls of a run of this suite keep
// the data of the run.
func Read(suite *conformance.Suite, in io.Reader, base string) (*Recording, error) {
	calls, requests, err := callsIn(suite, in)
	if err != nil {
		return nil, fmt.Errorf("HAR: %w", err)
	}
	if len(calls) == 0 {
		return nil, fmt.Errorf("HAR: none of its %d requests is a call of %s", requests, suite.Paths())
	}
	r := &Recording{Base: strings.TrimRight(base, "/"), Elsewhere: map[string]int{}}
	if base == "" {
		r.Base = mainBase(calls)
	}
	ours := true
	for _, c := range calls {
		if c.base != r.Base && c.Intent != conformance.IntentPlainHTTP { // made to another address on purpose
			r.Elsewhere[c.base]++
			continue
		}
		r.History = append(r.History, c.Exchange)
		ours = ours && c.Probe != ""
	}
	if len(r.History) == 0 {
		return nil, fmt.Errorf("HAR: no call was made to %s, but to %s", r.Base, strings.Join(slices.Sorted(maps.Keys(r.Elsewhere)), ", "))
	}
	if !ours { // a run's own calls are in order, to less than the clock's resolution
		slices.SortStableFunc(r.History, func(a, b conformance.Exchange) int { return a.Ended().Compare(b.Ended()) })
	}
	for i := range r.History {
		r.History[i].ID = i + 1
	}
	return r, nil
}

// call is a call of the interface in a HAR file.
type call struct {
	conformance.Exchange
	base string
}

// Limits for reading a HAR file: the bytes of an entry, and the memory of all
// calls.
const (
	mostOfEntry = 16 << 20
	mostOfHAR   = 96 << 20
)

// callsIn reads the calls of a HAR file one by one, and counts its requests.
func callsIn(suite *conformance.Suite, file io.Reader) (calls []call, requests int, err error) {
	in := jsonvalue.NewReader(file, mostOfEntry)
	kept := conformance.Store{Most: mostOfHAR / 2}
	next := func() error {
		requests++
		var e entry
		if err := in.Value(&e); err != nil {
			return fmt.Errorf("request %d: %w", requests, err)
		}
		if year := e.Started.UTC().Year(); year < 0 || year > 9999 {
			return fmt.Errorf("request %d has a time outside of the years 0 to 9999", requests)
		}
		if status := e.Response.Status; status != 0 && (status < 100 || status > 999) {
			return fmt.Errorf("request %d has the status %d: want 100 to 999, or 0 for no answer", requests, status)
		}
		c, ok := callOf(suite, e)
		if !ok {
			return nil
		}
		if len(calls) >= conformance.MostCalls {
			return fmt.Errorf("it has more than %d calls; judge a part of it", conformance.MostCalls)
		}
		if kept.Take(&c.Exchange) > mostOfHAR {
			return errors.New("its calls use too much memory; judge a part of it")
		}
		calls = append(calls, c)
		return nil
	}
	within := func(wanted string, read func() error) func(string) error {
		return func(name string) error {
			if strings.EqualFold(name, wanted) {
				return read()
			}
			return in.Value(new(json.RawMessage))
		}
	}
	inside := func() error { return in.Members(within("entries", func() error { return in.Elements(next) })) }
	err = in.Members(within("log", inside))
	return calls, requests, err
}

// callOf returns an entry as a call of the interface, if it is one.
func callOf(suite *conformance.Suite, e entry) (call, bool) {
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return call{}, false
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	u.Host = strings.TrimSuffix(u.Host, map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
	op, base, ok := suite.Match(e.Request.Method, u)
	if !ok {
		return call{}, false
	}
	return call{e.exchange(op), base}, true
}

// mainBase returns the base with the most operations; among equals the one with the most
// calls, then the first.
func mainBase(calls []call) string {
	called, all := map[string]map[conformance.Operation]bool{}, map[string]int{}
	for _, c := range calls {
		if all[c.base]++; called[c.base] == nil {
			called[c.base] = map[conformance.Operation]bool{}
		}
		if method, _ := c.Operation.Route(); c.Request.Method == method {
			called[c.base][c.Operation] = true
		}
	}
	best := calls[0].base
	for _, c := range calls {
		more := len(called[c.base]) - len(called[best])
		if more > 0 || more == 0 && all[c.base] > all[best] {
			best = c.base
		}
	}
	return best
}

// exchange turns an entry into a recorded call.
func (e entry) exchange(op conformance.Operation) conformance.Exchange {
	x := conformance.Exchange{
		Operation: op, Started: e.Started.Time, Took: time.Duration(math.Round(e.Time * float64(time.Millisecond))),
		Request: conformance.Request{Method: e.Request.Method, URL: e.Request.URL, Header: headerOf(e.Request.Headers)},
	}
	x.Request.Body, x.Request.Cut = e.Request.body()
	whole := true
	if e.Response.Status == 0 {
		x.Err = "no answer was recorded"
		if e.Response.Error != "" {
			x.Err = e.Response.Error
		}
	} else {
		x.Response = &conformance.Response{Status: int(e.Response.Status), Proto: e.Response.HTTPVersion, Header: headerOf(e.Response.Headers)}
		x.Response.Body, whole = e.Response.body()
		if len(x.Request.Header) == 0 { // so it is not known whether compression was requested
			x.Response.Header.Del("Content-Encoding")
		}
	}
	e.Own.fill(&x)
	if !whole || x.Request.Cut > 0 && x.Probe == "" { // the longest bodies of a run are padding
		x.RecordedPartly()
	}
	return x
}

// fill fills in the suite's own data about a call.
func (own *extra) fill(x *conformance.Exchange) {
	if own == nil {
		return
	}
	x.Direction, x.Probe, x.Intent, x.Sound, x.Shown, x.Resent = own.Direction, own.Probe, own.Intent, own.Sound, own.Shown, own.Resent
	if x.Response != nil {
		x.Response.Closed, x.Response.Echoes, x.Response.TLS = own.Closed, own.Echoes, own.TLS
	}
}

// body returns the recorded part of a request's body, and the number of missing
// bytes.
func (r request) body() (body conformance.Body, cut int) {
	if r.PostData != nil {
		body = conformance.Body(r.PostData.Text)
		if len(r.PostData.Exact) > 0 {
			body = r.PostData.Exact
		}
	}
	return body, max(0, int(r.BodySize)-len(body))
}

// body returns the recorded part of an answer's body, and whether it is complete. The body
// may have been compressed, so it is incomplete only if it is shorter than both sizes. -1
// means that a size is unknown.
func (r response) body() (body conformance.Body, whole bool) {
	switch c := r.Content; c.Encoding {
	case "":
		body = conformance.Body(c.Text)
	case "base64":
		plain, err := base64.StdEncoding.DecodeString(c.Text)
		if err != nil { // older versions of Firefox say so of plain text
			plain = []byte(c.Text)
		}
		body = plain
	default:
		return nil, false
	}
	sizes := []int{int(r.Content.Size), int(r.BodySize)}
	if len(body) == 0 {
		return body, slices.Max(sizes) <= 0
	}
	if r.BodySize < 0 {
		return body, int(r.Content.Size) <= len(body)
	}
	return body, slices.Min(sizes) <= len(body)
}

func headerOf(pairs []pair) http.Header {
	h := http.Header{}
	for _, p := range pairs {
		if !strings.HasPrefix(p.Name, ":") { // HTTP/2's own
			h.Add(p.Name, p.Value)
		}
	}
	return h
}

// wholeNumber is a whole number. Some programs write it as 200.0, 2e2 or "200".
type wholeNumber int

// UnmarshalJSON implements [json.Unmarshaler].
func (n *wholeNumber) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	is, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	if err != nil {
		return fmt.Errorf("%s is no number", text)
	}
	if most := float64(1 << 53); is != math.Trunc(is) || math.Abs(is) > most {
		return fmt.Errorf("%s is not a whole number, or too large", text)
	}
	*n = wholeNumber(is)
	return nil
}

// moment is a time. Some programs write its offset without a colon.
type moment struct{ time.Time }

// UnmarshalJSON implements [json.Unmarshaler].
func (m *moment) UnmarshalJSON(text []byte) error {
	err := m.Time.UnmarshalJSON(text)
	if n := len(text); err != nil && n > len(`+0000"`) && (text[n-6] == '+' || text[n-6] == '-') {
		err = m.Time.UnmarshalJSON(slices.Concat(text[:n-3], []byte(":"), text[n-3:]))
	}
	if err != nil {
		return fmt.Errorf("startedDateTime is %s: want a time with its offset, such as \"2026-07-01T09:30:00Z\"", text)
	}
	return nil
}
