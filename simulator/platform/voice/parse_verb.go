package voice

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// Bind reads an array of verbs.
func (d *Document) Bind(e *api.Errors, at string, raw jsontext.Value) {
	var steps []step
	e.BindWithin(at, raw, &steps, fmt.Sprintf("0..%d", MaxVerbs))
	*d = Document{}
	for _, s := range steps {
		if s.verb != nil {
			*d = append(*d, s.verb)
		}
	}
}

// step is an object with one member, whose name is that of a verb.
type step struct{ verb Verb }

// Bind reads one step of a document.
func (s *step) Bind(e *api.Errors, at string, raw jsontext.Value) {
	var members map[string]jsontext.Value
	e.Bind(at, raw, &members)
	if len(members) != 1 {
		e.Add(at, "wants exactly one member, the name of its verb")
		return
	}
	for name, fields := range members {
		i := slices.IndexFunc(verbs, func(v Verb) bool { return v.Name() == name })
		if i < 0 {
			e.Add(api.Member(at, name), "is not a verb; the verbs are %s", verbNames())
			return
		}
		v := reflect.New(reflect.TypeOf(verbs[i]))
		e.Bind(api.Member(at, name), fields, v.Interface())
		s.verb = v.Elem().Interface().(Verb)
	}
}

func verbNames() string {
	var names []string
	for _, verb := range verbs {
		names = append(names, verb.Name())
	}
	return strings.Join(names, ", ")
}

// Loop is how often something is played, at most 1000 times. In JSON it is an integer, or a string that
// holds one.
type Loop int

const maxLoop = 1000

// Bind reads a number of repetitions; 0 means the maximum.
func (l *Loop) Bind(e *api.Errors, at string, raw jsontext.Value) {
	n, err := strconv.ParseUint(strings.Trim(string(raw), `"`), 10, 16)
	if err != nil || n > maxLoop {
		e.Add(at, "wants a whole number from 0 to %d, which may be written as a string", maxLoop)
		return
	}
	if *l = Loop(n); n == 0 {
		*l = maxLoop
	}
}

// Hints are likely answers.
type Hints []string

// Bind reads an array of phrases, or one string of phrases with commas between.
func (h *Hints) Bind(e *api.Errors, at string, raw jsontext.Value) {
	if raw.Kind() == '"' {
		var text string
		e.Bind(at, raw, &text)
		all := []string{}
		for hint := range strings.SplitSeq(text, ",") {
			if hint = strings.TrimSpace(hint); hint != "" {
				all = append(all, hint)
			}
		}
		raw, _ = json.Marshal(all)
	}
	e.BindWithin(at, raw, (*[]string)(h), "0..100 of 1..100")
}

// Check implements [api.Checked].
func (v *Play) Check(e *api.Errors, at string) {
	if u, err := url.Parse(v.URL); v.URL != "" && (err != nil || !onWeb(u)) {
		e.Add(at+"/url", "wants an http or https address")
	}
}

// Check implements [api.Checked].
func (v *Redirect) Check(e *api.Errors, at string) {
	u, err := url.Parse(v.URL)
	if v.URL != "" && (err != nil || (u.Scheme != "" || u.Host != "") && !onWeb(u)) {
		e.Add(at+"/url", "wants an http or https address, or one relative to the address of the hook")
	}
}

