package dispatch

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// maxFieldErrors is how many errors of one body are listed at most.
const maxFieldErrors = 16

// decode reads a request body strictly: one JSON object, no duplicate names, no
// bad UTF-8, nothing behind it; unknown fields are ignored. It returns the
// fields of the wrong type, if any, with in holding the rest.
func decode[In any](body []byte, in *In) ([]taxi.FieldError, error) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, refuse(taxi.CodeMalformedJSON, "want a JSON object such as {\"phoneNumber\": \"…\"}, got %s", firstValue(trimmed))
	}
	err := json.Unmarshal(body, in, strictPoints)
	if err == nil {
		return nil, nil
	}
	if _, ok := errors.AsType[*json.SemanticError](err); !ok {
		return nil, refuse(taxi.CodeMalformedJSON, "%s", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	return mistyped(body, in)
}

// mistyped finds every field of the wrong type: it removes the one at which the
// decoder stopped, and decodes again. Only bad requests pay for it.
func mistyped[In any](body []byte, in *In) ([]taxi.FieldError, error) {
	tree, err := treeOf(body)
	if err != nil {
		return nil, refuse(taxi.CodeMalformedJSON, "%s", err)
	}
	var found fieldErrors
	for range maxFieldErrors {
		rest, err := stdjson.Marshal(tree)
		if err != nil {
			return nil, refuse(taxi.CodeMalformedJSON, "%s", err)
		}
		var fresh In
		fault, ok := errors.AsType[*json.SemanticError](json.Unmarshal(rest, &fresh, strictPoints))
		if !ok {
			*in = fresh
			break
		}
		found.addError(typeError(fault))
		if tree, ok = without(tree, fault.JSONPointer); !ok {
			break
		}
	}
	return found.list, nil
}

// treeOf decodes any JSON and keeps numbers as text, so that one that is too large
// for its field is found.
func treeOf(body []byte) (tree any, err error) {
	d := stdjson.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err = d.Decode(&tree)
	return tree, err
}

// strictPoints requires both coordinates of a point. A missing one would otherwise
// become 0, which is a place.
var strictPoints = json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, p *taxi.Point) error {
	var read struct {
		Longitude *float64 `json:"longitude"`
		Latitude  *float64 `json:"latitude"`
	}
	if err := json.UnmarshalDecode(d, &read); err != nil {
		return err
	}
	switch {
	case read.Longitude == nil:
		return missingField("longitude")
	case read.Latitude == nil:
		return missingField("latitude")
	}
	*p = taxi.Point{Longitude: *read.Longitude, Latitude: *read.Latitude}
	return nil
}))

// missingField is the name of a required field that is missing.
type missingField string

func (f missingField) Error() string { return string(f) + " is required" }

func typeError(e *json.SemanticError) taxi.FieldError {
	f := taxi.FieldError{Pointer: string(e.JSONPointer), Code: "type"}
	field, missing := errors.AsType[missingField](e.Err)
	switch {
	case missing:
		f.Pointer, f.Code, f.Detail = f.Pointer+"/"+string(field), "required", "is required"
	case e.Err != nil:
		f.Code, f.Detail = "format", e.Err.Error()
	case e.GoType != nil:
		f.Detail = "wants " + jsonName(e.GoType.Kind().String()) + ", not " + kindName(e.JSONKind)
	default:
		f.Detail = "has the wrong type"
	}
	return f
}

// without returns the tree after removing the value at a pointer.
func without(tree any, at jsontext.Pointer) (any, bool) {
	parent, last, ok := tree, "", false
	for token := range at.Tokens() {
		if ok {
			parent = child(parent, last)
		}
		last, ok = token, true
	}
	switch node := parent.(type) {
	case map[string]any:
		_, found := node[last]
		delete(node, last)
		return tree, ok && found
	case []any:
		// Removing one element would renumber the others, so the whole list is
		// removed.
		return without(tree, at.Parent())
	default:
		return tree, false
	}
}

func child(node any, token string) any {
	switch n := node.(type) {
	case map[string]any:
		return n[token]
	case []any:
		if i := index(token); i < len(n) {
			return n[i]
		}
	}
	return nil
}

func index(token string) int {
	i := 0
	for _, c := range token {
		i = i*10 + int(c-'0')
	}
	return i
}

// jsonName is the JSON name of a Go kind.
func jsonName(kind string) string {
	switch kind {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "slice":
		return "an array"
	case "struct", "map":
		return "an object"
	default:
		return "a number"
	}
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	default:
		return "that"
	}
}

func firstValue(body []byte) string {
	if len(body) == 0 {
		return "nothing"
	}
	switch c := body[0]; {
	case c == '-', c >= '0' && c <= '9':
		return "a number"
	default:
		return kindName(jsontext.Kind(c))
	}
}
