package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// value is a JSON value and the JSON Pointer (RFC 6901) that leads to it. What
// is not there is a value too, so that a rule can ask for /driver/name without
// asking for /driver first.
type value struct {
	holder string    // JSON Pointer of what path begins in
	path   [3]string // the names or places from there on, depth of them
	depth  uint8
	v      any  // as encoding/json decodes it, numbers as json.Number
	there  bool // false: nothing at that pointer
}

// pointer leads to the value. It is put together when it is asked for: of a
// million values that a run looks at, reports show a few.
func (v value) pointer() string {
	var at strings.Builder
	at.WriteString(v.holder)
	for _, key := range v.path[:v.depth] {
		at.WriteString("/" + escapePointer(key))
	}
	return at.String()
}

// utf8BOM is the byte-order mark that some writers put first.
var utf8BOM = []byte("\xef\xbb\xbf")

// parse reads the first JSON value of a body, generously: what else is wrong
// with the bytes is a matter for its own rule.
func parse(body []byte) value {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, utf8BOM)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return value{}
	}
	return value{v: v, there: true}
}

// at returns the member of an object.
func (v value) at(key string) value {
	child := v.below(key)
	if o, ok := v.v.(map[string]any); ok {
		child.v, child.there = o[key]
	}
	return child
}

// below returns the place of a member or element, with nothing there.
func (v value) below(key string) value {
	child := value{holder: v.holder, path: v.path, depth: v.depth}
	if int(v.depth) == len(v.path) {
		child = value{holder: v.pointer()}
	}
	child.path[child.depth] = key
	child.depth++
	return child
}

// pointerEscapes is RFC 6901's way of writing ~ and / in a name.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return pointerEscapes.Replace(key)
}

// items returns the elements of an array, none when it is not one.
func (v value) items() []value {
	a, _ := v.v.([]any)
	if len(a) == 0 {
		return nil
	}
	out := make([]value, len(a))
	for i, e := range a {
		out[i] = v.below(strconv.Itoa(i))
		out[i].v, out[i].there = e, true
	}
	return out
}

// present reports a value that is there, be it null.
func (v value) present() bool { return v.there }

// raw returns the value as encoding/json decodes it, numbers as json.Number.
func (v value) raw() any { return v.v }

func (v value) isObject() bool { _, ok := v.v.(map[string]any); return ok }
func (v value) isArray() bool  { _, ok := v.v.([]any); return ok }
func (v value) isText() bool   { _, ok := v.v.(string); return ok }
func (v value) isNumber() bool { _, ok := v.v.(json.Number); return ok }
func (v value) isBool() bool   { _, ok := v.v.(bool); return ok }
func (v value) isNull() bool   { return v.there && v.v == nil }

// given reports a value that is there and not null.
func (v value) given() bool { return v.v != nil }

// text returns a string's value, "" when it is not one.
func (v value) text() string { s, _ := v.v.(string); return s }

// hasText reports a string with something to read in it.
func (v value) hasText() bool { return strings.TrimSpace(v.text()) != "" }

// number returns a number's value, 0 when it is not one; a number in quotation
// marks is not one.
func (v value) number() float64 {
	n, _ := v.v.(json.Number)
	f, _ := n.Float64() // beyond float64 is infinite, and outside every range
	return f
}

// scalar returns a string or number as text, so that a server that numbers its
// journeys can be followed although it should have sent a string.
func (v value) scalar() string {
	switch s := v.v.(type) {
	case string:
		return s
	case json.Number:
		return s.String()
	}
	return ""
}

// kind names the type in JSON's words.
func (v value) kind() string {
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

// verbatim is a text that is no JSON, to be shown as it is.
func verbatim(text string) value { return value{v: shown(text), there: true} }

// headerValue is what a header says, with its name for a pointer; "": it is not
// there.
func headerValue(name, text string) value {
	return value{holder: name, v: text, there: text != ""}
}

// show prints the value for a report, shortened.
func (v value) show() string {
	if !v.there {
		return "nothing"
	}
	if text, ok := v.v.(shown); ok {
		return clip(string(text), 240)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.v); err != nil {
		return fmt.Sprint(v.v)
	}
	return clip(strings.TrimSpace(b.String()), 160)
}
