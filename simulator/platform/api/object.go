package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// Longest limits a line of text, in characters.
const Longest = 256

// mostErrors limits how many errors of one body are listed.
const mostErrors = 32

// Errors collects the errors of a body.
type Errors struct {
	list []FieldError
}

// Add adds an error at a pointer; only the first at each pointer counts.
func (e *Errors) Add(pointer, format string, args ...any) {
	if len(e.list) >= mostErrors || slices.ContainsFunc(e.list, func(f FieldError) bool { return f.Pointer == pointer }) {
		return
	}
	e.list = append(e.list, FieldError{Pointer: pointer, Detail: fmt.Sprintf(format, args...)})
}

// Err returns the problem with the collected errors, or nil.
func (e *Errors) Err() error { return refuseFields(e.list) }

// Object is a JSON object that is read member by member, each with its limits and
// default, so that all errors of a body are found at once and reported with JSON
// Pointers. Reading a member removes it from the object; Done reports the remaining ones,
// since a misspelt member would otherwise be ignored.
type Object struct {
	at      string // its JSON Pointer; "" for the body itself
	members map[string]jsontext.Value
	taken   map[string]bool
	errs    *Errors
}

// bodies reads the members of bodies; an [Object] reads these one by one, as they have bounds.
var bodies = inbound.Reading{Example: `{"name": "…"}`}

// Body reads a request body: one JSON object, no duplicate names, no bad UTF-8,
// nothing behind it.
func Body(raw []byte) (*Object, *Errors, error) {
	errs := &Errors{}
	o := &Object{errs: errs, taken: map[string]bool{}}
	if _, err := bodies.Read(raw, &o.members); err != nil {
		return nil, nil, Refuse(CodeMalformed, "%v", err)
	}
	return o, errs, nil
}

// Done notes every member that was not read as unknown.
func (o *Object) Done() {
	for _, name := range slices.Sorted(maps.Keys(o.members)) {
		if !o.taken[name] {
			o.errs.Add(o.Pointer(name), "is not a known member")
		}
	}
}

// Rest returns and removes the members that were not read, unchanged.
func (o *Object) Rest() map[string]json.RawMessage {
	rest := map[string]json.RawMessage{}
	for name, raw := range o.members {
		if !o.taken[name] {
			rest[name], o.taken[name] = json.RawMessage(raw), true
		}
	}
	return rest
}

// Pointer returns the JSON Pointer of a member.
func (o *Object) Pointer(name string) string {
	return o.at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// Add adds an error for a member.
func (o *Object) Add(name, format string, args ...any) {
	o.errs.Add(o.Pointer(name), format, args...)
}

// Has reports whether a member is present and not null.
func (o *Object) Has(name string) bool {
	raw, ok := o.members[name]
	return ok && raw.Kind() != 'n'
}

// Raw returns a member unchanged; nil if it is absent or null.
func (o *Object) Raw(name string) json.RawMessage {
	o.taken[name] = true
	if !o.Has(name) {
		return nil
	}
	return json.RawMessage(o.members[name])
}

// take decodes a member of one kind into v; it reports whether it is present and of that
// kind.
func (o *Object) take(name string, want jsontext.Kind, v any) bool {
	raw := o.Raw(name)
	if raw == nil {
		return false
	}
	if got := jsontext.Value(raw).Kind(); inbound.KindName(got) != inbound.KindName(want) {
		o.Add(name, "wants %s, not %s", inbound.KindName(want), inbound.KindName(got))
		return false
	}
	if err := jsonv2.Unmarshal(raw, v); err != nil {
		o.Add(name, "is out of bounds")
		return false
	}
	return true
}

// Object returns a member that is an object; nil if it is absent.
func (o *Object) Object(name string) *Object {
	raw := o.Raw(name)
	switch {
	case raw == nil:
		return nil
	case raw[0] != '{':
		o.Add(name, "wants an object, not %s", inbound.KindName(jsontext.Value(raw).Kind()))
		return nil
	}
	inner := &Object{at: o.Pointer(name), taken: map[string]bool{}, errs: o.errs}
	if err := jsonv2.Unmarshal(raw, &inner.members); err != nil {
		o.Add(name, "is not a good object")
		return nil
	}
	return inner
}
