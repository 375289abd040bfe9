package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/inbound"
)

// refusal is an answer other than 200: a problem document (RFC 9457).
type refusal struct {
	Type      string     `json:"type"`
	Title     string     `json:"title"`
	Status    int        `json:"status"`
	Detail    string     `json:"detail"`
	Code      string     `json:"code"`
	Retryable bool       `json:"retryable"`
	Errors    []badField `json:"errors,omitempty"`

	Count    *int        `json:"count,omitempty"`   // of the calls that fit, where more were waited for
	Nearest  []NearMiss  `json:"nearest,omitempty"` // the calls that nearly fit
	Unproved []Shortfall `json:"failed,omitempty"`  // expectations that were not met
}

// badField is what is wrong with one member of a body, or one parameter.
type badField struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901) into the body; of a parameter, its name
	Code    string `json:"code"`    // "required", "type", "format", "range" or "unknown"
	Detail  string `json:"detail"`
}

// Error implements error.
func (r *refusal) Error() string { return r.Detail }

func refuse(status int, code, form string, args ...any) *refusal {
	return &refusal{Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code, Detail: fmt.Sprintf(form, args...)}
}

// wrongField refuses what stands at a pointer.
func wrongField(pointer, code, form string, args ...any) *refusal {
	detail := fmt.Sprintf(form, args...)
	r := refuse(http.StatusUnprocessableEntity, "validation-failed", "%s %s", pointer, detail)
	r.Errors = []badField{{pointer, code, detail}}
	return r
}

// fail answers with a problem document.
func fail(w http.ResponseWriter, err error) {
	r, is := errors.AsType[*refusal](err)
	if !is {
		r = refuse(http.StatusInternalServerError, "internal", "the journal failed")
	}
	text, err := live.Marshal(r)
	if err != nil {
		r = refuse(http.StatusInternalServerError, "internal", "the problem cannot be written")
		text, _ = json.Marshal(r)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(r.Status)
	_, _ = w.Write(text) // a caller who has gone needs no answer
}

// succeed answers with JSON.
func succeed(w http.ResponseWriter, v any) error {
	text, err := live.Marshal(v)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text) // a caller who has gone needs no answer
	return nil
}

// longestQuestion bounds the body of a call of the API, in bytes.
const longestQuestion = 64 << 10

// decodeQuestion reads the body of a call of the API. No body is {}.
func decodeQuestion(w http.ResponseWriter, r *http.Request, into any) error {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestQuestion))
	if tooLong, is := errors.AsType[*http.MaxBytesError](err); is {
		return refuse(http.StatusRequestEntityTooLarge, "body-too-large", "the body is longer than %d bytes", tooLong.Limit)
	}
	if err != nil {
		return refuse(http.StatusBadRequest, "malformed-body", "the body did not arrive: %v", err)
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		text = []byte("{}")
	}
	err = jsonv2.Unmarshal(text, into, jsonv2.RejectUnknownMembers(true))
	if wrong, is := errors.AsType[*jsonv2.SemanticError](err); is {
		at := string(wrong.JSONPointer)
		if errors.Is(err, jsonv2.ErrUnknownName) {
			return wrongField(at, "unknown", "is not known")
		}
		if at == "" {
			at = "/"
		}
		if len(wrong.JSONValue) == 0 { // the reader tells the kind of a plain value only
			return wrongField(at, "type", "is %s, which cannot stand here%s", inbound.KindName(wrong.JSONKind), example(at))
		}
		return wrongField(at, "type", "is %s, which cannot stand here%s", kindOf(wrong.JSONValue), example(at))
	}
	if err != nil {
		return refuse(http.StatusBadRequest, "malformed-body", "the body is not JSON as it should be: %v", err)
	}
	return nil
}

// example says how a member is written that is easily written otherwise.
func example(at string) string {
	if at == "/timeout" {
		return `; want a duration such as "5s"`
	}
	return ""
}

// member is one member of an object, in its order.
type member struct {
	name  string
	value jsontext.Value
}

// objectOf takes an object apart.
func objectOf(raw jsontext.Value, at string) ([]member, error) {
	if raw.Kind() != '{' {
		return nil, wrongField(at, "type", "is %s, want an object", kindOf(raw))
	}
	decoder := jsontext.NewDecoder(strings.NewReader(string(raw)))
	if _, err := decoder.ReadToken(); err != nil {
		return nil, refuse(http.StatusBadRequest, "malformed-body", "%v", err)
	}
	var all []member
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, refuse(http.StatusBadRequest, "malformed-body", "%v", err)
		}
		key := name.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, refuse(http.StatusBadRequest, "malformed-body", "%v", err)
		}
		all = append(all, member{key, value.Clone()})
		if len(all) > mostTerms {
			return nil, wrongField(at, "range", "has more than %d members", mostTerms)
		}
	}
	return all, nil
}

// clipped is a caller's own text for a sentence.
func clipped(text string) string { return jsonvalue.Clip(text, 40) }
