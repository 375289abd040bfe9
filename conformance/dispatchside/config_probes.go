package dispatchside

import (
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func configProbes() []probe {
	return []probe{
		// With --only, these checks make no booking.
		{name: rules.ProbeSettings, checks: ids("CFG-01 CFG-02 CFG-03 CFG-04 CFG-05 CFG-06 CFG-07 CFG-09 CFG-11 CFG-12 CFG-13 W-15"), run: settings},
		{name: rules.ProbeConfigRepeated, checks: ids("CFG-08 CFG-10 CFG-14"), run: configRepeated, phase: last},
	}
}

// settings sends all customer settings that the platform's plugin may have.
func settings(c *testUser) {
	c.config(object{})
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
		c.send(client.Call{Op: rules.OpConfig, Body: encode(object{}), Sound: true, Intent: rules.IntentRepeat})
	}
}
