package dispatchside_test

import (
	"net/http"
	"strings"
)

var configFaults = []fault{
	{name: "config without status", killedBy: "CFG-01", most: 14, layer: answersOf("config", func(c *call) { delete(c.reply, "status") })},
	{name: "{} refused", killedBy: "CFG-02", most: 12, layer: refuses(http.StatusBadRequest, "data is required", func(c *call) bool {
		return c.op == "config" && c.req["data"] == nil
	})},
	{name: "data refused", killedBy: "CFG-03", layer: after(func(c *call) {
		if d, ok := c.req["data"].(object); ok && c.op == "config" && d["language"] != nil {
			c.answer(http.StatusBadRequest, object{"error": "unknown setting"})
		}
	})},
	{name: "eta without unit", killedBy: "CFG-04", layer: on("config", put("eta", object{"value": 4}))},
	{name: "data an array", killedBy: "CFG-05", layer: on("config", put("data", []string{"voice"}))},
	{name: "options a string", killedBy: "CFG-06", layer: on("config", put("data", object{"options": "eta,vehicle"}))},
	{name: "drivername", killedBy: "CFG-07", layer: on("config", put("data", object{"options": []string{"drivername"}}))},
	{name: "null overrides", killedBy: "CFG-09", layer: on("config", put("data", object{"options": nil}))},
	{name: "negative eta", killedBy: "CFG-11", layer: on("config", put("eta", object{"value": -3, "unit": "minutes"}))},
	{name: "an eta that comes and goes", killedBy: "CFG-08", layer: then(func(m *memory, c *call) {
		if c.ok("config") {
			delete(c.reply, "eta")
			if m.count()%2 == 0 {
				c.reply["eta"] = object{"value": 4, "unit": "minutes"}
			}
		}
	})},
	{name: "a status by chance", killedBy: "CFG-14", layer: then(func(m *memory, c *call) {
		if c.ok("config") {
			c.reply["status"] = []string{"OK", "BUSY"}[m.count()%2]
		}
	})},
	{name: "the first caller is turned away", killedBy: "CFG-12", layer: then(func(m *memory, c *call) {
		if c.op == "config" && m.count() == 1 {
			c.answer(http.StatusServiceUnavailable, object{"error": "starting"})
		}
	})},
}

var enrichmentFaults = []fault{
	{name: "driver without badge", killedBy: "ENR-09", layer: eachMember("driver", func(d object) { delete(d, "badgeNumber") })},
	{name: `price "12.50"`, killedBy: "ENR-04", layer: eachMember("price", func(p object) { p["value"] = "12.50" })},
	{name: "£", killedBy: "ENR-05", layer: eachMember("price", func(p object) { p["currency"] = "£" })},
	{name: "a currency of its own", killedBy: "ENR-05", layer: eachMember("price", func(p object) { p["currency"] = "CAB" })},
	{name: "eta without unit on a journey", killedBy: "ENR-01", layer: eachMember("eta", func(e object) { delete(e, "unit") })},
	{name: "vehicle without registration", killedBy: "ENR-08", layer: eachMember("vehicle", func(v object) { delete(v, "registration") })},
	{name: "location without latitude", killedBy: "ENR-12", layer: eachMember("location", func(v object) { delete(v, "latitude") })},
	{name: "location at (0,0)", killedBy: "ENR-14", layer: showsAs("location", object{"longitude": 0, "latitude": 0})},
	{name: "no phone at ARRIVED", killedBy: "ENR-18", layer: eachJourney(func(j object) {
		if d, ok := j["driver"].(object); ok && j["status"] == "ARRIVED" {
			d["phoneNumber"] = ""
		}
	})},
	{name: "an eta below nought", killedBy: "ENR-02", layer: eachMember("eta", func(e object) { e["value"] = -3 })},
	{name: "an eta in jiffies", warns: "ENR-03", layer: eachMember("eta", func(e object) { e["unit"] = "jiffies" })},
	{name: "a price type of its own", killedBy: "ENR-06", layer: eachMember("price", func(p object) { p["type"] = "Approx" })},
	{name: "an agreed price is an estimate", killedBy: "ENR-07", layer: eachMember("price", func(p object) { p["type"] = "ESTIMATED" })},
	{name: "a fixed price that is not", killedBy: "ENR-07", layer: then(func(m *memory, c *call) {
		for _, j := range c.journeys() {
			if p, ok := j["price"].(object); ok {
				p["type"], p["value"] = "FIXED", m.count()
			}
		}
	})},
	{name: "a driver without a number", killedBy: "ENR-10", layer: eachMember("driver", func(d object) { d["phoneNumber"] = "call the office" })},
	{name: "no vehicle while en route", killedBy: "ENR-11 JRN-16", layer: inStatus("EN_ROUTE", func(j object) { delete(j, "vehicle") })},
	{name: "a swapped location", killedBy: "ENR-13", most: 8, layer: eachMember("location", func(at object) { at["longitude"], at["latitude"] = at["latitude"], at["longitude"] })},
	{name: "a parked car", killedBy: "ENR-15 ENR-16", layer: showsAs("location", object{"longitude": -1.3, "latitude": 53.9})},
	{name: "a car that stands while it is en route", warns: "ENR-32", layer: then(func(m *memory, c *call) {
		id := text(c.reply["journeyId"])
		if c.reply["status"] != "EN_ROUTE" || c.reply["location"] == nil {
			return
		}
		if m.get(id) == nil {
			m.set(id, c.reply["location"])
		}
		c.reply["location"] = m.get(id)
	})},
	{name: "a car that jumps", killedBy: "ENR-17", most: 8, layer: then(func(m *memory, c *call) {
		if at, ok := c.reply["location"].(object); ok && c.ok("status") && m.count()%2 == 0 {
			at["longitude"] = -1.3
		}
	})},
	{name: "a driver before there is one", killedBy: "ENR-19", layer: eachJourney(func(j object) {
		if j["status"] == "HELD" || j["status"] == "WAITING" {
			j["driver"] = object{"name": "Ann", "phoneNumber": "+441134960001", "badgeNumber": "B1"}
		}
	})},
	{name: "the car is shown afterwards", killedBy: "ENR-20", layer: eachJourney(func(j object) {
		if s, _ := j["status"].(string); strings.HasPrefix(s, "C") {
			j["location"] = somewhere["location"]
		}
	})},
}
