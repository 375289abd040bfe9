package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// The names that the interface gives to features and options.
const (
	featureVoice = "voice"

	optionJobID      = "jobID"
	optionVehicle    = "vehicle"
	optionReg        = "vehicleReg"
	optionETA        = "eta"
	optionDriverName = "driverName"
	optionComingNow  = "comingNow"
	optionCallDriver = "callDriver"
	optionCancel     = "cancel"
)

// AllOptions lists the options of the interface.
func AllOptions() []string {
	return []string{optionJobID, optionVehicle, optionReg, optionETA, optionDriverName, optionComingNow, optionCallDriver, optionCancel}
}

// AllFeatures lists the features of the interface, one for each channel: voice and messaging.
func AllFeatures() []string { return []string{featureVoice, ChannelMessaging} }

// switches are the effective settings of a request: the static settings overridden by the answers
// of /config and /user. A member that /user would change is marked as open, since the interface
// does not say which answer wins (A9).
type switches struct {
	features, options []string
	skip              bool
	openFeatures      bool
	openOptions       bool
	openSkip          bool
	configSays        map[string]bool // the members that /config set
	config            jsonvalue.Value
}

// switches computes the effective settings of a request.
func (r *request) switches() switches {
	static := Settings{Features: AllFeatures(), Options: AllOptions()}
	if r.task != nil && r.task.Settings != nil {
		static = *r.task.Settings
	}
	sw := switches{features: static.Features, options: static.Options, skip: static.SkipDropOff, configSays: map[string]bool{}}
	var user jsonvalue.Value
	for _, x := range r.of(OpConfig) {
		if x.Succeeded() {
			sw.config = x.Reply().At("data")
		}
	}
	if u := r.user(); u != nil {
		user = u.Reply().At("data")
	}
	sw.openFeatures = sw.overlay("features", user, &sw.features)
	sw.openOptions = sw.overlay("options", user, &sw.options)
	if v := sw.config.At("skipDropOff"); v.IsBool() {
		sw.skip = v.Raw() == true
	}
	if v := user.At("skipDropOff"); v.IsBool() && (v.Raw() == true) != sw.skip {
		sw.skip, sw.openSkip = !sw.skip, true
	}
	sw.configSays["skipDropOff"] = sw.config.At("skipDropOff").IsBool()
	return sw
}

// overlay overrides a list of the settings with that of /config and then of /user. It returns true
// if the list of /user changes it: the interface does not say which of the two wins.
func (sw *switches) overlay(name string, user jsonvalue.Value, list *[]string) (open bool) {
	config := sw.config.At(name)
	if sw.configSays[name] = config.IsArray(); config.IsArray() {
		*list = words(config)
	}
	if u := user.At(name); u.IsArray() {
		open = !sameWords(words(u), slices.Clone(*list))
		*list = words(u)
	}
	return open
}

// static reports whether only the static settings apply, since /config sent no data.
func (sw *switches) static() bool {
	for range sw.config.Members() {
		return false
	}
	return true
}

func words(v jsonvalue.Value) []string {
	all := []string{}
	for _, item := range v.Items() {
		all = append(all, item.Text())
	}
	return all
}

