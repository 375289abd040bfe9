package control

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// Codes of problems, beside those of the five operations.
const (
	codeWorldEnded  taxi.Code = "world-ended" // 503; it was reset or removed meanwhile
	codeNotReached  taxi.Code = "not-reached" // 409; the condition was not met
	codeTimePassed  taxi.Code = "time-passed" // 409; a clock cannot run back
	codeMisdirected taxi.Code = "misdirected" // 421; the request names another host
)

// errNoCall is the response to unknown paths.
var errNoCall error = taxi.NewProblem(http.StatusNotFound, taxi.CodeNotFound, "there is no such call; GET %s/ lists what there is", Prefix)

// pointerTo returns the JSON Pointer of an element of a list in the body.
func pointerTo(list string, element int) string { return "/" + list + "/" + strconv.Itoa(element) }

// below prefixes the pointers of an error about a member. Fields of a [host.Config] are
// renamed by pairs: the field, and the member of the body.
func below(pointer string, err error, fields ...string) error {
	if wrong, ok := errors.AsType[*host.ConfigError](err); ok {
		for i := 0; i < len(fields); i += 2 {
			if fields[i] == wrong.Field {
				return taxi.InvalidField(pointer+"/"+fields[i+1], "range", "%s", strings.TrimSpace(wrong.Says()))
			}
		}
		return err
	}
	if p, ok := errors.AsType[*taxi.Problem](err); ok && len(p.Errors) == 1 {
		return taxi.InvalidField(pointer+p.Errors[0].Pointer, p.Errors[0].Code, "%s", p.Errors[0].Detail)
	}
	return err
}

// statusOf maps the reasons of package worlds, which are also the codes, to statuses.
var statusOf = map[worlds.Why]int{
	worlds.NotFound: http.StatusNotFound, worlds.NoSnapshot: http.StatusNotFound, worlds.Taken: http.StatusConflict, worlds.TooMany: http.StatusConflict,
	worlds.TooManySnapshots: http.StatusConflict, worlds.TooManyListeners: http.StatusServiceUnavailable, worlds.Moving: http.StatusServiceUnavailable,
}

// problemOf converts an error for the client; nil means that it must only be logged.
func problemOf(err error) *taxi.Problem {
	if p, ok := errors.AsType[*taxi.Problem](err); ok {
		return p
	}
	if wrong, ok := errors.AsType[*host.ConfigError](err); ok {
		return taxi.InvalidField("/"+wrong.Field, "range", "%s", strings.TrimSpace(wrong.Says()))
	}
	if refused, ok := errors.AsType[*worlds.Refusal](err); ok {
		p := taxi.NewProblem(cmp.Or(statusOf[refused.Why], http.StatusConflict), taxi.Code(refused.Why), "%s", refused.Text)
		if refused.Why == worlds.Moving {
			p.RetryAfter, p.Retryable = time.Second, true
		}
		return p
	}
	if at, ok := errors.AsType[*worlds.Elsewhere](err); ok {
		return problemOf(&worlds.Refusal{Why: worlds.Moving, Text: at.Error()})
	}
	if refused, ok := asRefusal(err); ok {
		return problemOfRefusal(refused)
	}
	switch {
	case errors.Is(err, store.ErrUnknown):
		return later(taxi.CodeOutcomeUnknown, false, "it is not known whether this was done, and it may still be done: look before you ask again")
	case errors.Is(err, store.ErrUnavailable):
		return later(taxi.CodeStorageUnavailable, true, "the database does not answer; nothing was changed: ask again")
	case errors.Is(err, store.ErrNotFound):
		return taxi.NewProblem(http.StatusNotFound, taxi.CodeJourneyNotFound, "there is no such journey")
	case errors.Is(err, worlds.ErrEnded):
		return later(codeWorldEnded, false, "this world has ended; the call may have been made before")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return later(codeWorldEnded, false, "the request or its world ended before it was done; part of it may have been done")
	case errors.Is(err, simulator.ErrNotReached):
		return taxi.NewProblem(http.StatusConflict, codeNotReached, "what was waited for did not happen in time")
	}
	return nil
}

// later returns the problem of a call that can be repeated, at once if it was safely not executed.
func later(code taxi.Code, safe bool, says string) *taxi.Problem {
	p := taxi.NewProblem(http.StatusServiceUnavailable, code, "%s", says)
	p.RetryAfter, p.Retryable = 2*time.Second, safe
	return p
}

// Codes of orders that a world refuses.
const (
	codeNoVehicle taxi.Code = "vehicle-not-found" // 404
	codeConflict  taxi.Code = "conflict"          // 409; the current state does not allow it
)

// notFound maps a kind of object to the code for a missing one: the code of the
// operations, if they have one.
var notFound = map[simulator.Subject]taxi.Code{
	simulator.OfJourney: taxi.CodeJourneyNotFound, simulator.OfUser: taxi.CodeUserNotFound, simulator.OfVehicle: codeNoVehicle,
}

// Refused is the problem of a refused transition, with the possible ones.
type Refused struct {
	*taxi.Problem

	Legal []simulator.Way `json:"legal,omitempty"` // the possible transitions
}

// problemOfRefusal converts the refusal of an order.
func problemOfRefusal(r *simulator.Refusal) *taxi.Problem {
	var p *taxi.Problem
	switch {
	case r.Kind == simulator.RefusedUnknown && r.Field == "":
		p = taxi.NewProblem(http.StatusNotFound, notFound[r.Of], "%s", r.Detail)
	case r.Kind == simulator.RefusedConflict:
		p = taxi.NewProblem(http.StatusConflict, codeConflict, "%s", r.Detail)
	default:
		p = taxi.NewProblem(http.StatusUnprocessableEntity, taxi.CodeValidationFailed, "%s", r.Detail)
	}
	if r.Field != "" {
		p.Detail = r.Field + ": " + r.Detail
		p.Errors = []taxi.FieldError{{Pointer: r.Field, Code: "range", Detail: r.Detail}}
	}
	p.JourneyStatus = r.Status
	return p
}

// documentOf returns a problem with the additional members for its error.
func documentOf(err error, p *taxi.Problem) any {
	if r, ok := errors.AsType[*simulator.Refusal](err); ok {
		return Refused{p, r.Legal}
	}
	return p
}

func asRefusal(err error) (*simulator.Refusal, bool) { return errors.AsType[*simulator.Refusal](err) }

// noUser converts the error of an unknown user, which would otherwise look like that of a
// journey.
func noUser(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return taxi.NewProblem(http.StatusNotFound, taxi.CodeUserNotFound, "nobody has this id or number")
	}
	return err
}
