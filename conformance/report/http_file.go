package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance"
)

// WriteHTTPFile writes every call of the run as a .http file, from which editors send single
// calls (the REST Client of VS Code, the HTTP Client of JetBrains). Ids from the server are
// read from the replies to the repeated calls; telephone numbers and credentials are
// pseudonyms to be replaced.
func WriteHTTPFile(w io.Writer, f *conformance.RunFile) error {
	h := &httpFile{ids: f.Suite.IDs, target: strings.TrimRight(f.Target, "/"), given: map[string]string{}}
	if _, err := fmt.Fprintf(w, "@base = %s\n# Add your credentials to the calls, such as Authorization: Bearer …\n", oneLine([]byte(h.target), longestSendable)); err != nil {
		return err
	}
	verdicts := f.VerdictsByCall()
	for _, x := range f.Calls {
		if _, err := io.WriteString(w, h.call(x, verdicts[x.ID])); err != nil {
			return err
		}
	}
	return nil
}

// httpFile is a .http file that is being written.
type httpFile struct {
	ids    []string // members that hold ids given by the server
	target string
	given  map[string]string // expressions for ids from replies
}

// call writes one call, with the verdicts for which it is evidence.
func (h *httpFile) call(x *conformance.Exchange, verdicts []conformance.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### call %d: %s was answered %s", x.ID, oneLine([]byte(x.Request.Method+" "+x.Operation.Path()), longestSendable), oneLine([]byte(Answered(x)), longestSendable))
	for _, v := range verdicts {
		fmt.Fprintf(&b, ", %s %s", v.ID, v.Outcome)
	}
	body := string(x.Request.Body)
	if !sendable(body) || x.Request.Cut > 0 {
		b.WriteString("\n# its body is too long for this file, or is not plain text\n")
		return b.String()
	}
	address := oneLine([]byte(x.Request.URL), longestSendable)
	if rest, below := strings.CutPrefix(address, h.target); below && h.target != "" {
		address = "{{base}}" + rest
	}
	fmt.Fprintf(&b, "\n# @name call%d\n%s %s\n", x.ID, oneLine([]byte(x.Request.Method), longestSendable), address)
	for _, name := range []string{"Content-Type", "Accept"} {
		if v := x.Request.Header.Get(name); v != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, oneLine([]byte(v), longestSendable))
		}
	}
	if body != "" {
		fmt.Fprintf(&b, "\n%s\n", h.bound(body))
	}
	h.learn(x)
	return b.String()
}

// bound replaces ids in a body with expressions for the ids in earlier replies.
func (h *httpFile) bound(body string) string {
	for id, expression := range h.given {
		body = strings.ReplaceAll(body, `"`+id+`"`, `"`+expression+`"`)
	}
	return body
}

// learn records the ids in a reply.
func (h *httpFile) learn(x *conformance.Exchange) {
	for _, member := range h.ids {
		id := x.Reply().At(member).Scalar()
		if id != "" && h.given[id] == "" && sendable(id) && !strings.ContainsAny(id, `"\{}`) {
			h.given[id] = fmt.Sprintf("{{call%d.response.body.$.%s}}", x.ID, member)
		}
	}
}

// longestSendable is how many bytes of a body are written.
const longestSendable = 4 << 10

// sendable reports whether a text can be written unchanged: a line of ### would start another
// call, and {{ a variable.
func sendable(text string) bool {
	return len(text) <= longestSendable && utf8.ValidString(text) && !strings.Contains(text, "###") && !strings.Contains(text, "{{") &&
		printable(text) == text
}
