package control

import (
	"errors"
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// Codes of orders that a world refused.
const (
	codeNoVehicle taxi.Code = "vehicle-not-found" // 404
	codeConflict  taxi.Code = "conflict"          // 409; it does not fit how things stand
)

// notFound is how it is said that there is no such thing: as the operations say it, where
// they do.
var notFound = map[simulator.Subject]taxi.Code{
	simulator.OfJourney: taxi.CodeJourneyNotFound, simulator.OfUser: taxi.CodeUserNotFound, simulator.OfVehicle: codeNoVehicle,
}

// Refused is a problem that says what would have been possible.
type Refused struct {
	*taxi.Problem

	Legal []simulator.Way `json:"legal,omitempty"` // where the journey may go from where it is
}

// problemOfRefusal tells why a world refused an order.
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

// documentOf is the problem of an error with what it has beyond others.
func documentOf(err error, p *taxi.Problem) any {
	if r, ok := errors.AsType[*simulator.Refusal](err); ok {
		return Refused{p, r.Legal}
	}
	return p
}

func asRefusal(err error) (*simulator.Refusal, bool) { return errors.AsType[*simulator.Refusal](err) }

// noUser is the error of a user who does not exist, who would else be taken for a journey.
func noUser(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return taxi.NewProblem(http.StatusNotFound, taxi.CodeUserNotFound, "nobody has this id or number")
	}
	return err
}
