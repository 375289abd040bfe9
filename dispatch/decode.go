package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// maxFieldErrors is how many errors of one body are listed at most.
const maxFieldErrors = 16

// decode reads a request body strictly: one JSON object, no duplicate names, no
// bad UTF-8, nothing behind it; unknown fields are ignored. It returns the
// fields of the wrong type, if any, with in holding the rest.
func decode[In any](body []byte, in *In) ([]taxi.FieldError, error) {
	if encoding := taxi.EncodingOf(body); encoding != "" {
		return nil, refuse(taxi.CodeMalformedJSON, "the body is %s, want plain UTF-8, in which JSON is sent (RFC 8259, 8.1)", encoding)
	}
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

// mistyped finds every field of the wrong type in one further pass: a value that
// its field does not take is skipped and noted, the rest goes into in. Only bad
// requests pay for it.
func mistyped[In any](body []byte, in *In) ([]taxi.FieldError, error) {
	var found fieldErrors
	*in = *new(In)
	each := json.UnmarshalFromFunc(func(d *jsontext.Decoder, value any) error {
		want := reflect.TypeOf(value).Elem()
		if isContainer(want) && (d.PeekKind() == '{' || d.PeekKind() == '[') {
			if wants := jsonName(want.Kind().String()); wants == inbound.KindName(d.PeekKind()) {
				return errors.ErrUnsupported // its members come one by one
			}
		}
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		at := d.StackPointer()
		if fault, ok := errors.AsType[*json.SemanticError](json.Unmarshal(raw, value, strictPoints)); ok {
			fault.JSONPointer = at + fault.JSONPointer
			found.addError(typeError(fault))
		}
		return nil
	})
	if err := json.Unmarshal(body, in, json.WithUnmarshalers(each)); err != nil {
		return nil, refuse(taxi.CodeMalformedJSON, "%s", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	return found.list, nil
}

// isContainer reports whether values of a type are decoded member by member. The
// others are decoded whole: a point is wrong as a whole, and some types read themselves.
func isContainer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		return t != reflect.TypeFor[taxi.Point]() && !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8
	default:
		return false
	}
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
		f.Detail = "wants " + jsonName(e.GoType.Kind().String()) + ", not " + inbound.KindName(e.JSONKind)
	default:
		f.Detail = "has the wrong type"
	}
	return f
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

func firstValue(body []byte) string {
	if len(body) == 0 {
		return "nothing"
	}
	switch c := body[0]; {
	case c == '-', c >= '0' && c <= '9':
		return "a number"
	case strings.IndexByte(`"tfn[`, c) >= 0:
		return inbound.KindName(jsontext.Kind(c))
	default:
		return fmt.Sprintf("text that begins with %q", rune(c))
	}
}
