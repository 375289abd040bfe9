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

// flaw is a value that differs from the interface.
type flaw struct {
	at       jsonvalue.Value
	expected string
	mild     bool   // allowed by the interface, but useless
	says     string // what is wrong, in a sentence; "": made from the value
	hint     string // what to change; "": the check's hint
}

// flawsOf compares an object with its shape.
func flawsOf(v jsonvalue.Value, shape []member) []flaw {
	if !v.IsObject() {
		return []flaw{{at: v, expected: "object"}}
	}
	var flaws []flaw
	for _, m := range shape {
		child := v.At(m.key)
		switch {
		case child.Kind() != m.kind:
			flaws = append(flaws, flaw{at: child, expected: m.kind})
		case m.kind == "string" && !child.HasText():
			flaws = append(flaws, flaw{at: child, expected: "string, not empty", mild: true})
		}
	}
	return flaws
}

// journeyPart is a member of a journey and the function that compares it with the interface.
type journeyPart struct {
	key   string
	flaws func(jsonvalue.Value) []flaw
}

func shaped(shape []member) func(jsonvalue.Value) []flaw {
	return func(v jsonvalue.Value) []flaw { return flawsOf(v, shape) }
}

// bookedParts are the members that describe a booking, journeyParts all of a journey.
var (
	bookedParts = []journeyPart{
		{"date", dateFlaws}, {"pickup", addressFlaws}, {"dropoffs", addressesFlaws}, {"passenger", shaped(passengerShape)},
	}
	journeyParts = append(slices.Clone(bookedParts),
		journeyPart{"eta", shaped(etaShape)}, journeyPart{"price", shaped(priceShape)},
		journeyPart{"vehicle", shaped(vehicleShape)}, journeyPart{"driver", shaped(driverShape)}, journeyPart{"location", pointFlaws},
	)
)

// pointFlaws compares a Point with the interface, its range included.
func pointFlaws(v jsonvalue.Value) []flaw {
	flaws := flawsOf(v, pointShape)
	if len(flaws) > 0 {
		return flaws
	}
	for _, c := range []struct {
		key   string
		limit float64
	}{{"longitude", 180}, {"latitude", 90}} {
		if n := v.At(c.key).Number(); n < -c.limit || n > c.limit {
			flaws = append(flaws, flaw{at: v.At(c.key), expected: fmt.Sprintf("number from %v to %v", -c.limit, c.limit)})
		}
	}
	return flaws
}

// addressFlaws compares an Address with the interface.
func addressFlaws(v jsonvalue.Value) []flaw {
	flaws := flawsOf(v, []member{{"address", "string"}, {"location", "object"}})
	if v.At("location").IsObject() {
		flaws = append(flaws, pointFlaws(v.At("location"))...)
	}
	return flaws
}

// addressesFlaws compares an array of Address with the interface.
func addressesFlaws(v jsonvalue.Value) []flaw {
	if !v.IsArray() {
		return []flaw{{at: v, expected: "array"}}
	}
	var flaws []flaw
	for _, a := range v.Items() {
		flaws = append(flaws, addressFlaws(a)...)
	}
	return flaws
}

// settingsFlaws compares features, options and skipDropOff with the interface. null
// counts as absent and has its own check.
func settingsFlaws(data jsonvalue.Value) []flaw {
	var flaws []flaw
	for _, key := range []string{"features", "options"} {
		list := data.At(key)
		if list.Given() && !list.IsArray() {
			flaws = append(flaws, flaw{at: list, expected: "array of strings"})
		}
		for _, item := range list.Items() {
			if !item.IsText() {
				flaws = append(flaws, flaw{at: item, expected: "string"})
			}
		}
	}
	if skip := data.At("skipDropOff"); skip.Given() && !skip.IsBool() {
		flaws = append(flaws, flaw{at: skip, expected: "boolean"})
	}
	return flaws
}

// judgeFlaws files flaws as failures of a check, mild ones as warnings, and a pass if there
// are none. It reports whether all flaws are mild.
func judgeFlaws(s *conformance.Findings, id string, flaws []flaw, xs ...*conformance.Exchange) bool {
	fine := true
	for _, f := range flaws {
		says := f.says
		if says == "" {
			says = conformance.Describe(f.at, f.expected)
		}
		switch {
		case f.mild:
			s.Warn(id, says, f.expected, f.at, xs...)
		case f.says != "":
			s.Fail(id, says, f.expected, f.at, xs...)
			fine = false
		default:
			fine = s.Want(id, false, f.at, f.expected, xs...)
		}
		s.Suggest(f.hint)
	}
	if len(flaws) == 0 {
		s.Pass(id, xs...)
	}
	return fine
}

// spelled reports whether a status is spelled as the interface spells it.
func spelled(v jsonvalue.Value) bool { return taxi.Status(v.Text()).Known() }

// judgeSpelling judges whether a status is one of the interface.
func judgeSpelling(check string, status jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) bool {
	ok := s.Want(check, spelled(status), status, statusList, x)
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

// isNumber reports whether a text is only a telephone number.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789 +-().") == "" }
