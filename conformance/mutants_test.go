package conformance_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

// mutant is the reference with one fault.
type mutant struct {
	name     string
	killedBy string // the check that has to fail, "ID@operation" where there are several
	most     int    // how many checks may fail, its own included; 0: 4
	layer    func() layer
}

var mutants = slices.Concat(wireMutants, configMutants, userMutants, bookMutants, cancelMutants, statusMutants, enrichmentMutants)

var wireMutants = []mutant{
	{name: "text/html", killedBy: "W-03@status", layer: after(func(c *call) {
		if c.op == "status" {
			c.header.Set("Content-Type", "text/html")
		}
	})},
	{name: "an array around the reply", killedBy: "W-01@config", most: 6, layer: after(func(c *call) {
		if c.op == "config" {
			c.raw = []byte("[" + jsonText(c.reply) + "]")
		}
	})},
	{name: "trailing bytes", killedBy: "W-13@user", layer: after(func(c *call) {
		if c.ok("user") {
			c.raw = []byte(jsonText(c.reply) + " {}")
		}
	})},
	{name: "a stack trace in refusals", killedBy: "W-14@cancel", layer: after(func(c *call) {
		if c.op == "cancel" && c.status >= 400 {
			c.reply["trace"] = "goroutine 1 [running]:\nmain.main()\n\t/srv/app/main.go:12"
		}
	})},
	{name: "a redirect", killedBy: "W-15@config", most: 12, layer: after(func(c *call) {
		if c.op == "config" && c.req["data"] != nil {
			c.answer(http.StatusFound, object{})
			c.header.Set("Location", "/")
		}
	})},
	{name: "unknown fields refused", killedBy: "W-04@book", layer: after(func(c *call) {
		if c.op == "book" && c.req["extra"] != nil {
			c.answer(http.StatusBadRequest, object{"error": "unknown field"})
		}
	})},
	{name: "character sets lost", killedBy: "W-12@status", most: 6, layer: after(func(c *call) {
		if p, ok := c.reply["pickup"].(object); ok && c.ok("status") {
			p["address"] = strings.Map(func(r rune) rune {
				if r > 127 {
					return '?'
				}
				return r
			}, text(p["address"]))
		}
	})},
}

var configMutants = []mutant{
	{name: "config without status", killedBy: "CFG-01", most: 14, layer: after(func(c *call) {
		if c.op == "config" {
			delete(c.reply, "status")
		}
	})},
	{name: "{} refused", killedBy: "CFG-02", most: 8, layer: after(func(c *call) {
		if c.op == "config" && c.req["data"] == nil {
			c.answer(http.StatusBadRequest, object{"error": "data is required"})
		}
	})},
	{name: "data refused", killedBy: "CFG-03", layer: after(func(c *call) {
		if d, ok := c.req["data"].(object); ok && c.op == "config" && d["language"] != nil {
			c.answer(http.StatusBadRequest, object{"error": "unknown setting"})
		}
	})},
	{name: "eta without unit", killedBy: "CFG-04", layer: after(func(c *call) {
		if c.ok("config") {
			c.reply["eta"] = object{"value": 4}
		}
	})},
	{name: "data an array", killedBy: "CFG-05", layer: after(func(c *call) {
		if c.ok("config") {
			c.reply["data"] = []string{"voice"}
		}
	})},
	{name: "options a string", killedBy: "CFG-06", layer: after(func(c *call) {
		if c.ok("config") {
			c.reply["data"] = object{"options": "eta,vehicle"}
		}
	})},
	{name: "drivername", killedBy: "CFG-07", layer: after(func(c *call) {
		if c.ok("config") {
			c.reply["data"] = object{"options": []string{"drivername"}}
		}
	})},
	{name: "null overrides", killedBy: "CFG-09", layer: after(func(c *call) {
		if c.ok("config") {
			c.reply["data"] = object{"options": nil}
		}
	})},
	{name: "negative eta", killedBy: "CFG-11", layer: after(func(c *call) {
		if c.ok("config") {
			c.reply["eta"] = object{"value": -3, "unit": "minutes"}
		}
	})},
}

