package conformance

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
)

// judgeWire judges what any answer of any operation has to be like.
func judgeWire(x *Exchange, s *findings) {
	if x.Response == nil {
		return
	}
	if x.Request.Method == http.MethodPost {
		judgeRedirect(x, s)
	}
	judgeEncoding(x, s)
	judgeLeak(x, s)
	if !x.succeeded() || x.Request.Method != http.MethodPost {
		return
	}
	judgeCode(x, s)
	judgeContentType(x, s)
	judgeBytes(x, s)
	judgeTypes(x, s)
}

func judgeCode(x *Exchange, s *findings) {
	if x.code() == http.StatusOK {
		s.pass("W-02", x)
		return
	}
	s.warn("W-02", fmt.Sprintf("the call was answered %d", x.code()), "200", answer(x), x)
}

func judgeContentType(x *Exchange, s *findings) {
	header := x.Response.Header.Get("Content-Type")
	media, _, _ := mime.ParseMediaType(header)
	got := verbatim("Content-Type: " + header)
	switch {
	case media == "application/json":
		s.pass("W-03", x)
	case strings.HasSuffix(media, "+json"):
		s.warn("W-03", "the reply is labelled as a kind of JSON", "application/json", got, x)
	default:
		s.fail("W-03", "the reply is not labelled as JSON", "application/json", got, x)
	}
}

func judgeRedirect(x *Exchange, s *findings) {
	switch code := x.code(); code {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		s.fail("W-15", fmt.Sprintf("a POST was answered %d", code), "no redirect", answer(x), x)
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		s.warn("W-15", fmt.Sprintf("a POST was answered %d", code), "no redirect", answer(x), x)
	default:
		s.pass("W-15", x)
	}
}

func judgeEncoding(x *Exchange, s *findings) {
	encoding := x.Response.Header.Get("Content-Encoding")
	if encoding == "" || encoding == "identity" {
		s.pass("W-11", x)
		return
	}
	asked := x.Request.Header.Get("Accept-Encoding")
	s.want("W-11", strings.Contains(asked, encoding), verbatim("Content-Encoding: "+encoding),
		"no compression unless Accept-Encoding asks for it", x)
}

// leaks are the marks of a server's internals.
var leaks = regexp.MustCompile(`goroutine \d+ \[|\.go:\d+|Traceback \(most recent call|\.java:\d+\)|\.py", line \d+|` +
	`\.(js|ts|php|rb|cs):(line )?\d+|node_modules|(^|["\s(])/(usr|home|var|opt|srv|app)/\w|[A-Z]:\\\\?\w+\\|` +
	`SQLSTATE|SELECT .+ FROM |INSERT INTO |UPDATE \w+ SET |syntax error at or near|ORA-\d{5}|[Ss]qlite|constraint failed`)

