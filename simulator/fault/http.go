package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

func statusParameter(usual, least, most int) Parameter {
	return number("status", usual, least, most, "of HTTP")
}

func retryAfter(usual time.Duration) []Parameter {
	p := Parameter{
		Name: "retryAfter", Type: "duration", Least: host.Duration(time.Second), Most: host.Duration(24 * time.Hour),
		Means: "the header of that name, in whole seconds",
	}
	if usual > 0 {
		p.Default = host.Duration(usual)
	}
	return []Parameter{p, {Name: "asDate", Type: "boolean", Means: "Retry-After is a date instead of seconds"}}
}

func httpFaults() []Fault {
	return []Fault{
		{
			Name: "status", Group: HTTP, NoticedBy: "STA-01", on: Status,
			Parameters: append([]Parameter{statusParameter(500, 200, 599)}, retryAfter(0)...),
			Does:       "an HTTP status, with a problem document from 400 on and {} below; the request is not processed",
			act:        func(e *exchange) { e.send(e.problem(e.what.do.Status)) },
		},
		{
			Name: "rate-limited", Group: HTTP, on: Status,
			Unnoticed:  "a server may limit requests; the suite then waits",
			Parameters: retryAfter(2 * time.Second),
			Does:       "429 with Retry-After; the request is not processed",
			act:        func(e *exchange) { e.send(e.problem(http.StatusTooManyRequests)) },
		},
		{
			Name: "unavailable", Group: HTTP, NoticedBy: "STA-01", on: Status,
			Parameters: retryAfter(30 * time.Second),
			Does:       "503 with Retry-After; the request is not processed",
			act:        func(e *exchange) { e.send(e.problem(http.StatusServiceUnavailable)) },
		},
		{
			Name: "redirect", Group: HTTP, NoticedBy: "W-15", on: Status,
			Parameters: []Parameter{
				{Name: "status", Type: "integer", Default: 302, OneOf: []any{301, 302, 303, 307, 308}, Means: "of HTTP"},
				{Name: "text", Type: "string", Default: "/moved", Most: mostText, Means: "the header Location"},
			},
			Does: "a redirect; the request is not processed",
			act: func(e *exchange) {
				a := plain(e.what.do.Status, "text/plain; charset=utf-8", "moved\n")
				a.header.Set("Location", e.what.do.Text)
				e.send(a)
			},
		},
		{
			Name: "challenge", Group: HTTP, NoticedBy: "SEC-04", on: Status,
			Parameters: []Parameter{{Name: "text", Type: "string", Default: `Bearer realm="cabrank"`, Most: mostText, Means: "the header WWW-Authenticate"}},
			Does:       "401 with a challenge, whatever the credentials; the request is not processed",
			act: func(e *exchange) {
				a := e.problem(http.StatusUnauthorized)
				a.header.Set("WWW-Authenticate", e.what.do.Text)
				e.send(a)
			},
		},
		{
			Name: "html-page", Group: HTTP, NoticedBy: "W-01", on: Status,
			Parameters: []Parameter{statusParameter(502, 200, 599)},
			Does:       "an HTML page, such as a proxy sends when the server is down; the request is not processed",
			act: func(e *exchange) {
				line := statusLine(e.what.do.Status)
				e.send(plain(e.what.do.Status, "text/html", "<html>\r\n<head><title>"+line+"</title></head>\r\n<body>\r\n<h1>"+line+
					"</h1>\r\n<hr><address>proxy</address>\r\n</body>\r\n</html>\r\n"))
			},
		},
		{
			Name: "empty", Group: HTTP, NoticedBy: "W-01", on: Status, Done: true,
			Does: "200 without a body",
			act:  altered(func(_ *exchange, a *answer) { a.body = nil }),
		},
		{
			Name: "no-content", Group: HTTP, NoticedBy: "W-01", on: Status, Done: true,
			Does: "204 No Content",
			act: altered(func(_ *exchange, a *answer) {
				a.status, a.body = http.StatusNoContent, nil
				a.header.Del("Content-Type")
			}),
		},
		{
			Name: "content-type", Group: HTTP, NoticedBy: "W-03", on: Status, Done: true,
			Parameters: []Parameter{{Name: "text", Type: "string", Default: "text/html", Most: mostText, Means: "the header Content-Type"}},
			Does:       "the correct response with a wrong Content-Type",
			act:        altered(func(e *exchange, a *answer) { a.header.Set("Content-Type", e.what.do.Text) }),
		},
		{
			Name: "bom", Group: HTTP, NoticedBy: "W-13", on: Status, Done: true,
			Does: "a byte-order mark before the JSON",
			act:  altered(func(_ *exchange, a *answer) { a.body = append([]byte("\ufeff"), a.body...) }),
		},
		{
			Name: "invalid-utf8", Group: HTTP, NoticedBy: "W-13", on: Status, Done: true,
			Does: "an additional first member whose text is not UTF-8",
			act:  altered(func(_ *exchange, a *answer) { a.before("\"note\":\"caf\xe9\"") }),
		},
		{
			Name: "duplicate-keys", Group: HTTP, NoticedBy: "W-13", on: Status, Done: true,
			Does: "the member status appears twice, the first time with null",
			act:  altered(func(_ *exchange, a *answer) { a.before(`"status":null`) }),
		},
		{
			Name: "trailing-bytes", Group: HTTP, NoticedBy: "W-13", on: Status, Done: true,
			Parameters: []Parameter{{Name: "text", Type: "string", Default: "<!-- 12 ms -->", Most: mostText, Means: "what follows the JSON"}},
			Does:       "bytes after the JSON",
			act:        altered(func(e *exchange, a *answer) { a.body = append(a.body, e.what.do.Text...) }),
		},
		{
			Name: "deep-nesting", Group: HTTP, NoticedBy: "W-01", on: Status, Done: true,
			Parameters: []Parameter{number("levels", 10_000, 1, 1_000_000, "of arrays")},
			Does:       "an additional member, nested very deeply",
			act: altered(func(e *exchange, a *answer) {
				n := e.what.do.Levels
				a.before(`"nested":` + strings.Repeat("[", n) + strings.Repeat("]", n))
			}),
		},
		{
			Name: "large-body", Group: HTTP, NoticedBy: "W-01", on: Status, Done: true,
			Parameters: []Parameter{number("bytes", 10<<20, 1, 64<<20, "of a further member")},
			Does:       "an additional member of ten megabytes",
			act: altered(func(e *exchange, a *answer) {
				a.before(`"padding":""`)
				a.fill, a.ahead = e.what.do.Bytes, len(`{"padding":"`)
			}),
		},
		{
			Name: "numbers-as-strings", Group: HTTP, NoticedBy: "W-17", on: Status, Done: true,
			Does: "every number is a JSON string",
			act:  edited(func(_ *exchange, t tree) bool { return quoteNumbers(t) }),
		},
	}
}

