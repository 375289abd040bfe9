package conformance

import (
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// member is a required member of an object and its JSON type.
type member struct{ key, kind string }

// The objects of the interface, with what is required in them.
var (
	etaShape       = []member{{"value", "number"}, {"unit", "string"}}
	priceShape     = []member{{"value", "number"}, {"currency", "string"}}
	passengerShape = []member{{"phoneNumber", "string"}, {"name", "string"}}
	vehicleShape   = []member{{"description", "string"}, {"registration", "string"}}
	driverShape    = []member{{"name", "string"}, {"phoneNumber", "string"}, {"badgeNumber", "string"}}
	pointShape     = []member{{"longitude", "number"}, {"latitude", "number"}}
)

// flaw is a value that is not what the interface describes.
type flaw struct {
	at       value
	expected string
	mild     bool // legal to the letter, and of no use
}

// flawsOf compares an object with its shape.
func flawsOf(v value, shape []member) []flaw {
	if !v.isObject() {
		return []flaw{{at: v, expected: "object"}}
	}
	var flaws []flaw
	for _, m := range shape {
		child := v.at(m.key)
		switch {
		case child.kind() != m.kind:
			flaws = append(flaws, flaw{at: child, expected: m.kind})
		case m.kind == "string" && !child.hasText():
			flaws = append(flaws, flaw{child, "string, not empty", true})
		}
	}
	return flaws
}

// pointFlaws compares a Point with the interface, its range included.
func pointFlaws(v value) []flaw {
	flaws := flawsOf(v, pointShape)
	if len(flaws) > 0 {
		return flaws
	}
	for _, c := range []struct {
		key   string
		limit float64
	}{{"longitude", 180}, {"latitude", 90}} {
		if n := v.at(c.key).number(); n < -c.limit || n > c.limit {
			flaws = append(flaws, flaw{at: v.at(c.key), expected: fmt.Sprintf("number from %v to %v", -c.limit, c.limit)})
		}
	}
	return flaws
}

// addressFlaws compares an Address with the interface.
func addressFlaws(v value) []flaw {
	flaws := flawsOf(v, []member{{"address", "string"}, {"location", "object"}})
	if v.at("location").isObject() {
		flaws = append(flaws, pointFlaws(v.at("location"))...)
	}
	return flaws
}

// addressesFlaws compares an array of Address with the interface.
func addressesFlaws(v value) []flaw {
	if !v.isArray() {
		return []flaw{{at: v, expected: "array"}}
	}
	var flaws []flaw
	for _, a := range v.items() {
		flaws = append(flaws, addressFlaws(a)...)
	}
	return flaws
}

// dateFlaws compares a date with ISO 8601.
func dateFlaws(v value) []flaw {
	if _, err := taxi.ParseTime(v.text()); err != nil {
		return []flaw{{at: v, expected: "string, an ISO 8601 date-time"}}
	}
	return nil
}

// settingsFlaws compares features, options and skipDropOff with the interface;
// null counts as absent and is a matter for its own check.
func settingsFlaws(data value) []flaw {
	var flaws []flaw
	for _, key := range []string{"features", "options"} {
		list := data.at(key)
		if list.given() && !list.isArray() {
			flaws = append(flaws, flaw{at: list, expected: "array of strings"})
		}
		for _, item := range list.items() {
			if !item.isText() {
				flaws = append(flaws, flaw{at: item, expected: "string"})
			}
		}
	}
	if skip := data.at("skipDropOff"); skip.given() && !skip.isBool() {
		flaws = append(flaws, flaw{at: skip, expected: "boolean"})
	}
	return flaws
}

// judgeFlaws files flaws as failures of a check, mild ones as warnings, or none as a
// pass. It reports whether there were none but mild ones.
func judgeFlaws(s *findings, id string, flaws []flaw, xs ...*Exchange) bool {
	fine := true
	for _, f := range flaws {
		if f.mild {
			s.warn(id, describe(f.at, f.expected), f.expected, f.at, xs...)
		} else {
			fine = s.want(id, false, f.at, f.expected, xs...)
		}
	}
	if len(flaws) == 0 {
		s.pass(id, xs...)
	}
	return fine
}

// spelled reports whether a status is spelled as the interface spells it.
func spelled(v value) bool { return taxi.Status(v.text()).Known() }

// statusList names the eight statuses for a report.
var statusList = func() string {
	var words []string
	for _, s := range taxi.Statuses() {
		words = append(words, string(s))
	}
	return "string, one of " + strings.Join(words, ", ")
}()

// isNumber reports a text that is a telephone number and nothing else.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789 +-().") == "" }
