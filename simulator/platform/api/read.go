package api

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// Text returns a required string that is not empty, of at most most characters.
func (o *Object) Text(name string, most int) string {
	s := o.OptionalText(name, most)
	o.required(name, strings.TrimSpace(s) != "")
	return s
}

// OptionalText returns a string that may be absent or empty.
func (o *Object) OptionalText(name string, most int) string {
	var s string
	o.take(name, '"', &s)
	if utf8.RuneCountInString(s) > most {
		o.Add(name, "is longer than %d characters", most)
	}
	if i := strings.IndexFunc(s, control); i >= 0 {
		o.Add(name, "contains a control character")
	}
	return s
}

// Given returns a required string that may be empty.
func (o *Object) Given(name string, most int) string {
	o.required(name, o.Has(name))
	return o.OptionalText(name, most)
}

func control(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 }

// Choice returns a string that is one of choices, or fallback if it is absent; if
// fallback is empty, the member is required. Case is ignored; the result is spelled as in
// choices.
func (o *Object) Choice(name, fallback string, choices ...string) string {
	s := o.OptionalText(name, 64)
	if s == "" {
		o.required(name, fallback != "")
		return fallback
	}
	i := slices.IndexFunc(choices, func(c string) bool { return strings.EqualFold(c, s) })
	if i < 0 {
		o.Add(name, "is not one of %s", strings.Join(choices, ", "))
		return fallback
	}
	return choices[i]
}

// Int returns an integer within limits, or fallback if it is absent.
func (o *Object) Int(name string, fallback, least, most int) int {
	if !o.Has(name) {
		o.taken[name] = true
		return fallback
	}
	var value float64
	if !o.take(name, '0', &value) {
		return fallback
	}
	n := int(max(min(value, 1<<53), -1<<53))
	switch {
	case float64(n) != value:
		o.Add(name, "is not a whole number")
	case n < least || n > most:
		o.Add(name, "is not between %d and %d", least, most)
	}
	return n
}

// Bool returns a boolean, or fallback if it is absent.
func (o *Object) Bool(name string, fallback bool) bool {
	value := fallback
	o.take(name, 't', &value)
	return value
}

// Texts returns an array of strings that is not empty and has no repeats.
func (o *Object) Texts(name string, most, longest int) []string {
	var raw []jsontext.Value
	there := o.take(name, '[', &raw)
	if !there {
		o.required(name, o.Has(name)) // of the wrong kind: already reported
		return nil
	}
	switch {
	case len(raw) == 0:
		o.Add(name, "is empty")
	case len(raw) > most:
		o.Add(name, "has more than %d elements", most)
		return nil
	}
	list := make([]string, 0, len(raw))
	for i, r := range raw {
		list = append(list, o.element(name, i, r, longest, list))
	}
	return list
}

func (o *Object) element(name string, i int, raw jsontext.Value, longest int, before []string) string {
	at := Element(o.Pointer(name), i)
	if raw.Kind() != '"' {
		o.errs.Add(at, "wants a string, not %s", inbound.KindName(raw.Kind()))
		return ""
	}
	unquoted, err := jsontext.AppendUnquote(nil, raw)
	s := string(unquoted)
	switch {
	case err != nil || strings.TrimSpace(s) == "" || utf8.RuneCountInString(s) > longest:
		o.errs.Add(at, "wants 1 to %d characters", longest)
	case slices.Contains(before, s):
		o.errs.Add(at, "is in the array already")
	}
	return s
}

func (o *Object) required(name string, given bool) {
	if !given {
		o.Add(name, "is required")
	}
}

// Element returns the JSON Pointer of an array's element.
func Element(array string, i int) string { return array + "/" + strconv.Itoa(i) }
