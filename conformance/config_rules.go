package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeConfig judges one answer to /config.
func judgeConfig(x *Exchange, s *findings) {
	judgeConfigRequest(x, s)
	if !x.succeeded() || x.Request.Method != "POST" {
		return
	}
	status := x.Reply().at("status")
	if !s.want("CFG-01", status.hasText(), status, "string, not empty", x) {
		return // whatever this is, it is no answer to /config
	}
	s.observe("CFG-13", fmt.Sprintf("status %q", clip(status.text(), 60)), x)
	if eta := x.Reply().at("eta"); eta.given() {
		judgeConfigETA(eta, x, s)
	}
	if data := x.Reply().at("data"); data.present() {
		judgeConfigData(data, x, s)
	}
}

// judgeConfigRequest judges whether the two plain forms of the request are
// served.
func judgeConfigRequest(x *Exchange, s *findings) {
	if !mustServe(x) || x.Intent != intentPlain {
		return
	}
	data := x.Sent().at("data")
	switch {
	case !x.succeeded() && data.isObject():
		s.fail("CFG-03", "a call with data was not served", "served", answer(x), x)
	case !x.succeeded():
		s.fail("CFG-02", "a call with {} was not served", "served", answer(x), x)
	case !served(x): // the call was taken and the answer says nothing: CFG-01
	case data.at("features").isArray() && data.at("options").isArray() && data.at("skipDropOff").isBool():
		s.pass("CFG-03", x)
	case !data.present():
		s.pass("CFG-02", x)
	}
}

func judgeConfigETA(eta value, x *Exchange, s *findings) {
	if !judgeFlaws(s, "CFG-04", flawsOf(eta, etaShape), x) {
		return
	}
	n := eta.at("value").number()
	s.want("CFG-11", n >= 0 && n*unitSeconds(eta.at("unit").text()) <= 24*3600, eta.at("value"), "number from 0 to 24 hours", x)
	s.want("CFG-11", eta.at("unit").hasText(), eta.at("unit"), "string, not empty", x)
}

// unitSeconds reads a unit of time, an unknown one as minutes.
func unitSeconds(unit string) float64 {
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "s", "sec", "secs", "second", "seconds":
		return 1
	case "h", "hr", "hrs", "hour", "hours":
		return 3600
	}
	return 60
}

func judgeConfigData(data value, x *Exchange, s *findings) {
	if data.isNull() {
		s.warn("CFG-09", "/data is null", "an object, or no data", data, x)
		return
	}
	if !s.want("CFG-05", data.isObject(), data, "object", x) {
		return
	}
	judgeNulls(s, data, x)
	if data.at("features").given() || data.at("options").given() || data.at("skipDropOff").given() {
		judgeFlaws(s, "CFG-06", settingsFlaws(data), x)
	}
	for _, o := range data.at("options").items() {
		if o.isText() {
			judgeOption(o, x, s)
		}
	}
}

func judgeNulls(s *findings, data value, x *Exchange) {
	for _, key := range []string{"features", "options", "skipDropOff"} {
		if v := data.at(key); v.isNull() {
			s.fail("CFG-09", v.pointer()+" is null", "a value, or no field", v, x)
			return
		}
	}
	s.pass("CFG-09", x)
}

// judgeOption tells a misspelt option from one the interface does not know: the
// first is a mistake, the second may be an agreement between two partners.
func judgeOption(o value, x *Exchange, s *findings) {
	known := taxi.Options()
	if slices.Contains(known, taxi.Option(o.text())) {
		s.pass("CFG-07", x)
		return
	}
	for _, k := range known {
		if plain(o.text()) == plain(string(k)) {
			s.fail("CFG-07", fmt.Sprintf("%s is %q: did you mean %q?", o.pointer(), clip(o.text(), 40), k), string(k), o, x)
			return
		}
	}
	s.warn("CFG-07", o.pointer()+" is not an option of the interface", "one of the eight documented options", o, x)
}

// plain folds what people vary when they misspell a name.
func plain(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
}
