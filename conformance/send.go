package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// letter is one call to be made, before it is put on the wire.
type letter struct {
	op     Operation
	path   string // "": the operation's own
	method string // "": POST
	header http.Header
	body   []byte
	chunks bool // send the body in chunks, on a connection of its own
	intent Intent
	sound  bool
}

// recorder puts letters on the wire and keeps what came back.
type recorder struct {
	target *Target
	http   *http.Client

	mu      sync.Mutex
	history []*Exchange
}

func newRecorder(t *Target) *recorder {
	return &recorder{target: t, http: &http.Client{
		Transport:     t.Transport,
		Timeout:       t.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// maxBody bounds what is kept of a reply, in bytes.
const maxBody = 1 << 20

// send makes one call. A call that gets no answer is an exchange, too.
func (r *recorder) send(ctx context.Context, probe string, l letter) *Exchange {
	x := &Exchange{
		Operation: l.op, Probe: probe, Intent: l.intent, Sound: l.sound,
		Request: Request{Method: l.method, Body: l.body, Header: http.Header{
			"Content-Type": {"application/json"},
			"Accept":       {"application/json"},
			"User-Agent":   {"cabrank-conformance"},
		}},
	}
	if x.Request.Method == "" {
		x.Request.Method = http.MethodPost
	}
	path := l.path
	if path == "" {
		path = l.op.Path()
	}
	x.Request.URL = r.target.URL + path
	for key, values := range l.header {
		if values == nil {
			x.Request.Header.Del(key)
			continue
		}
		x.Request.Header[key] = values
	}
	x.Started = r.target.Now()
	resp, err := r.exchange(ctx, x, l.chunks)
	x.Took = r.target.Now().Sub(x.Started)
	if err != nil {
		x.Err = cause(err)
	} else {
		x.Response = resp
	}
	x.read()
	return r.keep(x)
}

func (r *recorder) keep(x *Exchange) *Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	x.ID = len(r.history) + 1
	r.history = append(r.history, x)
	return x
}

func (r *recorder) exchange(ctx context.Context, x *Exchange, chunks bool) (*Response, error) {
	var body io.Reader = bytes.NewReader(x.Request.Body)
	if chunks {
		body = io.MultiReader(body) // hides the length
	}
	req, err := http.NewRequestWithContext(ctx, x.Request.Method, x.Request.URL, body)
	if err != nil {
		return nil, err
	}
	req.Header = x.Request.Header.Clone()
	req.Close = chunks
	if r.target.Auth != nil {
		r.target.Auth(req)
	}
	resp, err := r.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	return &Response{Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header, Body: reply, Closed: resp.Close}, nil
}

// cause says why no answer came, without repeating the address.
func cause(err error) string {
	text := err.Error()
	if _, after, ok := strings.Cut(text, `": `); ok {
		text = after
	}
	return clip(text, 200)
}

// encode writes a body; what a story builds can always be written.
func encode(body any) []byte {
	if raw, ok := body.(json.RawMessage); ok {
		return raw
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic("conformance: " + err.Error())
	}
	return b
}

// since measures on the target's clock.
func (t *Target) since(start time.Time) time.Duration { return t.Now().Sub(start) }
