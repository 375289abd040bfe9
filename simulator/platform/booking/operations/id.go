package operations

import (
	"bytes"
	"encoding/json"
)

// ID is the id of a user or a journey: its JSON text exactly as it was received,
// quotes and escapes included, since nothing about it is ours to change. The zero
// value is no id.
type ID string

// StringID is the id with this value.
func StringID(value string) ID {
	if value == "" {
		return ""
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return ID(text)
}

// Text returns the id for people: a string's value, a number's digits.
func (id ID) Text() string {
	var s string
	if json.Unmarshal([]byte(id), &s) == nil {
		return s
	}
	return string(id)
}

// Is reports whether both are the same id, however it was escaped.
func (id ID) Is(other ID) bool {
	return id != "" && other != "" && id[0] == other[0] && id.Text() == other.Text()
}

// MarshalJSON writes the id as it was received; no id is null.
func (id ID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	return []byte(id), nil
}

// id returns a member that names something: a string that is not empty, or a
// number, which the interface does not allow and some systems send.
func (o object) id(name string) ID {
	if !o.has(name) {
		return ""
	}
	raw := bytes.TrimSpace(o[name])
	switch first := raw[0]; {
	case first == '"' && len(raw) > len(`""`):
	case first == '-', '0' <= first && first <= '9':
	default:
		return ""
	}
	return ID(raw)
}