// altered returns a fault that changes the bytes of a successful response.
func altered(change func(*exchange, *answer)) func(*exchange) {
	return func(e *exchange) {
		a := e.ask(e.body)
		if !a.ok() || !bytes.HasPrefix(a.body, []byte("{")) {
			e.unbroken(a)
			return
		}
		change(e, a)
		e.send(a)
	}
}

// before inserts a member at the beginning of a JSON object.
func (a *answer) before(member string) {
	rest := bytes.TrimLeft(a.body[1:], " \t\r\n")
	comma := ","
	if bytes.HasPrefix(rest, []byte("}")) {
		comma = ""
	}
	a.body = fmt.Appendf(nil, "{%s%s%s", member, comma, rest)
}

func plain(status int, contentType, body string) *answer {
	return &answer{header: http.Header{"Content-Type": {contentType}}, status: status, body: []byte(body)}
}

// codes are the error codes of statuses that have only one.
var codes = map[int]taxi.Code{
	400: taxi.CodeMalformedJSON, 401: taxi.CodeUnauthenticated, 403: taxi.CodeForbidden, 404: taxi.CodeNotFound, 405: taxi.CodeMethodNotAllowed,
	406: taxi.CodeNotAcceptable, 408: taxi.CodeRequestTimeout, 413: taxi.CodeTooLarge, 415: taxi.CodeUnsupportedMediaType,
	422: taxi.CodeValidationFailed, 429: taxi.CodeRateLimited, 500: taxi.CodeInternal, 503: taxi.CodeDispatchPaused,
}

// problem returns an error response with a status, like those of dispatch.
func (e *exchange) problem(status int) *answer {
	if status < http.StatusBadRequest {
		return plain(status, "application/json", "{}")
	}
	p := taxi.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Code: codes[status],
		Detail: "this is a fault that somebody asked for: " + e.what.id, Retryable: status == http.StatusTooManyRequests || status >= http.StatusInternalServerError,
	}
	if p.Code != "" {
		p.Type = "/problems/" + string(p.Code)
	}
	body, err := json.Marshal(p)
	if err != nil {
		body = []byte("{}") // its members always encode
	}
	a := plain(status, taxi.ProblemContentType, string(body))
	if status == http.StatusMethodNotAllowed {
		a.header.Set("Allow", "GET")
	}
	if after := time.Duration(e.what.do.RetryAfter); after > 0 {
		a.header.Set("Retry-After", strconv.Itoa(int((after+time.Second-1)/time.Second)))
		if e.what.do.AsDate {
			a.header.Set("Retry-After", e.set.options.Wall().Add(after).UTC().Format(http.TimeFormat))
		}
	}
	return a
}
