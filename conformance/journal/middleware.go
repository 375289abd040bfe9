package journal

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// Middleware keeps a journal of what a handler is asked and answers. What the
// handler does not read of a request is not known.
func (j *Journal) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := *r.URL
		address.Scheme, address.Host = "http", r.Host
		if r.TLS != nil {
			address.Scheme = "https"
		}
		x, ok := j.begin(r, &address)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		var sent capture
		length := r.ContentLength
		r.Body = tee{r.Body, &sent}
		own := &writer{ResponseWriter: w, status: http.StatusOK}
		done := false
		defer func() { // also when the handler panics, which is how it hangs up
			x.Took = j.opts.Now().Sub(x.Started)
			own.answer(&x, r.Proto, done)
			known := false
			x.Request.Body, known = sent.body(x.Request.Header, length)
			if !known && !j.enough(&x) {
				x.RecordedPartly()
			}
			j.keep(x)
		}()
		next.ServeHTTP(own, r)
		done = true
	})
}

// enough reports a request that a handler had no need to read further: JSON ends
// where it ends, and what a right answer to some operations is does not depend on
// what was sent.
func (j *Journal) enough(x *conformance.Exchange) bool {
	return slices.Contains(j.opts.Suite.Bodiless, x.Operation) || json.Valid(x.Request.Body)
}

// writer keeps a copy of what is answered.
type writer struct {
	http.ResponseWriter
	status int
	wrote  bool
	kept   capture
	broken bool // the caller did not wait for all of it
}

// answer fills in what was answered. done is false if the handler gave up.
func (w *writer) answer(x *conformance.Exchange, proto string, done bool) {
	if !done && !w.wrote {
		x.Err = "the handler gave up"
		return
	}
	if done && !w.broken {
		w.kept.end()
	}
	x.Response = &conformance.Response{Status: w.status, Proto: proto, Header: w.Header().Clone()}
	whole := false
	if x.Response.Body, whole = w.kept.body(x.Response.Header, -1); !whole {
		x.RecordedPartly()
	}
}

// WriteHeader implements [http.ResponseWriter].
func (w *writer) WriteHeader(status int) {
	if !w.wrote && status >= http.StatusOK { // not for an interim answer
		w.status, w.wrote = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *writer) Write(p []byte) (int, error) {
	w.wrote = true
	n, err := w.ResponseWriter.Write(p)
	_, _ = w.kept.Write(p[:n]) // never fails
	w.broken = w.broken || err != nil
	return n, err
}

// Unwrap lets [http.ResponseController] reach what the server gave.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
