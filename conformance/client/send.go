package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/redact"
	"github.com/cabrank/cabrank/dispatch/outbound"
)

// Call is one call to make.
type Call struct {
	Op              conformance.Operation
	Path            string // "": the operation's own
	Method          string // "": the operation's own
	Header          http.Header
	Body            []byte
	Chunked         bool // send the body in chunks, on its own connection
	OwnConnection   bool // on a connection of its own
	Http2           bool // over HTTP/2
	ExtraConnection bool // on its own connection, in parallel to others
	Intent          conformance.Intent
	Sound           bool
	Creds           conformance.Credentials // "": those of the client's Auth
	Base            string                  // "": the client's address
	Gate            *Gate                   // send the second half of the body when it opens
	HangUp          bool                    // do not wait for the answer
	Within          time.Duration           // timeout of the call; 0: the client's Timeout
	Again           int                     // id of the failed call that this one repeats
	MayHang         bool                    // a missing answer is no evidence about the operation
	Finish          bool                    // wait for the answer even if the run is stopped, since the call may change something
}

// delayedOrAborted reports whether a call is aborted, or its body held back, on purpose.
func (l Call) delayedOrAborted() bool { return l.HangUp || l.Gate != nil }

// Gate holds back the second half of a request body until Open is closed.
type Gate struct {
	Reached chan struct{} // closed when the first half has been sent
	Open    chan struct{} // close it to send the rest
	once    sync.Once
}

func NewGate() *Gate { return &Gate{Reached: make(chan struct{}), Open: make(chan struct{})} }

// signalReached closes Reached, which lets the goroutine that waits for the first half continue. On a nil gate it
// does nothing.
func (g *Gate) signalReached() {
	if g != nil {
		g.once.Do(func() { close(g.Reached) })
	}
}

// Read waits until the gate opens, and returns no data.
func (g *Gate) Read([]byte) (int, error) {
	g.signalReached()
	<-g.Open
	return 0, io.EOF
}

// Client makes calls and records the exchanges.
type Client struct {
	Config      Config
	http        *http.Client
	over2       *http.Client // over HTTP/2
	fresh       *http.Client // a connection for each call
	proofs      []redact.Proof
	pseudonyms  *redact.Pseudonyms
	RateLimited atomic.Bool // the server kept answering 429 without a waiting time
	Silent      Silence
	pace        *pace

	Steps              []conformance.Step // of the preflight
	OneConnection      bool               // the server accepts one connection at a time
	OffersHTTP2        bool               // the server offers HTTP/2
	asksForCertificate atomic.Bool        // the server asks for a client certificate
	Epoch              atomic.Int32       // of the calls to come: see [conformance.Exchange.Epoch]

	Mu      sync.Mutex
	History []*conformance.Exchange
	kept    conformance.Store          // memory of the history
	parsed  map[string]jsonvalue.Value // by text
}

func NewClient(config Config) *Client {
	if config.Transport == nil {
		config.Transport, config.direct = newTransport(config), true
	}
	if config.Pause == nil {
		config.Pause = Pause
	}
	r := &Client{Config: config, pace: newPace(config.Rate), Silent: Silence{waited: map[conformance.Operation][]*conformance.Exchange{}, refused: map[conformance.Operation]int{}}, parsed: map[string]jsonvalue.Value{}, http: outbound.Over(config.Transport, config.Timeout)}
	r.kept.Most = config.MostKept
	r.proofs = proofs(config.Auth, config.URL)
	r.pseudonyms = redact.NewPseudonyms(config.Suite, r.proofs)
	r.over2, r.fresh = r.http, r.http
	own, ok := config.Transport.(*http.Transport)
	if !ok {
		return r
	}
	fresh := own.Clone()
	fresh.DisableKeepAlives, fresh.MaxConnsPerHost = true, 0
	r.fresh = r.withTransport(fresh)
	if config.direct {
		second := own.Clone()
		second.Protocols = new(http.Protocols)
		second.Protocols.SetHTTP2(true)
		r.over2 = r.withTransport(second)
	}
	return r
}

// Anew returns a new client with the same configuration and no calls.
func (r *Client) Anew() *Client {
	fresh := NewClient(r.Config)
	fresh.pace = r.pace
	fresh.OneConnection = r.OneConnection
	return fresh
}

