package callingside

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// allScenes returns the scenes in the order of playing.
func allScenes() []*scene {
	return slices.Concat(plainScenes(), callerScenes(), idScenes(), settingsScenes(), optionScenes(), menuScenes(), talkScenes(),
		formScenes(), errorScenes(), timeScenes(), busyScenes(), connectionScenes())
}

// settings returns settings for the plugin.
func settings(features, options []string, skip bool) *rules.Settings {
	return &rules.Settings{Features: features, Options: options, SkipDropOff: skip}
}

func everything() *rules.Settings {
	return settings(rules.AllFeatures(), rules.AllOptions(), false)
}

// without returns all settings except some options.
func without(options ...string) *rules.Settings {
	left := slices.DeleteFunc(rules.AllOptions(), func(o string) bool { return slices.Contains(options, o) })
	return settings(rules.AllFeatures(), left, false)
}

func nothing() *rules.Settings { return settings(rules.AllFeatures(), []string{}, false) }

// The requests of scenes. Each scene fills in the missing members: the caller, unique
// addresses, and a time a week ahead.
func book() []rules.Ask { return []rules.Ask{{Want: rules.WantBook}} }

func wanting(w rules.Want) []rules.Ask { return []rules.Ask{{Want: w, JourneyID: ofScene}} }

func wantingWith(w rules.Want, s *rules.Settings) []rules.Ask {
	return []rules.Ask{{Want: w, JourneyID: ofScene, Settings: s}}
}

func bookingWith(s *rules.Settings) []rules.Ask {
	return []rules.Ask{{Want: rules.WantBook, Settings: s}}
}

// Placeholders for the ids of the scene's journeys.
const (
	ofScene  = "the journey of the scene" // the first
	ofSecond = "the second journey of the scene"
)

// at is a world with one journey in a status, with all members.
func at(status string) world { return world{journeys: []object{{"status": status}}} }

// waiting is a world with a journey without driver and vehicle.
func waiting() world {
	return world{journeys: []object{{"status": "WAITING", "driver": gone{}, "vehicle": gone{}, "location": gone{}, "eta": gone{}}}}
}

// two is a world with two such journeys.
func two() world {
	one := waiting()
	return world{journeys: append(one.journeys, waiting().journeys...)}
}

// stops is a world with a journey with two drop-offs, for somebody other than the caller.
func stops() world {
	w := waiting()
	w.journeys[0]["dropoffs"] = []any{
		object{"address": "3 Mill Lane, Leeds LS2 8AA", "location": object{"longitude": -1.55, "latitude": 53.81}},
		object{"address": "9 Quay Road, Leeds LS10 1JR", "location": object{"longitude": -1.53, "latitude": 53.79}},
	}
	w.journeys[0]["passenger"] = object{"phoneNumber": "+442079460987", "name": "Oskar Passenger"}
	return w
}

func plainScenes() []*scene {
	return []*scene{
		{name: rules.SceneBooking, checks: "P-01 P-02 P-03 P-04 P-05 P-08 P-09 P-10 P-11 P-13 P-14 P-16 P-42 P-54 P-76 P-85", asks: bookingWith(everything()), control: true, alone: true},
		{name: "a booking for yesterday", checks: "P-10", asks: book(), past: true},
		{name: "a caller who is DISABLED between two calls", checks: "P-37", asks: append(book(), book()...), user2: object{"status": "DISABLED"}, alone: true},
		{name: "a booking without a time", checks: "P-10 P-08 P-76 P-85", asks: []rules.Ask{{Want: rules.WantBook, VehicleCategory: "ESTATE"}}, forNow: true, alone: true},
		{name: rules.SceneStatus, checks: "P-02 P-03 P-14 P-16 P-44 P-72", asks: wanting(rules.WantStatus), world: at("EN_ROUTE"), control: true, alone: true},
		{name: rules.SceneCancellation, checks: "P-02 P-03 P-14 P-16 P-55 P-72", asks: wanting(rules.WantCancel), world: waiting(), control: true, alone: true},
		{name: "an edit", checks: "P-12 P-02 P-08 P-09 P-85", asks: []rules.Ask{{Want: rules.WantEdit, JourneyID: ofScene}}, world: waiting(), alone: true},
		{name: "an edit of a journey with two stops", checks: "P-74 P-75 P-12", asks: []rules.Ask{{Want: rules.WantEdit, JourneyID: ofScene}}, world: stops(), alone: true},
		{name: "a booking that is edited", checks: "P-74 P-75 P-85", asks: []rules.Ask{{Want: rules.WantBook, Name: "Oskar Passenger", VehicleCategory: "ESTATE"}, {Want: rules.WantEdit, JourneyID: ofScene}}, byStop: true, alone: true},
		{name: "the status of the second of two bookings", checks: "P-77", asks: []rules.Ask{{Want: rules.WantStatus, JourneyID: ofSecond}}, world: two()},
		{name: "a cancellation of the second of two bookings", checks: "P-77", asks: []rules.Ask{{Want: rules.WantCancel, JourneyID: ofSecond}}, world: two()},
		{name: "an edit of an accepted journey", checks: "P-12", asks: []rules.Ask{{Want: rules.WantEdit, JourneyID: ofScene}}, world: at("ACCEPTED")},
		{name: "the first menu", checks: "P-02 P-03 P-24", asks: []rules.Ask{{Want: rules.WantOffer, Settings: everything()}}, control: true, alone: true},
		{name: "Coming Now", checks: "P-45 P-51", asks: []rules.Ask{{Want: rules.WantComingNow, JourneyID: ofScene, Times: 1}}, world: at("ARRIVED"), control: true, alone: true},
		{name: "a call to the driver", checks: "P-45 P-31", asks: wanting(rules.WantCallDriver), world: at("ARRIVED"), control: true, alone: true},
		{name: "a booking from and to streets of other scripts", checks: "P-84 P-42 P-85", asks: book(), world: world{user: object{"name": "Łucja Ångström"}}, script: true},
		{name: "a journey of which is asked twice", checks: "P-83", asks: slices.Concat(wantingWith(rules.WantStatus, everything()), wantingWith(rules.WantStatus, everything())), world: at("ACCEPTED"), then: object{
			"status": "EN_ROUTE", "driver": object{"name": "Wilhelmina Oyelaran", "badgeNumber": "PH5530"}, "vehicle": object{"description": "White Leaf", "registration": "LM21 ZZT"},
		}},
		atOneTime("one caller"), atOneTime("another caller"),
	}
}

