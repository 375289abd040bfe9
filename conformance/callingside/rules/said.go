package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// saidRows compare /book with everything that the caller said.
var saidRows = []row{
	{check("P-85", must, onBook, bookFields, "/book is what the caller said: the pickup, every drop-off in order, the vehicle category, the name, and the caller's number in E.164.", "The taxi goes to another place, or for another person, or another car comes.", "Send each answer of the caller in its member."), judgeSaid},
}

// judgeSaid judges every booking and edit of a driven request. P-76 judges the time, and P-74 and P-75 what an edit
// repeats.
func judgeSaid(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if !r.wants(WantBook, WantEdit) || r.task.Withheld || r.is("P-71") { // calls at once cannot be told apart
			continue
		}
		for _, x := range r.of(OpBook) {
			if r.wants(WantEdit) != x.Sent().At("journeyId").HasText() || !x.Sent().At("pickup").IsObject() || x.Intent == IntentRedirected {
				continue // P-08, P-11 and P-12 judge it
			}
			if message, expected, v := unlikeSaid(r, x); message != "" {
				s.Fail(c.ID, message, expected, v, x)
			} else {
				s.Pass(c.ID, x)
			}
		}
	}
}

// unlikeSaid returns the first member of a /book that differs from what the caller said; "": none does.
func unlikeSaid(r *request, x *conformance.Exchange) (message, expected string, v jsonvalue.Value) {
	sent, t := x.Sent(), r.task
	name, number, category := sent.At("name"), sent.At("phoneNumber"), sent.At("vehicleCategory")
	if t.Pickup != nil && !isPlace(sent.At("pickup"), *t.Pickup) {
		return "another pickup was sent than was said", t.Pickup.Address, sent.At("pickup")
	}
	if message := unlikeStops(sent.At("dropoffs").Items(), t.Dropoffs); message != "" && !r.switches().skip {
		return message, listOf(t.Dropoffs), sent.At("dropoffs")
	}
	switch {
	case t.VehicleCategory != "" && !category.Given():
		return "a vehicle category was said, and none was sent", t.VehicleCategory, category
	case t.VehicleCategory != "" && !strings.EqualFold(category.Text(), t.VehicleCategory):
		return "another vehicle category was sent than was said", t.VehicleCategory, category
	case t.Name != "" && name.HasText() && plainText(name.Text()) != plainText(t.Name):
		return "another name was sent than was said", t.Name, name
	case t.Want == WantBook && number.HasText() && jsonvalue.Digits(number.Text()) != t.Caller:
		if strings.HasSuffix(t.Caller, strings.TrimLeft(jsonvalue.Digits(number.Text()), "0")) {
			return "the caller's number is not in E.164", "+" + t.Caller, number
		}
		return "another number was sent than the caller's", "+" + t.Caller, number
	}
	return "", "", v
}

// unlikeStops says how the drop-offs that were sent differ from those that were said; "": they do not.
func unlikeStops(sent []jsonvalue.Value, said []taxi.Address) string {
	if len(said) == 0 || len(sent) == 0 { // P-08 judges that there is one
		return ""
	}
	if len(sent) != len(said) {
		were := "was"
		if len(said) > 1 {
			were = "were"
		}
		return fmt.Sprintf("%s %s said, and %d sent", conformance.Count(len(said), "drop-off"), were, len(sent))
	}
	for i, v := range sent {
		if isPlace(v, said[i]) {
			continue
		}
		if slices.ContainsFunc(said, func(a taxi.Address) bool { return isPlace(v, a) }) {
			return "the drop-offs are sent in another order than they were said"
		}
		return fmt.Sprintf("drop-off %d is another place than was said", i+1)
	}
	return ""
}

// isPlace reports an address with the text that was said, in part, or with its location.
func isPlace(v jsonvalue.Value, said taxi.Address) bool {
	text, want := plainText(v.At("address").Text()), plainText(said.Address)
	if text != "" && (strings.Contains(text, want) || strings.Contains(want, text)) {
		return true
	}
	at := v.At("location")
	return said.Location != nil && at.At("longitude").IsNumber() && at.At("latitude").IsNumber() &&
		math.Abs(at.At("longitude").Number()-said.Location.Longitude) < near && math.Abs(at.At("latitude").Number()-said.Location.Latitude) < near
}

// plainText returns a text in small letters, without punctuation and with single spaces.
func plainText(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.;\t\n", r) }), " ")
}

func listOf(places []taxi.Address) string {
	var all []string
	for _, p := range places {
		all = append(all, p.Address)
	}
	return strings.Join(all, "; ")
}