var userMutants = []mutant{
	{name: "userId missing", killedBy: "USR-01", most: 16, layer: after(func(c *call) {
		if c.ok("user") {
			delete(c.reply, "userId")
		}
	})},
	{name: "userId a number", killedBy: "USR-01", most: 6, layer: after(func(c *call) {
		if c.ok("user") {
			c.reply["userId"] = 12345
		}
	})},
	{name: "plus demanded", killedBy: "USR-02", most: 12, layer: func() layer {
		return func(c *call, next func()) {
			next()
			if c.op == "user" && !strings.HasPrefix(text(c.req["phoneNumber"]), "+") {
				c.answer(http.StatusBadRequest, object{"error": "want +"})
			}
		}
	}},
	{name: "somebody else's phone", killedBy: "USR-03", layer: after(func(c *call) {
		if c.ok("user") {
			c.reply["phoneNumber"] = "447700900999"
		}
	})},
	{name: "userId new at each call", killedBy: "USR-04", most: 6, layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
			if real := m.get(text(c.req["userId"])); real != nil {
				c.req["userId"] = real
			}
			next()
			if c.ok("user") {
				id := fmt.Sprintf("U-%d", m.count())
				m.set(id, c.reply["userId"])
				c.reply["userId"] = id
			}
		}
	}},
	{name: "one userId for all", killedBy: "USR-05", most: 6, layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
			if owner := m.get(text(c.req["journeyId"])); owner != nil {
				c.req["userId"] = owner
			} else if c.op == "book" {
				delete(c.req, "userId")
			}
			next()
			if c.ok("user") {
				for _, j := range c.journeys() {
					m.set(text(j["journeyId"]), c.reply["userId"])
				}
				c.reply["userId"] = "U-1"
			}
		}
	}},
	{name: "enabled in lower case", killedBy: "USR-06", layer: after(func(c *call) {
		if c.ok("user") {
			c.reply["status"] = "enabled"
		}
	})},
	{name: "skipDropOff a string", killedBy: "USR-07", layer: after(func(c *call) {
		if c.ok("user") {
			c.reply["data"] = object{"skipDropOff": "false"}
		}
	})},
	{name: "activeBookings an object", killedBy: "USR-08", most: 6, layer: after(func(c *call) {
		if c.ok("user") {
			c.reply["activeBookings"] = object{"bookings": c.reply["activeBookings"]}
		}
	})},
	{name: "active booking lacks pickup", killedBy: "USR-09", layer: after(func(c *call) {
		if c.op == "user" {
			for _, j := range c.journeys() {
				delete(j, "pickup")
			}
		}
	})},
	{name: "newest booking omitted", killedBy: "USR-10", most: 7, layer: func() layer {
		return func(c *call, next func()) {
			next()
			if list, ok := c.reply["activeBookings"].([]any); ok && c.ok("user") && len(list) < 8 {
				c.reply["activeBookings"] = list[:len(list)-1]
			}
		}
	}},
	{name: "cancelled still listed", killedBy: "USR-11", layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
			next()
			switch {
			case c.ok("cancel"):
				m.set(text(c.req["userId"]), c.reply)
			case c.ok("user"):
				if gone, ok := m.get(text(c.reply["userId"])).(object); ok {
					list, _ := c.reply["activeBookings"].([]any)
					c.reply["activeBookings"] = append(list, gone)
				}
			}
		}
	}},
	{name: "no more than five listed", killedBy: "USR-13", layer: after(func(c *call) {
		if list, ok := c.reply["activeBookings"].([]any); ok && c.ok("user") && len(list) > 5 {
			c.reply["activeBookings"] = list[:5]
		}
	})},
	{name: "unknown number crashes", killedBy: "USR-16", layer: after(func(c *call) {
		if c.op == "user" && c.status == http.StatusNotFound {
			c.answer(http.StatusInternalServerError, object{"error": "nil"})
		}
	})},
}