func onWeb(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// Check implements [api.Checked].
func (v *Reject) Check(*api.Errors, string) {
	if v.Reason == "decline" {
		v.Reason = RejectRejected
	}
}

// gather is the JSON form of a [Gather], which has two short forms for its prompts.
type gather struct {
	gatherFields

	Say  *Say  `json:"say"`
	Play *Play `json:"play"`
}

// gatherFields has the members of a [Gather] without its method Bind.
type gatherFields Gather

// Bind reads a gather. What is heard while it listens is an array of say and play, or a single one of them under
// its own name.
func (v *Gather) Bind(e *api.Errors, at string, raw jsontext.Value) {
	var g gather
	e.Bind(at, raw, &g)
	given := 0
	for _, is := range []bool{g.Verbs != nil, g.Say != nil, g.Play != nil} {
		if is {
			given++
		}
	}
	if given > 1 {
		e.Add(at, "wants one of verbs, say and play")
	}
	for i, verb := range g.Verbs {
		if name := verb.Name(); name != VerbSay && name != VerbPlay {
			e.Add(api.Member(api.Element(at+"/verbs", i), name), "is not say or play, as a gather wants")
		}
	}
	*v = Gather(g.gatherFields)
	if g.Say != nil {
		v.Verbs = append(v.Verbs, *g.Say)
	}
	if g.Play != nil {
		v.Verbs = append(v.Verbs, *g.Play)
	}
	if len(v.Verbs) == 0 {
		v.Verbs = nil
	}
	if v.NumDigits > 0 && (v.MinDigits > 0 || v.MaxDigits > 0) {
		e.Add(at+"/numDigits", "stands for minDigits and maxDigits: give it, or them")
	}
	if v.MaxDigits > 0 && v.MinDigits > v.MaxDigits {
		e.Add(at+"/minDigits", "is more than maxDigits")
	}
	if v.Language != "" && !languageTag.MatchString(v.Language) {
		e.Add(at+"/language", "wants a BCP 47 language tag such as en-GB")
	}
	if v.FinishOnKey != nil && strings.Trim(*v.FinishOnKey, keys) != "" {
		e.Add(at+"/finishOnKey", `wants one of 0 to 9, * and #, or ""`)
	}
}

// keys are those of a telephone.
const keys = "0123456789*#"

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// Check implements [api.Checked].
func (v *Dial) Check(e *api.Errors, at string) { checkCaller(e, at, v.CallerID) }

// Check implements [api.Checked].
func (r *Request) Check(e *api.Errors, at string) { checkCaller(e, at, r.CallerID) }

func checkCaller(e *api.Errors, at, id string) {
	if id != "" && id != Anonymous && !dialable(id) {
		e.Add(at+"/callerId", "wants a phone number such as +441632960001, or %q", Anonymous)
	}
}

// Check implements [api.Checked].
func (t *Target) Check(e *api.Errors, at string) {
	types := 0
	for _, given := range []bool{t.PhoneNumber != nil, t.Extension != nil, t.Device != nil, t.SIPURI != nil} {
		if given {
			types++
		}
	}
	if types != 1 {
		e.Add(at, "wants exactly one of phoneNumber, extension, device and sipUri")
	}
}

// Check implements [api.Checked].
func (n *PhoneNumber) Check(e *api.Errors, at string) {
	if n.Number != "" && !dialable(n.Number) {
		e.Add(at+"/number", "wants a phone number such as +441632960001")
	}
}

// Check implements [api.Checked].
func (s *SIPURI) Check(e *api.Errors, at string) {
	if s.URI != "" && !sipAddress.MatchString(s.URI) {
		e.Add(at+"/uri", "wants a SIP address such as sip:desk@pbx.example")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		if !headerName.MatchString(name) || strings.ContainsAny(s.Headers[name], "\r\n\x00") {
			e.Add(api.Member(at+"/headers", name), "wants a header named X-…, with a value of one line")
		}
	}
}

var (
	sipAddress = regexp.MustCompile(`^(?i:sips?):[^\s<>"]+$`)
	headerName = regexp.MustCompile(`^[Xx]-[A-Za-z0-9-]{1,62}$`)
)

// Check implements [api.Checked].
func (t *Tag) Check(e *api.Errors, at string) {
	size := 0
	for _, name := range slices.Sorted(maps.Keys(t.Data)) {
		size += len(name) + len(t.Data[name])
		if kind := jsontext.Value(t.Data[name]).Kind(); kind == '{' || kind == '[' {
			e.Add(api.Member(at+"/data", name), "wants a string, a number, true, false or null")
		}
	}
	if size > 4<<10 {
		e.Add(at+"/data", "is longer than 4096 bytes")
	}
}

// dialable reports whether s is written like a phone number.
func dialable(s string) bool {
	digits := 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0, slices.Contains([]rune(" -.()"), r):
		default:
			return false
		}
	}
	return digits > 0
}
