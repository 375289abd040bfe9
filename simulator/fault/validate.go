package fault

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

// RuleError contains all errors of a rule.
type RuleError struct{ Fields []taxi.FieldError }

// Error lists the fields with their errors.
func (e *RuleError) Error() string {
	var all []string
	for _, f := range e.Fields {
		all = append(all, strings.TrimSpace(f.Pointer+" "+f.Detail))
	}
	return strings.Join(all, "; ")
}

// Read parses a rule strictly: one JSON object, no unknown members, no duplicate names.
// The error is a [*RuleError].
func Read(text []byte) (Rule, error) {
	var r Rule
	if err := readInto(text, &r); err != nil {
		return Rule{}, err
	}
	r, err := r.complete()
	return r, err
}

func readInto(text []byte, to any) error {
	found, err := inbound.Reading{Known: true}.Read(text, to)
	if err != nil {
		return &RuleError{[]taxi.FieldError{{Code: "format", Detail: "is not JSON: " + err.Error()}}}
	}
	var wrong faults
	for _, f := range found {
		wrong.add(true, f.Pointer, "type", "%s", f.Detail)
	}
	return wrong.err()
}

// UnmarshalJSON refuses values out of range.
func (s *Share) UnmarshalJSON(text []byte) error {
	var v float64
	if err := json.Unmarshal(text, &v); err != nil || !(v > 0 && v <= 1) {
		return errors.New("is not a number above 0 and at most 1")
	}
	*s = Share(v)
	return nil
}

// UnmarshalJSON refuses 0, which would mean no limit.
func (n *Times) UnmarshalJSON(text []byte) error {
	var v int
	if err := json.Unmarshal(text, &v); err != nil || v == 0 {
		return fmt.Errorf("is not 1 to %d; leave it out for no limit", mostCount)
	}
	*n = Times(v)
	return nil
}

// faults collects errors.
type faults struct{ list []taxi.FieldError }

func (f *faults) add(wrong bool, pointer, code, format string, args ...any) {
	if wrong {
		f.list = append(f.list, taxi.FieldError{Pointer: pointer, Code: code, Detail: fmt.Sprintf(format, args...)})
	}
}

func (f *faults) err() error {
	if len(f.list) == 0 {
		return nil
	}
	return &RuleError{f.list}
}

var validID = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

// complete validates a rule and sets its defaults.
func (r Rule) complete() (Rule, error) {
	var wrong faults
	wrong.add(r.ID != "" && (len(r.ID) > mostID || !validID.MatchString(r.ID)), "/id", "format",
		"is not lower-case letters, digits and hyphens, %d at most", mostID)
	wrong.add(strings.HasPrefix(r.ID, magicID), "/id", "format", "begins with %s, as those of magic numbers do", magicID)
	r.Match.check(&wrong)
	r.Window.check(&wrong)
	r.Do.complete(&wrong)
	if f := catalogue().byName[r.Do.Kind]; f != nil && r.Match.Op != "" && slices.Contains(Ops(), r.Match.Op) {
		wrong.add(!slices.Contains(f.Ops, r.Match.Op), "/match/op", "range", "is %s, and %s happens to %s", r.Match.Op, f.Name, list(f.Ops))
	}
	if w := &r.Window; w.Times == 0 && w.To.IsZero() && w.TTL == 0 {
		w.TTL = DefaultTTL
	}
	return r, wrong.err()
}

var validPhone = regexp.MustCompile(`^\+?[1-9][0-9]{6,14}$`)

func (m *Match) check(wrong *faults) {
	wrong.add(m.Op != "" && !slices.Contains(Ops(), m.Op), "/match/op", "range", "is not one of %s", list(Ops()))
	wrong.add(m.Phone != "" && !validPhone.MatchString(string(m.Phone)), "/match/phone", "format", "is not a phone number such as 442079460020")
	wrong.add(m.Phone != "" && m.Op == Config, "/match/phone", "range", "cannot be matched: /config does not say who calls")
	wrong.add(len(m.User) > mostText, "/match/user", "range", "is longer than %d characters", mostText)
	wrong.add(len(m.Journey) > mostText, "/match/journey", "range", "is longer than %d characters", mostText)
	wrong.add(m.Nth < 0 || m.Nth > mostCount, "/match/nth", "range", "is not 1 to %d", mostCount)
	wrong.add(!(m.Probability >= 0 && m.Probability <= 1), "/match/probability", "range", "is not above 0 and at most 1")
}