// traces are words of which each leak has one; to look for them is quicker by far.
var traces = []string{
	"goroutine ", ".go:", "Traceback", ".java:", ".py", ".js:", ".ts:", ".php:", ".rb:", ".cs:", "node_modules",
	"/usr/", "/home/", "/var/", "/opt/", "/srv/", "/app/", `:\`, "SQLSTATE", "SELECT ", "INSERT ", "UPDATE ", "syntax error", "ORA-",
	"qlite", "constraint failed",
}

// leak returns the first mark of a server's internals in what answers a call, ""
// when there is none. The path that was called is nothing internal, nor what it is
// called behind a proxy.
func leak(x *Exchange) string {
	said := string(x.replied())
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

// pathAt returns the path that a text begins with; "": it begins with none.
func pathAt(text string) string {
	text = strings.TrimLeft(text, "\"( \t\r\n")
	if !strings.HasPrefix(text, "/") {
		return ""
	}
	if end := strings.IndexAny(text, "\"'?#), \t\r\n"); end >= 0 {
		text = text[:end]
	}
	return strings.TrimRight(text, ".:;")
}

func judgeLeak(x *Exchange, s *findings) {
	if x.code() < http.StatusBadRequest {
		return
	}
	if found := leak(x); found != "" {
		s.fail("W-14", fmt.Sprintf("the refusal shows internals: %q", clip(found, 40)), "a short sentence", answer(x), x)
		return
	}
	s.pass("W-14", x)
}

// judgeBytes looks for what a generous reader overlooks.
func judgeBytes(x *Exchange, s *findings) {
	if !x.Reply().present() {
		return // not JSON at all: W-01
	}
	body := x.Response.Body
	raw := verbatim(clip(string(body), 120))
	if bytes.HasPrefix(body, utf8BOM) {
		s.fail("W-13", "the reply begins with a byte-order mark", "JSON from the first byte", raw, x)
		return
	}
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if _, err := d.ReadValue(); err != nil {
		s.fail("W-13", "the reply is JSON that strict readers refuse: "+clip(err.Error(), 120), "no duplicate keys, valid UTF-8", raw, x)
		return
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		s.fail("W-13", "something follows the JSON", "nothing after it", raw, x)
		return
	}
	s.pass("W-13", x)
}

// typed are the fields that W-17 looks at; what optional objects hold has checks
// of its own.
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
func judgeTypes(x *Exchange, s *findings) {
	if !x.Reply().isObject() {
		return
	}
	objects := []value{x.Reply()}
	if x.Operation == OpUser {
		objects = append(objects, journeys(x)...)
	}
	fine := true
	for _, o := range objects {
		for _, t := range typed {
			v := o
			for _, key := range t.path {
				v = v.at(key)
			}
			if v.isText() && t.kind == "number" || v.isNumber() && t.kind == "string" {
				s.fail("W-17", describe(v, t.kind), t.kind, v, x)
				fine = false
			}
		}
	}
	if fine {
		s.pass("W-17", x)
	}
}

// variants are the unusual forms of a call that have to be served like the
// usual one, and the check each belongs to.
var variants = map[Intent]struct{ check, form string }{
	intentExtra:     {"W-04", "with unknown fields"},
	intentCharset:   {"W-05", "labelled with a charset"},
	intentAccept:    {"W-08", "without a preference in Accept"},
	intentFraming:   {"W-09", "sent in chunks or with its length"},
	intentKeepAlive: {"W-10", "on a connection kept alive"},
	intentHTTP2:     {"W-10", "over HTTP/2"},
	intentGzip:      {"W-11", "that allows gzip"},
	intentScripts:   {"W-12", "with accents, right-to-left text and emoji"},
	intentNulls:     {"W-16", "with null for optional fields"},
}

// judgeVariant judges calls that differ from an ordinary one in form only.
func (r *tracker) judgeVariant(x *Exchange) {
	v, ok := variants[x.Intent]
	switch {
	case !ok:
	case x.succeeded() && x.Intent == intentScripts && x.Operation != OpConfig && x.Operation != OpCancel:
		// Whether the text comes back is judged where the journey is read back.
	case x.succeeded() && x.Intent == intentKeepAlive && (x.Response.Closed || x.Resent):
		r.warn(v.check, "the server closed the connection after the call", "the connection stays open", answer(x), x)
	case x.succeeded():
		r.pass(v.check, x)
	case mustServe(x) && r.refusedPlainToo[x.ID] != nil:
		r.unverified(v.check, NotServed, "it was refused in its usual form, too, which says nothing of the form", x, r.refusedPlainToo[x.ID])
	case mustServe(x):
		r.fail(v.check, "a call "+v.form+" was not served", "served like any other", answer(x), x)
	case x.Sound:
		r.unverified(v.check, NotServed, "a call "+v.form+" was not served, which after what came before says nothing of its form", x)
	}
}

// judgeSlashes judges {base}//path.
func judgeSlashes(x *Exchange, s *findings) {
	if x.Intent != intentSlashes {
		return
	}
	if x.succeeded() {
		s.pass("W-06", x)
	} else {
		judgeRefusal(s, "W-06", "a doubled slash in the path", x)
	}
}

// judgeMethod judges calls that are not POST.
func judgeMethod(x *Exchange, s *findings) {
	if x.Intent != intentMethod {
		return
	}
	if x.code() == http.StatusNotImplemented {
		s.warn("W-07", x.Request.Method+" was answered 501", "405", answer(x), x)
		return
	}
	judgeRefusal(s, "W-07", x.Request.Method+" in place of POST", x)
}

// judgeRefusal passes a 4xx and fails everything else.
func judgeRefusal(s *findings, id, what string, x *Exchange) {
	switch {
	case x.refusedCleanly():
		s.refused(id, x)
	case x.succeeded():
		s.fail(id, what+" was answered as a success", "4xx", answer(x), x)
	default:
		s.fail(id, what+" was not refused cleanly", "4xx", answer(x), x)
	}
}
