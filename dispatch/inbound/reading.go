package inbound

import (
	"bytes"
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mostFaults is how many faults of one text are listed.
const mostFaults = 16

// Reading configures how a JSON text is parsed: always strictly, without duplicate names, invalid UTF-8
// or text after the value. The zero value ignores members that a type does not have.
type Reading struct {
	Example string       // of the object that is wanted; "": any JSON value is
	Known   bool         // a member that the type does not have is a fault
	Options json.Options // further ones; nil: none
	Whole   reflect.Type // a struct that Options read, and not member by member; nil: none
}

// Fault is the error of one value of a text.
type Fault struct {
	Pointer string // JSON Pointer (RFC 6901)
	Code    string // "required", "type", "format" or "unknown"
	Detail  string
}

// Missing is the error of a type that decodes itself if a required member, named by it, is absent.
type Missing string

// Error implements error.
func (m Missing) Error() string { return string(m) + " is required" }

var rejectUnknown = json.RejectUnknownMembers(true)

// unknown returns the option that rejects unknown members, or nil if they are ignored.
func (r Reading) unknown() json.Options {
	if r.Known {
		return rejectUnknown
	}
	return nil
}

// Read decodes a text into the value that a pointer points to. It returns all values that do not fit,
// up to sixteen, and decodes the others. The error is that of a text that is not JSON.
func (r Reading) Read(text []byte, into any) ([]Fault, error) {
	if r.Example != "" {
		if start := bytes.TrimLeft(text, " \t\r\n"); len(start) == 0 || start[0] != '{' {
			return nil, fmt.Errorf("want a JSON object such as %s, got %s", r.Example, firstValueName(start))
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

// Decode is [Reading.Read] for callers that report one fault: it is the error, with its pointer.
func (r Reading) Decode(text []byte, into any) error {
	faults, err := r.Read(text, into)
	if err != nil || len(faults) == 0 {
		return err
	}
	return fmt.Errorf("%s %s", cmp.Or(faults[0].Pointer, "it"), faults[0].Detail)
}

// DecodeBody decodes the body of a request; most limits its size in bytes.
func (r Reading) DecodeBody(w http.ResponseWriter, req *http.Request, most int64, into any) error {
	text, err := io.ReadAll(http.MaxBytesReader(w, req.Body, most))
	if err != nil {
		return err
	}
	return r.Decode(text, into)
}

// noJSON returns an error of the parser without the name of its package.
func noJSON(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "jsontext: ")) }

// faults decodes text again to find its faults, up to mostFaults: values that do not fit their fields and, if r.Known is set,
// unknown members. It skips them and decodes the rest. Only texts with a fault need these further passes.
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
		if want := reflect.TypeOf(value).Elem(); r.byMembers(want) && expectedKindName(want) == KindName(d.PeekKind()) {
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
	if err := json.Unmarshal(text, into, each); err != nil {
		return nil, noJSON(err)
	}
	for r.Known && len(found) < mostFaults { // an unknown name ends a pass
		err := json.Unmarshal(text, into, each, rejectUnknown)
		wrong, ok := errors.AsType[*json.SemanticError](err)
		switch {
		case err == nil:
			return found, nil
		case !ok || !errors.Is(err, json.ErrUnknownName):
			return nil, noJSON(err)
		}
		note("", wrong)
		text = without(text, wrong.JSONPointer)
	}
	return found, nil
}

// without returns a text without the member at a pointer.
func without(text []byte, at jsontext.Pointer) []byte {
	var rest bytes.Buffer
	from, to := jsontext.NewDecoder(bytes.NewReader(text)), jsontext.NewEncoder(&rest)
	for {
		token, err := from.ReadToken()
		switch {
		case err != nil: // the end: the text was read before
			return rest.Bytes()
		case from.StackPointer() == at:
			_ = from.SkipValue()
		default:
			_ = to.WriteToken(token)
		}
	}
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
		if e.GoType != nil && e.JSONKind != '"' && expectedKindName(e.GoType) == "a string" { // a type read from text, whose error names no kind
			f.Detail = "wants a string, not " + KindName(e.JSONKind)
		}
	case e.GoType != nil:
		f.Detail = "wants " + expectedKindName(e.GoType) + ", not " + KindName(e.JSONKind)
	default:
		f.Detail = "has the wrong type"
	}
	return f
}

// expectedKindName returns the name, for messages, of the JSON values from which a type is decoded.
func expectedKindName(t reflect.Type) string {
	if t.Kind() == reflect.String || reads[encoding.TextUnmarshaler](t) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "a number"
	}
}

// firstValueName returns the name, for messages, of what a text begins with instead of an object.
func firstValueName(text []byte) string {
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

// KindName returns the name of a kind of JSON values in messages.
func KindName(k jsontext.Kind) string {
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

// Limits of the body of a request, in bytes.
const (
	MostOperation = 64 << 10 // of one of the five operations
	MostCall      = 1 << 20  // of a call of the control API
)

// Errors of [Bodies].
var (
	ErrTooLong = errors.New("the body is too long")
	ErrBodies  = errors.New("too many bodies are under way")
)

// Bodies are the bodies of requests that are under way, which take at most so many bytes
// together. Its methods may be called from any goroutine.
type Bodies struct{ left atomic.Int64 }

// NewBodies returns a limit for bodies.
func NewBodies(most int64) *Bodies {
	b := &Bodies{}
	b.left.Store(most)
	return b
}

// Read reads the body of a request, which counts until release is called. What a client
// announces takes no memory, only what arrives.
func (b *Bodies) Read(r *http.Request, most int64) (body []byte, release func(), err error) {
	var taken int64
	release = func() { b.left.Add(taken) }
	if r.ContentLength > most {
		Discard(r)
		return nil, release, ErrTooLong
	}
	for size := int64(4 << 10); ; size = min(4*size, most+1) {
		more := size - int64(cap(body))
		taken += more
		if b.left.Add(-more) < 0 {
			return nil, release, ErrBodies
		}
		body = append(make([]byte, 0, size), body...)
		for len(body) < cap(body) {
			n, err := r.Body.Read(body[len(body):cap(body)])
			body = body[:len(body)+n]
			if errors.Is(err, io.EOF) && int64(len(body)) <= most {
				return body, release, nil
			}
			if err != nil {
				return nil, release, err
			}
		}
		if int64(len(body)) > most {
			Discard(r)
			return nil, release, ErrTooLong
		}
	}
}

// Discard reads the rest of a body that is too long, up to a limit. If the connection were
// closed while the client is still sending, the client would see a reset instead of the
// refusal.
func Discard(r *http.Request) {
	const most = 2 << 20 // bytes
	if r.ContentLength <= most && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, most) // errors do not matter: the answer is the refusal
	}
}
