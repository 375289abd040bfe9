package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// member is a required member of an object and its JSON type.
type member struct{ key, kind string }

// The objects of the interface, with their required members.
var (
	etaShape       = []member{{"value", "number"}, {"unit", "string"}}
	priceShape     = []member{{"value", "number"}, {"currency", "string"}}
	passengerShape = []member{{"phoneNumber", "string"}, {"name", "string"}}
	vehicleShape   = []member{{"description", "string"}, {"registration", "string"}}
	driverShape    = []member{{"name", "string"}, {"phoneNumber", "string"}, {"badgeNumber", "string"}}
	pointShape     = []member{{"longitude", "number"}, {"latitude", "number"}}
)

// Flaw is a value that differs from the interface.
type Flaw struct {
	At       jsonvalue.Value
	Expected string
	mild     bool   // allowed by the interface, but useless
	says     string // what is wrong, in a sentence; "": made from the value
	hint     string // what to change; "": the check's hint
}

// flawsOf returns the differences of an object from its shape: members that are missing, empty or of another type.
func flawsOf(v jsonvalue.Value, shape []member) []Flaw {
	if !v.IsObject() {
		return []Flaw{{At: v, Expected: "object"}}
	}
	var flaws []Flaw
	for _, m := range shape {
		child := v.At(m.key)
		switch {
		case child.Kind() != m.kind:
			flaws = append(flaws, Flaw{At: child, Expected: m.kind})
		case m.kind == "string" && !child.HasText():
			flaws = append(flaws, Flaw{At: child, Expected: "string, not empty", mild: true})
		}
	}
	return flaws
}

// journeyPart is a member of a journey and the function that compares it with the interface.
type journeyPart struct {
	key   string
	flaws func(jsonvalue.Value) []Flaw
}

func shaped(shape []member) func(jsonvalue.Value) []Flaw {
	return func(v jsonvalue.Value) []Flaw { return flawsOf(v, shape) }
}

// bookedParts are the members of a journey that describe its booking; journeyParts are all its members.
var (
	bookedParts = []journeyPart{
		{"date", dateFlaws}, {"pickup", addressFlaws}, {"dropoffs", addressesFlaws}, {"passenger", shaped(passengerShape)},
	}
	journeyParts = append(slices.Clone(bookedParts),
		journeyPart{"eta", shaped(etaShape)}, journeyPart{"price", shaped(priceShape)},
		journeyPart{"vehicle", shaped(vehicleShape)}, journeyPart{"driver", shaped(driverShape)}, journeyPart{"location", pointFlaws},
	)
)

// IsETA reports whether a value has the members that the interface requires of an eta. Its unit may be any text.
func IsETA(eta jsonvalue.Value) bool { return len(flawsOf(eta, etaShape)) == 0 }

// IsPrice reports whether a value has the members that the interface requires of a price.
func IsPrice(price jsonvalue.Value) bool { return len(flawsOf(price, priceShape)) == 0 }

// IsPoint reports whether a value is a Point of the interface, within its range.
func IsPoint(point jsonvalue.Value) bool { return len(pointFlaws(point)) == 0 }

// pointFlaws returns the differences of a value from a Point of the interface, including its range.
func pointFlaws(v jsonvalue.Value) []Flaw {
	flaws := flawsOf(v, pointShape)
	if len(flaws) > 0 {
		return flaws
	}
	for _, c := range []struct {
		key   string
		limit float64
	}{{"longitude", 180}, {"latitude", 90}} {
		if n := v.At(c.key).Number(); n < -c.limit || n > c.limit {
			flaws = append(flaws, Flaw{At: v.At(c.key), Expected: fmt.Sprintf("number from %v to %v", -c.limit, c.limit)})
		}
	}
	return flaws
}

// addressFlaws returns the differences of a value from an Address of the interface.
func addressFlaws(v jsonvalue.Value) []Flaw {
	flaws := flawsOf(v, []member{{"address", "string"}, {"location", "object"}})
	if v.At("location").IsObject() {
		flaws = append(flaws, pointFlaws(v.At("location"))...)
	}
	return flaws
}

// addressesFlaws returns the differences of a value from an array of Address.
func addressesFlaws(v jsonvalue.Value) []Flaw {
	if !v.IsArray() {
		return []Flaw{{At: v, Expected: "array"}}
	}
	var flaws []Flaw
	for _, a := range v.Items() {
		flaws = append(flaws, addressFlaws(a)...)
	}
	return flaws
}

// settingsFlaws returns the differences of features, options and skipDropOff from the interface.
// null counts as absent, since it has its own check.
func settingsFlaws(data jsonvalue.Value) []Flaw {
	var flaws []Flaw
	for _, key := range []string{"features", "options"} {
		list := data.At(key)
		if list.Given() && !list.IsArray() {
			flaws = append(flaws, Flaw{At: list, Expected: "array of strings"})
		}
		for _, item := range list.Items() {
			if !item.IsText() {
				flaws = append(flaws, Flaw{At: item, Expected: "string"})
			}
		}
	}
	if skip := data.At("skipDropOff"); skip.Given() && !skip.IsBool() {
		flaws = append(flaws, Flaw{At: skip, Expected: "boolean"})
	}
	return flaws
}

// judgeFlaws records each flaw as a failure of a check, or as a warning if it is mild, and a pass
// if there are none. It returns false if any is a failure.
func judgeFlaws(s *conformance.Findings, id string, flaws []Flaw, xs ...*conformance.Exchange) bool {
	fine := true
	for _, f := range flaws {
		says := f.says
		if says == "" {
			says = conformance.Describe(f.At, f.Expected)
		}
		switch {
		case f.mild:
			s.Warn(id, says, f.Expected, f.At, xs...)
		case f.says != "":
			s.Fail(id, says, f.Expected, f.At, xs...)
			fine = false
		default:
			fine = s.Want(id, false, f.At, f.Expected, xs...)
		}
		s.Suggest(f.hint)
	}
	if len(flaws) == 0 {
		s.Pass(id, xs...)
	}
	return fine
}

// Spelled reports whether a status is spelled as the interface spells it.
func Spelled(v jsonvalue.Value) bool { return taxi.Status(v.Text()).Known() }

// judgeSpelling judges whether a status is one of the interface, and reports whether it is.
func judgeSpelling(check string, status jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) bool {
	ok := s.Want(check, Spelled(status), status, statusList, x)
	if !ok {
		s.Suggest(statusSlip(status))
	}
	return ok
}

// statusList names the eight statuses for a report.
var statusList = func() string {
	var words []string
	for _, s := range taxi.Statuses() {
		words = append(words, string(s))
	}
	return "string, one of " + strings.Join(words, ", ")
}()
