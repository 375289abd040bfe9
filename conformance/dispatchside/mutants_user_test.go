package dispatchside_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

var userFaults = []fault{
	{name: "userId missing", killedBy: "USR-01", most: 16, layer: on("user", drop("userId"))},
	{name: "userId a number", killedBy: "USR-01", most: 6, layer: on("user", put("userId", 12345))},
	{name: "plus demanded", killedBy: "USR-02", most: 12, layer: then(func(_ *memory, c *call) {
		if c.op == "user" && !strings.HasPrefix(text(c.req["phoneNumber"]), "+") {
			c.answer(http.StatusBadRequest, object{"error": "want +"})
		}
	})},
	{name: "somebody else's phone", killedBy: "USR-03", layer: on("user", put("phoneNumber", "447700900999"))},
	{name: "userId new at each call", killedBy: "USR-04", most: 8, layer: remembering(func(m *memory, c *call, next func()) {
		if real := m.get(text(c.req["userId"])); real != nil {
			c.req["userId"] = real
		}
		next()
		if c.ok("user") {
			id := fmt.Sprintf("U-%d", m.count())
			m.set(id, c.reply["userId"])
			c.reply["userId"] = id
		}
	})},
	{name: "one userId for all", killedBy: "USR-05", most: 8, layer: remembering(func(m *memory, c *call, next func()) {
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
	})},
	{name: "users found by the last nine digits", killedBy: "USR-05", layer: remembering(func(m *memory, c *call, next func()) {
		phone := strings.TrimPrefix(text(c.req["phoneNumber"]), "+")
		if len(phone) > 9 && c.op == "user" {
			end := phone[len(phone)-9:]
			if first := text(m.get(end)); first != "" {
				c.req["phoneNumber"] = first
			} else {
				m.set(end, c.req["phoneNumber"])
			}
		}
		next()
	})},
	{name: "enabled in lower case", killedBy: "USR-06", layer: on("user", put("status", "enabled"))},
	{name: "skipDropOff a string", killedBy: "USR-07", layer: on("user", put("data", object{"skipDropOff": "false"}))},
	{name: "activeBookings an object", killedBy: "USR-08", most: 6, layer: on("user", func(c *call) { c.reply["activeBookings"] = object{"bookings": c.reply["activeBookings"]} })},
	{name: "active booking lacks pickup", killedBy: "USR-09", layer: answersOf("user", func(c *call) {
		for _, j := range c.journeys() {
			delete(j, "pickup")
		}
	})},
	{name: "newest booking omitted", killedBy: "USR-10 JRN-03", most: 7, layer: then(func(_ *memory, c *call) {
		if list, ok := c.reply["activeBookings"].([]any); ok && c.ok("user") && len(list) < 8 {
			c.reply["activeBookings"] = list[:len(list)-1]
		}
	})},
	{name: "cancelled still listed", killedBy: "USR-11", most: 8, layer: then(func(m *memory, c *call) {
		switch {
		case c.ok("cancel"):
			m.set(text(c.req["userId"]), c.reply)
		case c.ok("user"):
			if gone, ok := m.get(text(c.reply["userId"])).(object); ok {
				c.list(gone)
			}
		}
	})},
	{name: "no more than twelve listed", killedBy: "USR-13", layer: after(func(c *call) {
		if list, ok := c.reply["activeBookings"].([]any); ok && c.ok("user") && len(list) > 12 {
			c.reply["activeBookings"] = list[:12]
		}
	})},
	{name: "each listed for each drop-off", killedBy: "USR-13", layer: after(func(c *call) {
		if list, ok := c.reply["activeBookings"].([]any); ok && c.ok("user") {
			var rows []any
			for i, j := range c.journeys() {
				for range max(1, len(j["dropoffs"].([]any))) {
					rows = append(rows, list[i])
				}
			}
			c.reply["activeBookings"] = rows
		}
	})},
	{name: "the plus of /book is filed", killedBy: "USR-21", most: 10, layer: remembering(func(m *memory, c *call, next func()) {
		phone := text(c.req["phoneNumber"])
		if c.op == "user" && m.get("+"+phone) != nil {
			c.answer(http.StatusNotFound, object{"error": "unknown"})
			return
		}
		if next(); c.ok("book") && c.creates() && c.req["userId"] == nil && strings.HasPrefix(phone, "+") {
			m.set(phone, true)
		}
	})},
	{name: "every number is of the United Kingdom", killedBy: "USR-21", most: 10, layer: refuses(http.StatusNotFound, "unknown", func(c *call) bool {
		return c.op == "user" && !strings.HasPrefix(text(c.req["phoneNumber"]), "44")
	})},
	{name: "unknown number crashes", killedBy: "USR-16", layer: refuses(http.StatusInternalServerError, "nil", func(c *call) bool {
		return c.op == "user" && c.status == http.StatusNotFound
	})},
	{name: "somebody else's bookings too", killedBy: "USR-12", most: 18, layer: then(func(m *memory, c *call) {
		switch {
		case c.ok("book") && c.creates():
			m.set("last", c.reply)
		case c.ok("user"):
			if last, ok := m.get("last").(object); ok {
				c.list(last)
			}
		}
	})},
	{name: "everybody is ENABLED", killedBy: "USR-14", layer: on("user", put("status", "ENABLED"))},
	{name: "a plus opens another account", killedBy: "USR-17", layer: then(func(m *memory, c *call) {
		switch phone := text(c.req["phoneNumber"]); {
		case !c.ok("user"):
		case strings.HasPrefix(phone, "+"):
			if other := m.get("other"); other != nil {
				c.reply["userId"] = other
			}
		case m.get("other") == nil:
			m.set("other", c.reply["userId"])
		}
	})},
	{name: "looking makes bookings vanish", killedBy: "USR-18", most: 8, layer: then(func(m *memory, c *call) {
		if list, ok := c.reply["activeBookings"].([]any); ok && c.ok("user") && len(list) == 1 {
			key := text(c.reply["userId"])
			if n := m.times(key); n == 7 {
				c.reply["activeBookings"] = []any{}
			}
		}
	})},
	{name: "fifteen digits crash", killedBy: "USR-19", layer: refuses(http.StatusInternalServerError, "overflow", func(c *call) bool {
		return c.op == "user" && len(text(c.req["phoneNumber"])) == 15 && !strings.ContainsAny(text(c.req["phoneNumber"]), "+ ")
	})},
	{name: "unknown data refused", killedBy: "USR-20", layer: after(func(c *call) {
		if d, ok := c.req["data"].(object); ok && c.op == "user" && d["unknown"] != nil {
			c.answer(http.StatusBadRequest, object{"error": "unknown setting"})
		}
	})},
	{name: "first-time callers stay without a list", killedBy: "JRN-05 USR-10", most: 8, layer: remembering(func(m *memory, c *call, next func()) {
		stranger := c.creates() && c.req["userId"] == nil
		next()
		if c.ok("book") && stranger {
			m.set(text(c.reply["journeyId"]), true)
		}
		if list, ok := c.reply["activeBookings"].([]any); ok && c.ok("user") {
			c.reply["activeBookings"] = slices.DeleteFunc(list, func(j any) bool {
				o, _ := j.(object)
				return m.get(text(o["journeyId"])) != nil
			})
		}
	})},
}
