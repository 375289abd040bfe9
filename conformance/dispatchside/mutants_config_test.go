package dispatchside_test

import (
	"net/http"
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