var bookMutants = []mutant{
	{name: "userId demanded", killedBy: "BOK-01", most: 14, layer: after(func(c *call) {
		if c.creates() && c.req["userId"] == nil {
			c.answer(http.StatusUnprocessableEntity, object{"error": "userId is required"})
		}
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
	{name: "journeyId numeric", killedBy: "BOK-04", most: 8, layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
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
		}
	}},
	{name: "same id for all", killedBy: "BOK-04", most: 8, layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
			if real := m.get("real"); real != nil && c.req["journeyId"] == "J-1" {
				c.req["journeyId"] = real
			}
			next()
			if c.creates() && c.ok("book") {
				m.set("real", c.reply["journeyId"])
			}
			for _, j := range c.journeys() {
				j["journeyId"] = "J-1"
			}
		}
	}},
	{name: "PENDING after booking", killedBy: "BOK-05", layer: after(func(c *call) {
		if c.ok("book") {
			c.reply["status"] = "PENDING"
		}
	})},
	{name: "booked as COMPLETE", killedBy: "BOK-06", most: 6, layer: after(func(c *call) {
		if c.ok("book") && c.creates() {
			c.reply["status"] = "COMPLETE"
		}
	})},
	{name: "second drop-off lost", killedBy: "BOK-07", most: 6, layer: eachJourney(func(j object) {
		if d, ok := j["dropoffs"].([]any); ok && len(d) > 1 {
			j["dropoffs"] = d[:1]
		}
	})},
	{name: "passenger is the user", killedBy: "BOK-08", layer: eachJourney(func(j object) {
		if j["passenger"] != nil {
			j["passenger"] = object{"name": "CONFORMANCE", "phoneNumber": "447700900123"}
		}
	})},
	{name: "bad date in the answer", killedBy: "BOK-09", layer: after(func(c *call) {
		if c.ok("book") {
			c.reply["date"] = "next week"
		}
	})},
	{name: "offsets refused", killedBy: "BOK-10", layer: after(func(c *call) {
		if at := text(c.req["pickupTime"]); c.op == "book" && strings.HasSuffix(at, ":00") {
			c.answer(http.StatusBadRequest, object{"error": "pickupTime"})
		}
	})},
	{name: "offset ignored", killedBy: "BOK-11", most: 5, layer: func() layer {
		return func(c *call, next func()) {
			if at := text(c.req["pickupTime"]); c.op == "book" && len(at) == len("2026-01-02T15:04:05+01:00") {
				c.req["pickupTime"] = at[:19] + "Z"
			}
			next()
		}
	}},
	{name: "nameless bookings taken", killedBy: "BOK-24", layer: booksWithout("name", "Nobody")},
	{name: "phoneless bookings taken", killedBy: "BOK-25", layer: booksWithout("phoneNumber", "447700900555")},
	{name: "bookings from nowhere taken", killedBy: "BOK-26", layer: booksWithout("pickup", somewhere)},
	{name: "bookings to nowhere taken", killedBy: "BOK-27", layer: booksWithout("dropoffs", []any{somewhere})},
	{name: "timeless bookings taken", killedBy: "BOK-28", layer: booksWithout("pickupTime", "2026-12-31T10:00:00Z")},
	{name: "dropoffs [] booked", killedBy: "BOK-29", layer: func() layer {
		return func(c *call, next func()) {
			if d, ok := c.req["dropoffs"].([]any); ok && len(d) == 0 && c.op == "book" {
				c.req["dropoffs"] = []any{somewhere}
			}
			next()
		}
	}},
	{name: "longitude and latitude swapped", killedBy: "BOK-32", most: 5, layer: eachJourney(func(j object) {
		if p, ok := j["pickup"].(object); ok {
			at := p["location"].(object)
			at["longitude"], at["latitude"] = at["latitude"], at["longitude"]
		}
	})},
	{name: "address text lost", killedBy: "BOK-33", layer: eachJourney(func(j object) {
		if p, ok := j["pickup"].(object); ok {
			p["address"] = "see map"
		}
	})},
	{name: "edit gives new id", killedBy: "BOK-15", most: 5, layer: after(func(c *call) {
		if c.ok("book") && !c.creates() {
			c.reply["journeyId"] = text(c.reply["journeyId"]) + "-2"
		}
	})},
	{name: "edited pickup not applied", killedBy: "BOK-16", layer: keepsOld("pickup")},
	{name: "edited dropoffs not applied", killedBy: "BOK-17", layer: keepsOld("dropoffs")},
	{name: "edited time not applied", killedBy: "BOK-18", layer: keepsOld("pickupTime")},
	{name: "edit books again", killedBy: "BOK-19", most: 5, layer: func() layer {
		return func(c *call, next func()) {
			if c.op == "book" && !c.creates() && !strings.HasPrefix(text(c.req["journeyId"]), "no-such") {
				id := c.req["journeyId"]
				c.req["journeyId"] = nil
				next()
				c.req["journeyId"] = id
			}
			next()
		}
	}},
	{name: "edit of an unknown id creates", killedBy: "BOK-21", layer: func() layer {
		return func(c *call, next func()) {
			if strings.HasPrefix(text(c.req["journeyId"]), "no-such") && c.op == "book" {
				c.req["journeyId"] = nil
			}
			next()
		}
	}},
	{name: "filed under the passenger", killedBy: "BOK-36", most: 6, layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
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
		}
	}},
}

