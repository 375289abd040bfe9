package jsonvalue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Value is a JSON value and the JSON Pointer (RFC 6901) that leads to it. What
// is not there is a value too, so that a rule can ask for /owner/name without
// asking for /owner first.
type Value struct {
	holder string    // JSON Pointer of what path begins in
	path   [3]string // the names or places from there on, depth of them
	depth  uint8
	v      any  // as encoding/json decodes it, numbers as json.Number
	there  bool // false: nothing at that pointer
}

// Pointer leads to the value. It is put together when it is asked for: of a
// million values that a run looks at, reports show a few.
func (v Value) Pointer() string {
	var at strings.Builder
	at.WriteString(v.holder)
	for _, key := range v.path[:v.depth] {
		at.WriteString("/" + EscapePointer(key))
	}
	return at.String()
}

// UTF8BOM is the byte-order mark that some writers put first.
var UTF8BOM = []byte("\xef\xbb\xbf")

// Parse reads the first JSON value of a body, generously: what else is wrong
// with the bytes is a matter for its own rule.
func Parse(body []byte) Value {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, UTF8BOM)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return Value{}
	}
	return Value{v: v, there: true}
}

// At returns the member of an object.
func (v Value) At(key string) Value {
	child := v.below(key)
	if o, ok := v.v.(map[string]any); ok {
		child.v, child.there = o[key]
	}
	return child
}

// below returns the place of a member or element, with nothing there.
func (v Value) below(key string) Value {
	child := Value{holder: v.holder, path: v.path, depth: v.depth}
	if int(v.depth) == len(v.path) {
		child = Value{holder: v.Pointer()}
	}
	child.path[child.depth] = key
	child.depth++
	return child
}

// pointerEscapes is RFC 6901's way of writing ~ and / in a name.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func EscapePointer(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return pointerEscapes.Replace(key)
}

// Items returns the elements of an array, none when it is not one.
func (v Value) Items() []Value {
	a, _ := v.v.([]any)
	if len(a) == 0 {
		return nil
	}
	out := make([]Value, len(a))
	for i, e := range a {
		out[i] = v.below(strconv.Itoa(i))
		out[i].v, out[i].there = e, true
	}
	return out
}

// Item returns an element of an array, counted from 0. It looks at no other element.
func (v Value) Item(i int) Value {
	child := v.below(strconv.Itoa(i))
	if a, _ := v.v.([]any); i >= 0 && i < len(a) {
		child.v, child.there = a[i], true
	}
	return child
}

// Present reports a value that is there, be it null.
func (v Value) Present() bool { return v.there }

// Raw returns the value as encoding/json decodes it, numbers as json.Number.
func (v Value) Raw() any { return v.v }

func (v Value) IsObject() bool { _, ok := v.v.(map[string]any); return ok }
func (v Value) IsArray() bool  { _, ok := v.v.([]any); return ok }
func (v Value) IsText() bool   { _, ok := v.v.(string); return ok }
func (v Value) IsNumber() bool { _, ok := v.v.(json.Number); return ok }
func (v Value) IsBool() bool   { _, ok := v.v.(bool); return ok }
func (v Value) IsNull() bool   { return v.there && v.v == nil }

// Given reports a value that is there and not null.
func (v Value) Given() bool { return v.v != nil }

// Text returns a string's value, "" when it is not one.
func (v Value) Text() string { s, _ := v.v.(string); return s }

// HasText reports a string with something to read in it.
func (v Value) HasText() bool { return strings.TrimSpace(v.Text()) != "" }

// Number returns a number's value, 0 when it is not one; a number in quotation
// marks is not one.
func (v Value) Number() float64 {
	n, _ := v.v.(json.Number)
	f, _ := n.Float64() // beyond float64 is infinite, and outside every range
	return f
}

// Scalar returns a string or number as text, so that a server that writes its
// ids as numbers can be followed although it should have sent a string.
func (v Value) Scalar() string {
	switch s := v.v.(type) {
	case string:
		return s
	case json.Number:
		return s.String()
	}
	return ""
}

// Kind names the type in JSON's words.
func (v Value) Kind() string {
	switch v.v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	}
	if v.there {
		return "null"
	}
	return "absent"
}

// shown is text that a report prints as it is.
type shown string

// Verbatim is a text that is no JSON, to be shown as it is.
func Verbatim(text string) Value { return Value{v: shown(text), there: true} }

// HeaderValue is what a header says, with its name for a pointer; "": it is not
// there.
func HeaderValue(name, text string) Value {
	return Value{holder: name, v: text, there: text != ""}
}

// Show prints the value for a report, shortened.
func (v Value) Show() string {
	if !v.there {
		return "nothing"
	}
	if text, ok := v.v.(shown); ok {
		return Clip(string(text), 240)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.v); err != nil {
		return fmt.Sprint(v.v)
	}
	return Clip(strings.TrimSpace(b.String()), 160)
}
