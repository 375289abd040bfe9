package rules_test

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// Settings of a request, and answers of /config.
const (
	allOff    = `"settings":{"features":["voice","messaging"],"options":[],"skipDropOff":false}`
	voiceOff  = `"settings":{"features":[],"options":[],"skipDropOff":false}`
	skipping  = `"settings":{"features":["voice"],"options":[],"skipDropOff":true}`
	served    = `{"status":"OK"}`
	turnsOff  = `{"status":"OK","data":{"options":[]}}`
	skipsAlso = `{"status":"OK","data":{"skipDropOff":true}}`
)

// with adds a member to a request.
func with(task, member string) string { return strings.Replace(task, "{", "{"+member+",", 1) }

// control returns a request that shows what a platform does when everything is on, and is for no check.
func control(task, answer string, all ...*conformance.Exchange) act {
	return act{task: with(task, `"checks":[]`), calls: all, answer: answer}
}

// settingsRows returns the rows about what is switched on and off.
func settingsRows() []row {
	menu := control(offers, `{"offered":["book","comingNow","callDriver"]}`, known(isAda), read(parked))
	offered := func(config, answer string) []act {
		return []act{menu, {task: offers, calls: calls(configured(config), known(isAda), read(parked)), answer: answer}}
	}
	const both, none = `{"offered":["book","comingNow","callDriver"]}`, `{"offered":["book"]}`
	down := func(answer string, more ...*conformance.Exchange) []act {
		return []act{{task: books, calls: append(calls(after(rules.IntentDown, configured(""))), more...), answer: answer}}
	}
	voice := func(answer string, more ...*conformance.Exchange) []act {
		return []act{control(books, `{"offered":["book"]}`, known(isAda), booked(200, waiting)), {task: with(offers, voiceOff), calls: append(calls(configured(served)), more...), answer: answer}}
	}
	drop := func(answer string) []act {
		asks := control(books, `{"asked":["dropoff"]}`, known(isAda), booked(200, waiting))
		return []act{asks, {task: with(books, skipping), calls: calls(known(isAda), booked(200, waiting)), answer: answer}}
	}
	odd := func(more ...*conformance.Exchange) []act {
		return []act{{task: books, calls: more, answer: `{"outcome":"completed"}`}}
	}
	rows := []row{
		{"P-21", "off by /config, and not offered", pass, offered(turnsOff, none)},
		{"P-21", "off by /config, and offered", fail, offered(turnsOff, both)},
		{"P-21", "nobody tells what was offered", unclear, offered(turnsOff, "")},
		{"P-22", "what /config leaves out stays on", pass, offered(skipsAlso, both)},
		{"P-22", "what /config leaves out is gone", fail, offered(skipsAlso, none)},
		{"P-22", "nobody tells what was offered", unclear, offered(skipsAlso, "")},
		{"P-23", "on again for the next call", pass, append(offered(turnsOff, none), offered(served, both)[1])},
		{"P-23", "off for the next call too", fail, append(offered(turnsOff, none), offered(served, none)[1])},
		{"P-23", "nobody tells what was offered", unclear, offered(served, "")},
		{"P-24", "voice is off, and nothing is offered", pass, voice(`{"offered":[]}`)},
		{"P-24", "voice is off, and a booking is offered", fail, voice(`{"offered":["book"]}`)},
		{"P-24", "voice is off, and a taxi is booked", fail, voice("", booked(200, waiting))},
		{"P-24", "nobody tells what was offered", unclear, voice("")},
		{"P-33", "an unknown option beside the others", pass, offered(`{"status":"OK","data":{"options":["jetpack","comingNow","callDriver"]}}`, both)},
		{"P-33", "an unknown option in place of the others", fail, offered(`{"status":"OK","data":{"options":["jetpack","comingNow","callDriver"]}}`, none)},
		{"P-33", "no call", unclear, odd()},
		{"P-34", "skipDropOff, and no question", pass, drop(`{"asked":["pickup"]}`)},
		{"P-34", "skipDropOff, and a question", fail, drop(`{"asked":["pickup","dropoff"]}`)},
		{"P-34", "nobody tells what was asked", unclear, drop(`{"outcome":"completed"}`)},
		{"P-35", "an odd status, and a booking", pass, odd(configured(`{"status":"waxing"}`), known(isAda), booked(200, waiting))},
		{"P-35", "an odd status, and no booking", fail, odd(configured(`{"status":"waxing"}`))},
		{"P-35", "no call", unclear, odd()},
		{"P-36", "/config fails, and a person answers", pass, down(`{"outcome":"person"}`)},
		{"P-36", "/config fails, and silence", fail, down(`{"outcome":"failed","said":[]}`)},
		{"P-36", "/config fails, and nobody tells", unclear, down("")},
	}
	return append(rows, optionRows()...)
}

// optionRows returns the rows about each of the eight options.
func optionRows() []row {
	var all []row
	for id, option := range map[string]struct {
		task, journey string
		is, isNot     string // answers by which it is passed on, and by which not
	}{
		"P-25": {books, `{"journeyId":"JQ77XKA","status":"WAITING"}`, `{"said":["Your taxi is booked.","Its number is JQ77XKA."]}`, `{"said":["Your taxi is booked."]}`},
		"P-26": {follows, parked, `{"said":["It is a Silver Octavia."]}`, `{"said":["It is outside."]}`},
		"P-27": {follows, parked, `{"said":["KX 73 RVT."]}`, `{"said":["It is outside."]}`},
		"P-28": {follows, parked, `{"said":["In thirty-seven minutes."]}`, `{"said":["It is outside."]}`},
		"P-29": {follows, parked, `{"said":["Quentin drives."]}`, `{"said":["It is outside."]}`},
		"P-30": {offers, parked, `{"offered":["book","comingNow"]}`, `{"offered":["book"]}`},
		"P-31": {offers, parked, `{"offered":["book","callDriver"]}`, `{"offered":["book"]}`},
		"P-32": {offers, jada, `{"offered":["book","cancel"]}`, `{"offered":["book"]}`},
	} {
		once := func(task, answer string) act {
			x := read(option.journey)
			if option.task == books {
				x = booked(200, option.journey)
			}
			return act{task: task, calls: calls(configured(served), known(nobody), x), answer: answer}
		}
		done := control(books, `{"said":["Your taxi is booked."]}`, known(nobody), booked(200, waiting)) // its language is known
		off := with(option.task, allOff)
		all = append(
			all,
			row{id, "on, and passed on", pass, []act{once(option.task, option.is)}},
			row{id, "off, and not passed on", pass, []act{once(with(option.task, `"checks":[]`), option.is), once(off, option.isNot)}},
			row{id, "off, and passed on", fail, []act{once(off, option.is)}},
			row{id, "on, and never passed on", fail, []act{done, once(option.task, option.isNot)}},
			row{id, "nobody tells", unclear, []act{once(option.task, "")}},
		)
	}
	return all
}
