package mutants

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// question asks the caller for something.
func (c *call) question(what string) { c.answer.Asked = append(c.answer.Asked, what) }

// book asks what it has to ask and calls /book.
func (c *call) book() {
	if c.user["userId"] == nil && c.is("turns the unknown away") {
		c.say("We do not know you.")
		c.answer.Outcome = rules.OutcomeRejected
		return
	}
	c.question("pickup")
	c.question("time")
	dropoffs := c.ask.Dropoffs
	if c.is("now is the time of a booking ahead") {
		c.ask.PickupTime = taxi.Time{Time: c.Now()}
	}
	if !c.skip || c.is("always asks for the drop-off") {
		c.question("dropoff")
	}
	if c.skip && !c.is("always asks for the drop-off") {
		dropoffs = nil
	}
	body := object{"phoneNumber": "+" + digits(c.ask.From), "pickup": plainJSON(c.ask.Pickup), "pickupTime": c.pickupTime()}
	if c.ask.VehicleCategory != "" {
		body["vehicleCategory"] = c.ask.VehicleCategory
	}
	switch body["dropoffs"] = plainJSON(dropoffs); {
	case len(dropoffs) == 0 && c.is("no drop-offs where none is asked for"):
		body["dropoffs"] = []any{}
	case len(dropoffs) == 0:
		body["dropoffs"] = []any{body["pickup"]}
	}
	c.nameAndUser(body)
	c.spoil(body)
	if c.is("asks more") {
		c.question("luggage")
		c.question("passengers")
	}
	c.send(body)
}

// nameAndUser fills in for whom the booking is.
func (c *call) nameAndUser(body object) {
	name, _ := c.user["name"].(string)
	switch {
	case c.ask.Name != "":
		c.questionName()
		name = c.ask.Name
	case name == "" && c.is("says null"):
		name = "null"
	case name == "":
		c.questionName()
		name = "Guest"
	case c.is("asks everybody for the name"):
		c.questionName()
	}
	if c.is("always Guest") {
		name = "Guest"
	}
	body["name"] = name
	if id := c.user["userId"]; id != nil && !c.is("no userId in /book") {
		body["userId"] = id
	}
	if c.user["userId"] == nil && c.is("a userId invented") {
		body["userId"] = "guest"
	}
}

func (c *call) questionName() {
	if !c.is("never asks for the name") {
		c.question("name")
	}
}

func (c *call) pickupTime() any {
	t := c.ask.PickupTime.Time
	if t.IsZero() {
		t = c.Now()
		if c.is("now is an hour ago") {
			t = t.Add(-time.Hour)
		}
		if c.is("local time with a Z") {
			t = t.Add(time.Hour)
		}
	}
	switch {
	case c.is("pickupTime as an epoch"):
		return t.Unix()
	case c.is("pickupTime in words"):
		return t.Format("02/01/2006 15:04")
	case c.is("pickupTime without a zone"):
		return t.Format("2006-01-02T15:04:05")
	case c.is("pickupTime in another zone"):
		return t.In(time.FixedZone("", 3600)).Format(time.RFC3339)
	}
	return t.UTC().Format(time.RFC3339)
}

// spoil makes the body of a /book wrong, in the way of this platform.
func (c *call) spoil(body object) {
	for _, member := range []string{"name", "phoneNumber", "pickup", "dropoffs", "pickupTime"} {
		if c.is("no " + member + " in /book") {
			delete(body, member)
		}
	}
	place, _ := body["pickup"].(object)
	where, _ := place["location"].(object)
	switch {
	case c.is("an empty journeyId to create"):
		body["journeyId"] = ""
	case c.is("a null journeyId to create"):
		body["journeyId"] = nil
	case c.is("dropoffs empty"):
		body["dropoffs"] = []any{}
	case c.is("longitude and latitude exchanged"):
		where["longitude"], where["latitude"] = where["latitude"], where["longitude"]
	case c.is("no location"):
		delete(place, "location")
	case c.is("coordinates as text"):
		where["longitude"] = fmt.Sprint(where["longitude"])
	case c.is("an address without its text"):
		place["address"] = ""
	case c.is("a phone number without plus in /book"):
		body["phoneNumber"] = digits(c.ask.From)
	case c.is("the other call's pickup"):
		c.mu.Lock()
		if c.kept["pickup"+c.ask.From] == nil {
			c.kept["pickup"+c.ask.From] = body["pickup"]
		}
		body["pickup"] = c.kept["pickup"+c.ask.From]
		c.mu.Unlock()
	}
}

