package mutants

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// question records that the caller is asked for something.
func (c *call) question(what string) { c.answer.Asked = append(c.answer.Asked, what) }

// book asks for what a booking needs and calls /book.
func (c *call) book() {
	if c.user["userId"] == nil && c.is(turnsTheUnknownAway) {
		c.say("We do not know you.")
		c.answer.Outcome = rules.OutcomeRejected
		return
	}
	if at := c.ask.PickupTime.Time; !at.IsZero() && at.Before(c.Now()) && !c.is(booksForYesterday) {
		c.transferToPerson(c.words("not booked", ""))
		return
	}
	c.question("pickup")
	c.question("time")
	dropoffs := c.ask.Dropoffs
	if c.is(nowIsTheTimeOfABookingAhead) {
		c.ask.PickupTime = taxi.Time{Time: c.Now()}
	}
	if !c.skip || c.is(alwaysAsksForTheDropOff) {
		c.question("dropoff")
	}
	if c.skip && !c.is(alwaysAsksForTheDropOff) {
		dropoffs = nil
	}
	body := object{"phoneNumber": "+" + digits(c.ask.From), "pickup": plainJSON(c.ask.Pickup), "pickupTime": c.pickupTime()}
	if c.ask.VehicleCategory != "" {
		body["vehicleCategory"] = c.ask.VehicleCategory
	}
	switch body["dropoffs"] = plainJSON(dropoffs); {
	case len(dropoffs) == 0 && c.is(noDropOffsWhereNoneIsAskedFor):
		body["dropoffs"] = []any{}
	case len(dropoffs) == 0:
		body["dropoffs"] = []any{body["pickup"]}
	}
	c.nameAndUser(body)
	c.spoil(body)
	if c.is(asksMore) {
		c.question("luggage")
		c.question("passengers")
	}
	c.send(body)
}

// nameAndUser fills in the name and the user of a booking.
func (c *call) nameAndUser(body object) {
	name, _ := c.user["name"].(string)
	switch {
	case c.ask.Name != "":
		c.questionName()
		name = c.ask.Name
	case name == "" && c.is(saysNull):
		name = "null"
	case name == "":
		c.questionName()
		name = "Guest"
	case c.is(asksEverybodyForTheName):
		c.questionName()
	}
	if c.is(alwaysGuest) {
		name = "Guest"
	}
	body["name"] = name
	if id := c.user["userId"]; id != nil && !c.is(noUserIdInBook) {
		body["userId"] = id
	}
	if c.user["userId"] == nil && c.is(aUserIdInvented) {
		body["userId"] = "guest"
	}
}

func (c *call) questionName() {
	if !c.is(neverAsksForTheName) {
		c.question("name")
	}
}

func (c *call) pickupTime() any {
	t := c.ask.PickupTime.Time
	if t.IsZero() {
		t = c.Now()
		if c.is(nowIsAnHourAgo) {
			t = t.Add(-time.Hour)
		}
		if c.is(localTimeWithAZ) {
			t = t.Add(time.Hour)
		}
	}
	if c.is(aPastTimeIsTomorrow) {
		for t.Before(c.Now()) {
			t = t.AddDate(0, 0, 1)
		}
	}
	switch {
	case c.is(theClocksNeverChange) && t.Sub(c.Now()) > 60*24*time.Hour:
		return t.Add(time.Hour).UTC().Format(time.RFC3339)
	case c.is(twelveHoursWithoutAHalf):
		return t.UTC().Format("2006-01-02T03:04:05Z")
	case c.is(theOffsetDropped):
		return t.Format("2006-01-02T15:04:05Z")
	case c.is(pickupTimeAsAnEpoch):
		return t.Unix()
	case c.is(pickupTimeInWords):
		return t.Format("02/01/2006 15:04")
	case c.is(pickupTimeWithoutAZone):
		return t.Format("2006-01-02T15:04:05")
	case c.is(pickupTimeInAnotherZone):
		return t.In(time.FixedZone("", 3600)).Format(time.RFC3339)
	}
	return t.UTC().Format(time.RFC3339)
}

