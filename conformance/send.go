package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strconv"
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
	alone  bool // on a connection of its own
	intent Intent
	sound  bool
	creds  Credentials   // "": as the target's Auth has it
	base   string        // "": the target's address
	gate   *gate         // send the second half of the body when it opens
	hangUp bool          // do not wait for the answer
	within time.Duration // most time for the call; 0: the target's Timeout
}

// gate holds back the second half of a body.
type gate struct {
	reached chan struct{} // closed when the first half has been sent
	open    chan struct{} // close it to send the rest
	once    sync.Once
}

func newGate() *gate { return &gate{reached: make(chan struct{}), open: make(chan struct{})} }

// Read waits until the gate opens, and has nothing to give.
func (g *gate) Read([]byte) (int, error) {
	g.once.Do(func() { close(g.reached) })
	<-g.open
	return 0, io.EOF
}

// recorder puts letters on the wire and keeps what came back.
type recorder struct {
	target *Target
	http   *http.Client
	proofs []proof

	mu      sync.Mutex
	history []*Exchange
}

func newRecorder(t *Target) *recorder {
	return &recorder{target: t, proofs: proofs(t.Auth, t.URL), http: &http.Client{
		Transport:     t.Transport,
		Timeout:       t.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// maxBody bounds what is kept of a reply, in bytes.
const maxBody = 1 << 20

// send makes one call, and makes it again when the server asks to wait a moment.
// A call that gets no answer is an exchange, too.
func (r *recorder) send(ctx context.Context, probe string, l letter) *Exchange {
	const tries = 4
	for range tries {
		x := r.once(ctx, probe, l)
		wait, asked := retryAfter(x)
		if !asked || !pause(ctx, wait) {
			return r.keep(x)
		}
		x.Sound = false // told to wait, not refused
		r.keep(x)
	}
	return r.keep(r.once(ctx, probe, l))
}

// longestPause bounds how long a run waits because a server asked it to.
const longestPause = 5 * time.Second

// retryAfter reads from a 429 how long the server wants to be left alone.
func retryAfter(x *Exchange) (time.Duration, bool) {
	if x.code() != http.StatusTooManyRequests {
		return 0, false
	}
	seconds, err := strconv.Atoi(strings.TrimSpace(x.Response.Header.Get("Retry-After")))
	wait := time.Duration(seconds) * time.Second
	return wait, err == nil && wait >= 0 && wait <= longestPause
}

// pause waits unless the run is stopped first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// once puts a letter on the wire.
func (r *recorder) once(ctx context.Context, probe string, l letter) *Exchange {
	x := r.write(probe, l)
	if l.within > 0 {
		limited, stop := context.WithTimeout(ctx, l.within)
		defer stop()
		ctx = limited
	}
	x.Started = r.target.Now()
	resp, err := r.exchange(ctx, x, l)
	x.Took = r.target.Now().Sub(x.Started)
	if err != nil {
		x.Err = cause(err)
	} else {
		x.Response = resp
	}
	x.read()
	if len(x.Request.Body) > hefty {
		x.Request.Body = slices.Clone(x.Request.Body[:hefty])
	}
	return x
}

// write fills in the sent half of an exchange.
func (r *recorder) write(probe string, l letter) *Exchange {
	x := &Exchange{
		Operation: l.op, Probe: probe, Intent: l.intent, Sound: l.sound, Shown: l.creds,
		Request: Request{Method: l.method, Body: l.body, Header: http.Header{
			"Content-Type": {"application/json"},
			"Accept":       {"application/json"},
			"User-Agent":   {"cabrank-conformance"},
		}},
	}
	if x.Shown == credsNone && r.target.Auth != nil {
		x.Shown = credsGiven
	}
	if x.Request.Method == "" {
		x.Request.Method = http.MethodPost
	}
	base, path := l.base, l.path
	if base == "" {
		base = r.target.URL
	}
	if path == "" {
		path = l.op.Path()
	}
	x.Request.URL = base + path
	for key, values := range l.header {
		if values == nil {
			x.Request.Header.Del(key)
			continue
		}
		x.Request.Header[key] = values
	}
	return x
}

func (r *recorder) keep(x *Exchange) *Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	x.ID = len(r.history) + 1
	r.history = append(r.history, x)
	return x
}

// content is the body as it goes out.
func (l letter) content() io.Reader {
	switch half := len(l.body) / 2; {
	case l.gate != nil:
		return io.MultiReader(bytes.NewReader(l.body[:half]), l.gate, bytes.NewReader(l.body[half:]))
	case l.chunks:
		return io.MultiReader(bytes.NewReader(l.body)) // hides the length
	default:
		return bytes.NewReader(l.body)
	}
}

func (r *recorder) exchange(ctx context.Context, x *Exchange, l letter) (*Response, error) {
	if l.hangUp {
		var hangUp context.CancelFunc
		ctx, hangUp = context.WithCancel(ctx)
		defer hangUp()
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			WroteRequest: func(httptrace.WroteRequestInfo) { hangUp() },
		})
	}
	req, err := http.NewRequestWithContext(ctx, x.Request.Method, x.Request.URL, l.content())
	if err != nil {
		return nil, err
	}
	req.Header = x.Request.Header.Clone()
	req.Close = l.chunks || l.alone
	if l.gate != nil {
		req.ContentLength = int64(len(l.body))
	}
	client := r.http
	if l.creds == credsMissing {
		client, _ = r.withoutCertificate()
	}
	r.show(req, l.creds)
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	answer := &Response{
		Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header, Body: reply, Closed: resp.Close,
		TLS: security(resp.TLS),
	}
	answer.Echoes = r.echoes(answer)
	return answer, nil
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
