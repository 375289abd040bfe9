package conformance

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// curlScript writes calls as a shell script for curl and jq, to be pasted. Ids
// that the server gives are bound as they come, so that the script works on a
// server that gives others; telephone numbers are variables at the top.
func curlScript(target string, calls []*Exchange) string {
	s := &script{names: map[string]string{}}
	for _, x := range calls {
		s.learnNumbers(x.sent)
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
	b       strings.Builder
	names   map[string]string // variable by the value that it stands for
	numbers []string
}

// learnNumbers names the telephone numbers in a body that was sent.
func (s *script) learnNumbers(v value) {
	found := map[string]bool{}
	collectNumbers(v.v, found)
	for _, n := range sortedKeys(found) {
		if s.names[n] == "" && !strings.ContainsAny(n, "+ ()-") {
			s.numbers = append(s.numbers, n)
			s.names[n] = fmt.Sprintf("phone%d", len(s.numbers))
		}
	}
}

func (s *script) call(target string, x *Exchange, later []*Exchange) {
	fmt.Fprintf(&s.b, "\n# call %d: %s was answered %s\n", x.ID, x.Request.Method+" "+x.Operation.Path(), answered(x))
	bind := s.bindings(x, later)
	if len(bind) > 0 {
		s.b.WriteString("reply=$(")
	}
	fmt.Fprintf(&s.b, `curl -sS "${AUTH[@]}" -X %s "$BASE"%s`, x.Request.Method, quote(s.path(target, x)))
	for _, name := range []string{"Content-Type", "Accept"} {
		if v := x.Request.Header.Get(name); v != "" {
			fmt.Fprintf(&s.b, " -H %s", quote(name+": "+v))
		}
	}
	if len(x.Request.Body) > 0 {
		fmt.Fprintf(&s.b, " \\\n  -d %s", s.body(string(x.Request.Body)))
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

func answered(x *Exchange) string {
	if x.Response == nil {
		return "by nothing: " + x.Err
	}
	return fmt.Sprint(x.code())
}

// path returns what comes after the base address.
func (s *script) path(target string, x *Exchange) string {
	if rest, ok := strings.CutPrefix(x.Request.URL, strings.TrimRight(target, "/")); ok {
		rest, _, _ = strings.Cut(rest, "?")
		return rest
	}
	if u, err := url.Parse(x.Request.URL); err == nil {
		return u.Path
	}
	return x.Operation.Path()
}

// bindings names the ids that a reply gives and a later call sends.
func (s *script) bindings(x *Exchange, later []*Exchange) []string {
	var lines []string
	for _, key := range []string{"journeyId", "userId"} {
		id := x.reply.at(key).scalar()
		sentLater := slices.ContainsFunc(later, func(l *Exchange) bool { return l.sent.at(key).scalar() == id })
		if id == "" || s.names[id] != "" || !sentLater {
			continue
		}
		s.names[id] = fmt.Sprintf("%s%d", strings.TrimSuffix(key, "Id"), x.ID)
		lines = append(lines, fmt.Sprintf("%s=$(printf %%s \"$reply\" | jq -r .%s)\n", s.names[id], key))
	}
	return lines
}

// body quotes a body for the shell, with variables for what is named.
func (s *script) body(text string) string {
	words := sortedKeys(s.names)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, `"`+w+`"`, "\x00"+s.names[w]+"\x01")
	}
	quoted := quote(strings.NewReplacer(pairs...).Replace(clip(text, 4<<10)))
	return strings.NewReplacer("\x00", `"'"$`, "\x01", `"'"`).Replace(quoted)
}

// quote puts a text into single quotes for the shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