// spoil makes the body of a /book wrong, as a faulty platform does.
func (c *call) spoil(body object) {
	for _, member := range []string{"name", "phoneNumber", "pickup", "dropoffs", "pickupTime"} {
		if c.is(withoutMember(member)) {
			delete(body, member)
		}
	}
	place, _ := body["pickup"].(object)
	where, _ := place["location"].(object)
	switch {
	case c.is(anEmptyJourneyIdToCreate):
		body["journeyId"] = ""
	case c.is(aNullJourneyIdToCreate):
		body["journeyId"] = nil
	case c.is(dropoffsEmpty):
		body["dropoffs"] = []any{}
	case c.is(longitudeAndLatitudeExchanged):
		where["longitude"], where["latitude"] = where["latitude"], where["longitude"]
	case c.is(noLocation):
		delete(place, "location")
	case c.is(coordinatesAsText):
		where["longitude"] = fmt.Sprint(where["longitude"])
	case c.is(anAddressWithoutItsText):
		place["address"] = ""
	case c.is(addressesInASCIIAlone):
		text, _ := place["address"].(string)
		place["address"] = strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII {
				return -1
			}
			return r
		}, text)
	case c.is(twoDropOffsAtMost):
		if stops, _ := body["dropoffs"].([]any); len(stops) > 2 {
			body["dropoffs"] = stops[:2]
		}
	case c.is(theCategoryInSmallLetters):
		if category, _ := body["vehicleCategory"].(string); category != "" {
			body["vehicleCategory"] = strings.ToLower(category)
		}
	case c.is(onlyTheFirstDropOff):
		if stops, _ := body["dropoffs"].([]any); len(stops) > 1 && body["journeyId"] == nil {
			body["dropoffs"] = stops[:1]
		}
	case c.is(dropOffsReversed):
		if stops, _ := body["dropoffs"].([]any); body["journeyId"] == nil {
			slices.Reverse(stops)
		}
	case c.is(pickupAndDropOffExchanged):
		if stops, _ := body["dropoffs"].([]any); len(stops) > 0 && body["journeyId"] == nil {
			body["pickup"], stops[0] = stops[0], body["pickup"]
		}
	case c.is(theNationalNumberInBook):
		body["phoneNumber"] = "0" + digits(c.ask.From)[2:]
	case c.is(thePlatformsNumberInBook):
		body["phoneNumber"] = "+441134960000"
	case c.is(theCategoryIsNeverSent):
		delete(body, "vehicleCategory")
	case c.is(theCategoryOfTheLastBooking):
		c.mu.Lock()
		if last := c.kept["category"+c.ask.From]; body["vehicleCategory"] == nil && last != nil {
			body["vehicleCategory"] = last
		}
		c.mu.Unlock()
	case c.is(aPhoneNumberWithoutPlusInBook):
		body["phoneNumber"] = digits(c.ask.From)
	case c.is(theOtherCallsPickup):
		c.mu.Lock()
		if c.kept["pickup"+c.ask.From] == nil {
			c.kept["pickup"+c.ask.From] = body["pickup"]
		}
		body["pickup"] = c.kept["pickup"+c.ask.From]
		c.mu.Unlock()
	}
}

// send calls /book and tells the caller the outcome.
func (c *call) send(body object) {
	got, err := c.post(c.ctx, "book", body)
	asked := c.is(bookRetriedWhenItIsAskedFor) || c.is(retryAfterOfBookIgnored)
	if blindly := c.is(bookRetriedBlindly) || c.is(bookRetriedWithAnIdempotencyKey); err != nil && (blindly || asked && got.retryAfter) {
		c.waitForRetryAfter(got)
		got, err = c.post(c.ctx, "book", body)
	}
	if err != nil && got.code/100 != 4 && !c.is(saysNotBookedWithoutLooking) {
		if got, err = c.lookAgain(got, body); errors.Is(err, errUnknown) {
			c.transferToPerson(c.words("unknown", ""))
			return
		}
	}
	id, _ := got.object["journeyId"].(string)
	switch {
	case (err != nil || id == "") && c.is(saysBookedWhateverHappens):
		c.say(c.words("booked", ""))
	case err == nil && id == "" && c.is(saysBookedWithoutAJourneyId):
		c.say(c.words("booked", ""))
	case err == nil && id == "" && c.is(saysUndefined):
		c.say("Your job number is undefined.")
	case err != nil || id == "":
		c.transferToPerson(c.words("not booked", ""))
	default:
		c.remember(id)
		c.say(c.words("booked", ""))
		if c.mentions("jobID") {
			c.say(c.words("job", id))
		}
		if c.is(aBookingsPriceInPounds) {
			c.speakPrice(got.object, aBookingsPriceInPounds)
		}
	}
}

