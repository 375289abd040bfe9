package serving

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// exchange is a call of an operation and its answer.
type exchange struct {
	path    string
	request []byte
	status  int
	answer  []byte
}

// voicePlatform is how the voice platform calls itself.
const voicePlatform = "cabrank-platform"

// overhear shows what a voice platform asks, and what it is answered, just before
// it learns of it.
func overhear(next http.Handler, show func(exchange)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.UserAgent(), voicePlatform) {
			next.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(io.LimitReader(r.Body, mostOverheard)) // what is missing, the operation misses too
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
		answer := &answering{ResponseWriter: w, exchange: exchange{path: r.URL.Path, request: body, status: http.StatusOK}}
		next.ServeHTTP(answer, r)
		show(answer.exchange)
		_, _ = w.Write(answer.answer) // the caller may have gone
	})
}

// mostOverheard bounds what is looked at of a request.
const mostOverheard = 1 << 20

// answering holds an answer back.
type answering struct {
	http.ResponseWriter
	exchange
}

// WriteHeader implements [http.ResponseWriter].
func (a *answering) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *answering) Write(body []byte) (int, error) {
	a.answer = append(a.answer, body...)
	return len(body), nil
}
