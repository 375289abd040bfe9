package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// call is one call to be made, before it is put on the wire.
type call struct {
	op              Operation
	path            string // "": the operation's own
	method          string // "": POST
	header          http.Header
	body            []byte
	chunked         bool // send the body in chunks, on a connection of its own
	ownConnection   bool // on a connection of its own
	http2           bool // over HTTP/2
	extraConnection bool // on a connection of its own, beside any other
	intent          Intent
	sound           bool
	creds           Credentials   // "": as the client's Auth has it
	base            string        // "": the client's address
	gate            *gate         // send the second half of the body when it opens
	hangUp          bool          // do not wait for the answer
	within          time.Duration // most time for the call; 0: the client's Timeout
	mayHang         bool          // that it is not answered says nothing of the operation
}

// brokenOff reports a call that is broken off, or held up, on purpose.
func (l call) brokenOff() bool { return l.hangUp || l.gate != nil }

// gate holds back the second half of a body.
type gate struct {
	reached chan struct{} // closed when the first half has been sent
	open    chan struct{} // close it to send the rest
	once    sync.Once
}

func newGate() *gate { return &gate{reached: make(chan struct{}), open: make(chan struct{})} }

// pass lets whoever waits for the first half go on. Without a gate it does
// nothing.
func (g *gate) pass() {
	if g != nil {
		g.once.Do(func() { close(g.reached) })
	}
}

// Read waits until the gate opens, and has nothing to give.
func (g *gate) Read([]byte) (int, error) {
	g.pass()
	<-g.open
	return 0, io.EOF
}

// client puts letters on the wire and keeps what came back.
type client struct {
	config      Config
	http        *http.Client
	over2       *http.Client // over HTTP/2
	fresh       *http.Client // a connection for each call
	proofs      []proof
	pseudonyms  *pseudonyms
	rateLimited atomic.Bool // the server went on asking for rest without saying how long
	silent      silence

	steps              []Step      // of the preflight
	oneConnection      bool        // the server takes one connection at a time
	offersHTTP2        bool        // the server offers HTTP/2
	asksForCertificate atomic.Bool // the server asks for a client certificate

	mu      sync.Mutex
	history []*Exchange
	parsed  map[string]value // by what was parsed
}

