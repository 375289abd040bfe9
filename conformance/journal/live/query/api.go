package query

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Options configures a [Journal] and its API.
type Options struct {
	live.Options

	Version string // of the program, for reports
}

// Journal records and judges calls like its [live.Journal], and serves an API for them.
type Journal struct {
	*live.Journal
	opts    Options
	waiters chan struct{} // one slot for each client that waits or listens
	api     http.Handler
}

// New returns a journal of a handler's calls. [Journal.Close] ends it.
func New(next http.Handler, opts Options) *Journal {
	opts.Most = cmp.Or(opts.Most, live.UsualMost)
	l := &Journal{Journal: live.New(next, opts.Options), opts: opts, waiters: make(chan struct{}, mostWait)}
	l.api = l.newAPI()
	return l
}

// API returns the handler of the API, below /requests, /verify, /report and /rules.
func (l *Journal) API() http.Handler { return l.api }

// asks answers one call of the API.
type asks func(http.ResponseWriter, *http.Request) error

// newAPI makes the handler of the API.
func (l *Journal) newAPI() http.Handler {
	mux := http.NewServeMux()
	for pattern, answer := range map[string]asks{
		"GET /requests":        l.list,
		"DELETE /requests":     l.forget,
		"GET /requests/stream": l.stream,
		"POST /requests/find":  l.find,
		"POST /requests/count": l.count,
		"POST /requests/wait":  l.wait,
		"GET /requests/{id}":   l.show,
		"POST /verify":         l.verify,
		"GET /report":          l.report,
		"GET /rules/{id}":      l.explain,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := answer(w, r); err != nil {
				fail(w, err)
			}
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			fail(w, unknownCall(w, mux, r))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// unknownCall refuses an unknown path, or a wrong method with the allowed ones.
func unknownCall(w http.ResponseWriter, mux *http.ServeMux, r *http.Request) *taxi.Problem {
	var allowed []string
	for _, method := range []string{http.MethodDelete, http.MethodGet, http.MethodPost} {
		other := *r
		other.Method = method
		if _, pattern := mux.Handler(&other); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return taxi.NewProblem(http.StatusMethodNotAllowed, "method-not-allowed", "want %s", strings.Join(allowed, " or "))
	}
	return taxi.NewProblem(http.StatusNotFound, "not-found", "there are /requests, /requests/{id}, /requests/find, /count, /wait and /stream, /verify, /report and /rules/{id}")
}

// selection says which calls to return, and in which form.
type selection struct {
	match  *match
	after  int       // only later ids
	before int       // only earlier ids; 0: any
	since  time.Time // only calls that started then or later, in real time
	limit  int       // maximum number of calls
	brief  bool      // without headers and bodies
	first  bool      // return the first calls, not the last
	upTo   int       // the last judged id at the time of the answer
}

// Limits of an answer with calls.
const (
	usualLimit = 100
	mostLimit  = 1000
	mostAnswer = 32 << 20 // bytes of bodies in one answer
)

// selected returns the selected calls in order, and whether there are more than the limit.
// If ctx ends, it returns the calls found so far.
func (l *Journal) selected(ctx context.Context, s *selection) (found []*live.Call, more bool) {
	all, judged := l.After(s.after)
	s.upTo = judged
	for _, k := range all {
		if ctx.Err() != nil {
			break // the client has disconnected
		}
		if s.before > 0 && k.X.ID >= s.before {
			break
		}
		if k.X.ID <= s.upTo && (s.since.IsZero() || !k.X.Walled.Before(s.since)) && s.match.fits(l.Copy(k)) {
			found = append(found, k)
		}
	}
	if len(found) <= s.limit {
		return found, false
	}
	if s.first {
		return found[:s.limit], true
	}
	return found[len(found)-s.limit:], true
}

// Listing is an answer with calls.
type Listing struct {
	Requests []live.Document `json:"requests"`
	Count    int             `json:"count"`         // calls in this answer
	More     bool            `json:"more"`          // more calls match
	Last     int             `json:"last"`          // the value of after for the next page
	Kept     int             `json:"kept"`          // stored calls in total
	Gone     int             `json:"gone,omitzero"` // calls dropped for newer ones
}

// listed makes an answer with calls.
func (l *Journal) listed(s *selection, found []*live.Call, more bool) Listing {
	all := l.Range()
	out := Listing{Requests: []live.Document{}, More: more, Kept: all.Kept, Gone: all.Gone, Last: s.upTo}
	room := mostAnswer
	for _, k := range found {
		room -= k.Weight
		out.Requests = append(out.Requests, l.Copy(k).Document(s.brief || room < 0))
	}
	if out.Count = len(found); more && s.first {
		out.Last = found[out.Count-1].X.ID
	}
	return out
}

func (l *Journal) list(w http.ResponseWriter, r *http.Request) error {
	s, rest, err := l.query(r.URL.Query())
	if err != nil {
		return err
	}
	if follow := rest["follow"]; follow != "" && follow != "false" {
		return l.streamed(w, r, s)
	}
	l.Ended(r.Context())
	l.Settle(true)
	found, more := l.selected(r.Context(), s)
	return succeed(w, l.listed(s, found, more))
}

func (l *Journal) forget(w http.ResponseWriter, _ *http.Request) error {
	l.Clear()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// query parses the parameters of a list: the conditions with single values, since, after,
// before, limit and brief. rest has the other parameters.
func (l *Journal) query(q url.Values) (*selection, map[string]string, error) {
	s := &selection{match: &match{}, limit: usualLimit}
	rest := map[string]string{}
	for name, values := range q {
		if len(values) > 1 {
			return nil, nil, taxi.InvalidField(clipped(name), "format", "is given %d times", len(values))
		}
		v := values[0]
		var err error
		switch name {
		case "since":
			if s.since, err = time.Parse(time.RFC3339Nano, v); err != nil {
				return nil, nil, taxi.InvalidField(name, "format", "is %q, want a time such as 2026-11-22T10:00:00Z", clipped(v))
			}
		case "after":
			s.after, err = atLeast(name, v, 0)
			s.first = true
		case "before":
			s.before, err = atLeast(name, v, 1)
		case "limit":
			if s.limit, err = atLeast(name, v, 1); err == nil && s.limit > mostLimit {
				err = taxi.InvalidField(name, "range", "is %d, want at most %d", s.limit, mostLimit)
			}
		case "brief":
			s.brief, err = yes(name, v)
		case "follow":
			var on bool
			on, err = yes(name, v)
			rest[name] = strconv.FormatBool(on)
		case "status":
			err = s.match.addStatus(jsontext.Value(strconv.Quote(v)), name)
		default:
			err = l.matches().word(s.match, name, v, clipped(name))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return s, rest, nil
}

// atLeast parses a number with a minimum.
func atLeast(name, text string, least int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		return 0, taxi.InvalidField(name, "range", "is %q, want a whole number from %d", jsonvalue.Clip(text, 40), least)
	}
	return n, nil
}

// yes parses a boolean; "" is true.
func yes(name, text string) (bool, error) {
	switch text {
	case "", "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, taxi.InvalidField(name, "format", "is %q, want true or false", clipped(text))
}

// Question is the body of a search. The zero value is for the last hundred calls.
type Question struct {
	Match jsontext.Value `json:"match,omitzero"` // an object such as {"op":"book","body":{"/name":"Ada"}}; nil: all calls
	After int            `json:"after,omitzero"` // only calls with greater ids, and the first of them
	Limit *int           `json:"limit,omitzero"` // 1 to 1000; nil: 100
	Brief bool           `json:"brief,omitzero"` // without headers and bodies
}

func (l *Journal) asked(w http.ResponseWriter, r *http.Request) (*selection, error) {
	var q Question
	if err := decodeQuestion(w, r, &q); err != nil {
		return nil, err
	}
	m, err := l.matches().decode(q.Match, "/match")
	if err != nil {
		return nil, err
	}
	s := &selection{match: m, after: q.After, brief: q.Brief, first: q.After > 0, limit: usualLimit}
	if q.After < 0 {
		return nil, taxi.InvalidField("/after", "range", "is less than 0")
	}
	if q.Limit != nil {
		if s.limit = *q.Limit; s.limit < 1 || s.limit > mostLimit {
			return nil, taxi.InvalidField("/limit", "range", "is %d, want 1 to %d", s.limit, mostLimit)
		}
	}
	return s, nil
}

func (l *Journal) find(w http.ResponseWriter, r *http.Request) error {
	s, err := l.asked(w, r)
	if err != nil {
		return err
	}
	l.Ended(r.Context())
	l.Settle(true)
	found, more := l.selected(r.Context(), s)
	return succeed(w, l.listed(s, found, more))
}

func (l *Journal) count(w http.ResponseWriter, r *http.Request) error {
	s, err := l.asked(w, r)
	if err != nil {
		return err
	}
	l.Ended(r.Context())
	l.Settle(s.match.deep)
	s.limit = l.opts.Most + 1
	found, _ := l.selected(r.Context(), s)
	return succeed(w, struct {
		Count int `json:"count"`
	}{len(found)})
}

// one finds a call by its number, or by the id in its answer's header.
func (l *Journal) one(ctx context.Context, name string) (*live.Call, error) {
	l.Ended(ctx)
	l.Settle(true)
	if id, err := strconv.Atoi(name); err == nil && !strings.HasPrefix(name, "0") {
		if later, _ := l.After(id - 1); len(later) > 0 && later[0].X.ID == id {
			return later[0], nil
		}
		if id > 0 && id <= l.Range().Last {
			return nil, taxi.NewProblem(http.StatusNotFound, "no-such-request", "request %d is no longer kept", id)
		}
	}
	all, _ := l.After(0)
	for _, k := range slices.Backward(all) {
		if k.Token == name && name != "" {
			return k, nil
		}
	}
	return nil, taxi.NewProblem(http.StatusNotFound, "no-such-request", "there is no request %q", clipped(name))
}