var somewhere = object{"address": "1 Somewhere, Leeds", "location": object{"longitude": -1.55, "latitude": 53.8}}

// booksWithout takes bookings that lack a field, making one up.
func booksWithout(key string, filling any) func() layer {
	return func() layer {
		return func(c *call, next func()) {
			if c.op == "book" && c.req != nil && c.req[key] == nil {
				c.req[key] = filling
			}
			next()
		}
	}
}

// keepsOld acknowledges an edit and keeps one field as it was.
func keepsOld(key string) func() layer {
	return func() layer {
		m := newMemory()
		return func(c *call, next func()) {
			if old := m.get(text(c.req["journeyId"])); old != nil && c.op == "book" {
				c.req[key] = old
			}
			next()
			if c.ok("book") && c.creates() {
				m.set(text(c.reply["journeyId"]), c.req[key])
			}
		}
	}
}

var cancelMutants = []mutant{
	{name: "CANCELED", killedBy: "CAN-01", most: 8, layer: after(func(c *call) {
		if c.ok("cancel") {
			c.reply["status"] = "CANCELED"
		}
	})},
	{name: "cancel says ok, stays live", killedBy: "CAN-02", most: 9, layer: func() layer {
		return func(c *call, next func()) {
			if c.op == "cancel" {
				c.op = "status"
				c.answer(http.StatusOK, object{"journeyId": c.req["journeyId"], "status": "CANCELLED"})
				if !strings.HasPrefix(text(c.req["journeyId"]), "no-such") && text(c.req["journeyId"]) != "" {
					return
				}
			}
			next()
		}
	}},
	{name: "unknown id CANCELLED", killedBy: "CAN-05", layer: after(func(c *call) {
		if c.op == "cancel" && strings.HasPrefix(text(c.req["journeyId"]), "no-such") {
			c.answer(http.StatusOK, object{"journeyId": c.req["journeyId"], "status": "CANCELLED"})
		}
	})},
	{name: "second cancel crashes", killedBy: "CAN-04", layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
			next()
			id := text(c.req["journeyId"])
			if c.ok("cancel") && m.get(id) != nil {
				c.answer(http.StatusInternalServerError, object{"error": "again"})
			} else if c.ok("cancel") {
				m.set(id, true)
			}
		}
	}},
}

