package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// wireChecks are about HTTP and JSON; each is executed on all five operations.
var wireChecks = []conformance.Check{
	{
		ID: "W-01", Level: conformance.Must, Clause: clauseOperations,
		Requirement: "All are POST to {third_party_url}, JSON in and out.",
		Why:         "If a reply cannot be parsed, the caller hears silence.",
		Hint:        "Answer POST {base}{path} with exactly one JSON object.",
	},
	{
		ID: "W-02", Level: conformance.Should, Clause: clauseOperations,
		Requirement: "A served call is answered 200; another 2xx is allowed but may surprise a caller.",
		Why:         "A caller that tests for 200 would report a booked taxi as lost.",
		Hint:        "Answer 200 on all five operations.",
	},
	{
		ID: "W-03", Level: conformance.Should, Clause: clauseOperations,
		Requirement: "JSON out is labelled Content-Type: application/json (a charset is allowed).",
		Why:         "Many HTTP libraries refuse to decode a body that is not labelled as JSON.",
		Hint:        "Set Content-Type: application/json on every reply.",
	},
	{
		ID: "W-04", Level: conformance.Robustness,
		Requirement: "Unknown fields, at the top and nested, are ignored.",
		Why:         "Otherwise a field added to the interface later stops every booking.",
		Hint:        "Let the JSON reader ignore fields it does not know.",
	},
	{
		ID: "W-05", Level: conformance.Robustness,
		Requirement: `A request labelled "application/json; charset=utf-8" is served like any other.`,
		Why:         "Common HTTP libraries add the charset by themselves.",
		Hint:        "Compare the media type without its parameters.",
	},
	{
		ID: "W-06", Level: conformance.Robustness,
		Requirement: "A base address with a trailing slash ({base}//path) is served alike or refused cleanly.",
		Why:         "An extra slash in a settings page must not stop the service with an obscure error.",
		Hint:        "Serve the doubled slash or answer 404; never redirect a POST or answer 5xx.",
	},
	{
		ID: "W-07", Level: conformance.Robustness, Clause: clauseOperations,
		Requirement: "All are POST: GET, PUT and DELETE are refused with 4xx and change nothing.",
		Why:         "A link checker must not be able to book or cancel a taxi.",
		Hint:        "Answer 405 with an Allow header.",
	},
	{
		ID: "W-08", Level: conformance.Robustness,
		Requirement: "A request without Accept, or with */*, is served.",
		Why:         "Most clients do not negotiate the content type.",
		Hint:        "Treat a missing Accept header as */*.",
	},
	{
		ID: "W-09", Level: conformance.Robustness,
		Requirement: "A body sent in chunks and one sent with Content-Length are both served.",
		Why:         "Streaming HTTP clients send chunks; their calls would all fail.",
		Hint:        "Use a server that understands Transfer-Encoding: chunked.",
	},
	{
		ID: "W-10", Level: conformance.Robustness,
		Requirement: "Ten calls one after another over a kept-alive connection are all served.",
		Why:         "A connection for each call adds two round trips to every answer a caller waits for.",
		Hint:        "Keep connections alive (no Connection: close), and read each request body to its end. PHP's built-in server cannot; nginx in front of it can.",
	},
	{
		ID: "W-11", Level: conformance.Robustness,
		Requirement: "A reply is compressed only if the caller requested it.",
		Why:         "Other callers cannot read it.",
		Hint:        "Look at Accept-Encoding before compressing.",
	},
	{
		ID: "W-12", Level: conformance.Robustness, Needs: "a reply that shows the pickup or the passenger",
		Requirement: "Accents, apostrophes, quotation marks, <, > and &, right-to-left text and emoji come back byte for byte.",
		Why:         "If a name is garbled, the driver asks for the wrong person.",
		Hint:        "Use UTF-8 from the socket to the database and back; do not normalise, and escape for HTML only in pages.",
	},
	{
		ID: "W-13", Level: conformance.Robustness,
		Requirement: "A reply has no byte-order mark, no duplicate keys and nothing after the JSON.",
		Why:         "Strict parsers refuse such bodies, and lenient ones read them differently.",
		Hint:        "Let a JSON library write the whole body.",
	},
	{
		ID: "W-14", Level: conformance.Robustness,
		Requirement: "A refusal shows no stack trace, SQL or file path.",
		Needs:       "a refused call",
		Why:         "Internals in errors help attackers, and may be read aloud to callers.",
		Hint:        "Log the details and answer a short sentence.",
	},
	{
		ID: "W-15", Level: conformance.Robustness,
		Requirement: "A POST is never answered 301 or 302 (307 and 308 are a warning).",
		Why:         "Clients turn a redirected POST into a GET and lose the booking.",
		Hint:        "Publish the final address; do not redirect API calls.",
	},
	{
		ID: "W-16", Level: conformance.Robustness,
		Requirement: "null for an optional field means the same as omitting it.",
		Why:         "Many JSON writers send null for absent values.",
		Hint:        "Treat null as absent for every optional field.",
	},
	{
		ID: "W-17", Level: conformance.Robustness, Clause: clauseObjects,
		Requirement: "Number fields are JSON numbers and string fields are JSON strings.",
		Why:         "Clients with static types refuse the whole reply if an id is the number 123.",
		Hint:        `Write ids, names and dates in quotation marks ("123"), and numbers such as coordinates without.`,
	},
}

