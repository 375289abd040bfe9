package conformance

import "github.com/cabrank/cabrank/dispatch/taxi"

func configProbes() []probe {
	return []probe{
		{name: probeSettings, checks: ids("CFG-03 W-15"), run: settings},
		{name: probeConfigRepeated, checks: ids("CFG-08 CFG-14"), run: configRepeated, phase: last},
	}
}

// settings sends all that the platform's plugin may know of a customer.
func settings(c *testUser) {
	c.config(object{"data": object{
		"features":    []string{string(taxi.FeatureVoice)},
		"options":     taxi.Options(),
		"skipDropOff": false,
		"language":    "en-GB",
		"branding":    object{"greeting": c.uniqueText(), "colours": []int{1, 2}},
	}})
	c.config(object{"data": object{}})
}

func configRepeated(c *testUser) {
	for range 10 {
		c.send(call{op: OpConfig, body: encode(object{}), sound: true, intent: intentRepeat})
	}
}
