package dispatchside_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

var bookFaults = []fault{
	{name: "userId demanded", killedBy: "BOK-01", most: 28, layer: refuses(http.StatusUnprocessableEntity, "userId is required", func(c *call) bool {
		return c.creates() && c.req["userId"] == nil
	})},
	{name: "null id refused", killedBy: "BOK-02", layer: after(func(c *call) {
		if v, there := c.req["journeyId"]; c.op == "book" && there && v == nil && c.req["vehicleCategory"] == nil {
			if _, w16 := c.req["vehicleCategory"]; !w16 {
				c.answer(http.StatusBadRequest, object{"error": "journeyId is no string"})
			}
		}
	})},
	{name: "data refused in bookings", killedBy: "BOK-03", layer: after(func(c *call) {
		if d, ok := c.req["data"].(object); ok && c.op == "book" && d["notes"] != nil {
			c.answer(http.StatusBadRequest, object{"error": "data"})
		}
	})},
	{name: "journeyId numeric", killedBy: "BOK-04", most: 14, layer: remembering(func(m *memory, c *call, next func()) {
		if real := m.get(text(c.req["journeyId"])); real != nil {
			c.req["journeyId"] = real
		}
		next()
		for _, j := range c.journeys() {
			id := text(j["journeyId"])
			n := m.get("n" + id)
			if n == nil {
				n = m.count()
				m.set("n"+id, n)
				m.set(strconv.Itoa(n.(int)), id)
			}
			j["journeyId"] = n
		}
	})},
	{name: "PENDING after booking", killedBy: "BOK-05", layer: on("book", put("status", "PENDING"))},
	{name: "booked as COMPLETE", killedBy: "BOK-06", most: 11, layer: onCreation(put("status", "COMPLETE"))},
	{name: "second drop-off lost", killedBy: "BOK-07", most: 6, layer: eachJourney(func(j object) {
		if d, ok := j["dropoffs"].([]any); ok && len(d) > 1 {
			j["dropoffs"] = d[:1]
		}
	})},
	{name: "the fifth drop-off is lost", killedBy: "BOK-07", layer: eachJourney(func(j object) {
		if stops, _ := j["dropoffs"].([]any); len(stops) > 4 {
			j["dropoffs"] = stops[:4]
		}
	})},
	{name: "equal drop-offs are one", killedBy: "BOK-07", layer: eachJourney(func(j object) {
		stops, _ := j["dropoffs"].([]any)
		j["dropoffs"] = slices.CompactFunc(stops, func(a, b any) bool { return jsonText(a) == jsonText(b) })
	})},
	{name: "empty names taken", killedBy: "BOK-24", layer: before(func(c *call) {
		if c.op == "book" && c.req["name"] == "" {
			c.req["name"] = "Nobody"
		}
	})},
	{name: "a userId is a number and what follows", killedBy: "USR-12 STA-08 CAN-06", most: 8, layer: before(func(c *call) {
		if id, cut := strings.CutSuffix(text(c.req["userId"]), "x"); cut {
			c.req["userId"] = id
		}
	})},
	{name: "drop-offs shown as []", killedBy: "BOK-07", most: 12, layer: showsAs("dropoffs", []any{})},
	{name: "passenger is the user", killedBy: "BOK-08", layer: showsAs("passenger", object{"name": "CONFORMANCE", "phoneNumber": "447700900123"})},
	{name: "bad date in the answer", killedBy: "BOK-09", layer: on("book", put("date", "next week"))},
	{name: "offsets refused", killedBy: "BOK-10", layer: after(func(c *call) {
		if at := text(c.req["pickupTime"]); c.op == "book" && strings.HasSuffix(at, ":00") {
			c.answer(http.StatusBadRequest, object{"error": "pickupTime"})
		}
	})},
	{name: "offset ignored", killedBy: "BOK-11", most: 5, layer: before(func(c *call) {
		if at := text(c.req["pickupTime"]); c.op == "book" && len(at) == len("2026-01-02T15:04:05+01:00") {
			c.req["pickupTime"] = at[:19] + "Z"
		}
	})},
	{name: "nameless bookings taken", killedBy: "BOK-24", layer: booksWithout("name", "Nobody")},
	{name: "phoneless bookings taken", killedBy: "BOK-25", layer: booksWithout("phoneNumber", "447700900555")},
	{name: "bookings from nowhere taken", killedBy: "BOK-26", layer: booksWithout("pickup", somewhere)},
	{name: "bookings to nowhere taken", killedBy: "BOK-27", layer: booksWithout("dropoffs", []any{somewhere})},
	{name: "timeless bookings taken", killedBy: "BOK-28", layer: booksWithout("pickupTime", nil)},
	{name: "dropoffs [] booked", killedBy: "BOK-29", layer: before(func(c *call) {
		if d, ok := c.req["dropoffs"].([]any); ok && len(d) == 0 && c.op == "book" {
			c.req["dropoffs"] = []any{somewhere}
		}
	})},
	{name: "longitude and latitude swapped", killedBy: "BOK-32", most: 5, layer: eachMember("pickup", func(p object) {
		at := p["location"].(object)
		at["longitude"], at["latitude"] = at["latitude"], at["longitude"]
	})},
	{name: "address text lost", killedBy: "BOK-33", layer: eachMember("pickup", func(p object) { p["address"] = "see map" })},
	{name: "filed under the passenger", killedBy: "BOK-36", most: 6, layer: remembering(func(m *memory, c *call, next func()) {
		if owner := m.get(text(c.req["journeyId"])); owner != nil {
			c.req["userId"] = owner
		}
		if c.creates() {
			delete(c.req, "userId")
		}
		next()
		if c.ok("user") {
			for _, j := range c.journeys() {
				m.set(text(j["journeyId"]), c.reply["userId"])
			}
		}
	})},
	{name: "no bookings for now", killedBy: "BOK-12", most: 12, layer: func() layer {
		d := newDiary()
		return func(c *call, next func()) {
			d.note(c)
			next()
			if at, err := time.Parse(time.RFC3339, text(c.req["pickupTime"])); c.creates() && err == nil && at.Before(d.last().AddDate(0, 0, -4)) {
				c.answer(http.StatusUnprocessableEntity, object{"error": "four days' notice, please"})
			}
		}
	}},
	{name: "an unknown category crashes", killedBy: "BOK-14", layer: refuses(http.StatusInternalServerError, "nil", func(c *call) bool {
		return strings.HasPrefix(text(c.req["vehicleCategory"]), "CATEGORY-")
	})},
	{name: "half an address booked", killedBy: "BOK-30", layer: fillingPickup(func(p object) {
		if p["address"] == nil {
			p["address"] = "somewhere"
		}
	})},
	{name: "latitude 91 booked", killedBy: "BOK-31", layer: fillingPickup(func(p object) {
		if at, ok := p["location"].(object); ok && at["latitude"] == 91.0 {
			at["latitude"] = 53.8
		}
	})},
	{name: "a plus refused in bookings", killedBy: "BOK-34", layer: refuses(http.StatusUnprocessableEntity, "digits only", func(c *call) bool {
		return c.op == "book" && strings.HasPrefix(text(c.req["phoneNumber"]), "+")
	})},
	{name: "large data refused", killedBy: "BOK-35", most: 8, layer: refuses(http.StatusRequestEntityTooLarge, "4 KB", func(c *call) bool {
		return c.op == "book" && c.http.ContentLength > 8<<10
	})},
	{name: "a garbled time becomes some time", killedBy: "BOK-37", layer: withDiary(func(d diary, c *call) {
		if v, there := c.req["pickupTime"]; there && c.op == "book" {
			if _, err := time.Parse(time.RFC3339, text(v)); err != nil {
				c.req["pickupTime"] = d.last().Format(time.RFC3339)
			}
		}
	})},
}

