package control

import (
	"errors"
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

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

// Refused is a problem with the possible transitions.
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

// documentOf returns the problem of an error with its additional members.
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
