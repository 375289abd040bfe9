package operations

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// object is a JSON object whose members are parsed one by one. A member that is null or
// has the wrong type counts as absent.
type object map[string]json.RawMessage

// readObject parses an object; false if the text is not one.
func readObject(text []byte) (object, bool) {
	var o object
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // a byte order mark is tolerated
	if json.Unmarshal(text, &o) != nil || o == nil {
		return nil, false
	}
	return o, true
}

func (o object) has(name string) bool {
	raw := bytes.TrimSpace(o[name])
	return len(raw) > 0 && string(raw) != "null"
}

func (o object) object(name string) (object, bool) {
	if !o.has(name) {
		return nil, false
	}
	return readObject(o[name])
}

// text returns a string member, or "".
func (o object) text(name string) string {
	var s string
	if !o.has(name) || json.Unmarshal(o[name], &s) != nil {
		return ""
	}
	return s
}

// number returns a number member, which may be in quotes.
func (o object) number(name string) (float64, bool) {
	var n float64
	if !o.has(name) {
		return 0, false
	}
	if json.Unmarshal(o[name], &n) == nil {
		return n, true
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(o.text(name)), 64)
	return n, err == nil
}

// list returns the elements of an array member; nil if it is not one.
func (o object) list(name string) []json.RawMessage {
	var list []json.RawMessage
	if !o.has(name) || json.Unmarshal(o[name], &list) != nil {
		return nil
	}
	return list
}

// texts returns the strings of an array member; nil if it is not one, so that an empty
// array differs from an absent one.
func texts[T ~string](o object, name string) []T {
	list := o.list(name)
	if list == nil {
		return nil
	}
	found := make([]T, 0, len(list))
	for _, raw := range list {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			found = append(found, T(s))
		}
	}
	return found
}