func (w *Window) check(wrong *faults) {
	wrong.add(w.Skip < 0 || w.Skip > mostCount, "/window/skip", "range", "is not 0 to %d", mostCount)
	wrong.add(w.Times < 0 || w.Times > mostCount, "/window/times", "range", "is not 1 to %d", mostCount)
	wrong.add(w.TTL < 0 || w.TTL > mostTTL, "/window/ttl", "range", "is not above 0 and at most %s", time.Duration(mostTTL))
	wrong.add(!w.From.IsZero() && !w.To.IsZero() && !w.From.Before(w.To), "/window/to", "range", "is not after from")
}

// complete validates the parameters and sets their defaults.
func (d *Do) complete(wrong *faults) {
	f := catalogue().byName[d.Kind]
	if f == nil {
		near := nearest(d.Kind)
		if is, known := Renamed(d.Kind); known {
			near = "; it is now: " + is.String()
		}
		wrong.add(d.Kind == "", "/do/kind", "required", "is missing: a fault of the catalogue")
		wrong.add(d.Kind != "", "/do/kind", "range", "is %.40q, which is not a fault of the catalogue%s", d.Kind, near)
		return
	}
	v := reflect.ValueOf(d).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name == "kind" {
			continue
		}
		p, taken := f.parameter(name)
		idle := p.idle(v)
		switch given := !v.Field(i).IsZero(); {
		case given && !taken:
			wrong.add(true, "/do/"+name, "range", "is not a parameter of %s", f.Name)
		case idle != "": // a default comes from a rule that was read and is changed
			wrong.add(given && !p.isDefault(v.Field(i)), "/do/"+name, "range", "has no effect %s", idle)
			v.Field(i).SetZero()
		case given:
			p.check(v.Field(i), wrong)
		case taken && p.Default != nil:
			v.Field(i).Set(reflect.ValueOf(p.Default).Convert(v.Field(i).Type()))
		}
	}
}

// idle returns why a parameter has no effect, or "" if it has one. The parameters on which
// that depends must be complete.
func (p Parameter) idle(do reflect.Value) string {
	of := func(name string) reflect.Value {
		return do.FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, name) })
	}
	switch name, value, one := strings.Cut(p.with, "="); {
	case p.without != "" && !of(p.without).IsZero():
		return "with " + p.without
	case one && of(name).String() != value, p.with != "" && of(name).IsZero():
		return "without " + p.with
	}
	return ""
}

// check compares a value with the limits of its parameter.
func (p Parameter) check(v reflect.Value, wrong *faults) {
	at := "/do/" + p.Name
	if len(p.OneOf) > 0 {
		wrong.add(!slices.ContainsFunc(p.OneOf, func(one any) bool { return reflect.ValueOf(one).Equal(v) }), at, "range", "is not one of %s", list(p.OneOf))
		return
	}
	switch given := v.Interface().(type) {
	case int:
		outside(wrong, at, given, p.Least.(int), p.Most.(int))
	case host.Duration:
		outside(wrong, at, time.Duration(given), time.Duration(p.Least.(host.Duration)), time.Duration(p.Most.(host.Duration)))
	case string:
		wrong.add(len(given) > p.Most.(int) || strings.ContainsFunc(given, isControl), at, "range", "is longer than %d characters, or has control characters", p.Most)
		wrong.add(p.Name == "member" && given[0] != '/', at, "format", "is not a JSON Pointer such as /journeyId")
	}
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

func outside[N cmp.Ordered](wrong *faults, at string, v, least, most N) {
	wrong.add(v < least || v > most, at, "range", "is %v, want %v to %v", v, least, most)
}

// list joins values for a sentence.
func list[T any](all []T) string {
	var words []string
	for _, v := range all {
		words = append(words, fmt.Sprint(v))
	}
	return strings.Join(words, ", ")
}

// nearest suggests a fault with a similar name; "" if there is none.
func nearest(kind string) string {
	for _, f := range catalogue().all {
		if kind != "" && (strings.Contains(f.Name, kind) || strings.Contains(kind, f.Name)) {
			return "; perhaps " + f.Name + " is meant"
		}
	}
	return ""
}
