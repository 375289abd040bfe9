package rules

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// saidRows is the check that compares /book with everything that the caller said, and its judge.
var saidRows = []row{
	{check("P-85", must, onBook, bookFields, "/book is what the caller said: the pickup, every drop-off in order, the vehicle category, the name, and the caller's number in E.164.", "The taxi goes to another place, or for another person, or another car comes.", "Send each answer of the caller in its member."), judgeSaid},
}

// judgeSaid judges whether each booking and edit has what the caller said. P-76 judges the time;
// P-74 and P-75 judge what an edit repeats.
func judgeSaid(s *sheet, c conformance.Check) {
	earlier := s.earlierCategories()
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
			} else if earlier[x] {
				s.Fail(c.ID, "the vehicle category of an earlier booking was sent, and none was said", "no category", x.Sent().At("vehicleCategory"), x)
				s.Suggest("Start each booking empty: what a caller said in another call is not said in this one.")
			} else if v := x.Sent().At("vehicleCategory"); r.task.VehicleCategory != "" && v.Text() != r.task.VehicleCategory {
				s.Warn(c.ID, "the vehicle category is sent in other letters than it was said", r.task.VehicleCategory, v, x)
			} else if v := x.Sent().At("pickup").At("address"); r.task.Pickup != nil && v.HasText() && lacksHouseNumber(v.Text(), r.task.Pickup.Address) {
				s.Warn(c.ID, "the flat or the house that was said is not in the address of the pickup", r.task.Pickup.Address, v, x)
			} else {
				s.Pass(c.ID, x)
			}
		}
	}
}

// earlierCategories returns the bookings with a vehicle category that the caller said in an earlier request,
// but not in this one. It omits categories that the platform also sends for callers who never said them.
func (s *sheet) earlierCategories() map[*conformance.Exchange]bool {
	said, own, earlier := map[string]bool{}, map[string]bool{}, map[*conformance.Exchange]bool{}
	for _, r := range s.requests {
		if !r.wants(WantBook) {
			continue
		}
		for _, x := range r.of(OpBook) {
			category := strings.ToLower(x.Sent().At("vehicleCategory").Text())
			switch known := said[r.task.Caller+" "+category]; {
			case category == "" || r.task.VehicleCategory != "":
			case known:
				earlier[x] = true
			default:
				own[category] = true
			}
		}
		said[r.task.Caller+" "+strings.ToLower(r.task.VehicleCategory)] = true
	}
	maps.DeleteFunc(earlier, func(x *conformance.Exchange, _ bool) bool {
		return own[strings.ToLower(x.Sent().At("vehicleCategory").Text())]
	})
	return earlier
}

// unlikeSaid returns a message about the first member of a /book that differs from what the caller said, what was expected and
// the member; message is "" if none differs.
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
	case !number.HasText() || jsonvalue.Digits(number.Text()) == t.Caller:
	case strings.HasSuffix(t.Caller, strings.TrimLeft(jsonvalue.Digits(number.Text()), "0")):
		return "the caller's number is not in E.164", "+" + t.Caller, number
	case t.Want == WantBook: // P-75 judges that of an edit
		return "another number was sent than the caller's", "+" + t.Caller, number
	}
	return "", "", v
}

// unlikeStops returns how the drop-offs that were sent differ from those that were said, or "".
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

// isPlace reports whether an address has the location that was said, or a text that contains the other or is contained in it.
func isPlace(v jsonvalue.Value, said taxi.Address) bool {
	text, want := plainText(v.At("address").Text()), plainText(said.Address)
	if text != "" && (strings.Contains(text, want) || strings.Contains(want, text)) {
		return true
	}
	at := v.At("location")
	return said.Location != nil && at.At("longitude").IsNumber() && at.At("latitude").IsNumber() &&
		math.Abs(at.At("longitude").Number()-said.Location.Longitude) < near && math.Abs(at.At("latitude").Number()-said.Location.Latitude) < near
}

// lacksHouseNumber reports whether one of the first three words of a spoken address contains a digit, as the number of a flat
// or a house does, and is missing from the address that was sent.
func lacksHouseNumber(sent, said string) bool {
	const first = 3
	words, has := strings.Fields(plainText(said)), strings.Fields(plainText(sent))
	return slices.ContainsFunc(words[:min(first, len(words))], func(w string) bool {
		return strings.ContainsAny(w, "0123456789") && !slices.Contains(has, w)
	})
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
