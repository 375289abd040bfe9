package callingside

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// data returns the /config members that override settings.
func data(members object) object { return object{"data": members} }

func list(words []string) []any {
	all := []any{}
	for _, w := range words {
		all = append(all, w)
	}
	return all
}

// settingsScenes are the scenes of P-21 to P-24 and P-33 to P-36.
func settingsScenes() []*scene {
	every, none := list(rules.AllOptions()), []any{}
	withConfig := func(w world, config object) world {
		w.config = config
		return w
	}
	few := settings(rules.AllFeatures(), []string{"cancel"}, false)
	back := withConfig(at("ARRIVED"), nil)
	back.answers = one(rules.OpConfig, answer{over: data(object{"options": none})}, answer{})
	twice := append(wantingWith(rules.WantOffer, everything()), wantingWith(rules.WantOffer, everything())...)
	return []*scene{
		{name: rules.SceneOptionsOff, checks: "P-21 P-46 P-50", asks: wantingWith(rules.WantOffer, everything()), world: withConfig(at("ARRIVED"), data(object{"options": none}))},
		{name: "/config switches all options on", checks: "P-21", asks: wantingWith(rules.WantOffer, nothing()), world: withConfig(at("ARRIVED"), data(object{"options": every}))},
		{name: "/config switches details off", checks: "P-21 P-46", asks: wantingWith(rules.WantStatus, everything()), world: withConfig(at("EN_ROUTE"), data(object{"options": none}))},
		{name: "/config switches voice off", checks: "P-21 P-24", asks: []rules.Ask{{Want: rules.WantOffer, Settings: everything()}}, world: world{config: data(object{"features": none})}},
		{name: "/config switches voice on", checks: "P-21", asks: []rules.Ask{{Want: rules.WantOffer, Settings: settings([]string{}, rules.AllOptions(), false)}}, world: world{config: data(object{"features": []any{"voice"}})}},
		{name: "/config says not to ask for the drop-off", checks: "P-21 P-34", asks: bookingWith(everything()), world: world{config: data(object{"skipDropOff": true})}},
		{name: "/config says to ask for the drop-off", checks: "P-21", asks: bookingWith(settings(rules.AllFeatures(), rules.AllOptions(), true)), world: world{config: data(object{"skipDropOff": false})}},
		{name: "/config returns only skipDropOff", checks: "P-22", asks: wantingWith(rules.WantOffer, everything()), world: withConfig(at("ARRIVED"), data(object{"skipDropOff": true}))},
		{name: "/config returns only skipDropOff, and few options are on", checks: "P-22", asks: wantingWith(rules.WantOffer, few), world: withConfig(at("ARRIVED"), data(object{"skipDropOff": true}))},
		{name: "/config returns only options", checks: "P-22", asks: bookingWith(settings(rules.AllFeatures(), []string{}, true)), world: world{config: data(object{"options": every})}},
		{name: "/config returns no data", checks: "P-22", asks: wantingWith(rules.WantOffer, few), world: withConfig(at("ARRIVED"), object{})},
		{name: "/config switches off, and back on", checks: "P-23", asks: twice, world: back},
		{name: "everything is off for one call, and nothing is set for the next", checks: "P-23", asks: append(wantingWith(rules.WantOffer, nothing()), wanting(rules.WantOffer)...), world: at("ARRIVED"), alone: true},
		{name: "voice is off", checks: "P-24", asks: bookingWith(settings([]string{}, rules.AllOptions(), false)), alone: true},
		{name: "voice is off, first menu", checks: "P-24", asks: []rules.Ask{{Want: rules.WantOffer, Settings: settings([]string{"messaging"}, rules.AllOptions(), false)}}},
		{name: "skipDropOff", checks: "P-34", asks: bookingWith(settings(rules.AllFeatures(), rules.AllOptions(), true))},
		{name: "/user says not to ask for the drop-off", checks: "P-34", asks: bookingWith(everything()), world: world{user: object{"data": object{"skipDropOff": true}}}},
		{name: "features and options that nobody knows", checks: "P-33", asks: book(), world: world{config: data(object{
			"features": []any{"voice", "messaging", "telepathy"}, "options": append([]any{"jetpack"}, every...), "colour": object{"hair": "grey"},
		})}},
		{name: "options that nobody knows, EN_ROUTE", checks: "P-33", asks: wantingWith(rules.WantStatus, everything()), world: withConfig(at("EN_ROUTE"), data(object{"options": append([]any{"jetpack"}, every...)}))},
		{name: "options that nobody knows, ARRIVED", checks: "P-33", asks: wantingWith(rules.WantOffer, everything()), world: withConfig(at("ARRIVED"), data(object{"options": append([]any{"jetpack"}, every...)}))},
		{name: "an odd system status", checks: "P-35", asks: book(), world: world{config: object{"status": "Waxing gibbous – 97 %"}}},
		{name: "a system status in small letters", checks: "P-35", asks: book(), world: world{config: object{"status": "ok"}}},
		{name: "/config answers 500", checks: "P-36", asks: book(), world: world{answers: one(rules.OpConfig, answer{intent: rules.IntentDown, status: 500, body: `{"error":"down"}`, again: true})}},
		{name: "/config closes the connection", checks: "P-36", asks: book(), world: world{answers: one(rules.OpConfig, answer{intent: rules.IntentDown, silent: true, again: true})}},
		{name: "/config answers HTML", checks: "P-36", asks: book(), world: world{answers: one(rules.OpConfig, answer{intent: rules.IntentDown, status: 502, body: page, again: true})}},
	}
}