// waitForRetryAfter waits a little more than a second if an answer has a Retry-After, unless the platform ignores it.
func (c *call) waitForRetryAfter(got reply) {
	if got.retryAfter && !c.is(retryAfterOfBookIgnored) {
		c.later(1100 * time.Millisecond)
	}
}

// remember stores the time of a booking and its category, which the third party does not return.
func (c *call) remember(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept["time"+id] = c.ask.PickupTime
	if c.ask.VehicleCategory != "" {
		c.kept["category"+id], c.kept["category"+c.ask.From] = c.ask.VehicleCategory, c.ask.VehicleCategory
	}
}

// lookAgain reads /user after a booking whose outcome is not known. It returns the booking that is listed, or that it has made
// again; errUnknown if /user failed; or else errRefused.
func (c *call) lookAgain(failed reply, body object) (reply, error) {
	got, err := c.post(c.ctx, "user", object{"phoneNumber": c.number()})
	list, _ := got.object["activeBookings"].([]any)
	switch {
	case err != nil:
		return reply{}, errUnknown
	case c.is(needs("date", "book")):
		return reply{}, errRefused
	case c.isNew(list) && !c.is(booksAgainAlthoughItIsThere):
		made, _ := list[len(list)-1].(object)
		return reply{object: made}, nil
	case c.is(booksAgainAlthoughItIsThere), c.is(booksAgainWhenItIsAbsent):
		c.waitForRetryAfter(failed)
		return c.post(c.ctx, "book", body)
	}
	return reply{}, errRefused
}

// isNew reports whether there are more active bookings than when the call began. A faulty platform takes any booking for a new
// one.
func (c *call) isNew(list []any) bool {
	before, _ := c.user["activeBookings"].([]any)
	return len(list) > len(before) || len(list) > 0 && c.is(anOlderBookingIsTheLostOne)
}

// edit sends the whole booking again with the changes.
func (c *call) edit() {
	status, _ := c.journey["status"].(string)
	if status != "WAITING" && status != "HELD" && status != "ACCEPTED" {
		c.transferToPerson("It is too late to change it.")
		return
	}
	if c.is(noEditsBeyondWAITING) && status == "ACCEPTED" {
		c.transferToPerson("It is too late to change it.")
		return
	}
	body := object{
		"journeyId": c.id(), "phoneNumber": "+" + digits(c.ask.From), "pickup": plainJSON(c.ask.Pickup),
		"dropoffs": c.journey["dropoffs"], "pickupTime": c.journey["date"],
	}
	if c.is(firstOfMany("book")) {
		body["journeyId"] = c.ref("book")["journeyId"]
	}
	c.nameAndUser(body)
	c.keepPassenger(body)
	switch {
	case c.is(anEditMovesTheTaxiToNow):
		body["pickupTime"] = c.Now().UTC().Format(time.RFC3339)
	case c.is(anEditDropsAStop):
		if stops, _ := body["dropoffs"].([]any); len(stops) > 1 {
			body["dropoffs"] = stops[len(stops)-1:]
		}
	case c.is(anEditKeepsTheOldLocation):
		if was, ok := c.journey["pickup"].(object); ok {
			moved, _ := body["pickup"].(object)
			moved["location"] = was["location"]
		}
	case c.is(anEditAtTheTimeOfTheFirstCall):
		c.mu.Lock()
		if first := c.kept["time"+c.ask.JourneyID]; first != nil {
			body["pickupTime"] = first
		}
		c.mu.Unlock()
	case c.is(anEditInAnotherCategory):
		body["vehicleCategory"] = "STANDARD"
	case c.is(anEditWithoutJourneyId):
		delete(body, "journeyId")
	case c.is(anEditOfWhatChangesAlone):
		body = object{"journeyId": c.id(), "pickup": body["pickup"]}
	}
	got, err := c.post(c.ctx, "book", body)
	if err != nil || got.object["journeyId"] != c.ask.JourneyID {
		if c.is(aForeignJourneyIdAdopted) && err == nil {
			c.journey = got.object
			_, _ = c.post(c.ctx, "status", c.ref("status"))
		}
		c.transferToPerson("Sorry, that was not changed.")
		return
	}
	c.say("It is changed.")
}

