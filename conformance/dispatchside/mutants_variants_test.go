package dispatchside_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"
)

// oddities are servers that differ from the reference in ways that the interface
// leaves open. None may fail a check.
var oddities = []fault{
	{name: "/book 201", warns: "W-02@book", layer: on("book", func(c *call) { c.status = http.StatusCreated })},
	{name: "compressed when asked", layer: after(func(c *call) {
		if strings.Contains(c.http.Header.Get("Accept-Encoding"), "gzip") {
			c.compress()
		}
	})},
	{name: "ids of 200 characters", layer: func() layer {
		const tail = "~Ab/9+=é"
		long := func(id any) string { return text(id) + strings.Repeat(tail, 20) }
		short := func(o object, key string) {
			if id, cut := strings.CutSuffix(text(o[key]), strings.Repeat(tail, 20)); cut {
				o[key] = id
			} else if text(o[key]) != "" && key == "journeyId" {
				o[key] = "no-such-" + id
			}
		}
		return func(c *call, next func()) {
			if c.req != nil {
				short(c.req, "journeyId")
				short(c.req, "userId")
			}
			next()
			for _, j := range c.journeys() {
				j["journeyId"] = long(j["journeyId"])
			}
			if c.ok("user") {
				c.reply["userId"] = long(c.reply["userId"])
			}
		}
	}},
	{name: "extra fields everywhere", layer: after(func(c *call) {
		if c.reply != nil {
			c.reply["x"] = object{"deep": []any{1, "a", nil}}
		}
		for _, j := range c.journeys() {
			j["vendor"] = object{"id": 7}
			if p, ok := j["pickup"].(object); ok {
				p["what3words"] = "a.b.c"
			}
		}
	})},
	{name: "minimal replies", layer: after(func(c *call) {
		if c.ok("book", "cancel", "status") {
			c.reply = object{"journeyId": c.reply["journeyId"], "status": c.reply["status"]}
		}
	})},
	{name: "starts at ACCEPTED", layer: inStatus("HELD", func(j object) { j["status"] = "ACCEPTED" })},
	{name: "reallocation", layer: func() layer {
		m := newMemory()
		story := []string{"EN_ROUTE", "EN_ROUTE", "EN_ROUTE", "WAITING", "WAITING", "WAITING", "EN_ROUTE"}
		return func(c *call, next func()) {
			next()
			if c.ok("status") && c.reply["status"] == "HELD" {
				id := text(c.req["journeyId"])
				n, _ := m.get(id).(int)
				m.set(id, n+1)
				c.reply["status"] = story[min(n, len(story)-1)]
				if c.reply["status"] == "EN_ROUTE" {
					c.reply["driver"] = object{"name": "Ann", "phoneNumber": "+441134960001", "badgeNumber": "B" + text(id)[:1]}
					c.reply["vehicle"] = object{"description": "Blue Skoda", "registration": "AB12 CDE"}
				}
			}
		}
	}},
	{name: "unknown user 200 with a new id", layer: func() layer {
		return func(c *call, next func()) {
			if phone, is := strings.CutPrefix(text(c.req["userId"]), "new-"); is && strings.Trim(phone, "0123456789") == "" {
				c.req["userId"] = c.ask("user", object{"phoneNumber": phone})["userId"]
				if c.req["userId"] == nil && c.op == "book" { // now is the time to make the user
					made := c.ask("book", object{
						"name": "New", "phoneNumber": phone, "pickup": somewhere, "dropoffs": []any{somewhere},
						"pickupTime": c.req["pickupTime"],
					})
					c.req["userId"] = c.ask("user", object{"phoneNumber": phone})["userId"]
					c.ask("cancel", object{"userId": c.req["userId"], "journeyId": made["journeyId"]})
				}
			}
			next()
			phone := strings.TrimPrefix(text(c.req["phoneNumber"]), "+")
			if c.op == "user" && c.status == http.StatusNotFound {
				c.answer(http.StatusOK, object{"phoneNumber": phone, "name": ""})
			}
			if c.ok("user") {
				c.reply["userId"] = "new-" + phone
			}
		}
	}},
	{name: "price.type ESTIMATE", layer: eachMember("price", func(p object) { p["type"] = "ESTIMATE" })},
	{name: "dates with +01:00", layer: dates(func(at time.Time) string {
		return at.In(time.FixedZone("", 3600)).Format(time.RFC3339)
	})},
	{name: "dates on the clock of Leeds, without a zone", warns: "STA-04", layer: dates(func(at time.Time) string {
		return at.Add(summerTime(at)).UTC().Format("2006-01-02T15:04:05")
	})},
	{name: "activeBookings [] when none", layer: after(func(c *call) {
		if c.ok("user") && c.reply["activeBookings"] == nil {
			c.reply["activeBookings"] = []any{}
		}
	})},
	{name: "one open booking of each user", layer: keepsAtMost(1)},
	{name: "three open bookings of each user", layer: keepsAtMost(3)},
	{name: "twelve open bookings of each user", layer: keepsAtMost(12)},
	{name: "a desk that looks every second", layer: looksAfter(25)},
	{name: "a desk that looks every five seconds", layer: looksAfter(125)},
	{name: "a desk that looks every twenty seconds", layer: looksAfter(500)},
	{name: "bookings of the next two days", layer: takesWithin(2 * day)},
	{name: "served areas", layer: servesAround(10_000, orb.Point{leeds.Longitude, leeds.Latitude}, orb.Point{2.1, 54.7})}, // in which the agreed trips are, too
	{name: "another vendor", own: true, http: aVendor},
	{name: "another vendor under a tenant's path", path: "/tenants/7/taxi", own: true, http: aVendor},
	{name: "over TLS", listen: securedBy(leaf{})},
	{name: "over TLS 1.2, without HTTP/2", listen: securedBy(leaf{highest: tls.VersionTLS12, old: true})},
	{name: "another vendor, with client certificates", own: true, http: aVendor, listen: securedBy(leaf{clients: tls.RequireAndVerifyClientCert})},
	{name: "what is over is refused with 400, and an unknown number with 422", warns: "CAN-02", layer: after(func(c *call) {
		switch {
		case c.op == "user" && c.status == http.StatusNotFound:
			c.answer(http.StatusUnprocessableEntity, object{"error": "not a customer", "path": "/app/user"})
		case c.op == "status" && (c.status == http.StatusNotFound || c.reply["status"] == "CANCELLED"):
			c.answer(http.StatusBadRequest, object{"error": "no such journey"})
		}
	})},
	{name: "too late to cancel, the first time", layer: func() layer {
		d, m := newDiary(), newMemory()
		return func(c *call, next func()) {
			d.note(c)
			id := text(c.req["journeyId"])
			if soon, _ := m.get(id).(bool); c.op == "cancel" && soon {
				m.set(id, false)
				c.answer(http.StatusConflict, object{"error": "the car is about to set off: say so again if you mean it"})
				return
			}
			next()
			at, err := time.Parse(time.RFC3339, text(c.req["pickupTime"]))
			if err == nil && c.ok("book") && c.creates() && at.Before(d.last().AddDate(0, 0, -6)) {
				m.set(text(c.reply["journeyId"]), true)
			}
		}
	}},
	{name: "null for what a journey does not have", layer: eachJourney(func(j object) {
		for _, key := range []string{"eta", "location", "driver", "vehicle"} {
			if _, there := j[key]; !there {
				j[key] = nil
			}
		}
	})},
	{name: "an edit has every field, the userId too", layer: func() layer {
		return func(c *call, next func()) {
			if c.op == "book" && c.req["journeyId"] != nil && text(c.req["userId"]) == "" {
				c.answer(http.StatusBadRequest, object{"error": "an edit without its userId"})
				return
			}
			next()
		}
	}},
	{name: "a badge without a number", warns: "ENR-09", layer: eachMember("driver", func(d object) { d["badgeNumber"] = "" })},
	{name: "a cancelled journey is gone", warns: "CAN-02", layer: refuses(http.StatusNotFound, "gone", func(c *call) bool {
		return c.ok("status") && c.reply["status"] == "CANCELLED"
	})},
}

