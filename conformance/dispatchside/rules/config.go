package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeConfig judges one answer to /config without comparing it with others.
func judgeConfig(x *conformance.Exchange, s *conformance.Findings) {
	judgeConfigRequest(x, s)
	if !x.Succeeded() || x.Request.Method != "POST" {
		return
	}
	status := x.Reply().At("status")
	if !s.Want("CFG-01", status.HasText(), status, "string, not empty", x) {
		return // this is not an answer to /config
	}
	s.Observe("CFG-13", fmt.Sprintf("status %q", jsonvalue.Clip(status.Text(), 60)), x)
	if eta := x.Reply().At("eta"); eta.Given() {
		judgeConfigETA(eta, x, s)
	}
	if data := x.Reply().At("data"); data.Present() {
		judgeConfigData(data, x, s)
	}
}

// judgeConfigRequest judges whether /config is served without data and with data.
func judgeConfigRequest(x *conformance.Exchange, s *conformance.Findings) {
	if !MustServe(x) || x.Intent != conformance.IntentPlain {
		return
	}
	data := x.Sent().At("data")
	switch {
	case !x.Succeeded() && data.IsObject():
		s.Fail("CFG-03", "a call with data was not served", "served", conformance.Answer(x), x)
	case !x.Succeeded():
		s.Fail("CFG-02", "a call with {} was not served", "served", conformance.Answer(x), x)
	case !Served(x): // accepted with an empty answer: CFG-01
	case data.At("features").IsArray() && data.At("options").IsArray() && data.At("skipDropOff").IsBool():
		s.Pass("CFG-03", x)
	case !data.Present():
		s.Pass("CFG-02", x)
	}
}

func judgeConfigETA(eta jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if !judgeFlaws(s, "CFG-04", flawsOf(eta, etaShape), x) {
		return
	}
	n := eta.At("value").Number()
	s.Want("CFG-11", n >= 0 && n*UnitSeconds(eta.At("unit").Text()) <= 24*3600, eta.At("value"), "number from 0 to 24 hours", x)
	s.Want("CFG-11", eta.At("unit").HasText(), eta.At("unit"), "string, not empty", x)
}

// UnitSeconds returns how many seconds a unit of time has. An unknown unit counts as minutes.
func UnitSeconds(unit string) float64 {
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "s", "sec", "secs", "second", "seconds":
		return 1
	case "h", "hr", "hrs", "hour", "hours":
		return 3600
	}
	return 60
}

func judgeConfigData(data jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if data.IsNull() {
		s.Warn("CFG-09", "/data is null", "an object, or no data", data, x)
		return
	}
	if !s.Want("CFG-05", data.IsObject(), data, "object", x) {
		return
	}
	judgeNulls(s, data, x)
	judgeMembers(data, settingMembers("CFG-06"), x, s)
	if data.At("features").Given() || data.At("options").Given() || data.At("skipDropOff").Given() {
		judgeFlaws(s, "CFG-06", settingsFlaws(data), x)
	}
	for _, o := range data.At("options").Items() {
		if o.IsText() {
			judgeOption(o, x, s)
		}
	}
}

func judgeNulls(s *conformance.Findings, data jsonvalue.Value, x *conformance.Exchange) {
	for _, key := range []string{"features", "options", "skipDropOff"} {
		if v := data.At(key); v.IsNull() {
			s.Fail("CFG-09", v.Pointer()+" is null", "a value, or no field", v, x)
			return
		}
	}
	s.Pass("CFG-09", x)
}

// judgeOption distinguishes a misspelt option from an unknown one: the first is a
// mistake, the second may be an agreement between two partners.
func judgeOption(o jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	known := taxi.Options()
	if slices.Contains(known, taxi.Option(o.Text())) {
		s.Pass("CFG-07", x)
		return
	}
	for _, k := range known {
		if plain(o.Text()) == plain(string(k)) {
			s.Fail("CFG-07", fmt.Sprintf("%s is %q: did you mean %q?", o.Pointer(), jsonvalue.Clip(o.Text(), 40), k), string(k), o, x)
			return
		}
	}
	s.Warn("CFG-07", o.Pointer()+" is not an option of the interface", "one of the eight documented options", o, x)
}

// joiners removes the characters that may join the words of a name: underscores, hyphens and spaces.
var joiners = strings.NewReplacer("_", "", "-", "", " ", "")

// plain returns a name in lower case without joiners, so that two spellings of one name are equal.
func plain(s string) string {
	return strings.ToLower(joiners.Replace(s))
}
