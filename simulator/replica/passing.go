package replica

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// The headers of requests between replicas, and of responses.
const (
	// ReplicaHeader is the id of the replica that has answered.
	ReplicaHeader = "X-Cabrank-Replica"

	passedHeader = "X-Cabrank-Passed" // the secret of the replicas
	clientHeader = "X-Cabrank-Client" // address of the client
	movedHeader  = "X-Cabrank-Moved"  // of a response: the request was not executed, since the world is not here
)

// mostBodies limits what the bodies of all requests that are being passed on take, in bytes.
const mostBodies = 64 << 20

// Limits of connections to other replicas.
const (
	answerWithin = 30 * time.Second // to send a response that is no stream
	dialWithin   = time.Second
	idleConns    = 256 // for each replica
)

// codeMoving is the code of the problem that a client gets while a world moves.
const codeMoving taxi.Code = taxi.Code(worlds.Moving)

// proxy passes requests on to other replicas.
type proxy struct {
	replica *Replica
	reverse httputil.ReverseProxy
}

// passed is a request that is being passed on.
type passed struct {
	to     *url.URL
	began  time.Time
	client string
	w      http.ResponseWriter // the client's

	over     atomic.Bool   // the world has moved while the other replica did not answer
	answered chan struct{} // closed when the headers of the response are here
	moved    bool          // it was not executed: the other replica does not run the world
	failure  error         // why there was no response
}

type passedKey struct{}

// againKey is the context key of a request that this replica handles for the second time.
type againKey struct{}

// passedByKey is the context key of a request that another replica has passed on.
type passedByKey struct{}

func newProxy(r *Replica) *proxy {
	p := &proxy{replica: r}
	transport := r.options.Transport
	if transport == nil {
		pooled := outbound.Transport(outbound.Options{DialWithin: dialWithin})
		pooled.MaxIdleConns, pooled.MaxIdleConnsPerHost, pooled.DisableCompression = 0, idleConns, true
		transport = pooled
	}
	p.reverse = httputil.ReverseProxy{
		Transport: transport, Rewrite: p.rewrite, ModifyResponse: p.check, ErrorHandler: p.failed,
		ErrorLog: slog.NewLogLogger(r.options.Log.Handler(), slog.LevelWarn), FlushInterval: -1, // streams
	}
	return p
}

// PassOn passes a request with a body of at most most bytes on to the replica that runs its
// world. It is for [control.Options].Elsewhere. A request that was passed on to this replica is
// not passed on again, and neither is one that has waited while this replica slept.
func (r *Replica) PassOn(w http.ResponseWriter, req *http.Request, at *worlds.Elsewhere, most int64) {
	if req.Context().Value(passedByKey{}) != nil {
		w.Header().Set(movedHeader, "1")
		r.sendMoving(w, at.Error(), true)
		return
	}
	if r.Fresh(req.Context()) != nil {
		r.sendMoving(w, slept, true)
		return
	}
	body, release, err := r.bodies.Read(req, most)
	defer release()
	switch {
	case errors.Is(err, inbound.ErrBodies):
		r.sendMoving(w, "too many requests are being passed on; the request was not executed", true)
		return
	case errors.Is(err, inbound.ErrTooLong):
		taxi.NewProblem(http.StatusRequestEntityTooLarge, taxi.CodeTooLarge, "the body is longer than %d bytes", most).Send(w)
		return
	case err != nil:
		taxi.NewProblem(http.StatusBadRequest, taxi.CodeMalformedJSON, "the body did not arrive whole").Send(w)
		return
	}
	req = r.withArrivalTime(req)                                   // a client may be slow; the body shows that it is there
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the body is here; a test's recorder has no deadlines
	p := r.proxy.pass(w, req, body, at)
	if p.failure == nil {
		return
	}
	r.forget(at.Name)
	switch {
	case errors.Is(p.failure, errSlept):
		r.counts.passed("failed", p)
		r.sendMoving(w, slept, true)
	case p.moved || isDial(p.failure):
		r.again(w, req, body, at, p)
	case !p.over.Load() && req.Context().Err() == nil && r.answers(at):
		// The owner has closed the connection, as faults do: the client gets what it would get there.
		r.counts.passed("failed", p)
		panic(http.ErrAbortHandler)
	default:
		r.counts.passed("failed", p)
		r.sendMoving(w, at.Error()+", which did not answer; the request may have been executed", false)
	}
}

// answers reports whether the process that runs a world accepts connections.
func (r *Replica) answers(at *worlds.Elsewhere) bool {
	u, err := url.Parse(at.Address)
	if err != nil || r.options.Transport != nil { // a test's network
		return false
	}
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	}
	conn, err := outbound.Dialer(outbound.Options{DialWithin: dialWithin}).Dial("tcp", host)
	if err == nil {
		err = conn.Close()
	}
	return err == nil
}

// again handles a request a second time that was not executed because its world had moved: the
// replica that runs the world now gets it, or this one if none runs it.
func (r *Replica) again(w http.ResponseWriter, req *http.Request, body []byte, at *worlds.Elsewhere, first *passed) {
	found, err := r.options.Table.Find(req.Context(), at.Name)
	here, local := req.Context().Value(againKey{}) != nil, r.local.Load()
	switch {
	case err != nil || here || local == nil || r.Fresh(req.Context()) != nil:
	case (found.Left <= 0 || found.Owner == r.me.ID) && !r.leaving.Load():
		r.counts.passed("moved", first)
		again := req.WithContext(context.WithValue(req.Context(), againKey{}, true))
		again.Body = io.NopCloser(bytes.NewReader(body))
		(*local).ServeHTTP(w, again)
		return
	case found.Left > 0 && found.Owner != at.Owner && found.Owner != r.me.ID:
		if p := r.proxy.pass(w, req, body, r.rememberRoute(found)); p.failure == nil {
			return
		}
	}
	r.counts.passed("failed", first)
	r.sendMoving(w, at.Error()+", which does not answer; the request was not executed", true)
}