// keepsAtMost makes a layer that refuses a user more than most open bookings.
func keepsAtMost(most int) func() layer {
	return func() layer {
		var mu sync.Mutex
		open, owner := map[string]int{}, map[string]string{}
		return func(c *call, next func()) {
			mu.Lock()
			defer mu.Unlock()
			who := strings.TrimPrefix(text(c.req["phoneNumber"]), "+")
			if id := text(c.req["userId"]); owner["user "+id] != "" {
				who = owner["user "+id]
			}
			if c.creates() && open[who] >= most {
				c.answer(http.StatusConflict, object{"error": "you have as many bookings as we keep"})
				return
			}
			next()
			id := text(c.reply["journeyId"])
			switch {
			case c.ok("user"):
				owner["user "+text(c.reply["userId"])] = who
			case c.ok("book") && c.creates() && owner[id] == "":
				owner[id] = who
				open[who]++
			case c.ok("cancel") && c.reply["status"] == "CANCELLED" && owner[id] != "":
				open[owner[id]]--
				delete(owner, id)
			}
		}
	}
}

// takesWithin makes a layer that refuses bookings whose pickup is farther than most from the present by both
// of the tests' clocks.
func takesWithin(most time.Duration) func() layer {
	near := func(at, now time.Time) bool { return at.Sub(now).Abs() <= most }
	return func() layer {
		return func(c *call, next func()) {
			if at, err := time.Parse(time.RFC3339, text(c.req["pickupTime"])); c.op == "book" && err == nil && !near(at, now()) && !near(at, today()) {
				c.answer(http.StatusUnprocessableEntity, object{"error": "we do not plan so far ahead"})
				return
			}
			next()
		}
	}
}

