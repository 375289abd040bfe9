package serving

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// exchange is a request of one of the operations and its response.
type exchange struct {
	path    string
	request []byte
	status  int
	answer  []byte
}

// voicePlatform is the User-Agent of the voice platform.
const voicePlatform = "cabrank-platform"

// overhear passes each exchange of a voice platform to show, just before the platform
// receives the response.
func overhear(next http.Handler, show func(exchange)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.UserAgent(), voicePlatform) {
			next.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(io.LimitReader(r.Body, mostOverheard)) // the operation sees the same incomplete body
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
		answer := &answering{ResponseWriter: w, exchange: exchange{path: r.URL.Path, request: body, status: http.StatusOK}}
		next.ServeHTTP(answer, r)
		show(answer.exchange)
		_, _ = w.Write(answer.answer) // the caller may have disconnected
	})
}

// mostOverheard limits how much of a request's body is read.
const mostOverheard = 1 << 20

// answering buffers a response.
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
