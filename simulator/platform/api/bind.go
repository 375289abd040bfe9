package api

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// Members are the members of a JSON object.
type Members map[string]jsontext.Value

// bodies parses request bodies as JSON objects; [Errors.Take] then parses the members one by one, since they have
// limits.
var bodies = inbound.Reading{Example: `{"name": "…"}`}

// Body returns the members of a request body: one JSON object, no duplicate names, no bad UTF-8,
// nothing behind it.
func Body(raw []byte) (members Members, err error) {
	if _, err := bodies.Read(raw, &members); err != nil {
		return nil, Refuse(CodeMalformed, "%v", err)
	}
	return members, nil
}

// mostErrors limits how many errors of one body are listed.
const mostErrors = 32

// Errors collects the errors of a body.
type Errors struct {
	Whole error // of the body, which has no members then

	list []FieldError
}

// Add adds an error at a pointer; only the first at each pointer counts.
func (e *Errors) Add(pointer, format string, args ...any) {
	if len(e.list) >= mostErrors || slices.ContainsFunc(e.list, func(f FieldError) bool { return f.Pointer == pointer }) {
		return
	}
	e.list = append(e.list, FieldError{Pointer: pointer, Detail: fmt.Sprintf(format, args...)})
}

// List returns the collected errors.
func (e *Errors) List() []FieldError { return e.list }

// Err returns the error of the body, or the problem with the collected errors, or nil.
func (e *Errors) Err() error {
	if e.Whole != nil {
		return e.Whole
	}
	return refuseFields(e.list)
}

// Bound is a type that reads itself from JSON.
type Bound interface {
	Bind(e *Errors, at string, raw jsontext.Value)
}

// Checked is a struct with conditions that no tag expresses. Check is called once its members are read.
type Checked interface {
	Check(e *Errors, at string)
}

// Bind reads a well-formed JSON value into the value that into points to, and adds all errors. Tags of fields
// bound the members:
//
//	limit:"1..64"             the characters of a text, the elements of a list, or a number
//	limit:"1..20 of 1..1000"  and those of each element
//	limit:"required 1..64"    neither absent nor blank
//	limit:"1..2 distinct"     no element is blank, or there twice
//	limit:"1..20 alone"       a text in place of a list is its only element
//	limit:"anycase"           the name of the member in any case
//	oneOf:"voice,messaging"   one of some words, in any case
//
// A member that is absent or null leaves its field unchanged. Unknown members are errors.
func (e *Errors) Bind(at string, raw jsontext.Value, into any) {
	e.BindWithin(at, raw, into, "")
}

// BindWithin is [Errors.Bind] of a value that has a limit itself.
func (e *Errors) BindWithin(at string, raw jsontext.Value, into any, within string) {
	e.bind(at, raw, reflect.ValueOf(into).Elem(), limitOf(within, ""))
}

// Take parses the members that a struct has into that struct, and removes them from members, so that those that remain
// are unknown.
func (e *Errors) Take(at string, members Members, into any) {
	e.take(at, members, reflect.ValueOf(into).Elem())
}

// Unknown adds the error "unknown member" for each of the given members.
func (e *Errors) Unknown(at string, members Members) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		e.Add(Member(at, name), "is not a known member")
	}
}

