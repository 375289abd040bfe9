package report

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/redact"
)

// curlScript writes calls as a shell script for curl and jq that can be pasted. Ids from the server are
// read from the replies, so the script works although the server returns other ids; telephone numbers are
// variables at the top. Text from servers and run files is always data to the shell and to curl.
func curlScript(suite *conformance.Suite, target string, calls []*conformance.Exchange) string {
	s := &script{ids: suite.IDs, members: redact.MembersOf(suite), names: map[string]string{}}
	for _, x := range calls {
		s.learnNumbers(x.Sent())
	}
	if !strings.HasPrefix(target, "https://") && !strings.HasPrefix(target, "http://") {
		target = "" // curl would treat it as a file or a flag
	}
	fmt.Fprintf(&s.b, "BASE=%s\nAUTH=()   # your credentials, such as AUTH=(-H 'Authorization: Bearer …')\n", quote(target))
	for _, v := range s.numbers {
		fmt.Fprintf(&s.b, "%s=%s   # a number of your own\n", s.names[v], quote(v))
	}
	for i, x := range calls {
		s.call(target, x, calls[i+1:])
	}
	return s.b.String()
}

type script struct {
	ids     []string // members that hold ids given by the server
	members redact.Members
	b       strings.Builder
	names   map[string]string // variables by value
	numbers []string
}

// learnNumbers makes variables for the telephone numbers in a request body.
func (s *script) learnNumbers(v jsonvalue.Value) {
	found := map[string]bool{}
	s.members.Collect(v, found)
	for _, n := range slices.Sorted(maps.Keys(found)) {
		if s.names[n] == "" && !strings.ContainsAny(n, "+ ()-") {
			s.numbers = append(s.numbers, n)
			s.names[n] = fmt.Sprintf("phone%d", len(s.numbers))
		}
	}
}

func (s *script) call(target string, x *conformance.Exchange, later []*conformance.Exchange) {
	fmt.Fprintf(&s.b, "\n# call %d: %s was answered %s\n", x.ID, harmless(x.Request.Method+" "+x.Operation.Path()), harmless(Answered(x)))
	bind := s.bindings(x, later)
	if len(bind) > 0 {
		s.b.WriteString("reply=$(")
	}
	fmt.Fprintf(&s.b, `curl -sS "${AUTH[@]}" -X %s "$BASE"%s`, word(x.Request.Method), quote(s.path(target, x)))
	for _, name := range []string{"Content-Type", "Accept"} {
		if v := x.Request.Header.Get(name); v != "" {
			fmt.Fprintf(&s.b, " -H %s", quote(name+": "+printable(v)))
		}
	}
	if len(x.Request.Body) > 0 {
		fmt.Fprintf(&s.b, " \\\n  --data-raw %s", s.body(string(x.Request.Body)))
	}
	if len(bind) == 0 {
		s.b.WriteString("; echo\n")
		return
	}
	s.b.WriteString("); echo \"$reply\"\n")
	for _, line := range bind {
		s.b.WriteString(line)
	}
}

func Answered(x *conformance.Exchange) string {
	if x.Response == nil {
		return "with nothing: " + x.Err
	}
	return fmt.Sprint(x.Code())
}

// globbing escapes the characters that have a meaning for curl in URLs.
var globbing = strings.NewReplacer("[", "%5B", "]", "%5D", "{", "%7B", "}", "%7D")

// path returns the part after the base address. It always starts with a slash, so that it
// cannot change the host.
func (s *script) path(target string, x *conformance.Exchange) string {
	path := x.Operation.Path()
	if rest, ok := strings.CutPrefix(x.Request.URL, strings.TrimRight(target, "/")); ok && target != "" {
		path, _, _ = strings.Cut(rest, "?")
	} else if u, err := url.Parse(x.Request.URL); err == nil {
		path = u.EscapedPath()
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return globbing.Replace(path)
}

// bindings returns the lines that store ids from a reply in shell variables, if later calls send these ids.
func (s *script) bindings(x *conformance.Exchange, later []*conformance.Exchange) []string {
	var lines []string
	for _, key := range s.ids {
		id := x.Reply().At(key).Scalar()
		sentLater := slices.ContainsFunc(later, func(l *conformance.Exchange) bool { return l.Sent().At(key).Scalar() == id })
		if id == "" || s.names[id] != "" || !sentLater {
			continue
		}
		s.names[id] = fmt.Sprintf("%s%d", strings.TrimSuffix(key, "Id"), x.ID)
		lines = append(lines, fmt.Sprintf("%s=$(printf %%s \"$reply\" | jq -r .%s)\n", s.names[id], key))
	}
	return lines
}

// body quotes a request body for the shell, with variables in place of known ids and numbers.
func (s *script) body(text string) string {
	text = jsonvalue.Clip(text, 4<<10)
	var b strings.Builder
	done := 0
	for start := 0; start < len(text); {
		open := strings.IndexByte(text[start:], '"')
		if open < 0 {
			break
		}
		start += open + 1
		length := strings.IndexByte(text[start:], '"')
		if length < 0 {
			break
		}
		if name := s.names[text[start:start+length]]; name != "" {
			b.WriteString(quote(text[done:start]) + `"$` + name + `"`)
			done = start + length
		}
		start += length // with escapes, its end may be the start of another
	}
	return b.String() + quote(text[done:])
}

// quote writes a text for the shell. Control characters are written as escapes:
// pasted raw, they would be keys pressed.
func quote(text string) string {
	if !strings.ContainsFunc(text, risky) && utf8.ValidString(text) {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0:
			b.WriteRune(utf8.RuneError) // not allowed in program arguments
		case c < ' ' || c > '~' || c == '\'' || c == '\\' || c == '!':
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}

// risky reports whether a character must not be pasted unescaped. Line breaks are safe within quotes.
func risky(r rune) bool { return r != ' ' && r != '\n' && !unicode.IsPrint(r) }

// word writes a word for the shell, without quotes if it consists of capital letters only.
func word(text string) string {
	if text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return text
	}
	return quote(text)
}

// harmless makes a text safe for a comment, even in a shell that runs comments as commands.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/.,:-_", r) {
			return r
		}
		return ' '
	}, text)
}

// WriteCurl writes one call as a curl command that can be pasted, with its real numbers and without
// credentials.
func WriteCurl(w io.Writer, x *conformance.Exchange) error {
	var b strings.Builder
	fmt.Fprintf(&b, "curl -sS -X %s %s", word(x.Request.Method), quote(globbing.Replace(x.Request.URL)))
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		if madeByCurl[name] || redact.HoldsSecret(name) {
			continue
		}
		for _, v := range x.Request.Header[name] {
			fmt.Fprintf(&b, " \\\n  -H %s", quote(name+": "+printable(v)))
		}
	}
	if len(x.Request.Body) > 0 {
		fmt.Fprintf(&b, " \\\n  --data-raw %s", quote(string(x.Request.Body)))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// madeByCurl are the headers that curl sets itself.
var madeByCurl = map[string]bool{"Content-Length": true, "Accept-Encoding": true, "User-Agent": true, "Connection": true, "Host": true}

// Curl returns a shell script for curl and jq with the calls of a probe that lead to a verdict, as on the
// HTML page; "": no call shows the verdict.
func Curl(f *conformance.RunFile, r conformance.Result) string {
	p := &page{RunFile: f}
	return p.scriptFor(r, f.CallsByID(), map[string]string{})
}
