package inbound

import (
	"bytes"
	"net/http"
	"time"
)

// Recorder stores the response of a handler of this process.
type Recorder struct {
	Status int
	Body   bytes.Buffer
	header http.Header
}

// Header implements [http.ResponseWriter].
func (a *Recorder) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

// WriteHeader implements [http.ResponseWriter].
func (a *Recorder) WriteHeader(status int) {
	if a.Status == 0 {
		a.Status = status
	}
}

// Write implements [http.ResponseWriter].
func (a *Recorder) Write(part []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.Body.Write(part)
}

// SetWriteDeadline does nothing: a handler in this process may take any time.
func (a *Recorder) SetWriteDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing either.
func (a *Recorder) SetReadDeadline(time.Time) error { return nil }
