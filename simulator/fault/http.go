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

func retryAfter() []Parameter {
	return []Parameter{
		{
			Name: "retryAfter", Type: "duration", Least: host.Duration(time.Second), Most: host.Duration(24 * time.Hour),
			Means: "the header of that name, in whole seconds",
		},
		{Name: "asDate", Type: "boolean", Means: "retryAfter is sent as a date instead of seconds", with: "retryAfter"},
	}
}

func httpFaults() []Fault {
	noticed := func(by, was, does string) Proof { return Proof{NoticedBy: by, on: Status, was: was, Does: does} }
	done := func(by, was, does string) Proof {
		return Proof{NoticedBy: by, on: Status, was: was, Does: does, Done: true}
	}
	return []Fault{
		{
			Name: "status", Group: HTTP,
			Proof: noticed("STA-01", "", "an HTTP status, with a problem document from 400 on and {} below; the request is not processed"),
			Parameters: append([]Parameter{
				statusParameter(500, 200, 599), {Name: "value", Type: "string", Most: mostText, Means: "the header Location below 400, WWW-Authenticate from 400 on"},
			}, retryAfter()...),
			Examples: []Example{
				{Do{Status: 429, RetryAfter: host.Duration(2 * time.Second)}, Proof{
					was: "rate-limited", on: Status, Unnoticed: "a server may limit requests; the suite then waits",
					Does: "429 with Retry-After; the request is not processed",
				}},
				{Do{Status: 503, RetryAfter: host.Duration(30 * time.Second)}, noticed("STA-01", "unavailable", "503 with Retry-After; the request is not processed")},
				{Do{Status: 302, Value: "/moved"}, noticed("W-15", "redirect", "a redirect; the request is not processed")},
				{Do{Status: 401, Value: `Bearer realm="cabrank"`}, noticed("SEC-04", "challenge", "401 with a challenge, whatever the credentials; the request is not processed")},
			},
			act: func(e *exchange) {
				a, name := e.problem(e.what.do.Status), "WWW-Authenticate"
				if a.status < http.StatusBadRequest {
					name = "Location"
				}
				if e.what.do.Value != "" {
					a.header.Set(name, e.what.do.Value)
				}
				if after := time.Duration(e.what.do.RetryAfter); after > 0 {
					a.header.Set("Retry-After", strconv.Itoa(int((after+time.Second-1)/time.Second)))
					if e.what.do.AsDate {
						a.header.Set("Retry-After", e.set.options.Wall().Add(after).UTC().Format(http.TimeFormat))
					}
				}
				e.send(a)
			},
		},
		{
			Name: "html-page", Group: HTTP,
			Proof:      noticed("W-01", "", "an HTML page, such as a proxy sends when the server is down; the request is not processed"),
			Parameters: []Parameter{statusParameter(502, 200, 599)},
			act: func(e *exchange) {
				line := statusLine(e.what.do.Status)
				e.send(plain(e.what.do.Status, "text/html", "<html>\r\n<head><title>"+line+"</title></head>\r\n<body>\r\n<h1>"+line+
					"</h1>\r\n<hr><address>proxy</address>\r\n</body>\r\n</html>\r\n"))
			},
		},
		{
			Name: "empty", Group: HTTP, Proof: done("W-01", "", "200 without a body"),
			Parameters: []Parameter{{Name: "status", Type: "integer", Default: 200, OneOf: []any{200, 204}, Means: "of HTTP"}},
			Examples:   []Example{{Do{Status: 204}, done("W-01", "no-content", "204 No Content")}},
			act: altered(func(e *exchange, a *answer) {
				a.status, a.body = e.what.do.Status, nil
				if a.status == http.StatusNoContent {
					a.header.Del("Content-Type")
				}
			}),
		},
		{
			Name: "content-type", Group: HTTP, Proof: done("W-03", "", "the correct response with a wrong Content-Type"),
			Parameters: []Parameter{{Name: "value", Type: "string", Default: "text/html", Most: mostText, Means: "the header Content-Type"}},
			act:        altered(func(e *exchange, a *answer) { a.header.Set("Content-Type", e.what.do.Value) }),
		},
		{
			Name: "bad-json", Group: HTTP, Proof: done("W-13", "trailing-bytes", "bytes after the JSON"),
			Parameters: []Parameter{
				formOf("what is wrong", "trailing-bytes", "bom", "invalid-utf8", "duplicate-keys"),
				{Name: "value", Type: "string", Default: "<!-- 12 ms -->", Most: mostText, Means: "with form=trailing-bytes: what follows the JSON", with: "form=trailing-bytes"},
			},
			Examples: []Example{
				{Do{Form: "bom"}, done("W-13", "bom", "a byte-order mark before the JSON")},
				{Do{Form: "invalid-utf8"}, done("W-13", "invalid-utf8", "an additional first member whose text is not UTF-8")},
				{Do{Form: "duplicate-keys"}, done("W-13", "duplicate-keys", "the member status appears twice, the first time with null")},
			},
			act: altered(func(e *exchange, a *answer) {
				switch e.what.do.Form {
				case "bom":
					a.body = append([]byte("\ufeff"), a.body...)
				case "invalid-utf8":
					a.before("\"note\":\"caf\xe9\"")
				case "duplicate-keys":
					a.before(`"status":null`)
				default:
					a.body = append(a.body, e.what.do.Value...)
				}
			}),
		},
		{
			Name: "large-body", Group: HTTP, Proof: done("W-01", "", "an additional member of ten megabytes"),
			Parameters: []Parameter{
				number("bytes", 10<<20, 1, 64<<20, "of a further member").only("", "levels"), number("levels", 0, 1, 1_000_000, "of arrays in a further member, instead of bytes"),
			},
			Examples: []Example{{Do{Levels: 10_000}, done("W-01", "deep-nesting", "an additional member, nested very deeply")}},
			act: altered(func(e *exchange, a *answer) {
				if n := e.what.do.Levels; n > 0 {
					a.before(`"nested":` + strings.Repeat("[", n) + strings.Repeat("]", n))
					return
				}
				a.before(`"padding":""`)
				a.fill, a.ahead = e.what.do.Bytes, len(`{"padding":"`)
			}),
		},
		{
			Name: "numbers-as-strings", Group: HTTP, Proof: done("W-17", "", "every number is a JSON string"),
			act: edited(func(_ *exchange, t tree) bool { return quoteNumbers(t) }),
		},
	}
}

// altered returns a fault that changes the bytes of a successful response.
func altered(change func(*exchange, *answer)) func(*exchange) {
	return func(e *exchange) {
		a := e.ask(e.body)
		if !a.ok() || !bytes.HasPrefix(a.body, []byte("{")) {
			e.sendUnchanged(a)
			return
		}
		change(e, a)
		e.send(a)
	}
}

// before inserts a member at the beginning of the body, which is a JSON object.
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
	return a
}