var statusMutants = []mutant{
	{name: "status of another id", killedBy: "STA-01", most: 8, layer: after(func(c *call) {
		if c.ok("status") {
			c.reply["journeyId"] = "J-0"
		}
	})},
	{name: "Waiting", killedBy: "STA-02", most: 8, layer: after(func(c *call) {
		if c.ok("status") {
			c.reply["status"] = strings.ToLower(text(c.reply["status"]))
		}
	})},
	{name: "date in words", killedBy: "STA-04", layer: after(func(c *call) {
		if c.ok("status") {
			c.reply["date"] = "tomorrow at ten"
		}
	})},
	{name: "pickup without location", killedBy: "STA-05", layer: after(func(c *call) {
		if p, ok := c.reply["pickup"].(object); ok && c.ok("status") {
			delete(p, "location")
		}
	})},
	{name: "canned journey for any id", killedBy: "STA-06", most: 5, layer: after(func(c *call) {
		if c.ok("status") {
			c.reply["pickup"], c.reply["dropoffs"] = somewhere, []any{somewhere}
			c.reply["date"] = "2026-12-24T10:00:00Z"
		}
	})},
	{name: "each read advances", killedBy: "STA-10", most: 8, layer: func() layer {
		m := newMemory()
		life := []string{"HELD", "WAITING", "ACCEPTED", "EN_ROUTE", "ARRIVED", "POB", "COMPLETE"}
		return func(c *call, next func()) {
			next()
			if c.ok("status") && c.reply["status"] != "CANCELLED" {
				n, _ := m.get(text(c.req["journeyId"])).(int)
				c.reply["status"] = life[min(n, len(life)-1)]
				m.set(text(c.req["journeyId"]), n+1)
			}
		}
	}},
	{name: "passenger without phone", killedBy: "STA-14", layer: after(func(c *call) {
		if p, ok := c.reply["passenger"].(object); ok && c.ok("status") {
			delete(p, "phoneNumber")
		}
	})},
	{name: "any id has a journey", killedBy: "STA-07", layer: after(func(c *call) {
		if c.op == "status" && strings.HasPrefix(text(c.req["journeyId"]), "no-such") {
			c.answer(http.StatusOK, object{"journeyId": c.req["journeyId"], "status": "WAITING"})
		}
	})},
	{name: "COMPLETE turns WAITING", killedBy: "JRN-08", layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
			next()
			if c.ok("status") && c.reply["status"] == "COMPLETE" {
				if m.get(text(c.req["journeyId"])) != nil {
					c.reply["status"] = "WAITING"
					delete(c.reply, "driver")
					delete(c.reply, "vehicle")
				}
				m.set(text(c.req["journeyId"]), true)
			}
		}
	}},
}

var enrichmentMutants = []mutant{
	{name: "driver without badge", killedBy: "ENR-09", layer: eachJourney(func(j object) {
		if d, ok := j["driver"].(object); ok {
			delete(d, "badgeNumber")
		}
	})},
	{name: `price "12.50"`, killedBy: "ENR-04", layer: eachJourney(func(j object) {
		if p, ok := j["price"].(object); ok {
			p["value"] = "12.50"
		}
	})},
	{name: "£", killedBy: "ENR-05", layer: eachJourney(func(j object) {
		if p, ok := j["price"].(object); ok {
			p["currency"] = "£"
		}
	})},
	{name: "eta without unit on a journey", killedBy: "ENR-01", layer: eachJourney(func(j object) {
		if e, ok := j["eta"].(object); ok {
			delete(e, "unit")
		}
	})},
	{name: "vehicle without registration", killedBy: "ENR-08", layer: eachJourney(func(j object) {
		if v, ok := j["vehicle"].(object); ok {
			delete(v, "registration")
		}
	})},
	{name: "location without latitude", killedBy: "ENR-12", layer: eachJourney(func(j object) {
		if v, ok := j["location"].(object); ok {
			delete(v, "latitude")
		}
	})},
	{name: "location at (0,0)", killedBy: "ENR-14", layer: eachJourney(func(j object) {
		if j["location"] != nil {
			j["location"] = object{"longitude": 0, "latitude": 0}
		}
	})},
	{name: "no phone at ARRIVED", killedBy: "ENR-18", layer: eachJourney(func(j object) {
		if d, ok := j["driver"].(object); ok && j["status"] == "ARRIVED" {
			d["phoneNumber"] = ""
		}
	})},
}

func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			ref := newReference(t)
			report := check(t, under(ref, m.layer), func(target *conformance.Target) { target.Advance = ref.advance })
			killers := failed(report)
			named := slices.ContainsFunc(killers, func(id string) bool {
				return id == m.killedBy || strings.HasPrefix(id, m.killedBy+"@")
			})
			require.True(t, named, "killed by %v, not by %s", killers, m.killedBy)
			require.LessOrEqual(t, len(killers), max(m.most, 4), "killed by too many: %v", killers)
			if os.Getenv("KILLS") != "" {
				t.Logf("%s: %v", m.killedBy, killers)
			}
		})
	}
}

// failed lists the checks that failed, as "id@operation".
func failed(r *conformance.Report) []string {
	var ids []string
	for _, c := range r.Checks {
		if c.Outcome == conformance.Fail || c.Outcome == conformance.Broken {
			ids = append(ids, c.ID+"@"+string(c.Operation))
		}
	}
	return ids
}