// judgeWire applies the rules for every answer of every operation.
func judgeWire(x *conformance.Exchange, s *conformance.Findings) {
	if x.Response == nil {
		return
	}
	if x.Request.Method == http.MethodPost {
		judgeRedirect(x, s)
	}
	judgeEncoding(x, s)
	judgeLeak(x, s)
	if !x.Succeeded() || x.Request.Method != http.MethodPost {
		return
	}
	judgeCode(x, s)
	judgeContentType(x, s)
	judgeBytes(x, s)
	judgeTypes(x, s)
}

func judgeCode(x *conformance.Exchange, s *conformance.Findings) {
	if x.Code() == http.StatusOK {
		s.Pass("W-02", x)
		return
	}
	s.Warn("W-02", fmt.Sprintf("the call was answered %d", x.Code()), "200", conformance.Answer(x), x)
}

func judgeContentType(x *conformance.Exchange, s *conformance.Findings) {
	header := x.Response.Header.Get("Content-Type")
	media, _, _ := mime.ParseMediaType(header)
	got := jsonvalue.Verbatim("Content-Type: " + header)
	switch {
	case media == "application/json":
		s.Pass("W-03", x)
	case strings.HasSuffix(media, "+json"):
		s.Warn("W-03", "the reply is labelled as a kind of JSON", "application/json", got, x)
	default:
		s.Fail("W-03", "the reply is not labelled as JSON", "application/json", got, x)
	}
}

func judgeRedirect(x *conformance.Exchange, s *conformance.Findings) {
	switch code := x.Code(); code {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		s.Fail("W-15", fmt.Sprintf("a POST was answered %d", code), "no redirect", conformance.Answer(x), x)
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		s.Warn("W-15", fmt.Sprintf("a POST was answered %d", code), "no redirect", conformance.Answer(x), x)
	default:
		s.Pass("W-15", x)
	}
}

func judgeEncoding(x *conformance.Exchange, s *conformance.Findings) {
	encoding := x.Response.Header.Get("Content-Encoding")
	if encoding == "" || encoding == "identity" {
		s.Pass("W-11", x)
		return
	}
	asked := x.Request.Header.Get("Accept-Encoding")
	s.Want("W-11", strings.Contains(asked, encoding), jsonvalue.Verbatim("Content-Encoding: "+encoding),
		"no compression unless Accept-Encoding asks for it", x)
}

// leaks are the marks of a server's internals.
var leaks = regexp.MustCompile(`goroutine \d+ \[|\.go:\d+|Traceback \(most recent call|\.java:\d+\)|\.py", line \d+|` +
	`\.(m?js|cjs|ts|php|rb|cs|kt|rs|exs?):(line )?\d+|node_modules|(file://|^|[^\w/.])/(usr|home|root|var|etc|tmp|opt|srv|app|Users)/\w|\b[A-Z]:[\\/]+\w+[\\/]|` +
	`SQLSTATE|SELECT .+ FROM |INSERT INTO |UPDATE \w+ SET |syntax error at or near|ORA-\d{5}|[Ss]qlite|constraint failed`)

