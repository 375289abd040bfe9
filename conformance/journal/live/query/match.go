package query

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// match selects calls: those that meet all of its conditions.
type match struct {
	terms []term
	deep  bool // a condition needs calls to be judged together
}

// term is one condition.
type term struct {
	name    string // the member of the match, with its pointer inside a body
	want    string // for people
	weight  int    // its importance for finding the nearest call
	fits    func(*candidate) bool
	got     func(*candidate) string
	pointer string // JSON Pointer into the match
}

// candidate is a call that is compared with a match.
type candidate struct {
	*live.Call
	sent, answered *jsonvalue.Value // parsed when first needed
}

func (c *candidate) body(about string) jsonvalue.Value {
	if about == conformance.AboutRequest {
		if c.sent == nil {
			c.read()
		}
		return *c.sent
	}
	if c.answered == nil {
		c.read()
	}
	return *c.answered
}

func (c *candidate) read() {
	x := c.Plain()
	x.Read()
	sent, answered := x.Sent(), x.Reply()
	c.sent, c.answered = &sent, &answered
}

// fits reports whether a call meets every condition.
func (m *match) fits(k *live.Call) bool {
	c := &candidate{Call: k}
	for i := range m.terms {
		if !m.terms[i].fits(c) {
			return false
		}
	}
	return true
}

// The weights of conditions; the operation is the most important.
const (
	weightOp   = 8
	weightWho  = 3
	weightBody = 2
	weightRest = 1
)

// Limits of a match.
const (
	mostTerms   = 50
	longestTerm = 4 << 10 // bytes of a value in a body
)

// How many digits of a telephone number are enough to search for it.
const (
	shownDigits   = 3 // the last digits, as shown in lists
	leastNational = 7 // after the 0 of a national number
)

// matches decodes matches for a journal.
type matches struct {
	ops   []conformance.Operation
	ids   []string // members that hold ids
	rules []map[string]*conformance.Check
}

func (l *Journal) matches() matches {
	sent, answered := l.Checks()
	return matches{ops: l.opts.Request.Operations, ids: l.opts.Request.IDs, rules: []map[string]*conformance.Check{sent, answered}}
}

// rule refuses an unknown check id: otherwise the answer would be "no findings", as if
// everything were right.
func (d matches) rule(id, at string) error {
	families := map[string]bool{}
	for _, checks := range d.rules {
		if checks[strings.ToUpper(id)] != nil {
			return nil
		}
		for known := range checks {
			family, _, _ := strings.Cut(known, "-")
			families[family+"-"] = true
		}
	}
	return taxi.InvalidField(at, "unknown", "is %q, which is not the id of a check; ids start with %s", clipped(id), strings.Join(slices.Sorted(maps.Keys(families)), ", "))
}

// decode decodes a match: an object with the members "op", "phone", "status", "verdict",
// "answerVerdict", "rule", "fault", "request", the names of ids, "body" and "answer" with
// values by JSON Pointer, and "without" with pointers into the body that must have no
// value.
func (d matches) decode(raw jsontext.Value, at string) (*match, error) {
	m := &match{}
	if len(raw) == 0 {
		return m, nil
	}
	members, err := objectOf(raw, at)
	if err != nil {
		return nil, err
	}
	for _, member := range members {
		if err := d.member(m, member.name, member.value, at+"/"+jsonvalue.EscapePointer(member.name)); err != nil {
			return nil, err
		}
	}
	if len(m.terms) > mostTerms {
		return nil, taxi.InvalidField(at, "range", "has %d conditions, at most %d are compared", len(m.terms), mostTerms)
	}
	return m, nil
}

// member adds the condition of one member of a match.
func (d matches) member(m *match, name string, raw jsontext.Value, at string) error {
	switch name {
	case "body", "answer":
		return m.addBody(name, raw, at)
	case "without":
		return m.addWithout(raw, at)
	case "status":
		return m.addStatus(raw, at)
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return d.unknown(name, at, taxi.InvalidField(at, "type", "is %s, want a string", kindOf(raw)))
	}
	return d.word(m, name, text, at)
}

// unknown refuses an unknown member, and otherwise returns the given error.
func (d matches) unknown(name, at string, otherwise error) error {
	all := slices.Concat([]string{"op", "phone"}, d.ids, []string{"status", "verdict", "answerVerdict", "rule", "fault", "request", "body", "answer", "without"})
	if slices.Contains(all, name) {
		return otherwise
	}
	return taxi.InvalidField(at, "unknown", "is not known; there are %s", strings.Join(all, ", "))
}