// send calls /book and tells the caller what came of it.
func (c *call) send(body object) {
	got, err := c.post(c.ctx, "book", body)
	asked := c.is("/book retried when it is asked for") || c.is("Retry-After of /book ignored")
	if blindly := c.is("/book retried blindly") || c.is("/book retried with an Idempotency-Key"); err != nil && (blindly || asked && got.retryAfter) {
		c.heed(got)
		got, err = c.post(c.ctx, "book", body)
	}
	if err != nil && got.code/100 != 4 && !c.is("says not booked without looking") {
		if got, err = c.lookAgain(got, body); errors.Is(err, errUnknown) {
			c.person(c.words("unknown", ""))
			return
		}
	}
	id, _ := got.object["journeyId"].(string)
	switch {
	case (err != nil || id == "") && c.is("says booked whatever happens"):
		c.say(c.words("booked", ""))
	case err == nil && id == "" && c.is("says booked without a journeyId"):
		c.say(c.words("booked", ""))
	case err == nil && id == "" && c.is("says undefined"):
		c.say("Your job number is undefined.")
	case err != nil || id == "":
		c.person(c.words("not booked", ""))
	default:
		c.remember(id)
		c.say(c.words("booked", ""))
		if c.tells("jobID") {
			c.say(c.words("job", id))
		}
	}
}

// heed waits for as long as an answer asks for.
func (c *call) heed(got reply) {
	if got.retryAfter && !c.is("Retry-After of /book ignored") {
		c.later(1100 * time.Millisecond)
	}
}

// remember keeps the category of a booking, which the third party does not tell again.
func (c *call) remember(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ask.VehicleCategory != "" {
		c.kept["category"+id] = c.ask.VehicleCategory
	}
}

// lookAgain reads /user after a booking whose outcome is not known.
func (c *call) lookAgain(failed reply, body object) (reply, error) {
	got, err := c.post(c.ctx, "user", object{"phoneNumber": c.number()})
	list, _ := got.object["activeBookings"].([]any)
	switch {
	case err != nil:
		return reply{}, errUnknown
	case c.is("needs date of /book"):
		return reply{}, errRefused
	case len(list) > 0 && !c.is("books again although it is there"):
		made, _ := list[len(list)-1].(object)
		return reply{object: made}, nil
	case c.is("books again although it is there"), c.is("books again when it is absent"):
		c.heed(failed)
		return c.post(c.ctx, "book", body)
	}
	return reply{}, errRefused
}

// edit sends the whole booking again with what changes.
func (c *call) edit() {
	status, _ := c.journey["status"].(string)
	if status != "WAITING" && status != "HELD" && status != "ACCEPTED" {
		c.person("It is too late to change it.")
		return
	}
	if c.is("no edits beyond WAITING") && status == "ACCEPTED" {
		c.person("It is too late to change it.")
		return
	}
	body := object{
		"journeyId": c.id(), "phoneNumber": "+" + digits(c.ask.From), "pickup": plainJSON(c.ask.Pickup),
		"dropoffs": c.journey["dropoffs"], "pickupTime": c.journey["date"],
	}
	c.nameAndUser(body)
	c.keepPassenger(body)
	switch {
	case c.is("an edit moves the taxi to now"):
		body["pickupTime"] = c.Now().UTC().Format(time.RFC3339)
	case c.is("an edit drops a stop"):
		if stops, _ := body["dropoffs"].([]any); len(stops) > 1 {
			body["dropoffs"] = stops[len(stops)-1:]
		}
	case c.is("an edit in another category"):
		body["vehicleCategory"] = "STANDARD"
	case c.is("an edit without journeyId"):
		delete(body, "journeyId")
	case c.is("an edit of what changes alone"):
		body = object{"journeyId": c.id(), "pickup": body["pickup"]}
	}
	got, err := c.post(c.ctx, "book", body)
	if err != nil || got.object["journeyId"] != c.ask.JourneyID {
		if c.is("a foreign journeyId adopted") && err == nil {
			c.journey = got.object
			_, _ = c.post(c.ctx, "status", c.ref("status"))
		}
		c.person("Sorry, that was not changed.")
		return
	}
	c.say("It is changed.")
}

