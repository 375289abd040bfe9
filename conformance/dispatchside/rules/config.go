package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var configChecks = []conformance.Check{
	{
		ID: "CFG-01", Level: conformance.Must, Clause: clauseConfig,
		Requirement: "status: string (required, current system status).",
		Why:         "It is the first thing every customer request asks: is there a taxi service right now?",
		Hint:        `Always send a non-empty status, such as {"status":"OK"}.`,
	},
	{
		ID: "CFG-02", Level: conformance.Must, Clause: clauseConfig, Needs: "a status in a /config reply",
		Requirement: "data: object (optional): an empty request object is served.",
		Why:         "A customer without taxi settings could not book at all.",
		Hint:        "Accept {} on /config.",
	},
	{
		ID: "CFG-03", Level: conformance.Must, Clause: clauseConfig, Needs: "a status in a /config reply",
		Requirement: "data: plugin-set taxi data, e.g. features array, options array, skipDropOff boolean, other fields.",
		Why:         "Customers with settings of their own could not book at all.",
		Hint:        "Accept any object as data and ignore what you do not know in it.",
	},
	{
		ID: "CFG-04", Level: conformance.Must, Clause: clauseObjects, Needs: "an eta in a /config reply",
		Requirement: "eta: ETA (optional); ETA: value (number, required), unit (string, required).",
		Why:         "Half an ETA cannot be spoken.",
		Hint:        `Send {"value":5,"unit":"minutes"} or no eta at all.`,
	},
	{
		ID: "CFG-05", Level: conformance.Must, Clause: clauseConfig, Needs: "data in a /config reply",
		Requirement: "data: object (optional; fields returned overwrite the static configuration).",
		Why:         "Settings that are not an object cannot be applied.",
		Hint:        "Send an object, or leave data out.",
	},
	{
		ID: "CFG-06", Level: conformance.Should, Clause: clauseEndUser, Needs: "features, options or skipDropOff in a /config reply",
		Requirement: "features (array of strings), options (array of strings), skipDropOff (boolean).",
		Why:         "A setting of the wrong type is ignored or breaks the call.",
		Hint:        "Send string arrays and a real boolean.",
	},
	{
		ID: "CFG-07", Level: conformance.Should, Clause: clauseEndUser, Needs: "options in a /config reply",
		Requirement: "Options values: jobID, vehicle, vehicleReg, eta, driverName, comingNow, callDriver, cancel.",
		Why:         "A misspelt option is silently never offered.",
		Hint:        "Spell the options exactly as the interface does, capitals included.",
	},
	{
		ID: "CFG-08", Level: conformance.Robustness, Needs: "served /config calls in a row",
		Requirement: "Ten calls in a row are answered in the same shape.",
		Why:         "A field that comes and goes makes features flicker from call to call.",
		Hint:        "Send the same fields every time.",
	},
	{
		ID: "CFG-09", Level: conformance.Robustness, Clause: clauseConfig, Needs: "data in a /config reply",
		Requirement: "Fields returned overwrite the static configuration: no field is null by accident.",
		Why:         "A null override can switch off every option for everybody.",
		Hint:        "Omit the fields that you do not want to override.",
	},
	{
		ID: "CFG-10", Level: conformance.Robustness, Clause: clauseConfig, Needs: "ten /config calls made alone",
		Requirement: "Called at the start of each customer request: 95 of 100 calls are answered within a second.",
		Why:         "Its time is added to every customer request.",
		Hint:        "Answer /config from memory.",
	},
	{
		ID: "CFG-11", Level: conformance.Robustness, Clause: clauseObjects, Needs: "an eta in a /config reply",
		Requirement: "eta.value is at least 0 and at most 24 hours; eta.unit is not empty.",
		Why:         `"Your taxi will be minus three minutes" is worse than silence.`,
		Hint:        "Leave eta out when you do not know it.",
	},
	{
		ID: "CFG-12", Level: conformance.Robustness, Clause: clauseConfig,
		Requirement: "Called at the start of each customer request: the first call of all is served, without prior state.",
		Why:         "Otherwise the first caller after a restart is turned away.",
		Hint:        "Do not require another call before /config.",
	},
	{
		ID: "CFG-13", Level: conformance.Observed, Clause: clauseConfig, Needs: "a status in a /config reply",
		Requirement: "status: current system status. The interface does not list the values, so those seen are recorded.",
		Why:         "A platform has to know which values mean closed.",
		Hint:        "Document the values that you use.",
	},
	{
		ID: "CFG-14", Level: conformance.Robustness, Needs: "served /config calls in a row",
		Requirement: "Answers differ only when the state differs.",
		Why:         "Random answers make faults impossible to reproduce.",
		Hint:        "Answer from state; send no invented data.",
	},
}

// judgeConfig judges one answer to /config.
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

// judgeConfigRequest judges whether the two plain forms of the request are
// served.
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

// UnitSeconds returns a unit of time in seconds; an unknown unit counts as minutes.
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

// joiners removes the characters between the words of a name.
var joiners = strings.NewReplacer("_", "", "-", "", " ", "")

// plain normalises a name: two spellings of one name give the same text.
func plain(s string) string {
	return strings.ToLower(joiners.Replace(s))
}
