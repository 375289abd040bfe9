package dispatchside

import (
	"cmp"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func moneyProbes() []probe {
	return []probe{
		{name: rules.ProbeShortAndLong, checks: ids("ENR-21 ENR-22 ENR-23 ENR-24 ENR-25"), run: shortAndLong},
	}
}

// shortAndLong books a short trip, edits it into a long one and back, and books the long
// one. A server may refuse places outside its area.
func shortAndLong(c *testUser) {
	c.ensureKnown()
	short := c.booking()
	from, near, far := c.nearAndFar()
	short["pickup"], short["dropoffs"] = from, []taxi.Address{near}
	long := with(short, object{"dropoffs": []taxi.Address{far}})
	j := c.bookAs(short)
	j.status()
	j.status()
	for _, trip := range []object{long, short} {
		c.tryBook(with(trip, object{"journeyId": j.id, "userId": c.userID}), rules.IntentFare)
		c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids())})
	}
	if x := c.tryBook(long, rules.IntentFare); rules.Served(x) {
		other := &bookedJourney{id: x.Reply().At("journeyId").Scalar(), user: c}
		other.status()
	}
	c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Intent: conformance.IntentPlain})
}

// nearAndFar returns a place, a second about a kilometre from it and a third about ten kilometres;
// of given places, the nearest and the farthest.
func (in inventor) nearAndFar() (from, near, far taxi.Address) {
	from, near, far = in.place(), in.place(), in.place()
	if given := in.target.Places; len(given) > 0 {
		others := slices.DeleteFunc(slices.Clone(given), func(a taxi.Address) bool { return *a.Location == *from.Location })
		if len(others) == 0 {
			return from, near, far
		}
		slices.SortFunc(others, func(a, b taxi.Address) int {
			return cmp.Compare(rules.Apart(*from.Location, *a.Location), rules.Apart(*from.Location, *b.Location))
		})
		return from, others[0], others[len(others)-1]
	}
	const kilometre = 0.009 // degrees of latitude
	near.Location = &taxi.Point{Longitude: from.Location.Longitude, Latitude: round(from.Location.Latitude + kilometre)}
	far.Location = &taxi.Point{Longitude: from.Location.Longitude, Latitude: round(from.Location.Latitude + 10*kilometre)}
	return from, near, far
}