func newClient(config Config) *client {
	if config.Transport == nil {
		config.Transport, config.direct = newTransport(config), true
	}
	r := &client{config: config, silent: silence{waited: map[Operation][]*Exchange{}}, parsed: map[string]value{}, http: &http.Client{
		Transport:     config.Transport,
		Timeout:       config.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	r.proofs = proofs(config.Auth, config.URL)
	r.pseudonyms = newPseudonyms(config.Suite, r.proofs)
	r.over2, r.fresh = r.http, r.http
	own, ok := config.Transport.(*http.Transport)
	if !ok {
		return r
	}
	fresh := own.Clone()
	fresh.DisableKeepAlives, fresh.MaxConnsPerHost = true, 0
	r.fresh = r.through(fresh)
	if config.direct {
		second := own.Clone()
		second.Protocols = new(http.Protocols)
		second.Protocols.SetHTTP2(true)
		r.over2 = r.through(second)
	}
	return r
}

// anew returns a client that reaches the server in the same way and has not called
// it yet.
func (r *client) anew() *client {
	fresh := newClient(r.config)
	fresh.oneConnection = r.oneConnection
	return fresh
}

// through returns the run's client over another transport.
func (r *client) through(t *http.Transport) *http.Client {
	client := *r.http
	client.Transport = t
	return &client
}

// send makes one call, and makes it again when the server asks to wait a moment:
// 429 is no refusal. A call that gets no answer is an exchange, too; one that the
// run was interrupted in says nothing of the server and is not kept, and none is
// made to a server that has stopped answering.
func (r *client) send(ctx context.Context, probe ProbeName, l call) *Exchange {
	const tries = 4
	for n := 1; ; n++ {
		if why := r.skipReason(l); why != nil {
			return r.unsent(l, why)
		}
		x := r.once(ctx, probe, l)
		if x.Response == nil && ctx.Err() != nil {
			return x
		}
		if x.code() != http.StatusTooManyRequests {
			r.keep(x)
			r.noteAnswer(ctx, x, l)
			return x
		}
		x.Sound = false // told to wait, not refused
		r.keep(x)
		if wait := r.retryAfter(x); n == tries || wait > longestPause || !pause(ctx, wait) {
			r.rateLimited.Store(true)
			return x
		}
	}
}

// longestPause bounds how long a run waits because a server asked it to.
const longestPause = 5 * time.Second

// retryAfter reads from a 429 how long the server wants to be left alone. One that
// does not say is tried again soon, unless that has been in vain before.
func (r *client) retryAfter(x *Exchange) time.Duration {
	const soon = 300 * time.Millisecond
	seconds, err := strconv.Atoi(strings.TrimSpace(x.Response.Header.Get("Retry-After")))
	switch {
	case err == nil && seconds >= 0:
		return time.Duration(seconds) * time.Second
	case r.rateLimited.Load():
		return longestPause + 1
	}
	return soon
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
func (r *client) once(ctx context.Context, probe ProbeName, l call) *Exchange {
	x := r.write(probe, l)
	if l.within > 0 {
		limited, stop := context.WithTimeout(ctx, l.within)
		defer stop()
		ctx = limited
	}
	x.Started = r.config.Now()
	resp, err := r.exchange(ctx, r.clientFor(l), x, l)
	if errors.Is(err, errConnectionGone) && ctx.Err() == nil {
		x.Resent = true
		resp, err = r.exchange(ctx, r.fresh, x, l)
	}
	l.gate.pass() // also when the call never got as far
	x.Took = r.config.Now().Sub(x.Started)
	if err != nil {
		x.Err, x.ErrKind = cause(err), failureOf(err)
	} else {
		x.Response = resp
	}
	x.readBy(r.parse) // much is said many times, and need not be parsed again
	if len(x.Request.Body) > hefty {
		x.Request.Body = slices.Clone(x.Request.Body[:hefty])
	}
	return x
}

func (r *client) parse(body []byte) value {
	const short = 2 << 10 // bytes; what is longer is rarely the same
	if len(body) > short {
		return parse(body)
	}
	r.mu.Lock()
	v, known := r.parsed[string(body)]
	r.mu.Unlock()
	if known {
		return v
	}
	v = parse(body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parsed[string(body)] = v
	return v
}

// write fills in the sent half of an exchange.
func (r *client) write(probe ProbeName, l call) *Exchange {
	x := &Exchange{
		Operation: l.op, Probe: probe, Intent: l.intent, Sound: l.sound, Shown: l.creds,
		Request: Request{Method: l.method, Body: l.body, Header: http.Header{
			"Content-Type": {"application/json"},
			"Accept":       {"application/json"},
			"User-Agent":   {"cabrank-conformance"},
		}},
	}
	if x.Shown == credsNone && r.config.Auth != nil {
		x.Shown = credsGiven
	}
	if x.Request.Method == "" {
		x.Request.Method = http.MethodPost
	}
	base, path := l.base, l.path
	if base == "" {
		base = r.config.URL
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

func (r *client) keep(x *Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x.ID = len(r.history) + 1
	r.history = append(r.history, x)
}

// content is the body as it goes out.
func (l call) content() io.Reader {
	switch half := len(l.body) / 2; {
	case l.gate != nil:
		return io.MultiReader(bytes.NewReader(l.body[:half]), l.gate, bytes.NewReader(l.body[half:]))
	case l.chunked:
		return io.MultiReader(bytes.NewReader(l.body)) // hides the length
	default:
		return bytes.NewReader(l.body)
	}
}

// errConnectionGone says that a connection which was kept from an earlier call was closed
// before a byte of the answer came: servers may do so between any two calls.
var errConnectionGone = errors.New("the connection had gone")

func (r *client) exchange(ctx context.Context, client *http.Client, x *Exchange, l call) (*Response, error) {
	var kept, answered atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(conn httptrace.GotConnInfo) { kept.Store(conn.Reused) },
		GotFirstResponseByte: func() { answered.Store(true) },
	})
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
	req.Close = l.chunked || l.ownConnection
	if l.gate != nil {
		req.ContentLength = int64(len(l.body))
	}
	r.show(req, l.creds)
	resp, err := client.Do(req)
	if err != nil && kept.Load() && !answered.Load() && l.gate == nil && !l.hangUp && failureOf(err) != ErrTimeout {
		return nil, fmt.Errorf("%w: %w", errConnectionGone, err)
	}
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if plain, err := Unpack(resp.Header.Get("Content-Encoding"), reply, maxBody); err == nil {
		reply = plain // and otherwise it is as it is, and no JSON
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

// redactor hides all that the calls so far have told.
func (r *client) redactor() *redactor {
	r.mu.Lock()
	history := r.history[:len(r.history):len(r.history)]
	r.mu.Unlock()
	return r.pseudonyms.redactor(history)
}
