package dispatchside_test

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
)

// journeyFaults show only when several calls are put together.
var journeyFaults = []fault{
	{name: "cancelling needs a third try", killedBy: "JRN-01 JRN-02 JRN-04", most: 60, layer: remembering(func(m *memory, c *call, next func()) {
		id := text(c.req["journeyId"])
		if tried, _ := m.get(id).(int); c.op == "cancel" && id != "" && tried < 2 {
			m.set(id, tried+1)
			c.answer(http.StatusServiceUnavailable, object{"error": "try again"})
			return
		}
		next()
	})},
	{name: "a journey ends as DONE", killedBy: "JRN-06 STA-02", most: 8, layer: inStatus("COMPLETE", func(j object) { j["status"] = "DONE" })},
	{name: "one journey for everybody", killedBy: "JRN-10 JRN-11 JRN-09", most: 60, layer: then(func(m *memory, c *call) {
		if c.ok("status") {
			if m.get("first") == nil {
				m.set("first", c.reply)
			}
			c.reply = m.get("first").(object)
		}
	})},
	{name: "the day after, what was cancelled is active", killedBy: "JRN-18 USR-11", layer: then(func(m *memory, c *call) {
		switch {
		case c.op == dispatchsidetest.NewDay:
			m.set(dispatchsidetest.NewDay, true)
		case c.ok("cancel"):
			m.set(text(c.req["userId"]), c.reply)
		case c.ok("user") && m.get(dispatchsidetest.NewDay) != nil:
			if gone, ok := m.get(text(c.reply["userId"])).(object); ok {
				c.list(gone)
			}
		}
	})},
	{name: "journeyIds begin anew each day", killedBy: "JRN-18 BOK-04", layer: then(func(m *memory, c *call) {
		switch {
		case c.op == dispatchsidetest.NewDay:
			m.set(dispatchsidetest.NewDay, true)
		case c.ok("book") && c.creates() && m.get(dispatchsidetest.NewDay) != nil:
			c.reply["journeyId"] = m.get("first")
		case c.ok("book") && c.creates():
			m.set("first", text(c.reply["journeyId"]))
		}
	})},
	{name: "references kept in memory", killedBy: "JRN-12", layer: aliased(func(_ *memory, id string) string { return "R" + id })},
	{name: "references counted in memory", killedBy: "JRN-17", most: 8, layer: aliased(func(m *memory, _ string) string { return "R" + strconv.Itoa(m.count()) })},
	{name: "cancellations kept in memory", killedBy: "JRN-12", most: 8, layer: remembering(func(m *memory, c *call, next func()) {
		id := text(c.req["journeyId"])
		if c.op == "cancel" {
			if was := c.ask("status", c.req); was["journeyId"] == id && was["status"] != "POB" && was["status"] != "COMPLETE" {
				m.set(id, true)
				was["status"] = "CANCELLED"
				c.answer(http.StatusOK, was)
				return
			}
		}
		if c.op == "book" && m.get(id) != nil {
			c.answer(http.StatusConflict, object{"error": "cancelled"})
			return
		}
		next()
		cancelled := func(j object) bool { return m.get(text(j["journeyId"])) != nil }
		if c.ok("status") && cancelled(c.reply) {
			c.reply["status"] = "CANCELLED"
		}
		if list, _ := c.reply["activeBookings"].([]any); c.ok("user") {
			c.reply["activeBookings"] = slices.DeleteFunc(list, func(j any) bool { return cancelled(j.(object)) })
		}
	})},
	{name: "cars under way are queued again", killedBy: "JRN-12", most: 8, layer: then(func(m *memory, c *call) {
		switch id := text(c.reply["journeyId"]); {
		case c.ok("book"):
			m.set(id, true)
		case c.ok("status") && c.reply["driver"] != nil && m.get(id) == nil:
			c.reply["status"] = "WAITING"
			delete(c.reply, "driver")
			delete(c.reply, "vehicle")
		}
	})},
	{name: "what was cancelled comes when its time has come", killedBy: "CAN-12", most: 8, layer: then(func(m *memory, c *call) {
		switch id := text(c.reply["journeyId"]); {
		case c.op == dispatchsidetest.NewDay:
			m.set(dispatchsidetest.NewDay, true)
		case c.ok("status") && c.reply["status"] == "CANCELLED" && m.get(dispatchsidetest.NewDay) != nil && id != "":
			c.reply["status"] = "WAITING"
		}
	})},
	{name: "cancelled at ARRIVED in words only", killedBy: "JRN-13", layer: func() layer {
		return func(c *call, next func()) {
			if c.op == "cancel" && c.ask("status", c.req)["status"] == "ARRIVED" {
				c.answer(http.StatusOK, object{"journeyId": c.req["journeyId"], "status": "CANCELLED"})
				return
			}
			next()
		}
	}},
	{name: "an edit by half at ACCEPTED", killedBy: "JRN-14", most: 8, layer: before(func(c *call) {
		if id := text(c.req["journeyId"]); c.op == "book" && id != "" {
			now := c.ask("status", object{"userId": c.req["userId"], "journeyId": id})
			if now["status"] == "ACCEPTED" {
				c.req["pickup"] = now["pickup"]
			}
		}
	})},
	{name: "an edit after two cancellations is lost", killedBy: "JRN-15", most: 8, layer: remembering(func(m *memory, c *call, next func()) {
		user := text(c.req["userId"])
		n, _ := m.get(user).(int)
		if c.op == "book" && !c.creates() && n >= 2 {
			if now := c.ask("status", object{"userId": user, "journeyId": c.req["journeyId"]}); now["pickup"] != nil {
				c.req["pickup"] = now["pickup"]
			}
		}
		next()
		if c.ok("cancel") {
			m.set(user, n+1)
		}
	})},
}

// aliased makes a layer that shows each journey under another id, which only the layer's memory resolves.
func aliased(name func(m *memory, id string) string) func() layer {
	return remembering(func(m *memory, c *call, next func()) {
		if id := text(c.req["journeyId"]); id != "" {
			if real := m.get(id); real != nil {
				c.req["journeyId"] = real
			} else {
				c.req["journeyId"] = "no-such-" + id
			}
		}
		next()
		for _, j := range c.journeys() {
			id := text(j["journeyId"])
			alias, ok := m.get("alias " + id).(string)
			if !ok {
				alias = name(m, id)
				m.set("alias "+id, alias)
				m.set(alias, id)
			}
			j["journeyId"] = alias
		}
	})
}
