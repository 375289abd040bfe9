package dispatch

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// refusalKind holds the common properties of all refusals with one code.
type refusalKind struct {
	status int
	title  string
	say    string        // a sentence for the person on the phone; empty: none
	retry  time.Duration // > 0: the same request may succeed after this long
}

// refusalKinds maps each code to its HTTP status and texts. It is the only place that
// defines them.
var refusalKinds = map[taxi.Code]refusalKind{
	taxi.CodeMalformedJSON:          {http.StatusBadRequest, "The body is not one JSON object", "", 0},
	taxi.CodeUnauthenticated:        {http.StatusUnauthorized, "Credentials are missing or wrong", "", 0},
	taxi.CodeForbidden:              {http.StatusForbidden, "Not allowed", "", 0},
	taxi.CodeUserBlacklisted:        {http.StatusForbidden, "Bookings are not taken from this user", sayPerson, 0},
	taxi.CodeUserDisabled:           {http.StatusForbidden, "Bookings are switched off for this user", sayPerson, 0},
	taxi.CodeNotFound:               {http.StatusNotFound, "No such address", "", 0},
	taxi.CodeUserNotFound:           {http.StatusNotFound, "No such user", "I do not know this number yet.", 0},
	taxi.CodeJourneyNotFound:        {http.StatusNotFound, "No such journey", "I cannot find that booking.", 0},
	taxi.CodeMethodNotAllowed:       {http.StatusMethodNotAllowed, "Wrong method", "", 0},
	taxi.CodeNotAcceptable:          {http.StatusNotAcceptable, "Only JSON is served here", "", 0},
	taxi.CodeRequestTimeout:         {http.StatusRequestTimeout, "The request took too long to arrive", "", time.Second},
	taxi.CodeJourneyInProgress:      {http.StatusConflict, "The passenger is on board", "You are already on your way.", 0},
	taxi.CodeJourneyClosed:          {http.StatusConflict, "The journey is over", "That journey is already over.", 0},
	taxi.CodeEditNotAllowed:         {http.StatusConflict, "Too late to change this", "It is too late to change that.", 0},
	taxi.CodeRequestInFlight:        {http.StatusConflict, "The same request is being answered", "", time.Second},
	taxi.CodeTooManyBookings:        {http.StatusConflict, "Too many bookings at once", "You have too many bookings already. " + sayPerson, 0},
	taxi.CodeCancelRefused:          {http.StatusConflict, "Too late to cancel", "Your taxi is at the door, so it is too late to cancel it.", 0},
	taxi.CodeTooLarge:               {http.StatusRequestEntityTooLarge, "The body is too large", "", 0},
	taxi.CodeUnsupportedMediaType:   {http.StatusUnsupportedMediaType, "The body must be application/json", "", 0},
	taxi.CodeValidationFailed:       {http.StatusUnprocessableEntity, "Some fields are not right", "Some of that did not make sense.", 0},
	taxi.CodePhoneInvalid:           {http.StatusUnprocessableEntity, "Not a phone number", "That is not a phone number.", 0},
	taxi.CodeAddressUnknown:         {http.StatusUnprocessableEntity, "The address has no place on the map", "I do not know that address.", 0},
	taxi.CodeOutsideServiceArea:     {http.StatusUnprocessableEntity, "Outside the area served", "We do not drive there.", 0},
	taxi.CodePickupInPast:           {http.StatusUnprocessableEntity, "The pickup time has passed", "That time has already passed.", 0},
	taxi.CodePickupTooFarAhead:      {http.StatusUnprocessableEntity, "The pickup time is too far ahead", "That is too far ahead to book.", 0},
	taxi.CodeTooManyDropoffs:        {http.StatusUnprocessableEntity, "Too many drop-offs", "That is too many stops.", 0},
	taxi.CodeUnknownVehicleCategory: {http.StatusUnprocessableEntity, "No such vehicle category", "We do not have that kind of car.", 0},
	taxi.CodeIdempotencyKeyReused:   {http.StatusUnprocessableEntity, "The Idempotency-Key was used for another request", "", 0},
	taxi.CodeRateLimited:            {http.StatusTooManyRequests, "Too many requests", "", time.Second},
	taxi.CodeInternal:               {http.StatusInternalServerError, "Something went wrong here", sayPerson, 0},
	taxi.CodeServiceClosed:          {http.StatusServiceUnavailable, "Closed", "We are closed at the moment.", 10 * time.Minute},
	taxi.CodeDispatchPaused:         {http.StatusServiceUnavailable, "Paused for maintenance", "Please try again in a few minutes.", time.Minute},
	taxi.CodeOutcomeUnknown:         {http.StatusServiceUnavailable, "It is not known whether this was done", "I am not sure that this was done. I will put you through to a person.", 2 * time.Second},
	taxi.CodeStorageUnavailable:     {http.StatusServiceUnavailable, "Bookings cannot be kept right now", "Please try again in a moment.", 2 * time.Second},
}