// Member returns the JSON Pointer of an object's member.
func Member(object, name string) string {
	return object + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// Element returns the JSON Pointer of an array's element.
func Element(array string, i int) string { return array + "/" + strconv.Itoa(i) }

// limit is the parsed form of a field's tags limit and oneOf.
type limit struct {
	least, most int
	each        *limit // of the elements
	words       []string
	oneOf       []string
}

func limitOf(tag, oneOf string) limit {
	l := limit{most: math.MaxInt, each: &limit{most: math.MaxInt}}
	if oneOf != "" {
		l.oneOf = strings.Split(oneOf, ",")
		l.each.oneOf = l.oneOf
	}
	of := &l
	for word := range strings.FieldsSeq(tag) {
		least, most, isRange := strings.Cut(word, "..")
		switch {
		case isRange:
			of.least, _ = strconv.Atoi(least)
			of.most, _ = strconv.Atoi(most)
		case word == "of":
			of = l.each
		default:
			l.words = append(l.words, word)
		}
	}
	return l
}

func (l *limit) is(word string) bool { return slices.Contains(l.words, word) }

// span formats the limit, such as "1 to 20 elements".
func (l *limit) span(what string) string {
	if l.least == 0 {
		return fmt.Sprintf("at most %d %ss", l.most, what)
	}
	return fmt.Sprintf("%d to %d %ss", l.least, l.most, what)
}

// holds reports whether a count is within the limits.
func (l *limit) holds(n int) bool { return n >= l.least && n <= l.most }

// kindOf maps kinds of Go values to kinds of JSON values.
var kindOf = map[reflect.Kind]jsontext.Kind{
	reflect.String: '"', reflect.Bool: 't', reflect.Int: '0', reflect.Float64: '0', reflect.Slice: '[', reflect.Map: '{', reflect.Struct: '{',
}

func (e *Errors) bind(at string, raw jsontext.Value, v reflect.Value, l limit) {
	if self, is := v.Addr().Interface().(Bound); is {
		self.Bind(e, at, raw)
		return
	}
	switch kind, want := raw.Kind(), kindOf[v.Kind()]; {
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		e.bind(at, raw, v.Elem(), l)
		return
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		v.SetBytes(bytes.Clone(raw))
		return
	case l.is("alone") && kind == '"':
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		e.bind(at, raw, v.Index(0), *l.each)
		return
	case inbound.KindName(kind) != inbound.KindName(want):
		e.Add(at, "wants %s, not %s", inbound.KindName(want), inbound.KindName(kind))
		return
	}
	switch v.Kind() {
	case reflect.String:
		e.text(at, raw, v, l)
	case reflect.Bool:
		v.SetBool(raw.Kind() == 't')
	case reflect.Int:
		e.number(at, raw, v, l)
	case reflect.Float64:
		value, _ := strconv.ParseFloat(string(raw), 64)
		v.SetFloat(value)
	case reflect.Slice:
		e.elements(at, raw, v, l)
	default:
		e.object(at, raw, v, l)
	}
}

func (e *Errors) text(at string, raw jsontext.Value, v reflect.Value, l limit) {
	unquoted, _ := jsontext.AppendUnquote(nil, raw) // the value is well-formed
	s := string(unquoted)
	switch {
	case l.is("required") && l.least > 0 && strings.TrimSpace(s) == "":
		e.Add(at, "is required")
	case l.oneOf != nil && s == "":
		return
	case l.oneOf != nil:
		s = e.Choice(at, s, l.oneOf...)
	case !l.holds(utf8.RuneCountInString(s)):
		e.Add(at, "wants %s", l.span("character"))
	case strings.ContainsFunc(s, control):
		e.Add(at, "contains a control character")
	}
	v.SetString(s)
}

func control(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x7f && c < 0xa0
}

// Choice returns the one of choices that equals text, ignoring case. If there is none, it adds an error and returns
// text.
func (e *Errors) Choice(at, text string, choices ...string) string {
	i := slices.IndexFunc(choices, func(c string) bool { return strings.EqualFold(c, text) })
	if i < 0 {
		e.Add(at, "is not one of %s", strings.Join(choices, ", "))
		return text
	}
	return choices[i]
}

func (e *Errors) number(at string, raw jsontext.Value, v reflect.Value, l limit) {
	value, err := strconv.ParseFloat(string(raw), 64)
	n := int(max(min(value, 1<<53), -1<<53))
	if err != nil || float64(n) != value || !l.holds(n) {
		e.Add(at, "wants a whole number from %d to %d", l.least, l.most)
		return
	}
	v.SetInt(int64(n))
}

func (e *Errors) elements(at string, raw jsontext.Value, v reflect.Value, l limit) {
	var list []jsontext.Value
	_ = json.Unmarshal(raw, &list) // the value is well-formed
	if !l.holds(len(list)) {
		e.Add(at, "wants %s", l.span("element"))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	for i, one := range list {
		e.bind(Element(at, i), one, v.Index(i), *l.each)
		if s := v.Index(i); l.is("distinct") {
			for j := range i {
				if s.String() == v.Index(j).String() {
					e.Add(Element(at, i), "is in the array already")
				}
			}
			if strings.TrimSpace(s.String()) == "" {
				e.Add(Element(at, i), "wants %s", l.each.span("character"))
			}
		}
	}
}

func (e *Errors) object(at string, raw jsontext.Value, v reflect.Value, l limit) {
	members := Members{}
	_ = json.Unmarshal(raw, &members) // the value is well-formed
	if v.Kind() == reflect.Struct {
		e.take(at, members, v)
		e.Unknown(at, members)
		return
	}
	if !l.holds(len(members)) {
		e.Add(at, "wants %s", l.span("member"))
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := reflect.New(v.Type().Elem()).Elem()
		e.bind(Member(at, name), members[name], value, *l.each)
		v.SetMapIndex(reflect.ValueOf(name), value)
	}
}

// take parses the members that a struct has into its fields.
func (e *Errors) take(at string, members Members, v reflect.Value) {
	for f, field := range v.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			e.take(at, members, field)
			continue
		case name == "" || name == "-":
			continue
		}
		l := limitOf(f.Tag.Get("limit"), f.Tag.Get("oneOf"))
		if l.is("anycase") {
			for given := range members {
				if strings.EqualFold(given, name) {
					name = given
				}
			}
		}
		raw, given := members[name]
		delete(members, name)
		if given && raw.Kind() != 'n' {
			e.bind(Member(at, name), raw, field, l)
		} else if l.is("required") {
			e.Add(Member(at, name), "is required")
		}
	}
	if v.CanAddr() && v.Addr().CanInterface() {
		if checked, is := v.Addr().Interface().(Checked); is {
			checked.Check(e, at)
		}
	}
}
