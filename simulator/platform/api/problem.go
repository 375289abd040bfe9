package api

import (
	"fmt"
	"strings"
	"time"
)

// ProblemContentType is the media type of a problem.
const ProblemContentType = "application/problem+json"

// Problem is a refusal (RFC 9457). Decision: the interface shows no error
// bodies, so clients of either common style find theirs: error and details say
// in short what the other members say in full. It is not a taxi.Problem: that has
// no such members, and its field errors have codes, which the documents of this API
// do not.
type Problem struct {
	Type     string       `json:"type"` // URL of the explanation: "/problems/" + code
	Title    string       `json:"title"`
	Status   int          `json:"status"` // the HTTP status
	Detail   string       `json:"detail,omitempty"`
	Instance string       `json:"instance,omitempty"` // the request's id
	Code     Code         `json:"code"`
	Errors   []FieldError `json:"errors,omitempty"` // all invalid fields
	Short    string       `json:"error"`            // the same as Code
	Details  Details      `json:"details"`

	// RetryAfter is the value of that header; 0: no header.
	RetryAfter time.Duration `json:"-"`
}

// Details is the member error of a problem, an object for clients that expect one.
type Details struct {
	Message string            `json:"message,omitempty"`
	Fields  map[string]string `json:"fields,omitempty"` // errors by JSON Pointer
	Role    string            `json:"role,omitempty"`   // the missing role
}

// FieldError is the error of one field.
type FieldError struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901); "" is the whole body
	Detail  string `json:"detail"`  // text for a person
}

// Error returns the problem in one line.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", p.Status, p.Code)
	if len(p.Errors) == 0 && p.Detail != "" {
		fmt.Fprintf(&b, ": %s", p.Detail)
	}
	for i, e := range p.Errors {
		fmt.Fprintf(&b, "%c %s %s", ":;"[min(i, 1)], e.Pointer, e.Detail)
	}
	return b.String()
}

// Is compares the codes of two problems.
func (p *Problem) Is(target error) bool {
	t, ok := target.(*Problem)
	return ok && t.Code == p.Code
}

// Refuse returns the problem of a code.
func Refuse(code Code, format string, args ...any) *Problem {
	k := kinds[code]
	detail := fmt.Sprintf(format, args...)
	return &Problem{
		Type:       "/problems/" + string(code),
		Title:      k.title,
		Status:     k.status,
		Detail:     detail,
		Code:       code,
		Short:      string(code),
		Details:    Details{Message: detail},
		RetryAfter: k.retry,
	}
}

// refuseFields returns the problem of invalid fields, or nil if there are none.
func refuseFields(errs []FieldError) error {
	if len(errs) == 0 {
		return nil
	}
	detail := errs[0].Pointer + " " + errs[0].Detail
	if n := len(errs) - 1; n > 0 {
		detail = fmt.Sprintf("%s, and %d more", detail, n)
	}
	p := Refuse(CodeValidation, "%s", detail)
	p.Errors = errs
	p.Details.Fields = make(map[string]string, len(errs))
	for _, e := range errs {
		p.Details.Fields[e.Pointer] = e.Detail
	}
	return p
}

// RefuseRole returns the problem of a user without a role.
func RefuseRole(role string) *Problem {
	p := Refuse(CodeRole, "this needs the role %s", role)
	p.Details.Role = role
	return p
}

// kind contains the status and the texts that all problems with one code have in common.
type kind struct {
	status int
	title  string
	retry  time.Duration // > 0: the same request may succeed after this long
}

// Explain returns the status and title of a code, and whether a retry may succeed; known is false for an unknown code.
func Explain(code Code) (status int, title string, retryable, known bool) {
	k, ok := kinds[code]
	return k.status, k.title, k.retry > 0, ok
}

// Conflict returns the problem of a field whose value is already in use.
func Conflict(pointer, format string, args ...any) error {
	p := Refuse(CodeConflict, pointer+" "+format, args...)
	detail := strings.TrimPrefix(p.Detail, pointer+" ")
	p.Errors = []FieldError{{Pointer: pointer, Detail: detail}}
	p.Details.Fields = map[string]string{pointer: detail}
	return p
}