// word adds a condition with a single value, as in query parameters.
func (d matches) word(m *match, name, want, at string) error {
	t := term{name: name, want: want, pointer: at, weight: weightRest}
	switch name {
	case "op":
		if want != "" && !slices.Contains(d.ops, conformance.Operation(want)) {
			return taxi.InvalidField(at, "range", "is %q, want one of %s, or \"\" for calls of none", jsonvalue.Clip(want, 40), wordList(d.ops))
		}
		t.weight, t.got = weightOp, func(c *candidate) string { return string(c.X.Operation) }
	case "phone":
		want = jsonvalue.Digits(want)
		if want == "" {
			return taxi.InvalidField(at, "format", "has no digit")
		}
		t.weight, t.got = weightWho, func(c *candidate) string { return c.Phone }
		national, isNational := strings.CutPrefix(want, "0")
		switch {
		case len(want) == shownDigits: // as lists have it
			t.fits = func(c *candidate) bool { return strings.HasSuffix(c.Phone, want) }
		case isNational && len(national) >= leastNational:
			t.fits = func(c *candidate) bool { return c.Phone == want || strings.HasSuffix(c.Phone, national) }
		}
	case "verdict", "answerVerdict":
		if !slices.Contains([]live.Verdict{live.OK, live.Warn, live.Fail}, live.Verdict(want)) {
			return taxi.InvalidField(at, "range", "is %q, want ok, warn or fail", jsonvalue.Clip(want, 40))
		}
		m.deep = true
		t.got = func(c *candidate) string {
			if name == "verdict" {
				return string(c.Sent)
			}
			return string(c.Answered)
		}
	case "rule":
		if err := d.rule(want, at); err != nil {
			return err
		}
		m.deep = true
		t.got = func(c *candidate) string { return rulesOf(c.Call) }
		t.fits = func(c *candidate) bool {
			return slices.ContainsFunc(c.Findings, func(f conformance.CallFinding) bool { return strings.EqualFold(f.Rule, want) })
		}
	case "fault":
		t.got = func(c *candidate) string { return strings.TrimSpace(c.Fault + " " + c.Kind) }
		t.fits = func(c *candidate) bool { return c.Fault != "" && (want == "*" || want == c.Fault || want == c.Kind) }
	case "request":
		t.got = func(c *candidate) string { return c.Token }
	default:
		if !slices.Contains(d.ids, name) {
			return d.unknown(name, at, nil)
		}
		t.weight, t.got = weightWho, func(c *candidate) string { return c.IDs[name] }
	}
	if t.fits == nil {
		t.fits = func(c *candidate) bool { return t.got(c) == want }
	}
	m.terms = append(m.terms, t)
	return nil
}

func rulesOf(k *live.Call) string {
	var all []string
	for _, f := range k.Findings {
		if !slices.Contains(all, f.Rule) {
			all = append(all, f.Rule)
		}
	}
	return strings.Join(all, ", ")
}

// addStatus adds the status code of the answer: a number, or a class such as "5xx"; 0 means
// no answer.
func (m *match) addStatus(raw jsontext.Value, at string) error {
	var code int
	var class string
	t := term{name: "status", want: strings.Trim(string(raw), `"`), pointer: at, weight: weightRest, got: func(c *candidate) string { return strconv.Itoa(c.X.Code()) }}
	switch {
	case json.Unmarshal(raw, &code) == nil:
	case json.Unmarshal(raw, &class) != nil:
		return taxi.InvalidField(at, "type", "is %s, want a number such as 503, or a class such as \"5xx\"", kindOf(raw))
	case len(class) == 3 && class[1:] == "xx" && class[0] >= '1' && class[0] <= '5':
		t.fits = func(c *candidate) bool { return c.X.Code()/100 == int(class[0]-'0') }
	default:
		var err error
		if code, err = strconv.Atoi(class); err != nil {
			return taxi.InvalidField(at, "format", "is %q, want a number such as 503, or a class such as \"5xx\"", jsonvalue.Clip(class, 40))
		}
	}
	if t.fits == nil {
		if code != 0 && (code < 100 || code > 999) {
			return taxi.InvalidField(at, "range", "is %d, want 100 to 999, or 0 for no answer", code)
		}
		t.fits = func(c *candidate) bool { return c.X.Code() == code }
	}
	m.terms = append(m.terms, t)
	return nil
}

