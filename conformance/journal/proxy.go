package journal

import (
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"

	"github.com/cabrank/cabrank/conformance"
)

// Proxy returns a handler that passes every request on to a server and keeps a
// journal of the calls among them. Paths are taken below the target's own.
// transport makes the calls; nil: one that leaves compression to the two ends.
func (j *Journal) Proxy(target *url.URL, transport http.RoundTripper) http.Handler {
	if transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.DisableCompression = true
		transport = own
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = target.Host
			for _, name := range untouched {
				r.Out.Header[name] = r.In.Header[name] // none stays none
			}
		},
		Transport: &listener{j, transport},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway) // the journal has the cause
		},
	}
}

// untouched are headers that a proxy would otherwise make up or drop.
var untouched = []string{"User-Agent", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// listener keeps a journal of the calls that a transport makes.
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
	var sent capture
	if r.Body != nil {
		own := *r
		own.Body = teeBody(r.Body, &sent)
		r = &own
	}
	resp, err := l.next.RoundTrip(r)
	if err != nil {
		x.Took = l.journal.opts.Now().Sub(x.Started)
		x.Request.Body, x.Err = sent.Bytes(), err.Error()
		l.journal.keep(x)
		return nil, err
	}
	resp.Body = &answer{ReadCloser: resp.Body, end: func(reply []byte, err error) {
		x.Took = l.journal.opts.Now().Sub(x.Started)
		x.Request.Body = sent.Bytes()
		if err != nil {
			x.Err = "the answer broke off: " + err.Error()
		} else {
			x.Response = &conformance.Response{Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header.Clone(), Body: reply, Closed: resp.Close}
		}
		l.journal.keep(x)
	}}
	return resp, nil
}

// answer is a body that says when it has been read, or was given up.
type answer struct {
	io.ReadCloser
	kept capture
	end  func([]byte, error)
	over bool
}

// Read implements [io.Reader].
func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	_, _ = a.kept.Write(p[:n]) // never fails
	switch err {
	case nil:
	case io.EOF:
		a.finish(nil)
	default:
		a.finish(err)
	}
	return n, err
}

// Close implements [io.Closer].
func (a *answer) Close() error {
	a.finish(nil)
	return a.ReadCloser.Close()
}

func (a *answer) finish(err error) {
	if !a.over {
		a.over = true
		a.end(a.kept.Bytes(), err)
	}
}
