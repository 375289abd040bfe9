package dispatchside_test

import (
	"encoding/json"
	"strings"

	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
)

// priceOf returns the price of a journey and its value.
func priceOf(j object) (price object, value float64, ok bool) {
	price, ok = j["price"].(object)
	if !ok {
		return nil, 0, false
	}
	n, ok := price["value"].(json.Number)
	if !ok {
		return nil, 0, false
	}
	value, err := n.Float64()
	return price, value, err == nil
}

// eachPrice makes a layer of a change to the price of every journey that is not COMPLETE.
func eachPrice(change func(c *call, j, price object, value float64)) func() layer {
	return after(func(c *call) {
		for _, j := range c.journeys() {
			if price, value, ok := priceOf(j); ok && j["status"] != "COMPLETE" {
				change(c, j, price, value)
			}
		}
	})
}

var moneyFaults = []fault{
	{name: "a fixed price that goes up by the day", killedBy: "ENR-07", layer: then(func(m *memory, c *call) {
		if c.op == dispatchsidetest.NewDay {
			m.set(dispatchsidetest.NewDay, true)
		}
		for _, j := range c.journeys() {
			if price, value, ok := priceOf(j); ok && price["type"] == "FIXED" && m.get(dispatchsidetest.NewDay) != nil {
				price["value"] = value + 1
			}
		}
	})},
	{name: "prices are sums of floats", killedBy: "ENR-33", layer: eachPrice(func(_ *call, _, price object, value float64) {
		price["value"] = value + 0.0000000000001
	})},
	{name: "a price that is estimated by chance", warns: "ENR-21", layer: then(func(m *memory, c *call) {
		for _, j := range c.journeys() {
			if price, value, ok := priceOf(j); ok {
				price["value"] = value + float64(m.count()%7)
			}
		}
	})},
	{name: "a pound more once it is booked", warns: "ENR-22", layer: eachPrice(func(c *call, _, price object, value float64) {
		if c.op == "status" && price["type"] != "FIXED" {
			price["value"] = value + 1
		}
	})},
	{name: "an edit is priced at the flag fall", warns: "ENR-23", layer: then(func(m *memory, c *call) {
		if c.ok("book") && !c.creates() {
			m.set(text(c.reply["journeyId"]), true)
		}
		for _, j := range c.journeys() {
			if price, _, ok := priceOf(j); ok && m.get(text(j["journeyId"])) != nil && price["type"] != "FIXED" {
				price["value"] = 3.2
			}
		}
	})},
	{name: "an edit keeps the price", warns: "ENR-24", layer: then(func(m *memory, c *call) {
		for _, j := range c.journeys() {
			price, value, ok := priceOf(j)
			id := text(j["journeyId"])
			switch {
			case !ok || price["type"] == "FIXED":
			case m.get(id) == nil:
				m.set(id, value)
			default:
				price["value"] = m.get(id)
			}
		}
	})},
	{name: "a price in pence", killedBy: "ENR-25", layer: eachPrice(func(_ *call, _, price object, value float64) { price["value"] = value * 100 })},
	{name: "a price below nought", killedBy: "ENR-25", layer: eachPrice(func(_ *call, _, price object, value float64) { price["value"] = -value })},
	{name: "the price of another journey", warns: "ENR-26", layer: then(func(m *memory, c *call) {
		for _, j := range c.journeys() {
			price, value, ok := priceOf(j)
			id := text(j["journeyId"])
			if !ok || price["type"] == "FIXED" {
				continue
			}
			if m.get(id) == nil {
				m.set(id, m.get("last"))
				m.set("last", value)
			}
			if other, is := m.get(id).(float64); is {
				price["value"] = other
			}
		}
	})},
}

// etaFaults are wrong about how long it takes.
var etaFaults = []fault{
	{name: "seconds that are called minutes", warns: "ENR-27", layer: eachETA(func(_, eta object, value float64) { eta["value"] = value * 60 })},
	{name: "always eight minutes", warns: "ENR-28 ENR-29", layer: eachETA(func(_, eta object, _ float64) { eta["value"] = 8 })},
}

// eachETA makes a layer of a change to the eta of every journey.
func eachETA(change func(j, eta object, value float64)) func() layer {
	return eachJourney(func(j object) {
		eta, ok := j["eta"].(object)
		if !ok {
			return
		}
		if n, is := eta["value"].(json.Number); is {
			value, _ := n.Float64()
			change(j, eta, value)
		}
	})
}

// peopleFaults mix people up.
var peopleFaults = []fault{
	{name: "the driver has the passenger's number", killedBy: "ENR-30", layer: eachJourney(func(j object) {
		passenger, _ := j["passenger"].(object)
		if d, ok := j["driver"].(object); ok && passenger != nil {
			d["phoneNumber"] = passenger["phoneNumber"]
		}
	})},
	{name: "another driver at each read", killedBy: "ENR-31", layer: then(func(m *memory, c *call) {
		for _, j := range c.journeys() {
			if d, ok := j["driver"].(object); ok {
				d["name"] = []string{"Ann", "Ben", "Cara"}[m.count()%3]
			}
		}
	})},
	{name: "a passenger's number that nobody can dial", killedBy: "STA-17", layer: eachMember("passenger", func(p object) { p["phoneNumber"] = strings.Replace(text(p["phoneNumber"]), "44", "440", 1) })},
	{name: "a user's number that nobody can dial", killedBy: "USR-03", layer: on("user", func(c *call) { c.reply["phoneNumber"] = strings.Replace(text(c.reply["phoneNumber"]), "44", "440", 1) })},
	{name: "a cancellation takes the fare of a journey that is over", warns: "JRN-08", layer: then(func(m *memory, c *call) {
		id := text(c.req["journeyId"])
		if c.op == "cancel" && c.ask("status", c.req)["status"] == "COMPLETE" {
			m.set(id, true)
		}
		if m.get(id) != nil && (c.op == "cancel" || c.ok("status")) {
			c.answer(200, object{"journeyId": id, "status": "CANCELLED"})
		}
	})},
}
