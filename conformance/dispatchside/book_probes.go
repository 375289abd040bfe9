package dispatchside

import (
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func bookProbes() []probe {
	return []probe{
		{name: rules.ProbeBookingForms, checks: ids("BOK-02 BOK-03 BOK-14 BOK-34 BOK-35"), run: bookingForms},
		{name: rules.ProbePickupTimes, checks: ids("BOK-10 BOK-11 BOK-12 BOK-13 BOK-41"), run: pickupTimes},
		{name: rules.ProbeReadBack, checks: ids("BOK-32 BOK-33 STA-06 STA-11 STA-12 STA-15 STA-16 STA-17"), run: readBackStory},
		{name: rules.ProbeAgreedPrice, checks: ids("ENR-07"), run: agreedPrice, aid: conformance.AidFixtures},
		{name: rules.ProbeSomebodyElse, checks: ids("BOK-08 BOK-36"), users: 3, run: forSomebodyElse},
		{name: rules.ProbeIncomplete, checks: ids("BOK-24 BOK-25 BOK-26 BOK-27 BOK-28 BOK-29"), run: incompleteBookings},
		{name: rules.ProbeImpossible, checks: ids("BOK-30 BOK-31 BOK-37 BOK-39 BOK-40 W-14"), run: impossibleBookings},
	}
}

func bookingForms(c *testUser) {
	c.bookAs(with(c.booking(), object{"userId": nil})).cancel() // each is cancelled: a server may limit the open bookings of a user
	noID := c.booking()
	noID["journeyId"] = nil // with would remove a nil member
	c.bookAs(noID).cancel()
	c.bookAs(with(c.booking(), object{"data": object{"notes": c.uniqueText(), "party": object{"bags": 2}}})).cancel()
	c.bookAs(with(c.booking(), object{"phoneNumber": "+" + c.phone})).cancel()
	c.bookAs(with(c.booking(), object{"data": nested(8 << 10)})).cancel()
	c.tryBook(with(c.booking(), object{"vehicleCategory": "CATEGORY-" + c.uniqueText()}), rules.IntentCategory)
}

// nested returns an object of about size bytes, five levels deep.
func nested(size int) object {
	leaf := object{"text": strings.Repeat("taxi ", size/5)}
	for range 4 {
		leaf = object{"inner": leaf}
	}
	return leaf
}

func pickupTimes(c *testUser) {
	at := c.pickup()
	zones := []*time.Location{time.FixedZone("", 3600), time.FixedZone("", -5*3600-1800), time.UTC}
	for _, zone := range zones {
		j := c.bookAs(with(c.booking(), object{"pickupTime": at.In(zone).Format(time.RFC3339)}))
		j.status()
		c.lookUp()
		j.cancel()
	}
	j := c.bookAs(with(c.booking(), object{"pickupTime": at.Format("2006-01-02T15:04:05.000Z")}))
	j.status()
	j.cancel()
	now := c.target.Now().UTC().Truncate(time.Second)
	j = c.bookAs(with(c.booking(), object{"pickupTime": now.Add(time.Minute).Format(time.RFC3339)}))
	j.status()                                               // shows the eta of an immediate taxi, if there is one
	c.post(rules.OpCancel, j.ids(), conformance.IntentPlain) // may be too late
	c.tryBook(with(c.booking(), object{"pickupTime": now.Add(-24 * time.Hour).Format(time.RFC3339)}), conformance.IntentPlain)
	j = c.book()
	for _, form := range []string{at.Format("2006-01-02T15:04:05,000Z"), at.In(zones[0]).Format("2006-01-02T15:04:05-0700"), at.Format("2006-01-02T15:04:05")} {
		c.tryBook(j.edited(object{"pickupTime": form}), rules.IntentTimeForm)
	}
}

func readBackStory(c *testUser) {
	c.ensureKnown()
	j := c.book()
	j.status()
	c.lookUp()
	j.status()
	j.cancel()
}

// agreedPrice books, reads and cancels a journey, on the target's route with a fixed price if it names one.
func agreedPrice(c *testUser) {
	c.ensureKnown()
	trip, intent := c.booking(), conformance.IntentPlain
	if agreed := c.target.Agreed; agreed != nil {
		intent = rules.IntentAgreed
		trip = with(trip, object{"pickup": agreed.Pickup, "dropoffs": []taxi.Address{agreed.Dropoff}})
	}
	j := c.bookAs(trip)
	c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Intent: intent, Sound: true})
	c.lookUp()
	j.status()
	j.cancel()
}

// forSomebodyElse books under the caller's userId for a passenger whom the server does
// not know, and for one who has an account. Then somebody else goes instead.
func forSomebodyElse(c *testUser) {
	c.ensureKnown()
	friend := c.anotherUser()
	var j *bookedJourney
	for range 2 { // the second time, the server knows the friend
		j = c.bookAs(with(c.booking(), object{"name": friend.name, "phoneNumber": friend.phone}))
		j.status()
		c.lookUp()
		friend.lookUp()
		friend.ensureKnown()
	}
	other := c.anotherUser()
	other.ensureKnown()
	j.edit(object{"name": other.name, "phoneNumber": other.phone})
	j.status()
}

func incompleteBookings(c *testUser) {
	for _, key := range []string{"name", "phoneNumber", "pickup", "dropoffs", "pickupTime"} {
		c.tryBook(with(c.booking(), object{key: nil}), conformance.IntentPlain)
	}
	c.tryBook(with(c.booking(), object{"dropoffs": []taxi.Address{}}), conformance.IntentPlain)
	c.tryBook(with(c.booking(), object{"name": ""}), conformance.IntentPlain)
	c.book()
}

func impossibleBookings(c *testUser) {
	p := c.place()
	for _, pickup := range []object{
		{"address": p.Address},
		{"location": p.Location},
		{"address": p.Address, "location": taxi.Point{Longitude: p.Location.Longitude, Latitude: 91}},
		{"address": p.Address, "location": taxi.Point{Longitude: 181, Latitude: p.Location.Latitude}},
	} {
		c.tryBook(with(c.booking(), object{"pickup": pickup}), conformance.IntentPlain)
	}
	noSuchDay := dayThatIsNot(c.target.Now())
	for _, at := range []any{"next Thursday", "2027-02-03", 1_800_000_000, noSuchDay + "T10:00:00Z", c.pickup().Format(time.RFC3339) + " tomorrow"} {
		c.tryBook(with(c.booking(), object{"pickupTime": at}), conformance.IntentPlain)
	}
	j := c.book()
	c.ensureUserID()
	for _, mistyped := range []object{{"journeyId": []string{j.id}}, {"journeyId": object{}}, {"vehicleCategory": []string{"x"}}, {"data": "taxi"}, {"userId": object{}}} {
		c.tryBook(j.edited(mistyped), rules.IntentMistyped)
	}
	c.book()
}

// edited returns the body of an edit: the booking with some members changed.
func (j *bookedJourney) edited(changes object) object {
	return with(with(j.booked, object{"journeyId": j.id, "userId": j.user.userID}), changes)
}

// dayThatIsNot returns a date that does not exist: the 31st of the next month with fewer days.
func dayThatIsNot(now time.Time) string {
	day := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	for {
		last := day.AddDate(0, 1, -1)
		if last.Day() < 31 && last.After(now.AddDate(0, 0, 2)) {
			return last.Format("2006-01") + "-31"
		}
		day = day.AddDate(0, 1, 0)
	}
}
