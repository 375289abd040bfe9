package redact

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// What a run file keeps of a body, in bytes. Some requests are meant to be too
// long; an answer may have a long list.
const (
	mostSent = 32 << 10
	mostTold = 256 << 10
)

// Exchange returns a copy of a call with its numbers and credentials hidden and its bodies shortened.
func (m *Redactor) Exchange(x *conformance.Exchange) *conformance.Exchange {
	own := *x
	foreign := x.Probe == ""
	own.Started = x.Started.Round(0) // as it will be read again, without its monotonic half
	own.Request.URL = m.URL(x.Request.URL)
	own.Request.Header = m.header(x.Request.Header, foreign)
	own.Request.Body, own.Request.Cut = m.cutBody(m.form(x.Request), mostSent)
	own.Request.Cut += x.Request.Cut
	own.Err = m.Text(x.Err)
	if x.Response != nil {
		reply := *x.Response
		reply.Header = m.header(reply.Header, foreign)
		reply.Body, reply.Cut = m.cutBody(reply.Body, mostTold)
		reply.Cut += x.Response.Cut
		own.Response = &reply
	}
	own.Reread()
	return &own
}

// unnamed replaces a secret that has no pseudonym.
const unnamed = "hidden"

// key returns the pseudonym of a text that must be a credential because of where it was found, or a fixed
// word if it has none.
func (m *Redactor) key(secret string) string {
	if name := m.secrets[secret]; name != "" {
		return name
	}
	return unnamed
}

// URL hides the values of a query: the judged interfaces have no queries, so each value is a credential or
// a telephone number. In the path it hides only numbers, since the operations are below it.
func (m *Redactor) URL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return m.Text(address)
	}
	u.RawQuery, u.User = hideQuery(u.RawQuery, func(value string) string {
		if number := m.numbers[value]; number != "" {
			return url.QueryEscape(number)
		}
		return m.key(value)
	}), nil
	if path := m.replacer.Replace(u.Path); path != u.Path {
		u.Path, u.RawPath = path, ""
	}
	return u.String()
}

// Address hides the values of a URL's query, as [Redactor.URL] does, for a call whose credentials are not
// known. The names and their order remain, and a URL without a query is not changed.
func Address(address string) string {
	at, query, found := strings.Cut(address, "?")
	if !found {
		return address
	}
	return at + "?" + hideQuery(query, func(string) string { return unnamed })
}

// hideQuery replaces each value of a query by what by returns, also values without a name. The names and
// their order remain.
func hideQuery(query string, by func(secret string) string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, value, named := strings.Cut(part, "=")
		if !named {
			name, value = "", part
		}
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		switch {
		case value == "":
		case named:
			parts[i] = name + "=" + by(value)
		default:
			parts[i] = by(value)
		}
	}
	return strings.Join(parts, "&")
}

// plainHeaders are the headers of recorded traffic that are shown: rules read them, or they do not say who
// is calling. All other headers are hidden, since their meaning is not known.
var plainHeaders = setOf(
	"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Age", "Allow", "Cache-Control", "Connection",
	"Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length", "Content-Type", "Date", "Expect",
	"Expires", "Host", "Idempotency-Key", "Keep-Alive", "Last-Modified", "Location", "Pragma", "Retry-After", "Server",
	"Strict-Transport-Security", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "Vary", "Via",
	"Www-Authenticate", "X-Content-Type-Options",
)

func setOf(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}

// form hides the values of those fields of an HTML form that hold credentials by their names, since a
// password may be a common word that is not looked for in texts. Other bodies are returned unchanged.
func (m *Redactor) form(r conformance.Request) conformance.Body {
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media != "application/x-www-form-urlencoded" {
		return r.Body
	}
	fields := strings.Split(string(r.Body), "&")
	for i, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		if plain, err := url.QueryUnescape(value); HoldsSecret(name) && err == nil && value != "" {
			fields[i] = name + "=" + m.key(plain)
		}
	}
	return conformance.Body(strings.Join(fields, "&"))
}

func (m *Redactor) header(h http.Header, foreign bool) http.Header {
	own := h.Clone()
	for name, values := range own {
		for i, v := range values {
			values[i] = m.headerValue(name, v, foreign)
		}
	}
	return own
}

func (m *Redactor) headerValue(name, v string, foreign bool) string {
	switch {
	case HoldsSecret(name):
		p := Proof{Name: name, Key: v}
		_, secret := p.Parts()
		return p.with(m.key(secret)).Key
	case foreign && !plainHeaders[http.CanonicalHeaderKey(name)]:
		return m.key(v)
	case name == "Location" && strings.Contains(v, "?"):
		return m.Text(m.URL(v))
	}
	return m.Text(v)
}

// cutBody hides the numbers and credentials in a body and returns at most its first most bytes; cut is the
// number of bytes left out.
func (m *Redactor) cutBody(b conformance.Body, most int) (kept conformance.Body, cut int) {
	if len(b) == 0 {
		return nil, 0
	}
	whole := m.body(b)
	kept = whole[:min(len(whole), most)]
	return kept, len(whole) - len(kept)
}

// body hides the numbers and credentials in a body, in the strings of a JSON text and between them. In the
// names of members it hides only telephone numbers, since rules have to find the members.
func (m *Redactor) body(b conformance.Body) conformance.Body {
	between := m.replace
	if json.Valid(bytes.TrimPrefix(b, jsonvalue.UTF8BOM)) {
		between = m.replacer.Replace // between strings a JSON text has only numbers
	}
	var own strings.Builder
	rest := string(b)
	for {
		before, after, found := strings.Cut(rest, `"`)
		own.WriteString(between(before))
		end := endOfString(after)
		if !found || end < 0 {
			if found {
				own.WriteString(`"` + m.replace(after))
			}
			return conformance.Body(own.String())
		}
		inside, next := after[:end], after[end+1:]
		isName := strings.HasPrefix(strings.TrimLeft(next, " \t\r\n"), ":")
		own.WriteString(`"` + m.inString(inside, isName) + `"`)
		rest = next
	}
}

// endOfString returns the index of the quotation mark that ends a JSON string; -1: there is none.
func endOfString(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// inString hides the numbers and credentials in a JSON string, given without its quotation marks; in the
// name of a member, only the numbers.
func (m *Redactor) inString(raw string, isName bool) string {
	hide := m.replace
	if isName {
		hide = m.replacer.Replace
	}
	var plain string
	if !strings.Contains(raw, `\`) || json.Unmarshal([]byte(`"`+raw+`"`), &plain) != nil {
		return hide(raw)
	}
	hidden := hide(plain)
	if hidden == plain {
		return raw
	}
	return insideOf(hidden)
}

// insideOf returns a text encoded as a JSON string, without the quotation marks.
func insideOf(plain string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(plain); err != nil {
		panic("conformance: " + err.Error()) // every text can be written
	}
	quoted := strings.TrimSpace(b.String())
	return quoted[1 : len(quoted)-1]
}
