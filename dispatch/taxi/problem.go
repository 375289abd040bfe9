package taxi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Code is the machine-readable name of a refusal, stable across releases.
// Decision: the interface shows no errors.
type Code string

// The codes, each with its HTTP status.
const (
	CodeMalformedJSON          Code = "malformed-json"           // 400
	CodeUnauthenticated        Code = "unauthenticated"          // 401
	CodeForbidden              Code = "forbidden"                // 403; for servers whose credentials differ in what they allow, which the reference's do not
	CodeUserBlacklisted        Code = "user-blacklisted"         // 403, /book only
	CodeUserDisabled           Code = "user-disabled"            // 403, /book only
	CodeNotFound               Code = "not-found"                // 404, no such path
	CodeUserNotFound           Code = "user-not-found"           // 404
	CodeJourneyNotFound        Code = "journey-not-found"        // 404, also for another user's journey
	CodeMethodNotAllowed       Code = "method-not-allowed"       // 405
	CodeNotAcceptable          Code = "not-acceptable"           // 406
	CodeRequestTimeout         Code = "request-timeout"          // 408
	CodeJourneyInProgress      Code = "journey-in-progress"      // 409
	CodeJourneyClosed          Code = "journey-closed"           // 409
	CodeEditNotAllowed         Code = "edit-not-allowed"         // 409
	CodeTooManyBookings        Code = "too-many-bookings"        // 409; the user has reached the limit
	CodeRequestInFlight        Code = "request-in-flight"        // 409
	CodeCancelRefused          Code = "cancel-refused"           // 409
	CodeTooLarge               Code = "too-large"                // 413
	CodeUnsupportedMediaType   Code = "unsupported-media-type"   // 415
	CodeValidationFailed       Code = "validation-failed"        // 422
	CodePhoneInvalid           Code = "phone-invalid"            // 422
	CodeAddressUnknown         Code = "address-unknown"          // 422
	CodeOutsideServiceArea     Code = "outside-service-area"     // 422
	CodePickupInPast           Code = "pickup-in-past"           // 422
	CodePickupTooFarAhead      Code = "pickup-too-far-ahead"     // 422
	CodeTooManyDropoffs        Code = "too-many-dropoffs"        // 422
	CodeUnknownVehicleCategory Code = "unknown-vehicle-category" // 422
	CodeIdempotencyKeyReused   Code = "idempotency-key-reused"   // 422
	CodeRateLimited            Code = "rate-limited"             // 429
	CodeInternal               Code = "internal"                 // 500
	CodeServiceClosed          Code = "service-closed"           // 503
	CodeDispatchPaused         Code = "dispatch-paused"          // 503
	CodeStorageUnavailable     Code = "storage-unavailable"      // 503; nothing was changed
	CodeOutcomeUnknown         Code = "outcome-unknown"          // 503; it may have been done, or be done later
)

// ProblemContentType is the media type of a refusal.
const ProblemContentType = "application/problem+json"

// Problem is a refusal (RFC 9457). A server writes it, and a [Client] returns it as its
// error. If the server did not send a problem document, Status is the HTTP status, Title
// its name, Detail the start of the body, and Code is empty.
type Problem struct {
	Type          string       `json:"type"` // where the refusal is explained: "/problems/" + code
	Title         string       `json:"title"`
	Status        int          `json:"status"`             // the HTTP status
	Detail        string       `json:"detail,omitempty"`   // what was wrong with this request
	Instance      string       `json:"instance,omitempty"` // the request's id
	Code          Code         `json:"code,omitempty"`
	Retryable     bool         `json:"retryable"` // the same request may succeed later
	JourneyID     JourneyID    `json:"journeyId,omitempty"`
	JourneyStatus Status       `json:"journeyStatus,omitempty"`
	Errors        []FieldError `json:"errors,omitempty"` // every invalid field
	Say           string       `json:"say,omitempty"`    // a sentence for the caller on the phone

	// RetryAfter is how long to wait before a retry, from the Retry-After header; 0 if
	// there is none.
	RetryAfter time.Duration `json:"-"`
}

// FieldError is the error of one field in a request.
type FieldError struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901) into the request body
	Code    string `json:"code"`    // "required", "type", "format", "range", "unknown", or a problem's code
	Detail  string `json:"detail"`
}

// NewProblem makes a refusal without a page that explains it: its type is about:blank.
func NewProblem(status int, code Code, format string, args ...any) *Problem {
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code, Detail: fmt.Sprintf(format, args...)}
}

// InvalidField makes the refusal for the member of a body at a JSON Pointer, or for a parameter by
// name; code is that of a [FieldError].
func InvalidField(pointer, code, format string, args ...any) *Problem {
	return InvalidFields([]FieldError{{Pointer: pointer, Code: code, Detail: fmt.Sprintf(format, args...)}})
}

// InvalidFields makes the refusal of one field or more. The detail is that of the first.
func InvalidFields(errs []FieldError) *Problem {
	p := NewProblem(http.StatusUnprocessableEntity, CodeValidationFailed, "%s", strings.TrimSpace(errs[0].Pointer+" "+errs[0].Detail))
	p.Errors = errs
	return p
}

// Send answers a request with the refusal.
func (p *Problem) Send(w http.ResponseWriter) { p.SendAs(w, p) }

// SendAs answers a request with the refusal in a document that may have further members.
func (p *Problem) SendAs(w http.ResponseWriter, document any) {
	h := w.Header()
	h.Set("Content-Type", ProblemContentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int((p.RetryAfter+time.Second-1)/time.Second)))
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(document) // its members always encode
	h.Set("Content-Length", strconv.Itoa(text.Len()))
	w.WriteHeader(p.Status)
	_, _ = w.Write(text.Bytes()) // a client that has gone needs no answer
}

// Error describes the refusal in one line.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", p.Status)
	switch {
	case p.Code != "":
		fmt.Fprintf(&b, " %s", p.Code)
	case p.Title != "":
		fmt.Fprintf(&b, " %s", p.Title)
	}
	if p.Detail != "" && len(p.Errors) == 0 { // the errors are more detailed
		fmt.Fprintf(&b, ": %s", p.Detail)
	}
	for i, e := range p.Errors {
		fmt.Fprintf(&b, "%c %s %s", ":;"[min(i, 1)], e.Pointer, e.Detail)
	}
	return b.String()
}

// Is matches another problem by code, so that errors.Is(err,
// &Problem{Code: CodeJourneyClosed}) works.
func (p *Problem) Is(target error) bool {
	t, ok := target.(*Problem)
	return ok && t.Code != "" && t.Code == p.Code
}
