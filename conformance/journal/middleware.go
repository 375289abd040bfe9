package journal

import (
	"net/http"

	"github.com/cabrank/cabrank/conformance"
)

// Middleware keeps a journal of what a handler is asked and answers.
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
		r.Body = teeBody(r.Body, &sent)
		own := &writer{ResponseWriter: w, status: http.StatusOK}
		done := false
		defer func() { // also when the handler panics, which is how it hangs up
			x.Took = j.opts.Now().Sub(x.Started)
			x.Request.Body = sent.Bytes()
			if done || own.wrote {
				x.Response = &conformance.Response{Status: own.status, Proto: r.Proto, Header: w.Header().Clone(), Body: own.kept.Bytes()}
			} else {
				x.Err = "the handler gave up"
			}
			j.keep(x)
		}()
		next.ServeHTTP(own, r)
		done = true
	})
}

// writer keeps a copy of what is answered.
type writer struct {
	http.ResponseWriter
	status int
	wrote  bool
	kept   capture
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
	return n, err
}

// Unwrap lets [http.ResponseController] reach what the server gave.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