// keepPassenger sets the passenger and the category of an edit to those of the booking.
func (c *call) keepPassenger(body object) {
	who, _ := c.journey["passenger"].(object)
	name, _ := who["name"].(string)
	if number, is := who["phoneNumber"].(string); is && name != "" && !c.is(anEditForTheCallerInPlaceOfThePassenger) {
		body["name"], body["phoneNumber"] = name, number
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if category := c.kept["category"+c.ask.JourneyID]; category != nil && !c.is(anEditForgetsTheCategory) {
		body["vehicleCategory"] = category
	}
}

func (c *call) cancel() {
	if c.is(cancelledOnTheWayAndNotSent) && c.journey["status"] != "WAITING" {
		c.say(c.words("cancelled", ""))
		return
	}
	got, err := c.post(c.ctx, "cancel", c.ref("cancel"))
	if err != nil && got.code/100 != 4 && !c.is(needs("pickup", "cancel")) && !c.is(saysNotCancelledWithoutLooking) && !c.is(silenceWhenItIsNotCancelled) && !c.is(saysCancelledWhateverHappens) {
		if got, err = c.post(c.ctx, "status", c.ref("status")); err != nil {
			c.transferToPerson(c.words("unknown", ""))
			return
		}
	}
	mine := got.object["journeyId"] == c.ask.JourneyID || c.is(aForeignJourneyIdAdopted)
	switch {
	case c.is(saysCancelledWhateverHappens), c.is(saysCancelledOnAny200) && err == nil:
		c.say(c.words("cancelled", ""))
	case err != nil && c.is(silenceWhenItIsNotCancelled), got.object["status"] != "CANCELLED" && c.is(silenceWhenItIsNotCancelled):
		c.answer.Said = []string{}
	case err != nil || got.object["status"] != "CANCELLED" || !mine:
		c.transferToPerson(c.words("not cancelled", ""))
	default:
		c.say(c.words("cancelled", ""))
	}
}

// status describes the journey, and follows it as long as the caller does.
func (c *call) status() {
	if c.journey == nil {
		c.transferToPerson("Sorry, I cannot find your taxi right now.")
		return
	}
	c.speak()
	until := c.Now().Add(time.Duration(c.ask.FollowSeconds) * time.Second)
	pause := 3 * time.Second
	if c.is(pollsTenTimesASecond) {
		pause = 100 * time.Millisecond
	}
	if c.is(neverPolls) || c.ask.FollowSeconds == 0 {
		return
	}
	c.follows = true
	for !c.over() && c.Now().Add(pause).Before(until) && c.ctx.Err() == nil {
		c.later(pause)
		before, _ := c.journey["driver"].(object)
		if !c.read() {
			return
		}
		now, _ := c.journey["driver"].(object)
		if before["name"] != now["name"] && c.is(crashesOnAnotherDriver) {
			panic(http.ErrAbortHandler)
		}
		if before["name"] != now["name"] && !c.is(speaksOfTheFirstDriverOnly) {
			c.speak()
		}
	}
	if c.is(pollsOnAfterHangingUp) {
		after := *c
		after.ctx = context.Background()
		go after.pollOn() // ends after three requests
	}
}

// pollOn reads the journey three more times after the caller has hung up.
func (c *call) pollOn() {
	for range 3 {
		c.later(2500 * time.Millisecond)
		_, _ = c.post(c.ctx, "status", c.ref("status"))
	}
}

func (c *call) over() bool {
	status := c.journey["status"]
	return (status == "COMPLETE" || status == "CANCELLED") && !c.is(pollsOnWhenItIsOver)
}
