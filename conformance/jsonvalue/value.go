package jsonvalue

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Value is a JSON value with the JSON Pointer (RFC 6901) that leads to it. An absent value has a pointer,
// too, so that a rule can ask for /owner/name without asking for /owner first.
type Value struct {
	holder string    // JSON Pointer of the value in which path begins
	path   [4]string // the names or indexes from there on; the first depth of them are used
	depth  uint8
	nodes  []node // the value and the values in it; none: the value is absent
}

// kind is the type of a value.
type kind uint8

const (
	absent kind = iota
	null
	object
	array
	text
	number
	boolean
	verbatim // text that a report prints as it is
)

// kinds are the names of the types in JSON's words.
var kinds = [...]string{absent: "absent", null: "null", object: "object", array: "array", text: "string", number: "number", boolean: "boolean", verbatim: "text"}

// Pointer returns the JSON Pointer of the value. It is built on demand: of a million values that a run reads,
// reports show a few.
func (v Value) Pointer() string {
	var at strings.Builder
	at.Grow(len(v.holder) + 16*int(v.depth))
	at.WriteString(v.holder)
	for _, key := range v.path[:v.depth] {
		at.WriteString("/" + EscapePointer(key))
	}
	return at.String()
}

// UTF8BOM is the byte-order mark with which some programs begin a text.
var UTF8BOM = []byte("\xef\xbb\xbf")

// At returns a member of an object; if several have that name, the last. If there is none, the value is
// absent.
func (v Value) At(key string) Value {
	child := v.below(key)
	if v.IsObject() {
		for n := range v.childNodes() {
			if n[0].name == key {
				child.nodes = n
			}
		}
	}
	return child
}

// childNodes iterates over the nodes of each value in an object or array.
func (v Value) childNodes() iter.Seq[[]node] {
	return func(yield func([]node) bool) {
		for rest := v.nodes[min(1, len(v.nodes)):]; len(rest) > 0; rest = rest[rest[0].span:] {
			if !yield(rest[:rest[0].span]) {
				return
			}
		}
	}
}

// count returns how many values an object or array has.
func (v Value) count() (n int) {
	for range v.childNodes() {
		n++
	}
	return n
}

// Scalars iterates over the strings and numbers in a value, at any depth, each with the name of its member;
// an element of an array has the name of the array's member.
func (v Value) Scalars() iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		for _, n := range v.nodes {
			if (n.kind == text || n.kind == number) && !yield(n.name, n.text) {
				return
			}
		}
	}
}

// Members iterates over the members of an object in the order of their names; of several with one name,
// only over the last. A value that is not an object has none.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if !v.IsObject() {
			return
		}
		all := slices.AppendSeq(make([][]node, 0, v.count()), v.childNodes())
		slices.SortStableFunc(all, func(a, b []node) int { return strings.Compare(a[0].name, b[0].name) })
		for i, n := range all {
			name := n[0].name
			if i+1 < len(all) && all[i+1][0].name == name {
				continue
			}
			member := v.below(name)
			member.nodes = n
			if !yield(name, member) {
				return
			}
		}
	}
}

// below returns an absent value at the pointer of a member or element.
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

// Items returns the elements of an array; nil: the value is not an array.
func (v Value) Items() []Value {
	if !v.IsArray() {
		return nil
	}
	out := make([]Value, 0, v.count())
	for n := range v.childNodes() {
		e := v.below(strconv.Itoa(len(out)))
		e.nodes = n
		out = append(out, e)
	}
	return out
}

// Item returns an element of an array, counted from 0. If there is none, the value is absent.
func (v Value) Item(i int) Value {
	child := v.below(strconv.Itoa(i))
	if v.IsArray() {
		for n := range v.childNodes() {
			if i == 0 {
				child.nodes = n
			}
			i--
		}
	}
	return child
}

// Present reports whether a value exists, even if it is null.
func (v Value) Present() bool { return v.kind() != absent }

// Raw returns the value as encoding/json decodes it, with numbers as json.Number. Each call builds it anew:
// [Value.At] and the other methods are cheaper.
func (v Value) Raw() any {
	switch v.kind() {
	case object:
		members := map[string]any{}
		for n := range v.childNodes() {
			members[n[0].name] = Value{nodes: n}.Raw()
		}
		return members
	case array:
		elements := []any{}
		for n := range v.childNodes() {
			elements = append(elements, Value{nodes: n}.Raw())
		}
		return elements
	case text, verbatim:
		return v.nodes[0].text
	case number:
		return json.Number(v.nodes[0].text)
	case boolean:
		return v.nodes[0].text == "true"
	}
	return nil
}

func (v Value) kind() kind {
	if len(v.nodes) == 0 {
		return absent
	}
	return v.nodes[0].kind
}

func (v Value) IsObject() bool { return v.kind() == object }
func (v Value) IsArray() bool  { return v.kind() == array }
func (v Value) IsText() bool   { return v.kind() == text }
func (v Value) IsNumber() bool { return v.kind() == number }
func (v Value) IsBool() bool   { return v.kind() == boolean }
func (v Value) IsNull() bool   { return v.kind() == null }

// Given reports whether a value exists and is not null.
func (v Value) Given() bool { return v.kind() > null }

// Text returns the text of a string; "": the value is not a string.
func (v Value) Text() string {
	if !v.IsText() {
		return ""
	}
	return v.nodes[0].text
}

// HasText reports whether a value is a string with more than white space.
func (v Value) HasText() bool { return strings.TrimSpace(v.Text()) != "" }

// Number returns the value of a number; 0: it is not a number. A number in quotation marks is not one.
func (v Value) Number() float64 {
	if !v.IsNumber() {
		return 0
	}
	f, _ := strconv.ParseFloat(v.nodes[0].text, 64) // beyond float64 is infinite, and outside every range
	return f
}

// Scalar returns the text of a string or number; "": it is neither. Ids that a server sends as numbers
// instead of strings can be used in this way.
func (v Value) Scalar() string {
	if !v.IsText() && !v.IsNumber() {
		return ""
	}
	return v.nodes[0].text
}

// Kind returns the name of the value's type in JSON's words.
func (v Value) Kind() string { return kinds[v.kind()] }

// Verbatim returns a value for a text that is not JSON, which reports show as it is.
func Verbatim(shown string) Value {
	return Value{nodes: []node{{text: shown, span: 1, kind: verbatim}}}
}

// HeaderValue returns a value for a header of a response, with the header's name as its pointer. If said is
// "", the value is absent.
func HeaderValue(name, said string) Value {
	v := Value{holder: name}
	if said != "" {
		v.nodes = []node{{text: said, span: 1, kind: text}}
	}
	return v
}

// Show returns the value as text for a report, shortened.
func (v Value) Show() string {
	switch v.kind() {
	case absent:
		return "nothing"
	case verbatim:
		return Clip(v.nodes[0].text, 240)
	}
	var b strings.Builder
	if err := Encode(&b, v.Raw(), "", ""); err != nil {
		return fmt.Sprint(v.Raw())
	}
	return Clip(strings.TrimSpace(b.String()), 160)
}
