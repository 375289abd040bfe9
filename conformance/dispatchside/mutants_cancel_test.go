package dispatchside_test

import (
	"maps"
	"net/http"
	"strings"
)

var cancelFaults = []fault{
	{name: "CANCELED", killedBy: "CAN-01", most: 12, layer: on("cancel", put("status", "CANCELED"))},
	{name: "cancel says ok, stays live", killedBy: "CAN-02", most: 22, layer: func() layer {
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
	{name: "second cancel crashes", killedBy: "CAN-04", layer: then(func(m *memory, c *call) {
		id := text(c.req["journeyId"])
		if c.ok("cancel") && m.get(id) != nil {
			c.answer(http.StatusInternalServerError, object{"error": "again"})
		} else if c.ok("cancel") {
			m.set(id, true)
		}
	})},
	{name: "a second cancellation undoes the first", killedBy: "CAN-04", most: 6, layer: then(func(m *memory, c *call) {
		id := text(c.req["journeyId"])
		switch {
		case c.ok("cancel") && m.get(id) != nil:
			m.set(id, "WAITING")
		case c.ok("cancel"):
			m.set(id, "CANCELLED")
		case c.ok("status") && m.get(id) != nil:
			c.reply["status"] = m.get(id)
		}
	})},
	{name: "still listed as WAITING", killedBy: "CAN-03", warns: "JRN-03", most: 8, layer: then(func(m *memory, c *call) {
		switch {
		case c.ok("cancel"):
			gone := c.reply
			m.set(text(c.req["userId"]), gone)
		case c.ok("user"):
			if gone, ok := m.get(text(c.reply["userId"])).(object); ok {
				list, _ := c.reply["activeBookings"].([]any)
				listed := maps.Clone(gone)
				listed["status"] = "WAITING"
				c.reply["activeBookings"] = append(list, listed)
			}
		}
	})},
	{name: "anybody may cancel", killedBy: "CAN-06", layer: asOwner("cancel")},
	{name: "no userId needed", killedBy: "CAN-07", most: 10, layer: func() layer {
		owned := asOwner("cancel")()
		return func(c *call, next func()) {
			if c.op == "cancel" && text(c.req["userId"]) != "" {
				next()
				return
			}
			owned(c, next)
		}
	}},
	{name: "cancelled at POB, and rides on", killedBy: "CAN-08 JRN-13", layer: after(func(c *call) {
		if c.op == "cancel" && c.status == http.StatusConflict {
			c.answer(http.StatusOK, object{"journeyId": c.req["journeyId"], "status": "CANCELLED"})
		}
	})},
	{name: "cancels all of a caller's journeys", killedBy: "CAN-09 JRN-09", most: 30, layer: then(func(m *memory, c *call) {
		id := text(c.req["journeyId"])
		switch {
		case c.ok("book") && c.creates():
			phone, id := text(c.req["phoneNumber"]), text(c.reply["journeyId"])
			ids, _ := m.get("of " + phone).([]string)
			m.set("of "+phone, append(ids, id))
			m.set(id, phone)
		case c.ok("cancel"):
			ids, _ := m.get("of " + text(m.get(id))).([]string)
			for _, other := range ids {
				c.ask("cancel", object{"userId": c.req["userId"], "journeyId": other})
			}
		}
	})},
	{name: "an edited journey cannot be cancelled", killedBy: "CAN-10", most: 12, layer: then(func(m *memory, c *call) {
		switch id := text(c.req["journeyId"]); {
		case c.ok("book") && !c.creates():
			m.set(id, true)
		case c.ok("cancel") && m.get(id) != nil:
			c.answer(http.StatusNotFound, object{"error": "no such journey"})
		}
	})},
	{name: "ids in any capitals", killedBy: "CAN-11", layer: before(func(c *call) {
		if id := text(c.req["journeyId"]); c.op == "cancel" && id != "" {
			c.req["journeyId"] = strings.ToUpper(strings.TrimSpace(id))
		}
	})},
	{name: "a cancelled journey stirs", killedBy: "CAN-12", most: 10, layer: then(func(m *memory, c *call) {
		if c.ok("status") && c.reply["status"] == "CANCELLED" {
			id := text(c.req["journeyId"])
			if n := m.times(id); n == 2 {
				c.reply["status"] = "WAITING"
			}
		}
	})},
}