// withTransport returns the client's HTTP client with another transport.
func (r *Client) withTransport(t *http.Transport) *http.Client {
	client := *r.http
	client.Transport = t
	return &client
}

// Send makes one call and records it, even without an answer. It repeats a call that was answered 429,
// since that is not a refusal. A failed call during which the run was interrupted is not recorded, since
// nobody can ask again whether that was chance; and no call is made to a server that has stopped answering.
func (r *Client) Send(ctx context.Context, probe conformance.ProbeName, l Call) *conformance.Exchange {
	for n := 1; ; n++ {
		if why := r.skipReason(l); why != nil {
			return r.unsent(l, why)
		}
		wait, ok := r.pace.turn(r.Config.Now(), r.timeLeft(l))
		if !ok {
			return r.unsent(l, new(conformance.Because(conformance.OutOfTime, "the run's time limit comes before the next call at its rate")))
		}
		if !r.Config.Pause(ctx, wait) {
			return r.unsent(l, new(conformance.Because(conformance.Interrupted, "the run was interrupted")))
		}
		x := r.Once(ctx, probe, l)
		if x.Failed() && ctx.Err() != nil {
			return x
		}
		if x.Code() != http.StatusTooManyRequests {
			r.Keep(x)
			r.noteAnswer(ctx, x, l)
			return x
		}
		x.Sound = false // delayed, not refused
		r.Keep(x)
		if wait, again := r.retryAfter(x, n); !again || probe == conformance.ProbePreflight && n > 2 || !r.Config.Pause(ctx, wait) {
			r.RateLimited.Store(true)
			r.Silent.noteRefusal(l.Op)
			return x
		}
	}
}

// timeLeft returns how long a call may wait until its rate allows it.
func (r *Client) timeLeft(l Call) time.Duration {
	if r.Config.TimeLeft == nil || l.Intent == conformance.IntentCleanUp {
		return math.MaxInt64
	}
	return r.Config.TimeLeft()
}

// longestPause limits how long a run waits at a server's request.
const longestPause = 5 * time.Second

// retryAfter returns how long to wait after the nth 429 for a call, and whether to repeat the call then. If
// the server gives no time, later calls are made more slowly.
func (r *Client) retryAfter(x *conformance.Exchange, n int) (wait time.Duration, again bool) {
	const tries = 4
	seconds, err := strconv.Atoi(strings.TrimSpace(x.Response.Header.Get("Retry-After")))
	if err == nil && seconds >= 0 {
		wait = time.Duration(seconds) * time.Second
		return wait, n < tries && wait <= longestPause
	}
	r.pace.halveRate(r.Config.Now())
	return backoff(n), n < mostRest
}

// Once makes one call without recording it.
func (r *Client) Once(ctx context.Context, probe conformance.ProbeName, l Call) *conformance.Exchange {
	x := r.write(probe, l)
	if l.Finish {
		ctx = context.WithoutCancel(ctx)
	}
	if l.Within > 0 {
		limited, stop := context.WithTimeout(ctx, l.Within)
		defer stop()
		ctx = limited
	}
	ctx, free := r.unlessAbandoned(ctx)
	defer free()
	x.Started = r.Config.Now()
	resp, err := r.exchange(ctx, r.clientFor(l), x, l)
	if errors.Is(err, errConnectionGone) && ctx.Err() == nil {
		x.Resent = true
		resp, err = r.exchange(ctx, r.fresh, x, l)
	}
	l.Gate.signalReached() // even if the call failed before
	x.Took = r.Config.Now().Sub(x.Started)
	had := cmp.Or(l.Within, r.Config.Timeout)
	x.Stalled = had > 0 && x.Took > 2*had+time.Second // longer than any timeout
	if err != nil {
		x.Err, x.ErrKind = cause(err), conformance.FailureOf(err)
	} else {
		x.Response = resp
	}
	x.ReadBy(r.parse) // caches the parsed values of repeated bodies
	if len(x.Request.Body) > conformance.Hefty {
		x.Request.Body = slices.Clone(x.Request.Body[:conformance.Hefty])
	}
	return x
}