// page is the answer of a proxy if the server is down.
const page = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"

// optionScenes have each option on and off.
func optionScenes() []*scene {
	all := []*scene{
		{name: "every option is on, EN_ROUTE", checks: "P-26 P-27 P-28 P-29 P-46 P-44", asks: wantingWith(rules.WantStatus, everything()), world: at("EN_ROUTE"), control: true},
		{name: "every option is on, a booking", checks: "P-25", asks: bookingWith(everything()), control: true},
		{name: "every option is on, ARRIVED", checks: "P-30 P-31 P-47", asks: wantingWith(rules.WantOffer, everything()), world: at("ARRIVED"), control: true},
		{name: "every option is on, WAITING", checks: "P-32", asks: wantingWith(rules.WantOffer, everything()), world: waiting(), control: true},
		{name: "every option is off, EN_ROUTE", checks: "P-46 P-26 P-27 P-28 P-29", asks: wantingWith(rules.WantStatus, nothing()), world: at("EN_ROUTE")},
		{name: "option jobID is off", checks: "P-25", asks: bookingWith(without("jobID"))},
	}
	for _, detail := range [][2]string{{"vehicle", "P-26"}, {"vehicleReg", "P-27"}, {"eta", "P-28"}, {"driverName", "P-29"}} {
		option, id := detail[0], detail[1]
		all = append(all, &scene{name: conformance.ProbeName("option " + option + " is off"), checks: id + " P-46", asks: wantingWith(rules.WantStatus, without(option)), world: at("EN_ROUTE")})
	}
	return append(all,
		&scene{name: "option comingNow is off", checks: "P-30 P-50", asks: wantingWith(rules.WantOffer, without("comingNow")), world: at("ARRIVED")},
		&scene{name: "option callDriver is off", checks: "P-31", asks: wantingWith(rules.WantOffer, without("callDriver")), world: at("ARRIVED")},
		&scene{name: "option cancel is off", checks: "P-32", asks: wantingWith(rules.WantOffer, without("cancel")), world: waiting()},
	)
}

// menuScenes have a journey in each status, and drivers who cannot be called.
func menuScenes() []*scene {
	all := []*scene{{name: "an active booking", checks: "P-40", asks: wantingWith(rules.WantOffer, everything()), world: waiting()}}
	for _, status := range []string{"HELD", "WAITING", "ACCEPTED", "EN_ROUTE", "POB"} {
		checks := "P-48"
		if status == "EN_ROUTE" {
			checks = "P-48 P-40"
		}
		all = append(all, &scene{name: conformance.ProbeName("the menu at " + status), checks: checks, asks: wantingWith(rules.WantOffer, everything()), world: at(status)})
	}
	for _, status := range []string{"COMPLETE", "CANCELLED"} {
		w := at(status)
		w.hidden = true
		all = append(all, &scene{name: conformance.ProbeName("the menu at " + status), checks: "P-48", asks: wantingWith(rules.WantOffer, everything()), world: w})
	}
	for _, nobody := range []struct {
		name   string
		driver any
	}{
		{"no driver", gone{}},
		{"a driver who is null", nil},
		{"a driver without a number", object{"phoneNumber": gone{}}},
		{"a driver whose number is null", object{"phoneNumber": nil}},
		{"a driver whose number is empty", object{"phoneNumber": ""}},
	} {
		name, w := nobody.name, world{journeys: []object{{"status": "ARRIVED", "driver": nobody.driver}}}
		all = append(all,
			&scene{name: conformance.ProbeName("ARRIVED with " + name), checks: "P-49 P-53", asks: wantingWith(rules.WantOffer, everything()), world: w},
			&scene{name: conformance.ProbeName("a call to " + name), checks: "P-53", asks: wanting(rules.WantCallDriver), world: w})
	}
	for _, status := range []string{"POB", "COMPLETE", "CANCELLED"} {
		w := at(status)
		w.hidden = status != "POB"
		all = append(all, &scene{name: conformance.ProbeName("Coming Now at " + status), checks: "P-52", asks: wanting(rules.WantComingNow), world: w})
	}
	located := []rules.Ask{{Want: rules.WantStatus, JourneyID: ofScene, Channel: rules.ChannelMessaging, Settings: everything()}}
	return append(all,
		&scene{name: "Coming Now for one journey, and for the next", checks: "P-79", asks: []rules.Ask{{Want: rules.WantComingNow, JourneyID: ofScene}, {Want: rules.WantComingNow, JourneyID: ofSecond}}, world: world{
			journeys: []object{{"status": "ARRIVED"}, {"status": "ARRIVED", "driver": object{"name": "Wilhelmina Oyelaran", "phoneNumber": "+441614960997", "badgeNumber": "PH5530"}}},
		}},
		&scene{name: "Coming Now three times", checks: "P-51", asks: []rules.Ask{{Want: rules.WantComingNow, JourneyID: ofScene, Times: 3}}, world: at("ARRIVED")},
		&scene{name: rules.SceneLocation, checks: "P-57 P-44", asks: located, world: at("EN_ROUTE")})
}
