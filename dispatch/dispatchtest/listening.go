package dispatchtest

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// operations are the five, by their paths.
var operations = map[string]bool{
	taxi.PathConfig: true, taxi.PathUser: true, taxi.PathBook: true, taxi.PathCancel: true, taxi.PathStatus: true,
}

// listening keeps in the journal what a handler is called with. Pages that are only read
// are no calls.
func (j *Journal) listening(next http.Handler, now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !operations[r.URL.Path] && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			next.ServeHTTP(w, r)
			return
		}
		call := Request{At: now(), Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone()}
		if operations[r.URL.Path] {
			call.Op = strings.TrimPrefix(r.URL.Path, "/")
		}
		sent := &remembered{ReadCloser: r.Body}
		r.Body = sent
		answer := &answering{ResponseWriter: w}
		defer func() { // also when the handler panics
			call.Body, call.Answer = sent.text, answer.text
			if r.Context().Err() == nil {
				call.Status = answer.status
			}
			j.keep(call)
		}()
		next.ServeHTTP(answer, r)
	})
}

// remembered is a body of which the beginning is kept.
type remembered struct {
	io.ReadCloser
	text []byte
}

// Read implements [io.Reader].
func (b *remembered) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.text = append(b.text, p[:min(n, mostBody-len(b.text))]...)
	return n, err
}

// answering keeps the beginning of what is answered.
type answering struct {
	http.ResponseWriter
	status int
	text   []byte
}

// WriteHeader implements [http.ResponseWriter].
func (a *answering) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *answering) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.text = append(a.text, p[:min(len(p), mostBody-len(a.text))]...)
	return a.ResponseWriter.Write(p)
}

// Unwrap lets [http.ResponseController] reach what the server gave.
func (a *answering) Unwrap() http.ResponseWriter { return a.ResponseWriter }