func (r *Client) parse(body []byte) jsonvalue.Value {
	const short, many = 2 << 10, 4_000 // bytes, and bodies; longer bodies are rarely equal
	if len(body) > short {
		return jsonvalue.Parse(body)
	}
	r.Mu.Lock()
	v, known := r.parsed[string(body)]
	r.Mu.Unlock()
	if known {
		return v
	}
	v = jsonvalue.Parse(body)
	r.Mu.Lock()
	defer r.Mu.Unlock()
	if len(r.parsed) < many {
		r.parsed[string(body)] = v
	}
	return v
}

// write returns the exchange of a call with its request, before it is sent.
func (r *Client) write(probe conformance.ProbeName, l Call) *conformance.Exchange {
	x := &conformance.Exchange{
		Epoch:     int(r.Epoch.Load()),
		Operation: l.Op, Probe: probe, Intent: l.Intent, Sound: l.Sound, Again: l.Again, Shown: l.Creds,
		Request: conformance.Request{Method: l.Method, Body: l.Body, Header: http.Header{
			"Content-Type": {"application/json"},
			"Accept":       {"application/json"},
			"User-Agent":   {"cabrank-conformance"},
		}},
	}
	if x.Shown == conformance.CredsNone && r.Config.Auth != nil {
		x.Shown = conformance.CredsGiven
	}
	method, path := l.Op.Route()
	x.Request.Method = cmp.Or(l.Method, method)
	x.Request.URL = cmp.Or(l.Base, r.Config.URL) + cmp.Or(l.Path, path)
	for key, values := range l.Header {
		if values == nil {
			x.Request.Header.Del(key)
			continue
		}
		x.Request.Header[key] = values
	}
	return x
}

// Keep adds an exchange to the history: one that the client made itself, or that a suite
// received.
func (r *Client) Keep(x *conformance.Exchange) {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	r.kept.Take(x)
	x.ID = len(r.History) + 1
	r.History = append(r.History, x)
}

// content returns a reader of the request body, as the call wants it sent.
func (l Call) content() io.Reader {
	switch half := len(l.Body) / 2; {
	case l.Gate != nil:
		return io.MultiReader(bytes.NewReader(l.Body[:half]), l.Gate, bytes.NewReader(l.Body[half:]))
	case l.Chunked:
		return io.MultiReader(bytes.NewReader(l.Body)) // hides the length
	default:
		return bytes.NewReader(l.Body)
	}
}

// errConnectionGone means that a reused connection was closed before the first byte of the
// answer, which servers may do between any two calls.
var errConnectionGone = errors.New("the connection had gone")

func (r *Client) exchange(ctx context.Context, client *http.Client, x *conformance.Exchange, l Call) (*conformance.Response, error) {
	var kept, answered atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(conn httptrace.GotConnInfo) { kept.Store(conn.Reused) },
		GotFirstResponseByte: func() { answered.Store(true) },
	})
	if l.HangUp {
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
	req.Close = l.Chunked || l.OwnConnection
	if l.Gate != nil {
		req.ContentLength = int64(len(l.Body))
	}
	r.show(req, l.Creds)
	resp, err := client.Do(req)
	if err != nil && kept.Load() && !answered.Load() && l.Gate == nil && !l.HangUp && conformance.FailureOf(err) != conformance.ErrTimeout {
		return nil, fmt.Errorf("%w: %w", errConnectionGone, err)
	}
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, conformance.MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if plain, err := conformance.Unpack(resp.Header.Get("Content-Encoding"), reply, conformance.MaxBody); err == nil {
		reply = plain // otherwise the reply stays encoded and is not JSON
	}
	answer := &conformance.Response{
		Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header, Body: reply, Closed: resp.Close,
		TLS: security(resp.TLS),
	}
	answer.Echoes = r.echoes(answer)
	return answer, nil
}

// cause returns the text of a network error, without the address and shortened.
func cause(err error) string {
	text := err.Error()
	if _, after, ok := strings.Cut(text, `": `); ok {
		text = after
	}
	return jsonvalue.Clip(text, 200)
}

// Redactor returns a redactor for all numbers and secrets of the calls so far.
func (r *Client) Redactor() *redact.Redactor {
	r.Mu.Lock()
	history := r.History[:len(r.History):len(r.History)]
	r.Mu.Unlock()
	return r.pseudonyms.Redactor(history)
}