// traces are words of which every leak contains one; searching for them is much faster.
var traces = []string{
	"goroutine ", ".go:", "Traceback", ".java:", ".py", "js:", ".ts:", ".php:", ".rb:", ".cs:", ".kt:", ".rs:", ".ex", "node_modules",
	"/usr/", "/home/", "/root/", "/var/", "/etc/", "/tmp/", "/opt/", "/srv/", "/app/", "/Users/", `:\`, `:/`, "SQLSTATE", "SELECT ", "INSERT ", "UPDATE ", "syntax error", "ORA-",
	"qlite", "constraint failed",
}

// leak returns the first mark of a server's internals in an answer, "" if there is none. The
// path that was called is not internal, nor is its name behind a proxy.
func leak(x *conformance.Exchange) string {
	said := strings.ReplaceAll(string(x.Replied()), `\/`, "/") // some JSON writers escape slashes
	if !slices.ContainsFunc(traces, func(word string) bool { return strings.Contains(said, word) }) {
		return ""
	}
	for _, at := range leaks.FindAllStringIndex(said, -1) {
		if !strings.HasSuffix(pathAt(said[at[0]:]), x.Operation.Path()) {
			return said[at[0]:at[1]]
		}
	}
	return ""
}

// pathAt returns the path at the start of a text; "": none.
func pathAt(text string) string {
	if at := strings.IndexByte(text, '/'); at == 1 {
		text = text[at:] // after the preceding character, such as a quotation mark
	}
	if !strings.HasPrefix(text, "/") {
		return ""
	}
	if end := strings.IndexAny(text, "\"'?#), \t\r\n"); end >= 0 {
		text = text[:end]
	}
	return strings.TrimRight(text, ".:;")
}

func judgeLeak(x *conformance.Exchange, s *conformance.Findings) {
	if x.Code() < http.StatusBadRequest {
		return
	}
	if found := leak(x); found != "" {
		s.Fail("W-14", fmt.Sprintf("the refusal shows internals: %q", jsonvalue.Clip(found, 40)), "a short sentence", conformance.Answer(x), x)
		return
	}
	s.Pass("W-14", x)
}

// judgeBytes looks for faults that lenient parsers ignore.
func judgeBytes(x *conformance.Exchange, s *conformance.Findings) {
	if !x.Reply().Present() {
		return // not JSON at all: W-01
	}
	body := x.Response.Body
	raw := jsonvalue.Verbatim(jsonvalue.Clip(string(body), 120))
	if bytes.HasPrefix(body, jsonvalue.UTF8BOM) {
		s.Fail("W-13", "the reply begins with a byte-order mark", "JSON from the first byte", raw, x)
		return
	}
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if _, err := d.ReadValue(); err != nil {
		s.Fail("W-13", "the reply is JSON that strict readers refuse: "+jsonvalue.Clip(err.Error(), 120), "no duplicate keys, valid UTF-8", raw, x)
		return
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		s.Fail("W-13", "something follows the JSON", "nothing after it", raw, x)
		return
	}
	s.Pass("W-13", x)
}

// typed are the fields that W-17 judges; members of optional objects have their own
// checks.
var typed = []struct {
	path []string
	kind string
}{
	{[]string{"journeyId"}, "string"},
	{[]string{"userId"}, "string"},
	{[]string{"status"}, "string"},
	{[]string{"date"}, "string"},
	{[]string{"phoneNumber"}, "string"},
	{[]string{"name"}, "string"},
	{[]string{"pickup", "address"}, "string"},
	{[]string{"pickup", "location", "longitude"}, "number"},
	{[]string{"pickup", "location", "latitude"}, "number"},
	{[]string{"passenger", "name"}, "string"},
	{[]string{"passenger", "phoneNumber"}, "string"},
}

// judgeTypes looks for numbers sent as strings and strings sent as numbers.
func judgeTypes(x *conformance.Exchange, s *conformance.Findings) {
	if !x.Reply().IsObject() {
		return
	}
	objects := []jsonvalue.Value{x.Reply()}
	if x.Operation == OpUser {
		objects = append(objects, Journeys(x)...)
	}
	fine := true
	for _, o := range objects {
		for _, t := range typed {
			v := o
			for _, key := range t.path {
				v = v.At(key)
			}
			if v.IsText() && t.kind == "number" || v.IsNumber() && t.kind == "string" {
				s.Fail("W-17", conformance.Describe(v, t.kind), t.kind, v, x)
				fine = false
			}
		}
	}
	if fine {
		s.Pass("W-17", x)
	}
}

// judgeSlashes judges {base}//path.
func judgeSlashes(x *conformance.Exchange, s *conformance.Findings) {
	if x.Intent != IntentSlashes {
		return
	}
	if x.Succeeded() {
		s.Pass("W-06", x)
	} else {
		judgeRefusal(s, "W-06", "a doubled slash in the path", x)
	}
}

// judgeMethod judges calls that are not POST.
func judgeMethod(x *conformance.Exchange, s *conformance.Findings) {
	if x.Intent != IntentMethod {
		return
	}
	if x.Code() == http.StatusNotImplemented {
		s.Warn("W-07", x.Request.Method+" was answered 501", "405", conformance.Answer(x), x)
		return
	}
	judgeRefusal(s, "W-07", x.Request.Method+" in place of POST", x)
}

// judgeRefusal passes a 4xx and fails everything else.
func judgeRefusal(s *conformance.Findings, id, what string, x *conformance.Exchange) {
	switch {
	case x.RefusedCleanly():
		s.Refused(id, x)
	case x.Succeeded():
		s.Fail(id, what+" was answered as a success", "4xx", conformance.Answer(x), x)
	default:
		s.Fail(id, what+" was not refused cleanly", "4xx", conformance.Answer(x), x)
	}
}
