package inbound

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"time"
)

// ProblemPage is the HTML page to which the type of a problem document links.
type ProblemPage struct {
	Title     string
	Code      string
	Status    int
	Retryable bool   // the same request may succeed later
	Say       string // what a caller is told; "": nothing
}

// Send answers a request with the page, which loads nothing and runs nothing.
func (p ProblemPage) Send(w http.ResponseWriter) {
	again := "no, not unchanged"
	if p.Retryable {
		again = "yes, after Retry-After"
	}
	code := html.EscapeString(p.Code)
	say := ""
	if p.Say != "" {
		say = "\n<dt>To the caller</dt><dd>“" + html.EscapeString(p.Say) + "”</dd>"
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>%s</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}dt{font-weight:600}</style>
<h1>%s</h1>
<dl><dt>Code</dt><dd><code>%s</code></dd><dt>HTTP status</dt><dd>%d</dd>
<dt>Worth trying again</dt><dd>%s</dd>%s</dl>
</html>
`, code, html.EscapeString(p.Title), code, p.Status, again, say) // an error means that the client has gone
}

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
