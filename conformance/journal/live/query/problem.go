package query

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Problem is a refusal (RFC 9457) with what the journal knows about it.
type Problem struct {
	taxi.Problem

	Count   *int        `json:"count,omitempty"`   // of the calls that fit, where more were waited for
	Nearest []NearMiss  `json:"nearest,omitempty"` // the calls that nearly fit
	Failed  []Shortfall `json:"failed,omitempty"`  // expectations that were not met
}

// Unwrap returns the problem without the members that the journal adds.
func (p *Problem) Unwrap() error { return &p.Problem }

// fail answers with a problem document.
func fail(w http.ResponseWriter, err error) {
	p, is := errors.AsType[*taxi.Problem](err)
	if !is {
		p = taxi.NewProblem(http.StatusInternalServerError, taxi.CodeInternal, "the journal failed")
	}
	var document any = p
	if own, is := errors.AsType[*Problem](err); is {
		document = own
	}
	text, err := live.Marshal(document)
	if err != nil {
		p = taxi.NewProblem(http.StatusInternalServerError, taxi.CodeInternal, "the problem cannot be written")
		p.Send(w)
		return
	}
	p.SendAs(w, json.RawMessage(text))
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
		return taxi.NewProblem(http.StatusRequestEntityTooLarge, "body-too-large", "the body is longer than %d bytes", tooLong.Limit)
	}
	if err != nil {
		return taxi.NewProblem(http.StatusBadRequest, "malformed-body", "the body did not arrive: %v", err)
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		text = []byte("{}")
	}
	faults, err := inbound.Reading{Known: true}.Read(text, into)
	if err != nil {
		return taxi.NewProblem(http.StatusBadRequest, "malformed-body", "the body is not JSON: %v", err)
	}
	if len(faults) == 0 {
		return nil
	}
	errs := make([]taxi.FieldError, len(faults))
	for i, f := range faults {
		if f.Code != "unknown" {
			f.Code, f.Detail = "type", f.Detail+example(f.Pointer)
		}
		errs[i] = taxi.FieldError{Pointer: cmp.Or(f.Pointer, "/"), Code: f.Code, Detail: f.Detail}
	}
	return taxi.InvalidFields(errs)
}

// example returns an example of a member that is easily written in another form.
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

// objectOf returns the members of a JSON object in their order.
func objectOf(raw jsontext.Value, at string) ([]member, error) {
	if raw.Kind() != '{' {
		return nil, taxi.InvalidField(at, "type", "is %s, want an object", kindOf(raw))
	}
	decoder := jsontext.NewDecoder(strings.NewReader(string(raw)))
	if _, err := decoder.ReadToken(); err != nil {
		return nil, taxi.NewProblem(http.StatusBadRequest, "malformed-body", "%v", err)
	}
	var all []member
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, taxi.NewProblem(http.StatusBadRequest, "malformed-body", "%v", err)
		}
		key := name.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, taxi.NewProblem(http.StatusBadRequest, "malformed-body", "%v", err)
		}
		all = append(all, member{key, value.Clone()})
		if len(all) > mostTerms {
			return nil, taxi.InvalidField(at, "range", "has more than %d members", mostTerms)
		}
	}
	return all, nil
}

// clipped shortens a client's text for a sentence.
func clipped(text string) string { return jsonvalue.Clip(text, 40) }