func sameWords(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// option reports whether an option is on; known is false if the interface leaves it
// open.
func (sw *switches) option(name string) (on, known bool) {
	return slices.Contains(sw.options, name), !sw.openOptions
}

// voice reports whether the feature voice is on; known is false if the interface leaves it open.
func (sw *switches) voice() (on, known bool) {
	return slices.Contains(sw.features, featureVoice), !sw.openFeatures
}

// A fact is what one option switches on or off, with functions to observe it.
type fact struct {
	check, option string
	offer         string // its name in the menu; "": it is not offered but spoken
	told          func(speech, jsonvalue.Value) bool
	given         func(jsonvalue.Value) bool // reports whether a journey has it
}

// facts has one entry for each of the eight options.
var facts = []fact{
	{check: "P-25", option: optionJobID, told: func(s speech, j jsonvalue.Value) bool { return s.spells(j.At("journeyId").Text()) }, given: has("journeyId", "")},
	{check: "P-26", option: optionVehicle, told: func(s speech, j jsonvalue.Value) bool { return s.names(j.At("vehicle").At("description").Text()) }, given: has("vehicle", "description")},
	{check: "P-27", option: optionReg, told: func(s speech, j jsonvalue.Value) bool { return s.spells(j.At("vehicle").At("registration").Text()) }, given: has("vehicle", "registration")},
	{check: "P-28", option: optionETA, told: func(s speech, j jsonvalue.Value) bool { return s.counts(j.At("eta").At("value")) }, given: has("eta", "value")},
	{check: "P-29", option: optionDriverName, told: func(s speech, j jsonvalue.Value) bool { return s.names(j.At("driver").At("name").Text()) }, given: has("driver", "name")},
	{check: "P-30", option: optionComingNow, offer: optionComingNow},
	{check: "P-31", option: optionCallDriver, offer: optionCallDriver},
	{check: "P-32", option: optionCancel, offer: optionCancel},
}

// has returns a function that reports whether a journey has the member name or, if inner is not empty, that member of it.
func has(name, inner string) func(jsonvalue.Value) bool {
	return func(j jsonvalue.Value) bool {
		v := j.At(name)
		if inner != "" {
			v = v.At(inner)
		}
		return v.Given()
	}
}

// perceived reports whether a fact was spoken or offered in a request; known is false if
// there is no evidence.
func (f fact) perceived(r *request) (is, known bool) {
	if f.offer != "" {
		return r.offered(f.offer)
	}
	said, known := r.said()
	j := f.journey(r)
	is = f.told(speechOf(said), j)
	due := r.wants(WantStatus) && f.option != optionJobID || r.wants(WantBook) && f.option == optionJobID
	return is, known && j.IsObject() && (is || due)
}

// journey returns the journey that a fact is about; it is empty if there is none. For a new booking
// only the id is expected to be spoken, since the menu came before it.
func (f fact) journey(r *request) jsonvalue.Value {
	if r.wants(WantBook) {
		for _, x := range r.booked() {
			if f.option == optionJobID && x.Succeeded() {
				return x.Reply()
			}
		}
		return jsonvalue.Value{}
	}
	j, _ := r.journey()
	return j
}

// possible reports whether the state and data of the journey allow the fact to be spoken or offered.
func (f fact) possible(r *request) bool {
	j := f.journey(r)
	if !j.IsObject() {
		return false
	}
	phone := len(jsonvalue.Digits(j.At("driver").At("phoneNumber").Text())) >= leastNumber
	switch f.option {
	case optionComingNow:
		return statusOf(j) == "ARRIVED" && phone
	case optionCallDriver:
		return phone && (statusOf(j) == "ARRIVED" || statusOf(j) == "EN_ROUTE")
	case optionCancel:
		return statusOf(j) == "WAITING" || statusOf(j) == "ACCEPTED" || statusOf(j) == "HELD"
	}
	return f.given(j)
}

// findIgnored records the settings that the platform always ignores: it passes on what is off, in
// all requests of one kind. If it does so only in some of them, it follows other settings.
func (s *sheet) findIgnored() {
	type kind struct {
		name, channel string
		want          Want
	}
	passed, withheld := map[kind]bool{}, map[kind]bool{}
	for _, r := range s.requests {
		sw := r.switches()
		if r.task == nil || !sw.static() {
			continue
		}
		note := func(name string, off, is, known bool) {
			if k := (kind{name, r.task.Channel, r.task.Want}); off && known {
				passed[k], withheld[k] = passed[k] || is, withheld[k] || !is
			}
		}
		for _, f := range facts {
			on, clear := sw.option(f.option)
			is, known := f.perceived(r)
			note(f.option, !on && clear, is, known && f.possible(r))
		}
		asked, known := r.asked("dropoff")
		note("skipDropOff", sw.skip && !sw.openSkip, asked, known && r.wants(WantBook) && len(r.booked()) > 0)
		voice, clear := sw.voice()
		offered, heard := r.offered("book")
		note("features", !voice && clear && r.task.Channel == ChannelVoice, offered || len(r.booked()) > 0, heard || len(r.booked()) > 0)
	}
	for k := range passed {
		s.ignored[k.name] = s.ignored[k.name] || passed[k] && !withheld[k]
	}
}

// A control is proof that the platform can do something: it spoke, offered or did it where that was allowed.
type control string

const (
	books         control = "books"
	asksDropOff   control = "asks for the drop-off"
	saysBooked    control = "says booked"
	saysCancelled control = "says cancelled"
)

func offers(word string) control  { return control("offers " + word) }
func tells(option string) control { return control("tells " + option) }

// findControls records the controls of the run. Only if a thing was spoken, offered or done where
// it was allowed does its absence elsewhere prove anything.
func (s *sheet) findControls() {
	for _, r := range s.requests {
		sw := r.switches()
		for _, f := range facts {
			on, known := sw.option(f.option)
			is, heard := f.perceived(r)
			if on && known && heard && is && f.possible(r) {
				s.controls[tells(f.option)] = true
			}
		}
		for _, x := range r.booked() {
			s.controls[books] = s.controls[books] || x.Succeeded()
		}
		for _, word := range []string{"book", "status", "edit"} {
			if is, _ := r.offered(word); is && len(r.calls) > 0 {
				s.controls[offers(word)] = true
			}
		}
		if is, _ := r.asked("dropoff"); is && len(r.calls) > 0 {
			s.controls[asksDropOff] = true
		}
		said, _ := r.said()
		for _, x := range r.calls {
			if x.Operation == OpBook && x.Succeeded() && x.Reply().At("journeyId").HasText() && states(said, doneBooked) != "" {
				s.controls[saysBooked] = true
			}
			if x.Operation == OpCancel && x.Succeeded() && x.Reply().At("status").Text() == "CANCELLED" && states(said, doneCancelled) != "" {
				s.controls[saysCancelled] = true
			}
		}
	}
	s.findIgnored()
}