const sayPerson = "I will put you through to a person."

// Codes lists every code of this server's refusals.
func Codes() []taxi.Code { return sortedKeys(refusalKinds) }

// refuse makes the refusal for a code.
func refuse(code taxi.Code, format string, args ...any) *taxi.Problem {
	k := refusalKinds[code]
	return &taxi.Problem{
		Type:       "/problems/" + string(code),
		Title:      k.title,
		Status:     k.status,
		Detail:     fmt.Sprintf(format, args...),
		Code:       code,
		Retryable:  k.retry > 0,
		Say:        k.say,
		RetryAfter: k.retry,
	}
}

// refuseFields makes the refusal for invalid fields. If all fields have the same code and it
// is a code of a refusal (such as phone-invalid), the refusal has that code; otherwise it
// is validation-failed.
func refuseFields(errs []taxi.FieldError) *taxi.Problem {
	code := taxi.Code(errs[0].Code)
	for _, e := range errs {
		if _, own := refusalKinds[code]; !own || e.Code != errs[0].Code {
			code = taxi.CodeValidationFailed
			break
		}
	}
	p := refuse(code, "%s", summary(errs))
	p.Errors = errs
	return p
}

func summary(errs []taxi.FieldError) string {
	first := errs[0].Pointer + " " + errs[0].Detail
	if len(errs) == 1 {
		return first
	}
	return fmt.Sprintf("%s, and %d more", first, len(errs)-1)
}

// withJourney adds the journey to a refusal.
func withJourney(p *taxi.Problem, j *store.Journey) *taxi.Problem {
	p.JourneyID, p.JourneyStatus = j.JourneyID, j.Status
	return p
}

// problemOf converts any error to a refusal for the client. It replaces internal details
// with the code "internal".
func problemOf(err error) *taxi.Problem {
	if p, ok := errors.AsType[*taxi.Problem](err); ok {
		return p
	}
	_, damaged := errors.AsType[*store.Damage](err)
	switch {
	case damaged:
		return refuse(taxi.CodeInternal, "the record is damaged and was set aside; the server's log names it")
	case errors.Is(err, store.ErrUnknown):
		return refuse(taxi.CodeOutcomeUnknown, "it is not known whether this was done, and it may still come true: "+
			"/user and /status tell, or send the same bytes again, within the server's --duplicate-window or with the same Idempotency-Key; it is not done twice")
	case errors.Is(err, store.ErrUnavailable):
		return refuse(taxi.CodeStorageUnavailable, "nothing was changed; send the same request again")
	default:
		return refuse(taxi.CodeInternal, "the request id says which log line tells more")
	}
}

// journeyNotFound is the refusal for a journey that does not exist and for a journey of
// another user, so that clients cannot find out which ids exist.
func journeyNotFound() *taxi.Problem {
	return refuse(taxi.CodeJourneyNotFound, "this user has no such journey")
}

func sortedKeys[V any](m map[taxi.Code]V) []taxi.Code { return slices.Sorted(maps.Keys(m)) }
