package inbound

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mostFaults is how many faults of one text are listed.
const mostFaults = 16

// Reading says how a JSON text is read: strictly, so that no name comes twice, all is UTF-8, and
// nothing follows the value. The zero value ignores members that a type does not have.
type Reading struct {
	Example string       // of the object that is wanted; "": any JSON value is
	Known   bool         // a member that the type does not have is a fault
	Options json.Options // further ones; nil: none
	Whole   reflect.Type // a struct that Options read, and not member by member; nil: none
}

// Fault is what is wrong with one value of a text.
type Fault struct {
	Pointer string // JSON Pointer (RFC 6901)
	Code    string // "required", "type", "format" or "unknown"
	Detail  string
}

// Missing is the error of a type that reads itself and lacks the member of this name.
type Missing string

// Error implements error.
func (m Missing) Error() string { return string(m) + " is required" }

var rejectUnknown = json.RejectUnknownMembers(true)

// unknown is what becomes of members that a type does not have.
func (r Reading) unknown() json.Options {
	if r.Known {
		return rejectUnknown
	}
	return nil
}

// Read reads a text into what a pointer points to, and returns the values that are wrong there, all
// at once; the others are read. The error is that of a text which is no JSON.
func (r Reading) Read(text []byte, into any) ([]Fault, error) {
	if r.Example != "" {
		if start := bytes.TrimLeft(text, " \t\r\n"); len(start) == 0 || start[0] != '{' {
			return nil, fmt.Errorf("want a JSON object such as %s, got %s", r.Example, opening(start))
		}
	}
	err := json.Unmarshal(text, into, r.Options, r.unknown())
	if err == nil {
		return nil, nil
	}
	if _, ok := errors.AsType[*json.SemanticError](err); !ok {
		return nil, noJSON(err)
	}
	return r.faults(text, into)
}

// noJSON is an error of the parser for a person.
func noJSON(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "jsontext: ")) }

// faults finds everything that is wrong with a text in further passes: a value that its field does
// not take is skipped and noted, the rest is read. Only texts with a fault pay for it.
func (r Reading) faults(text []byte, into any) (found []Fault, err error) {
	reflect.ValueOf(into).Elem().SetZero()
	note := func(at jsontext.Pointer, wrong *json.SemanticError) {
		f := faultOf(wrong)
		f.Pointer = string(at) + f.Pointer
		if len(found) < mostFaults && !slices.ContainsFunc(found, func(g Fault) bool { return g.Pointer == f.Pointer }) {
			found = append(found, f)
		}
	}
	each := json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, value any) error {
		if want := reflect.TypeOf(value).Elem(); r.byMembers(want) && wanted(want) == KindName(d.PeekKind()) {
			return errors.ErrUnsupported // its members come one by one
		}
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		if wrong, ok := errors.AsType[*json.SemanticError](json.Unmarshal(raw, value, r.Options, r.unknown())); ok {
			note(d.StackPointer(), wrong)
		}
		return nil
	}))
	for _, unknown := range []json.Options{nil, r.unknown()} { // an unknown name ends a pass
		err := json.Unmarshal(text, into, each, unknown)
		wrong, ok := errors.AsType[*json.SemanticError](err)
		switch {
		case ok && errors.Is(err, json.ErrUnknownName):
			note("", wrong)
		case err != nil:
			return nil, noJSON(err)
		}
	}
	return found, nil
}

// byMembers reports whether values of a type are read member by member. The others are read whole,
// as are those of types that read themselves.
func (r Reading) byMembers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		return t != r.Whole && !reads[json.Unmarshaler](t) && !reads[encoding.TextUnmarshaler](t)
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8
	default:
		return false
	}
}

// reads reports whether a pointer to a type implements an interface.
func reads[T any](t reflect.Type) bool { return reflect.PointerTo(t).Implements(reflect.TypeFor[T]()) }

func faultOf(e *json.SemanticError) Fault {
	f := Fault{Pointer: string(e.JSONPointer), Code: "type"}
	field, missing := errors.AsType[Missing](e.Err)
	switch {
	case missing:
		f.Pointer, f.Code, f.Detail = f.Pointer+"/"+string(field), "required", "is required"
	case errors.Is(e.Err, json.ErrUnknownName):
		f.Code, f.Detail = "unknown", "is not a known member"
	case e.Err != nil:
		f.Code, f.Detail = "format", e.Err.Error()
	case e.GoType != nil:
		f.Detail = "wants " + wanted(e.GoType) + ", not " + KindName(e.JSONKind)
	default:
		f.Detail = "has the wrong type"
	}
	return f
}

// wanted is what messages call the JSON values that a type is read from.
func wanted(t reflect.Type) string {
	if t.Kind() == reflect.String || reads[encoding.TextUnmarshaler](t) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "a number"
	}
}

// opening is what messages call a text that does not begin as an object.
func opening(text []byte) string {
	if len(text) == 0 {
		return "nothing"
	}
	switch kind := jsontext.Value(text).Kind(); kind {
	case 'n', 't', 'f', '"', '[', '0':
		return KindName(kind)
	default:
		return fmt.Sprintf("text that begins with %q", rune(text[0]))
	}
}
