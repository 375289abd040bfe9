package dispatchside_test

import (
	"strings"
)

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
