package live

import (
	"bytes"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/redact"
)

// Document is the JSON form of a call in answers: bodies and numbers as they were sent,
// without credentials.
type Document struct {
	ID       int                       `json:"id"`               // from 1, in the order in which calls ended
	Request  string                    `json:"request,omitzero"` // X-Cabrank-Request of its answer
	Op       string                    `json:"op"`               // "": none
	Wall     time.Time                 `json:"wall"`             // when it started
	At       time.Time                 `json:"at"`               // the same in the server's virtual time
	TookMS   float64                   `json:"tookMs"`
	Method   string                    `json:"method"`
	URL      string                    `json:"url"`
	Phone    string                    `json:"phone,omitzero"`
	IDs      map[string]string         `json:",embed"`          //nolint:staticcheck // of the library that writes it
	Untold   string                    `json:"untold,omitzero"` // the id of the object that it made, if the answer did not have it
	Status   int                       `json:"status,omitzero"` // of the answer; 0: there was none
	Error    string                    `json:"error,omitzero"`  // why there is no answer, or only part of it
	Verdict  Verdict                   `json:"verdict"`         // on the request
	Answered Verdict                   `json:"answerVerdict"`   // on the answer
	Fault    string                    `json:"fault,omitzero"`  // the id of the injected fault
	Kind     string                    `json:"kind,omitzero"`   // the kind of that fault
	Findings []conformance.CallFinding `json:"findings"`
	Sent     *Half                     `json:"sent,omitzero"`
	Answer   *Half                     `json:"answer,omitzero"`
}

// Half is the request or the answer.
type Half struct {
	Header http.Header    `json:"header"`
	Body   jsontext.Value `json:"body,omitzero"`   // if it is JSON
	Text   string         `json:"text,omitzero"`   // if it is other text
	Base64 []byte         `json:"base64,omitzero"` // if it is not text
	Bytes  int            `json:"bytes"`           // of the whole body
	Cut    int            `json:"cut,omitzero"`    // bytes that were not stored
}

// Document makes the document of a call that no longer changes, such as a [Journal.Copy]. With brief, it omits headers and bodies.
func (k *Call) Document(brief bool) Document {
	d := Document{
		ID: k.X.ID, Request: k.Token, Op: string(k.X.Operation), Wall: k.X.Walled.UTC(), At: k.X.Started.UTC(),
		TookMS: float64(k.X.Took.Microseconds()) / 1000, Method: k.X.Request.Method, URL: printableURL(redact.Address(k.X.Request.URL)), Phone: k.Phone, IDs: k.IDs, Untold: k.untold,
		Status: k.X.Code(), Error: k.X.Err, Verdict: k.Sent, Answered: k.Answered, Fault: k.Fault, Kind: k.Kind, Findings: k.Findings,
	}
	if d.Findings == nil {
		d.Findings = []conformance.CallFinding{}
	}
	if brief {
		return d
	}
	d.Sent = newHalf(k.X.Request.Header, k.X.Request.Body, k.X.Request.Cut)
	if r := k.X.Response; r != nil {
		d.Answer = newHalf(r.Header, r.Body, r.Cut)
	}
	return d
}

// printableURL returns a URL that JSON can hold.
func printableURL(address string) string {
	if utf8.ValidString(address) {
		return address
	}
	return string([]rune(address))
}

// newHalf makes half of a document: headers and a body, of which cut bytes were not stored.
func newHalf(header http.Header, body conformance.Body, cut int) *Half {
	h := &Half{Header: WithoutSecrets(header), Bytes: len(body) + cut, Cut: cut}
	switch value := jsontext.Value(body); {
	case len(body) == 0:
	case cut == 0 && value.IsValid(jsontext.AllowDuplicateNames(true)) && !deep(body):
		h.Body = value
	case utf8.Valid(body):
		h.Text = string(body)
	default:
		h.Base64 = body
	}
	return h
}

// deepest is the maximum depth of a body that is embedded as JSON. The JSON writer allows
// 10,000 levels, including those of the answer around it.
const deepest = 9_000

// deep reports whether JSON is nested too deeply to be embedded.
func deep(body []byte) bool {
	if bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) <= deepest {
		return false // the usual case
	}
	levels, text := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '[' || c == '{':
			if levels++; levels > deepest {
				return true
			}
		case c == ']' || c == '}':
			levels--
		}
	}
	return false
}

// addresses are headers with URLs that may hold credentials: redirects in answers, and the
// referrer in requests.
var addresses = []string{"Location", "Content-Location", "Referer"}

// WithoutSecrets returns a header whose credentials are hidden.
func WithoutSecrets(header http.Header) http.Header {
	own, copied := header, false
	for name, values := range header {
		for i, v := range values {
			shown := string([]rune(v)) // valid UTF-8 for JSON
			switch {
			case redact.HoldsSecret(name):
				shown = "hidden"
			case slices.Contains(addresses, http.CanonicalHeaderKey(name)):
				shown = redact.Address(shown)
			}
			if shown == v {
				continue
			}
			if !copied { // only once: a second copy would restore hidden values
				own, copied = header.Clone(), true
			}
			own[name][i] = shown
		}
	}
	if own == nil {
		return http.Header{}
	}
	return own
}

// writing are the options for writing documents: bodies keep their bytes except for white
// space between values. Invalid UTF-8 in a text, such as a finding that quotes odd bytes, is
// replaced with U+FFFD; a body that is not UTF-8 is written as base64.
var writing = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true), json.Deterministic(true), jsontext.EscapeForHTML(false))

// Marshal writes a value as JSON.
func Marshal(v any) ([]byte, error) { return json.Marshal(v, writing) }
