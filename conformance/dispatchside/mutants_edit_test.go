package dispatchside_test

import (
	"net/http"
	"slices"
	"strings"
)

var editFaults = []fault{
	{name: "edit gives new id", killedBy: "BOK-15", most: 5, layer: after(func(c *call) {
		if c.ok("book") && !c.creates() {
			c.reply["journeyId"] = text(c.reply["journeyId"]) + "-2"
		}
	})},
	{name: "edited pickup not applied", killedBy: "BOK-16", layer: keepsOld("pickup")},
	{name: "edited dropoffs not applied", killedBy: "BOK-17", layer: keepsOld("dropoffs")},
	{name: "edited time not applied", killedBy: "BOK-18", layer: keepsOld("pickupTime")},
	{name: "an edit keeps the passenger's number", killedBy: "BOK-08 STA-17", layer: keepsOld("phoneNumber")},
	{name: "an edit keeps the passenger's name", killedBy: "BOK-08", layer: keepsOld("name")},
	{name: "an edit cancels, and books again", killedBy: "BOK-19", most: 16, layer: func() layer {
		return func(c *call, next func()) {
			if c.op == "book" && !c.creates() && c.ask("cancel", object{"userId": c.req["userId"], "journeyId": c.req["journeyId"]})["status"] == "CANCELLED" {
				c.req["journeyId"] = nil
			}
			next()
		}
	}},
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
	{name: "edit of an unknown id creates", killedBy: "BOK-21", layer: before(func(c *call) {
		if strings.HasPrefix(text(c.req["journeyId"]), "no-such") && c.op == "book" {
			c.req["journeyId"] = nil
		}
	})},
	{name: "an edit moves what it repeats", killedBy: "BOK-20", most: 8, layer: remembering(func(m *memory, c *call, next func()) {
		id := text(c.req["journeyId"])
		if old := m.get(id); old != nil && c.op == "book" && jsonText(old) == jsonText(c.req["dropoffs"]) {
			c.req["dropoffs"] = []any{somewhere}
		}
		sent := c.req["dropoffs"]
		next()
		if c.ok("book") && c.creates() {
			m.set(text(c.reply["journeyId"]), sent)
		}
	})},
	{name: "anybody may edit", killedBy: "BOK-22", layer: asOwner("book")},
	{name: "an edit revives", killedBy: "BOK-23", most: 8, layer: then(func(m *memory, c *call) {
		id := text(c.req["journeyId"])
		switch {
		case c.ok("cancel"):
			m.set(id, true)
		case c.op == "book" && m.get(id) != nil:
			c.answer(http.StatusOK, object{"journeyId": id, "status": "WAITING"})
		}
	})},
}

// keepsOld makes a layer that acknowledges an edit and leaves one field as it was.
func keepsOld(key string) func() layer {
	return remembering(func(m *memory, c *call, next func()) {
		if old := m.get(text(c.req["journeyId"])); old != nil && c.op == "book" {
			c.req[key] = old
		}
		next()
		if c.ok("book") && c.creates() {
			m.set(text(c.reply["journeyId"]), c.req[key])
		}
	})
}

// asOwner makes a layer that lets anybody do to a journey what only its user may.
func asOwner(ops ...string) func() layer {
	return remembering(func(m *memory, c *call, next func()) {
		if owner := m.get(text(c.req["journeyId"])); owner != nil && slices.Contains(ops, c.op) {
			c.req["userId"] = owner
		}
		next()
		if c.ok("user") {
			for _, j := range c.journeys() {
				m.set(text(j["journeyId"]), c.reply["userId"])
			}
		}
		if owner := text(c.req["userId"]); c.ok("book") && c.creates() && owner != "" {
			m.set(text(c.reply["journeyId"]), owner)
		}
	})
}