// servesAround makes a layer that refuses places farther than most metres from each of the towns.
func servesAround(most float64, towns ...orb.Point) func() layer {
	return func() layer {
		return func(c *call, next func()) {
			places, _ := c.req["dropoffs"].([]any)
			for _, place := range append([]any{c.req["pickup"]}, places...) {
				p, _ := place.(object)
				at, _ := p["location"].(object)
				longitude, one := at["longitude"].(float64)
				latitude, both := at["latitude"].(float64)
				served := func(town orb.Point) bool { return geo.Distance(town, orb.Point{longitude, latitude}) <= most }
				if c.op == "book" && one && both && !slices.ContainsFunc(towns, served) {
					c.answer(http.StatusUnprocessableEntity, object{"error": "we do not drive there"})
					return
				}
			}
			next()
		}
	}
}

// looksAfter makes a layer that updates the locations of cars only after so many calls: 25 are about a second
// of a run. Until then the replies show a car where it was.
func looksAfter(calls int) func() layer {
	return remembering(func(m *memory, c *call, next func()) {
		look := m.count() / calls
		next()
		for _, j := range c.journeys() {
			key, at := fmt.Sprint(look, j["journeyId"], j["status"]), j["location"]
			if seen := m.get(key); seen != nil && at != nil {
				j["location"] = seen
			} else if at != nil {
				m.set(key, at)
			}
		}
	})
}

// summerTime returns how far the clocks of Leeds are ahead of UTC.
func summerTime(at time.Time) time.Duration {
	at = at.UTC()
	lastSunday := func(month time.Month) time.Time {
		day := time.Date(at.Year(), month, 31, 1, 0, 0, 0, time.UTC)
		return day.AddDate(0, 0, -int(day.Weekday()))
	}
	if at.Before(lastSunday(time.March)) || !at.Before(lastSunday(time.October)) {
		return 0
	}
	return time.Hour
}

// dates makes a layer that writes every date in another form.
func dates(write func(time.Time) string) func() layer {
	return eachJourney(func(j object) {
		if at, err := time.Parse(time.RFC3339, text(j["date"])); err == nil {
			j["date"] = write(at)
		}
	})
}

var (
	dayOf   = regexp.MustCompile(`^(\d{4}-\d\d)-31(T.*)$`)
	wordsOf = regexp.MustCompile(`^(\S+) .*$`)
	idChars = regexp.MustCompile(`^[A-Za-z0-9_-]+`)
)

// lenientFaults read more into a call than it says.
var lenientFaults = []fault{
	{name: "31 November is 1 December", killedBy: "BOK-39", layer: readLeniently(func(at string) string {
		parts := dayOf.FindStringSubmatch(at)
		if parts == nil {
			return at
		}
		first, err := time.Parse("2006-01", parts[1])
		if err != nil {
			return at
		}
		return first.AddDate(0, 0, 30).Format(time.DateOnly) + parts[2]
	})},
	{name: "words behind a date are dropped", killedBy: "BOK-39", layer: readLeniently(func(at string) string {
		if parts := wordsOf.FindStringSubmatch(at); parts != nil && strings.Contains(parts[1], "T") {
			return parts[1]
		}
		return at
	})},
	{name: "a journeyId that is no text books again", killedBy: "BOK-40", layer: before(func(c *call) {
		if _, is := c.req["journeyId"].(string); c.op == "book" && !is {
			delete(c.req, "journeyId")
		}
	})},
	{name: "an odd vehicleCategory is ignored", warns: "BOK-40", layer: before(func(c *call) {
		if _, is := c.req["vehicleCategory"].(string); c.op == "book" && !is {
			delete(c.req, "vehicleCategory")
		}
	})},
	{name: "a line feed behind an id", killedBy: "CAN-11", layer: readIDs(func(id string) string { return strings.TrimSuffix(id, "\n") })},
	{name: "ids are read to the first odd character", killedBy: "CAN-11 BAD-10@cancel BAD-12@cancel SEC-12", layer: readIDs(func(id string) string { return idChars.FindString(id) })},
}

// readLeniently makes a layer that reads pickup times in another way.
func readLeniently(read func(at string) string) func() layer {
	return before(func(c *call) {
		if at := text(c.req["pickupTime"]); c.op == "book" && at != "" && read(at) != at {
			c.req["pickupTime"] = read(at)
		}
	})
}

// readIDs makes a layer that reads the ids of journeys in another way, in /cancel and /status.
func readIDs(read func(id string) string) func() layer {
	return before(func(c *call) {
		id := text(c.req["journeyId"])
		if is := read(id); (c.op == "cancel" || c.op == "status") && id != "" && is != id {
			c.req["journeyId"] = is
		}
	})
}
