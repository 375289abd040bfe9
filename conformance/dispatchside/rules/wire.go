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

// judgeWire judges what is required of every answer, whatever the operation, such as its encoding and types.
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

// leaks matches text that shows a server's internals, such as a stack trace, a file's path or SQL.
var leaks = regexp.MustCompile(`goroutine \d+ \[|\.go:\d+|Traceback \(most recent call|\.java:\d+\)|\.py", line \d+|` +
	`\.(m?js|cjs|ts|php|rb|cs|kt|rs|exs?):(line )?\d+|node_modules|(file://|^|[^\w/.])/(usr|home|root|var|etc|tmp|opt|srv|app|Users)/\w|\b[A-Z]:[\\/]+\w+[\\/]|` +
	`SQLSTATE|SELECT .+ FROM |INSERT INTO |UPDATE \w+ SET |syntax error at or near|ORA-\d{5}|[Ss]qlite|constraint failed`)

// traces are texts of which every match of leaks contains at least one. Looking for them first is much faster.
var traces = []string{
	"goroutine ", ".go:", "Traceback", ".java:", ".py", "js:", ".ts:", ".php:", ".rb:", ".cs:", ".kt:", ".rs:", ".ex", "node_modules",
	"/usr/", "/home/", "/root/", "/var/", "/etc/", "/tmp/", "/opt/", "/srv/", "/app/", "/Users/", `:\`, `:/`, "SQLSTATE", "SELECT ", "INSERT ", "UPDATE ", "syntax error", "ORA-",
	"qlite", "constraint failed",
}

// leak returns the first text of an answer that shows a server's internals, or "". The path that
// was called does not count, nor does its name behind a proxy.
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

// pathAt returns the path at the start of a text, or after its first character; "" if there is none.
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

// judgeBytes judges whether the bytes of a reply are strict JSON: no byte-order mark, duplicate key, invalid UTF-8 or text
// after the end.
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

// typed lists the fields whose JSON type W-17 judges. Members of optional objects have their own
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

// judgeSlashes judges the answer to a call with a doubled slash before the operation's path.
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

// judgeRefusal passes a call that was refused with a 4xx, and fails any other answer. what names the call in the message.
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