// isDial reports whether a request failed before it was sent.
func isDial(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// sendMoving answers that a request can be sent again in a second. safe reports whether it
// was certainly not executed.
func (r *Replica) sendMoving(w http.ResponseWriter, why string, safe bool) {
	w.Header().Set(ReplicaHeader, r.me.ID)
	p := taxi.NewProblem(http.StatusServiceUnavailable, codeMoving, "%s; ask again", why)
	p.RetryAfter, p.Retryable = time.Second, safe
	p.Send(w)
}

// pass passes a request on once. If it fails, nothing has been written to w.
func (p *proxy) pass(w http.ResponseWriter, req *http.Request, body []byte, at *worlds.Elsewhere) *passed {
	one := &passed{began: p.replica.options.Now(), client: req.RemoteAddr, w: w, answered: make(chan struct{})}
	if one.to, one.failure = url.Parse(at.Address); one.failure != nil {
		return one
	}
	ctx, cancel := context.WithCancel(context.WithValue(req.Context(), passedKey{}, one))
	defer cancel()
	go p.replica.guard(ctx, cancel, one, at) // ends with the request, or once it is answered
	out := req.WithContext(ctx)
	out.Body, out.ContentLength = io.NopCloser(&freshBody{Reader: bytes.NewReader(body), fresh: func() error { return p.replica.Fresh(ctx) }}), int64(len(body))
	p.reverse.ServeHTTP(w, out)
	if one.failure == nil {
		p.replica.counts.passed("ok", one)
	}
	return one
}

// guard cancels a request that is not answered once its world is no longer where the request
// went: the process there may hang.
func (r *Replica) guard(ctx context.Context, cancel context.CancelFunc, one *passed, at *worlds.Elsewhere) {
	ticker := time.NewTicker(r.options.Lease)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-one.answered:
			return
		case <-ticker.C:
			found, err := r.options.Table.Find(ctx, at.Name)
			if err == nil && (found.Owner != at.Owner || found.Left <= 0) {
				one.over.Store(true)
				cancel()
				return
			}
		}
	}
}

func passedOf(ctx context.Context) *passed { return ctx.Value(passedKey{}).(*passed) }

// rewrite addresses a request to the other replica. The Host header stays, since addresses
// in responses are made from it.
func (p *proxy) rewrite(pr *httputil.ProxyRequest) {
	one := passedOf(pr.In.Context())
	pr.SetURL(one.to)
	pr.Out.Host = pr.In.Host
	pr.Out.URL.Path, pr.Out.URL.RawPath = pr.In.URL.Path, pr.In.URL.RawPath
	pr.Out.URL.RawQuery = pr.In.URL.RawQuery
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values := pr.In.Header.Values(name); len(values) > 0 {
			pr.Out.Header[name] = values
		}
	}
	pr.Out.Header.Set(passedHeader, p.replica.secret)
	pr.Out.Header.Set(clientHeader, one.client)
}

var errMoved = errors.New("the world is not there")

// check returns an error for a response of a replica that does not run the world. Streams and
// downloads may take any time; other responses have the usual time limit.
func (p *proxy) check(resp *http.Response) error {
	one := passedOf(resp.Request.Context())
	close(one.answered)
	if resp.Header.Get(movedHeader) != "" {
		one.moved = true
		return errMoved
	}
	one.w.Header().Del(ReplicaHeader) // the other replica has set its own
	var by time.Time
	long := resp.StatusCode == http.StatusSwitchingProtocols || resp.Header.Get("Content-Disposition") != "" ||
		strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
	if !long {
		by = p.replica.options.Now().Add(answerWithin)
	}
	_ = http.NewResponseController(one.w).SetWriteDeadline(by) // a test's recorder has none
	return nil
}

// failed records the error of a request that got no response.
func (p *proxy) failed(_ http.ResponseWriter, req *http.Request, err error) {
	passedOf(req.Context()).failure = err
}

// Handler serves the health checks and the metrics of this replica, and marks responses with
// its id. Requests that another replica passes on are handled by all, since that one has
// checked at which of its addresses they came; others by next.
func (r *Replica) Handler(next, all, metrics http.Handler) http.Handler {
	r.local.Store(&all)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set(ReplicaHeader, r.me.ID)
		req = r.withArrivalTime(req)
		shown, client := req.Header.Get(passedHeader), req.Header.Get(clientHeader)
		handler := next
		if shown != "" || client != "" {
			req = stripped(req)
			if subtle.ConstantTimeCompare([]byte(shown), []byte(r.secret)) == 1 {
				req.RemoteAddr, handler = client, all
				req = req.WithContext(context.WithValue(req.Context(), passedByKey{}, true))
			}
		}
		switch req.URL.Path {
		case "/livez":
			_, _ = io.WriteString(w, "ok\n") // the client may be gone
		case "/readyz":
			r.serveReady(w)
		case "/metrics":
			metrics.ServeHTTP(w, req)
		default:
			handler.ServeHTTP(w, req)
		}
	})
}

// stripped returns a request without the headers between replicas.
func stripped(req *http.Request) *http.Request {
	own := *req
	own.Header = req.Header.Clone()
	own.Header.Del(passedHeader)
	own.Header.Del(clientHeader)
	return &own
}

func (r *Replica) serveReady(w http.ResponseWriter) {
	if err := r.Ready(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	_, _ = io.WriteString(w, "ok\n") // the client may be gone
}
