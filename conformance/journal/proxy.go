package journal

import (
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Proxy returns a handler that forwards every request to a server and records the calls.
// Paths are appended to the target's own. If the server cannot be reached, the answer is
// 502 with a problem document (RFC 9457) that names the cause. transport makes the calls;
// nil: [Transport].
func (j *Journal) Proxy(target *url.URL, transport http.RoundTripper) http.Handler {
	if transport == nil {
		transport = Transport()
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = target.Host
			r.Out.URL.RawQuery = joinQuery(target.RawQuery, r.In.URL.RawQuery) // unchanged, even "a=1;b=2"
			for _, name := range untouched {
				r.Out.Header[name] = r.In.Header[name] // an absent header stays absent
			}
		},
		Transport: &listener{j, transport},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			unreached(w, target, err)
		},
	}
}

// joinQuery puts the parameters of a target before those of a request.
func joinQuery(target, asked string) string {
	if target == "" || asked == "" {
		return target + asked
	}
	return target + "&" + asked
}

// Transport returns a transport with the defaults of net/http, but without compression of
// its own and without proxies.
func Transport() *http.Transport {
	own := outbound.Transport(outbound.Options{MostHeaders: 2 * conformance.MostHeaderBytes})
	own.DisableCompression = true
	return own
}

// unreached tells a caller why the server behind the proxy gave no answer.
func unreached(w http.ResponseWriter, target *url.URL, cause error) {
	p := taxi.NewProblem(http.StatusBadGateway, "", "the proxy got no answer from %s://%s: %v; check that a server runs there, "+
		"and that the proxy is given the right target and, for https, the certificates that it needs", target.Scheme, target.Host, cause)
	p.Retryable = true
	p.Send(w)
}

// untouched are headers that a proxy would otherwise add or drop.
var untouched = []string{"User-Agent", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// listener records the calls of a transport.
type listener struct {
	journal *Journal
	next    http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	x, ok := l.journal.begin(r, r.URL)
	if !ok {
		return l.next.RoundTrip(r)
	}
	c := &call{journal: l.journal, x: x, length: r.ContentLength}
	if r.Body != nil && r.Body != http.NoBody {
		own := *r
		own.Body = tee{r.Body, &c.sent}
		r = &own
	} else {
		c.sent.end()
	}
	resp, err := l.next.RoundTrip(r)
	if err != nil {
		c.finish(nil, err)
		return nil, err
	}
	resp.Body = &answer{ReadCloser: resp.Body, call: c, resp: resp}
	return resp, nil
}

// call is a call in progress.
type call struct {
	journal *Journal
	x       conformance.Exchange
	length  int64 // of the request body; -1: not announced
	sent    capture
	told    capture
	over    bool
}

// errHungUp ends a call whose caller closed the answer early.
var errHungUp = errors.New("the caller hung up")

// finish stores the call. resp is nil if no answer came. A server may answer before it has
// read the whole request.
func (c *call) finish(resp *http.Response, err error) {
	if c.over {
		return
	}
	c.over = true
	c.x.Took = c.journal.opts.Now().Sub(c.x.Started)
	var known bool
	if c.x.Request.Body, known = c.sent.body(c.x.Request.Header, c.length); !known {
		c.x.RecordedPartly()
	}
	switch {
	case resp == nil:
		c.x.Err = err.Error()
	case err != nil:
		c.x.Err = "the answer broke off: " + err.Error()
		c.x.RecordedPartly()
	default:
		c.x.Response = &conformance.Response{Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header.Clone(), Closed: resp.Close}
		if c.x.Response.Body, known = c.told.body(resp.Header, -1); !known {
			c.x.RecordedPartly()
		}
	}
	c.journal.keep(c.x)
}

// answer is a response body that stores the call when it has been read or closed.
type answer struct {
	io.ReadCloser
	call *call
	resp *http.Response
}

// Read implements [io.Reader].
func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	_, _ = a.call.told.Write(p[:n]) // never fails
	switch {
	case errors.Is(err, io.EOF):
		a.call.told.end()
		a.call.finish(a.resp, nil)
	case err != nil:
		a.call.finish(a.resp, err)
	}
	return n, err
}

// Close implements [io.Closer].
func (a *answer) Close() error {
	a.call.finish(a.resp, errHungUp)
	return a.ReadCloser.Close()
}
