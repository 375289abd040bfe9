package query

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Limits of waiting.
const (
	usualWait   = 10 * time.Second
	longestWait = 5 * time.Minute
	mostWait    = 200 // clients that wait or listen at once
)

// Waiting is the body of POST /requests/wait.
type Waiting struct {
	Match   jsontext.Value `json:"match,omitzero"`   // as that of a [Question]
	Count   *int           `json:"count,omitzero"`   // from 1; nil: 1
	Timeout string         `json:"timeout,omitzero"` // in real time, such as "5s", at most 5m; "": 10s
	After   int            `json:"after,omitzero"`   // only calls with later ids
	Brief   bool           `json:"brief,omitzero"`   // without headers and bodies
}

// wait answers as soon as enough calls match, including those already stored.
func (l *Journal) wait(w http.ResponseWriter, r *http.Request) error {
	var q Waiting
	if err := decodeQuestion(w, r, &q); err != nil {
		return err
	}
	m, err := l.matches().decode(q.Match, "/match")
	if err != nil {
		return err
	}
	want, within := 1, usualWait
	if q.Count != nil {
		if want = *q.Count; want < 1 || want > l.opts.Most {
			return taxi.InvalidField("/count", "range", "is %d, want 1 to %d", want, l.opts.Most)
		}
	}
	if q.Timeout != "" {
		if within, err = time.ParseDuration(q.Timeout); err != nil || within < 0 || within > longestWait {
			return taxi.InvalidField("/timeout", "format", "is %q, want a duration such as \"5s\", at most %s", clipped(q.Timeout), longestWait)
		}
	}
	leave, err := l.reserveSlot()
	if err != nil {
		return err
	}
	defer leave()
	l.removeDeadlines(w, within+answerTakes)
	s := &selection{match: m, after: q.After, limit: l.opts.Most + 1, brief: q.Brief}
	found, ok := l.await(r, s, want, within)
	if !ok {
		return l.tooFew(r, s, found, want, within)
	}
	return succeed(w, l.listed(s, found, false))
}

// await returns the matching calls once there are as many as wanted; ok is false if they
// did not come in time.
func (l *Journal) await(r *http.Request, s *selection, want int, within time.Duration) (found []*live.Call, ok bool) {
	end := time.NewTimer(within)
	defer end.Stop()
	l.Ended(r.Context())
	rest := *s // selects the calls not yet compared
	defer func() { s.upTo = rest.upTo }()
	for {
		news := l.News()
		cleared := l.Range().Cleared
		found = slices.DeleteFunc(found, func(k *live.Call) bool { return k.X.ID <= cleared })
		l.Settle(s.match.deep)
		more, _ := l.selected(r.Context(), &rest)
		if s.match.deep {
			found = more // later calls may have added findings to earlier ones
		} else {
			found, rest.after = append(found, more...), max(rest.after, rest.upTo)
		}
		if len(found) >= want {
			return found, true
		}
		select {
		case <-news:
		case <-end.C:
			return found, false
		case <-l.Released():
			return found, false
		case <-r.Context().Done():
			return found, false
		}
	}
}

// tooFew returns the refusal for a wait that timed out, with the nearest calls.
func (l *Journal) tooFew(r *http.Request, s *selection, found []*live.Call, want int, within time.Duration) *Problem {
	n := len(found)
	p := &Problem{Problem: *taxi.NewProblem(http.StatusRequestTimeout, "not-seen", "%s within %s, %d wanted", calls(n), within, want), Count: &n}
	p.Retryable = true
	if all, err := l.measure(r.Context(), s.after, []*match{s.match}); err == nil {
		p.Nearest = all.nearest(0, s.match, s.after)
	}
	return p
}

// answerTakes is the time for a client to read the answer after waiting.
const answerTakes = 10 * time.Second

// removeDeadlines removes the server's time limits for an answer.
func (l *Journal) removeDeadlines(w http.ResponseWriter, within time.Duration) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // the body is already read; not every server supports deadlines
	_ = control.SetWriteDeadline(l.opts.Now().Add(within))
}

func calls(n int) string {
	if n == 1 {
		return "1 request fits"
	}
	return fmt.Sprintf("%d requests fit", n)
}

// reserveSlot reserves a slot for waiting or listening, if one is free.
func (l *Journal) reserveSlot() (leave func(), err error) {
	select {
	case l.waiters <- struct{}{}:
		return func() { <-l.waiters }, nil
	default:
		p := taxi.NewProblem(http.StatusServiceUnavailable, "too-many-listeners", "%d others wait or listen already", mostWait)
		p.Retryable = true
		return nil, p
	}
}
