package dispatchside_test

import (
	"net/http"
	"strings"
	"time"
)

var statusFaults = []fault{
	{name: "status of another id", killedBy: "STA-01", most: 12, layer: on("status", put("journeyId", "J-0"))},
	{name: "Waiting", killedBy: "STA-02", most: 8, layer: on("status", func(c *call) { c.reply["status"] = strings.ToLower(text(c.reply["status"])) })},
	{name: "date in words", killedBy: "STA-04", most: 8, layer: on("status", put("date", "tomorrow at ten"))},
	{name: "pickup without location", killedBy: "STA-05", layer: onStatus("pickup", func(p object) { delete(p, "location") })},
	{name: "canned journey for any id", killedBy: "STA-06", most: 5, layer: on("status", func(c *call) {
		c.reply["pickup"], c.reply["dropoffs"] = somewhere, []any{somewhere}
		c.reply["date"] = "2026-12-24T10:00:00Z"
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
	{name: "passenger without phone", killedBy: "STA-14", layer: onStatus("passenger", func(p object) { delete(p, "phoneNumber") })},
	{name: "any id has a journey", killedBy: "STA-07", layer: after(func(c *call) {
		if c.op == "status" && strings.HasPrefix(text(c.req["journeyId"]), "no-such") {
			c.answer(http.StatusOK, object{"journeyId": c.req["journeyId"], "status": "WAITING"})
		}
	})},
	{name: "COMPLETE turns WAITING", killedBy: "JRN-08", layer: then(func(m *memory, c *call) {
		if c.ok("status") && c.reply["status"] == "COMPLETE" {
			if m.get(text(c.req["journeyId"])) != nil {
				c.reply["status"] = "WAITING"
				delete(c.reply, "driver")
				delete(c.reply, "vehicle")
			}
			m.set(text(c.req["journeyId"]), true)
		}
	})},
	{name: "no date", warns: "STA-03", layer: on("status", drop("date"))},
	{name: "anybody may look", killedBy: "STA-08", layer: asOwner("status")},
	{name: "no userId needed to look", killedBy: "STA-09", most: 8, layer: func() layer {
		owned := asOwner("status")()
		return func(c *call, next func()) {
			if c.op == "status" && text(c.req["userId"]) != "" {
				next()
				return
			}
			owned(c, next)
		}
	}},
	{name: "listed an hour late", killedBy: "STA-11", most: 8, layer: answersOf("user", func(c *call) {
		for _, j := range c.journeys() {
			if at, err := time.Parse(time.RFC3339, text(j["date"])); err == nil {
				j["date"] = at.Add(time.Hour).Format(time.RFC3339)
			}
		}
	})},
	{name: "booked as POB", killedBy: "STA-12", most: 12, layer: onCreation(put("status", "POB"))},
	{name: "no more than twenty reads", killedBy: "STA-13", most: 20, layer: then(func(m *memory, c *call) {
		if id := text(c.req["journeyId"]); c.ok("status") {
			if n := m.times(id); n >= 20 {
				c.answer(http.StatusTooManyRequests, object{"error": "slow down"})
			}
		}
	})},
	{name: "a price that turns into text", killedBy: "STA-15", most: 8, layer: then(func(m *memory, c *call) {
		if id := text(c.req["journeyId"]); c.ok("status") && c.reply["price"] != nil {
			if n := m.times(id); n%2 == 1 {
				c.reply["price"] = "on request"
			}
		}
	})},
	{name: "a price that turns into null", killedBy: "STA-16", most: 8, layer: then(func(m *memory, c *call) {
		if id := text(c.req["journeyId"]); c.ok("status") && c.reply["price"] != nil {
			if n := m.times(id); n%2 == 1 {
				c.reply["price"] = nil
			}
		}
	})},
}