var somewhere = object{"address": "1 Somewhere, Leeds", "location": object{"longitude": -1.55, "latitude": 53.8}}

// booksWithout makes a layer that accepts bookings without a field and makes one up; nil makes up a time.
func booksWithout(key string, filling any) func() layer {
	return withDiary(func(d diary, c *call) {
		if c.op == "book" && c.req != nil && c.req[key] == nil {
			c.req[key] = filling
			if filling == nil {
				c.req[key] = d.last().Format(time.RFC3339)
			}
		}
	})
}

// diary remembers the latest time that somebody wanted to be picked up at, which
// is as good as a clock.
type diary struct{ *memory }

func newDiary() diary { return diary{newMemory()} }

func (d diary) note(c *call) {
	at, err := time.Parse(time.RFC3339, text(c.req["pickupTime"]))
	if c.op == "book" && err == nil && at.After(d.last()) && (d.last().IsZero() || at.Before(d.last().AddDate(0, 0, 14))) {
		d.set("last", at)
	}
}

func (d diary) last() time.Time {
	at, _ := d.get("last").(time.Time)
	return at
}

// withDiary makes a layer of a change to the request that may use a diary.
func withDiary(change func(d diary, c *call)) func() layer {
	return func() layer {
		d := newDiary()
		return func(c *call, next func()) {
			d.note(c)
			change(d, c)
			next()
		}
	}
}

// fillingPickup makes a layer that makes up what a pickup lacks.
func fillingPickup(fill func(p object)) func() layer {
	return before(func(c *call) {
		if p, ok := c.req["pickup"].(object); ok && c.op == "book" {
			fill(p)
		}
	})
}
