package inbound

import (
	"fmt"
	"html"
	"net/http"
)

// ProblemPage is the page for people at the address that the type of a problem document gives.
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