// addBody adds values of a body at pointers.
func (m *match) addBody(name string, raw jsontext.Value, at string) error {
	members, err := objectOf(raw, at)
	if err != nil {
		return err
	}
	about := conformance.AboutRequest
	if name == "answer" {
		about = conformance.AboutAnswer
	}
	for _, member := range members {
		where := at + "/" + jsonvalue.EscapePointer(member.name)
		if err := checkPointer(member.name, where); err != nil {
			return err
		}
		if len(member.value) > longestTerm {
			return taxi.InvalidField(where, "range", "is longer than %d bytes", longestTerm)
		}
		want := jsonvalue.Parse(member.value)
		pointer := member.name
		m.terms = append(m.terms, term{
			name: name + " " + pointer, want: string(member.value), pointer: where, weight: weightBody,
			fits: func(c *candidate) bool {
				got := follow(c.body(about), pointer)
				return got.Present() && equal(got, want)
			},
			got: func(c *candidate) string { return follow(c.body(about), pointer).Show() },
		})
	}
	return nil
}

// addWithout adds pointers that must have no value, or null.
func (m *match) addWithout(raw jsontext.Value, at string) error {
	var pointers []string
	if err := json.Unmarshal(raw, &pointers); err != nil {
		return taxi.InvalidField(at, "type", "is %s, want an array of JSON Pointers", kindOf(raw))
	}
	for i, pointer := range pointers {
		where := at + "/" + strconv.Itoa(i)
		if err := checkPointer(pointer, where); err != nil {
			return err
		}
		m.terms = append(m.terms, term{
			name: "body " + pointer, want: "nothing, or null", pointer: where, weight: weightBody,
			fits: func(c *candidate) bool { return !follow(c.body(conformance.AboutRequest), pointer).Given() },
			got:  func(c *candidate) string { return follow(c.body(conformance.AboutRequest), pointer).Show() },
		})
	}
	return nil
}

// checkPointer refuses an invalid JSON Pointer.
func checkPointer(pointer, at string) error {
	if pointer == "" || pointer[0] != '/' || len(pointer) > 500 || strings.Count(pointer, "/") > 20 {
		return taxi.InvalidField(at, "format", "%q is not a JSON Pointer such as \"/name\"", jsonvalue.Clip(pointer, 40))
	}
	return nil
}

// unescape decodes ~ and / in a name (RFC 6901).
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// follow follows a JSON Pointer.
func follow(v jsonvalue.Value, pointer string) jsonvalue.Value {
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		part = unescape.Replace(part)
		if n, err := strconv.Atoi(part); err == nil && v.IsArray() {
			v = v.Item(n)
			continue
		}
		v = v.At(part)
	}
	return v
}

// equal reports whether two JSON values are equal; numbers are compared by value.
func equal(a, b jsonvalue.Value) bool {
	switch {
	case a.Kind() != b.Kind():
		return false
	case a.IsNumber():
		return a.Number() == b.Number()
	case a.IsArray():
		return slices.EqualFunc(a.Items(), b.Items(), equal)
	case !a.IsObject():
		return a.Raw() == b.Raw()
	}
	theirs, members := maps.Collect(b.Members()), 0
	for name, v := range a.Members() {
		members++
		other, there := theirs[name]
		if !there || !equal(v, other) {
			return false
		}
	}
	return members == len(theirs)
}

// wordList lists operations for a sentence.
func wordList(ops []conformance.Operation) string {
	var all []string
	for _, op := range ops {
		all = append(all, string(op))
	}
	return strings.Join(all, ", ")
}

// kindOf names the type of a JSON value.
func kindOf(raw jsontext.Value) string {
	return conformance.Article(jsonvalue.Parse(bytes.TrimSpace(raw)).Kind())
}

// Rule explains a check to the reader of a finding.
type Rule struct {
	ID          string                  `json:"id"`
	Level       conformance.Level       `json:"level"`
	About       string                  `json:"about"` // "request" or "answer"
	Operations  []conformance.Operation `json:"operations"`
	Clause      string                  `json:"clause"`
	Requirement string                  `json:"requirement"`
	Why         string                  `json:"why"`
	Hint        string                  `json:"hint"`
}

// explain is GET /rules/{id}.
func (l *Journal) explain(w http.ResponseWriter, r *http.Request) error {
	id := strings.ToUpper(r.PathValue("id"))
	sent, answered := l.Checks()
	for about, checks := range map[string]map[string]*conformance.Check{conformance.AboutRequest: sent, conformance.AboutAnswer: answered} {
		if c := checks[id]; c != nil {
			return succeed(w, Rule{c.ID, c.Level, about, c.Operations, c.Clause, c.Requirement, c.Why, c.Hint})
		}
	}
	return taxi.NewProblem(http.StatusNotFound, "no-such-rule", "there is no check %q", clipped(id))
}
