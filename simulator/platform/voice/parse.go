package voice

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// Limits of documents.
const (
	MaxDocumentBytes = 64 << 10 // of a document or a request
	MaxVerbs         = 50       // in a document
	MaxTargets       = 10       // of a dial
	MaxDigits        = 32       // of a gather
)

// ParseDocument parses a document. If it is not valid, the error is [Errors], which lists
// everything that is wrong, each with a JSON Pointer. Unknown verbs, unknown fields and
// duplicate keys are errors.
func ParseDocument(data []byte) (Document, error) {
	p := &parser{}
	var document Document
	if root, ok := p.root(data); ok {
		document = p.document("", root, MaxVerbs)
	}
	return document, p.err()
}

// ParseRequest parses a call request, as strictly as [ParseDocument].
func ParseRequest(data []byte) (Request, error) {
	p := &parser{}
	var request Request
	if root, ok := p.root(data); ok {
		request = p.request(root)
	}
	return request, p.err()
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

// known reports whether a verb is one of this package's, and not a pointer.
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

// request parses the members of a call request.
func (p *parser) request(root jsontext.Value) Request {
	var r Request
	o, ok := p.object("", root)
	if !ok {
		return r
	}
	defer o.done()
	r.CallerID = o.optionalText("callerId", 0, 40)
	if r.CallerID != "" && r.CallerID != Anonymous && !dialable(r.CallerID) {
		p.wrong(o.at("callerId"), "must be a phone number such as +441632960001, or \"anonymous\"")
	}
	if value, ok := o.take("tag"); ok {
		r.Tag = p.tag(o.at("tag"), value)
	}
	if value, ok := o.require("target"); ok {
		r.Target = p.callTarget(o.at("target"), value)
	}
	if value, ok := o.require("verbs"); ok {
		r.Verbs = p.document(o.at("verbs"), value, MaxVerbs)
	}
	return r
}

// tag parses the tag of a call.
func (p *parser) tag(at jsontext.Pointer, value jsontext.Value) *Tag {
	o, ok := p.object(at, value)
	if !ok {
		return nil
	}
	defer o.done()
	raw, ok := o.take("data")
	if !ok {
		return &Tag{}
	}
	data, ok := p.object(o.at("data"), raw)
	if !ok {
		return nil
	}
	if len(data.members) > 20 {
		p.wrong(data.pointer, "must have at most 20 entries")
	}
	if len(raw) > 4<<10 {
		p.wrong(data.pointer, "must be at most 4096 bytes")
	}
	tag := &Tag{Data: make(map[string]json.RawMessage, len(data.members))}
	for _, m := range data.members {
		if kind := m.value.Kind(); kind == '{' || kind == '[' {
			p.wrong(data.at(m.name), "must be a string, a number, true, false or null")
		}
		tag.Data[m.name] = json.RawMessage(m.value.Clone())
	}
	return tag
}

// wrong adds an error.
func (p *parser) wrong(at jsontext.Pointer, detail string) {
	p.errors = append(p.errors, FieldError{Pointer: string(at), Detail: detail})
}

// err returns the errors, or nil.
func (p *parser) err() error {
	if len(p.errors) == 0 {
		return nil
	}
	return p.errors
}

// root checks that data is one JSON value within the limits, without duplicate keys and
// in valid UTF-8.
func (p *parser) root(data []byte) (jsontext.Value, bool) {
	if len(data) > MaxDocumentBytes {
		p.wrong("", fmt.Sprintf("must be at most %d bytes", MaxDocumentBytes))
		return nil, false
	}
	value, err := single(data)
	if err == nil {
		return value, true
	}
	var at jsontext.Pointer
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at = syntax.JSONPointer
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		p.wrong(at, "appears twice in its object")
	case at == "" && len(data) == 0:
		p.wrong("", "must be JSON, not empty")
	default:
		p.wrong(at, "must be well-formed JSON in UTF-8")
	}
	return nil, false
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
