package query

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/redact"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Limits of a replayed call.
const (
	mostReplayed  = 1 << 20 // bytes of an answer that are read
	usualReplay   = 10 * time.Second
	longestReplay = time.Minute
	mostHeaders   = 20
	mostDiffers   = 50
)

// Replay says where a call is replayed.
type Replay struct {
	Target  string            `json:"target,omitzero"`  // base address; "": the server that keeps the journal
	Headers map[string]string `json:"headers,omitzero"` // such as credentials, which are not recorded
	Timeout string            `json:"timeout,omitzero"`
}

// Replayed is the result.
type Replayed struct {
	Target  string     `json:"target"`
	Status  int        `json:"status"`
	TookMS  float64    `json:"tookMs"`
	Answer  *live.Half `json:"answer"`
	Differs []Change   `json:"differs"` // from the recorded answer
}

// Change is a value that differs between two bodies.
type Change struct {
	Pointer string `json:"pointer"`
	Was     string `json:"was"`
	Now     string `json:"now"`
}

// newReplayer returns a client for calls to this machine and to addresses that the options allow.
func (l *Journal) newReplayer() *http.Client {
	t := outbound.Transport(outbound.Options{
		MostHeaders: conformance.MostHeaderBytes, DialWithin: usualReplay, Guard: outbound.ThisMachine(l.opts.Target),
	})
	t.DisableCompression, t.MaxIdleConns, t.IdleConnTimeout = true, 4, usualReplay
	return outbound.Over(t, 0)
}

// replay repeats a call, and answers with the differences of the new answer.
func (l *Journal) replay(w http.ResponseWriter, r *http.Request) error {
	k, err := l.one(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	var q Replay
	if err := decodeQuestion(w, r, &q); err != nil {
		return err
	}
	within := usualReplay
	if q.Timeout != "" {
		if within, err = time.ParseDuration(q.Timeout); err != nil || within <= 0 || within > longestReplay {
			return taxi.InvalidField("/timeout", "format", "is %q, want a duration such as \"5s\", at most %s", clipped(q.Timeout), longestReplay)
		}
	}
	if len(q.Headers) > mostHeaders {
		return taxi.InvalidField("/headers", "range", "has %d, at most %d are sent", len(q.Headers), mostHeaders)
	}
	if k.X.Operation == "" || k.Partly || k.X.Request.Cut > 0 {
		return taxi.NewProblem(http.StatusConflict, "not-replayable", "not all of request %d is kept, or it is of no operation", k.X.ID)
	}
	target, err := l.target(k, q.Target)
	if err != nil {
		return err
	}
	l.takeLong(w, within+answerTakes)
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	out, err := l.sendAgain(ctx, k, target, q.Headers)
	if err != nil {
		return err
	}
	return succeed(w, out)
}

// target returns the address for a replayed call.
func (l *Journal) target(k *live.Call, base string) (*url.URL, error) {
	if base = cmp.Or(base, l.opts.Own); base == "" {
		own, err := url.Parse(k.X.Request.URL)
		if err != nil {
			return nil, taxi.NewProblem(http.StatusConflict, "not-replayable", "the address of request %d cannot be read", k.X.ID)
		}
		return own, nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, taxi.InvalidField("/target", "format", "is %q, want a base address such as http://127.0.0.1:8080", clipped(base))
	}
	_, path := k.X.Operation.Route()
	u.Path = strings.TrimRight(u.Path, "/") + path
	return u, nil
}

func (l *Journal) sendAgain(ctx context.Context, k *live.Call, target *url.URL, headers map[string]string) (*Replayed, error) {
	req, err := http.NewRequestWithContext(ctx, k.X.Request.Method, target.String(), bytes.NewReader(k.X.Request.Body))
	if err != nil {
		return nil, taxi.InvalidField("/target", "format", "cannot be called: %v", err)
	}
	for _, name := range []string{"Content-Type", "Content-Encoding", "Accept"} {
		if values := k.X.Request.Header[name]; values != nil {
			req.Header[name] = values
		}
	}
	for name, v := range headers {
		req.Header.Set(name, v)
	}
	began := l.opts.Now()
	resp, err := l.replayer.Do(req)
	switch {
	case errors.Is(err, outbound.ErrElsewhere):
		return nil, taxi.NewProblem(http.StatusForbidden, "target-not-allowed", "%s is no address of an interface of this machine, and the server was not started so that calls may go there (--replay-to)", target.Host)
	case err != nil:
		p := taxi.NewProblem(http.StatusBadGateway, "no-answer", "%s gave no answer: %v", target.Host, errors.Unwrap(err))
		p.Retryable = true
		return nil, p
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostReplayed+1))
	took := l.opts.Now().Sub(began)
	if err != nil {
		return nil, taxi.NewProblem(http.StatusBadGateway, "no-answer", "the answer of %s broke off: %v", target.Host, err)
	}
	cut := max(0, len(body)-mostReplayed)
	out := &Replayed{
		Target: redact.Address(target.String()), Status: resp.StatusCode, TookMS: float64(took.Microseconds()) / 1000,
		Answer: live.NewHalf(resp.Header, body[:len(body)-cut], cut),
	}
	was := k.Plain()
	was.Read()
	out.Differs = differences(was.Reply(), jsonvalue.Parse(body))
	return out, nil
}

// differences compares two bodies value by value, and returns the first differences.
func differences(was, now jsonvalue.Value) []Change {
	out := []Change{}
	var walk func(a, b jsonvalue.Value)
	walk = func(a, b jsonvalue.Value) {
		switch {
		case len(out) >= mostDiffers:
		case a.IsObject() && b.IsObject():
			before, after := maps.Collect(a.Members()), maps.Collect(b.Members())
			for _, name := range namesOf(before, after) {
				walk(before[name], after[name])
			}
		case a.IsArray() && b.IsArray() && len(a.Items()) == len(b.Items()):
			of := b.Items()
			for i, v := range a.Items() {
				walk(v, of[i])
			}
		case !equal(a, b):
			at := a.Pointer()
			if !a.Present() {
				at = b.Pointer()
			}
			out = append(out, Change{at, a.Show(), b.Show()})
		}
	}
	walk(was, now)
	return out
}

// namesOf returns the names of the members of two objects.
func namesOf(a, b map[string]jsonvalue.Value) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}
