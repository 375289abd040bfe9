package voice

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// Limits of documents.
const (
	MaxDocumentBytes = 64 << 10 // of a document or a request
	MaxVerbs         = 50       // in a document
)

// ParseDocument parses a document. If it is not valid, the error is [Errors], which lists
// what is wrong, each with a JSON Pointer. Unknown verbs, unknown fields and
// duplicate keys are errors.
func ParseDocument(data []byte) (d Document, err error) {
	err = parse(data, &d)
	return d, err
}

// ParseRequest parses a call request, as strictly as [ParseDocument].
func ParseRequest(data []byte) (r Request, err error) {
	err = parse(data, &r)
	return r, err
}

// parse reads one JSON value within the limits, without duplicate keys and in valid UTF-8.
func parse(data []byte, into any) error {
	if len(data) > MaxDocumentBytes {
		return Errors{{Detail: fmt.Sprintf("wants at most %d bytes", MaxDocumentBytes)}}
	}
	var value jsontext.Value
	if err := jsonv2.Unmarshal(data, &value); err != nil {
		at, detail := jsontext.Pointer(""), "is not well-formed JSON in UTF-8"
		if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			at = syntax.JSONPointer
		}
		if errors.Is(err, jsontext.ErrDuplicateName) {
			detail = "appears twice in its object"
		} else if len(data) == 0 {
			detail = "is empty; want JSON"
		}
		return Errors{{Pointer: string(at), Detail: detail}}
	}
	var e api.Errors
	e.Bind("", value, into)
	if len(e.List()) == 0 {
		return nil
	}
	return Errors(e.List())
}

// Check validates a document that was created in Go; its pointers refer to the canonical
// encoding. It returns nil or [Errors].
func (d Document) Check() error {
	for i, verb := range d {
		if !known(verb) {
			return Errors{{Pointer: fmt.Sprintf("/%d", i), Detail: fmt.Sprintf("%T is not a verb of a document", verb)}}
		}
	}
	encoded, err := json.Marshal(d)
	if err != nil {
		return Errors{{Detail: err.Error()}}
	}
	_, err = ParseDocument(encoded)
	return err
}

// known reports whether a verb has one of this package's types and is not a pointer.
func known(verb Verb) bool {
	if g, is := verb.(Gather); is && slices.ContainsFunc(g.Verbs, func(v Verb) bool { return !known(v) }) {
		return false
	}
	return slices.ContainsFunc(verbs, func(v Verb) bool { return reflect.TypeOf(v) == reflect.TypeOf(verb) })
}

// MarshalJSON writes the canonical form: the interface's own names, aliases resolved,
// defaults left out where they were.
func (d Document) MarshalJSON() ([]byte, error) {
	steps := make([]map[string]Verb, len(d))
	for i, verb := range d {
		steps[i] = map[string]Verb{verb.Name(): verb}
	}
	return json.Marshal(steps)
}

// FieldError is one error of a document or a request.
type FieldError = api.FieldError

// Errors contains all errors of a document or a request; it is never empty.
type Errors []FieldError

// Error lists all errors in one line.
func (e Errors) Error() string {
	var b strings.Builder
	for i, field := range e {
		if i > 0 {
			b.WriteString("; ")
		}
		if field.Pointer != "" {
			b.WriteString(field.Pointer + ": ")
		}
		b.WriteString(field.Detail)
	}
	return b.String()
}