// atOneTime is a cancellation during which others call: /status answers slowly.
func atOneTime(name conformance.ProbeName) *scene {
	w := waiting()
	w.answers = one(rules.OpStatus, answer{delay: 500 * time.Millisecond, again: true})
	return &scene{name: name, checks: "P-72", asks: wanting(rules.WantCancel), world: w}
}

func callerScenes() []*scene {
	forms := []rules.Ask{{Want: rules.WantOffer, From: "national"}, {Want: rules.WantOffer, From: "00"}, {Want: rules.WantOffer, From: "+"}}
	all := []*scene{
		{name: "one number in three forms", checks: "P-06 P-05", asks: forms, alone: true, mobile: true},
		{name: "a withheld number", checks: "P-07", asks: []rules.Ask{{Want: rules.WantBook, Withheld: true}}, alone: true},
		{name: "a user who is DISABLED", checks: "P-37", asks: book(), world: world{user: object{"status": "DISABLED"}}},
		{name: "a user who is BLACKLISTED", checks: "P-38", asks: book(), world: world{user: object{"status": "BLACKLISTED"}}},
		{name: "a user without a status", checks: "P-39", asks: book(), world: world{user: object{"status": gone{}}}},
		{name: "a user with a status that nobody knows", checks: "P-39", asks: book(), world: world{user: object{"status": "PLATINUM"}}},
		{name: "a user whom /user does not know", checks: "P-43 P-85", asks: []rules.Ask{{Want: rules.WantBook, Name: "Nora Newcomer"}}, world: world{unknown: true}},
		{name: rules.SceneBookingsAbsent, checks: "P-41", asks: book(), world: world{user: object{"activeBookings": gone{}}}},
		{name: rules.SceneBookingsNull, checks: "P-41", asks: book(), world: world{user: object{"activeBookings": nil}}},
		{name: rules.SceneNoBookingsAtAll, checks: "P-41", asks: book(), world: world{user: object{"activeBookings": []any{}}}},
		{name: "two calls from one number at once", checks: "P-71", asks: append(book(), book()...), atOnce: true, alone: true},
	}
	many := world{}
	for range 20 {
		many.journeys = append(many.journeys, object{"status": "WAITING", "driver": gone{}, "vehicle": gone{}})
	}
	return append(all, &scene{name: rules.SceneTwentyBookings, checks: "P-41 P-77", asks: []rules.Ask{{Want: rules.WantStatus, JourneyID: ofSecond}}, world: many})
}

// idScenes have unusual ids that are still strings.
func idScenes() []*scene {
	long := ""
	for len(long) < 200 {
		long += "x7Kd93mQ0_"
	}
	var all []*scene
	for _, odd := range []struct {
		form rules.IDForm
		id   string
	}{
		{rules.IDLeadingZeros, "00710047"},
		{rules.IDLong, long},
		{rules.IDSigns, "a/b?c=d&e#f%20g+h"},
		{rules.IDScript, "Fährt-旅程-№1"},
		{rules.IDMixedCase, "AbCdEfGh"},
		{rules.IDSpaces, " x7 Kd93 "},
	} {
		id := odd.id
		wants := []rules.Want{rules.WantStatus, rules.WantCancel}
		if odd.form == rules.IDMixedCase {
			wants = append(wants, rules.WantEdit)
		}
		for _, want := range wants {
			w := waiting()
			w.user = object{"userId": id + "-u"}
			if odd.form == rules.IDLeadingZeros {
				w.user["userId"] = "00" + id // digits only: it is no number
			}
			w.journeys[0]["journeyId"] = id
			w.answers = one(rules.OpUser, answer{intent: rules.IntentOddIDs, again: true})
			all = append(all, &scene{name: rules.SceneID(odd.form, want), checks: "P-15", asks: wanting(want), world: w, alone: true})
		}
	}
	return all
}