// keepPassenger makes the edit for the passenger of the booking, in its category.
func (c *call) keepPassenger(body object) {
	who, _ := c.journey["passenger"].(object)
	name, _ := who["name"].(string)
	if number, is := who["phoneNumber"].(string); is && name != "" && !c.is("an edit for the caller in place of the passenger") {
		body["name"], body["phoneNumber"] = name, number
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if category := c.kept["category"+c.ask.JourneyID]; category != nil && !c.is("an edit forgets the category") {
		body["vehicleCategory"] = category
	}
}

func (c *call) cancel() {
	got, err := c.post(c.ctx, "cancel", c.ref("cancel"))
	if err != nil && got.code/100 != 4 && !c.is("needs pickup of /cancel") && !c.is("says not cancelled without looking") && !c.is("silence when it is not cancelled") && !c.is("says cancelled whatever happens") {
		if got, err = c.post(c.ctx, "status", c.ref("status")); err != nil {
			c.person(c.words("unknown", ""))
			return
		}
	}
	mine := got.object["journeyId"] == c.ask.JourneyID || c.is("a foreign journeyId adopted")
	switch {
	case c.is("says cancelled whatever happens"), c.is("says cancelled on any 200") && err == nil:
		c.say(c.words("cancelled", ""))
	case err != nil && c.is("silence when it is not cancelled"), got.object["status"] != "CANCELLED" && c.is("silence when it is not cancelled"):
		c.answer.Said = []string{}
	case err != nil || got.object["status"] != "CANCELLED" || !mine:
		c.person(c.words("not cancelled", ""))
	default:
		c.say(c.words("cancelled", ""))
	}
}

// status speaks of the journey, and follows it as long as the caller does.
func (c *call) status() {
	if c.journey == nil {
		c.person("Sorry, I cannot find your taxi right now.")
		return
	}
	c.speak()
	until := c.Now().Add(time.Duration(c.ask.FollowSeconds) * time.Second)
	pause := 3 * time.Second
	if c.is("polls ten times a second") {
		pause = 100 * time.Millisecond
	}
	if c.is("never polls") || c.ask.FollowSeconds == 0 {
		return
	}
	for !c.over() && c.Now().Add(pause).Before(until) && c.ctx.Err() == nil {
		c.later(pause)
		before, _ := c.journey["driver"].(object)
		if !c.read() {
			return
		}
		now, _ := c.journey["driver"].(object)
		if before["name"] != now["name"] && c.is("crashes on another driver") {
			panic(http.ErrAbortHandler)
		}
		if before["name"] != now["name"] && !c.is("speaks of the first driver only") {
			c.speak()
		}
	}
	if c.is("polls on after hanging up") {
		after := *c
		after.ctx = context.Background()
		go after.pollOn()
	}
}

// pollOn reads a journey that nobody is interested in any more.
func (c *call) pollOn() {
	for range 3 {
		c.later(2500 * time.Millisecond)
		_, _ = c.post(c.ctx, "status", c.ref("status"))
	}
}

func (c *call) over() bool {
	status := c.journey["status"]
	return (status == "COMPLETE" || status == "CANCELLED") && !c.is("polls on when it is over")
}
