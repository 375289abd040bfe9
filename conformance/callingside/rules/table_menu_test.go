package rules_test

import (
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// menuRows returns the rows about what is offered, and about drivers and numbers.
func menuRows() []row {
	journeyAt := func(status string) string { return strings.Replace(parked, "ARRIVED", status, 1) }
	noPhone := strings.Replace(parked, `"phoneNumber":"+441614960123",`, "", 1)
	menu := control(offers, `{"offered":["comingNow","callDriver"]}`, known(isAda), read(parked))
	offered := func(settings, journey, answer string) act {
		return act{task: with(offers, settings), calls: calls(configured(served), known(isAda), read(journey)), answer: answer}
	}
	const on, now, not = `"times":1`, `{"offered":["book","comingNow"]}`, `{"offered":["book"]}`
	pressed := func(task, legs string) []act {
		return []act{{task: task, calls: calls(known(isAda), read(parked)), answer: `{"legs":[` + legs + `]}`}}
	}
	withdrawn := func(answer string) []act {
		return []act{menu, {task: `{"want":"comingNow","journeyId":"JADA"}`, calls: calls(known(isAda), read(journeyAt("POB"))), answer: answer}}
	}
	unreachable := func(answer string) []act {
		return []act{menu, {task: `{"want":"callDriver","journeyId":"JADA"}`, calls: calls(known(isAda), read(noPhone)), answer: answer}}
	}
	located := func(shown string) []act {
		return []act{{task: `{"want":"status","journeyId":"JADA","channel":"messaging"}`, calls: calls(known(isAda), read(parked)), answer: shown}}
	}
	polls := func(gap float64, status string, n int) []act {
		var all []*conformance.Exchange
		for i := range n {
			all = append(all, later(2+gap*float64(i), "status", refers, 200, journeyAt(status)))
		}
		return []act{{task: follows, calls: all, answer: `{"outcome":"completed"}`}}
	}
	active := func(answer string) []act {
		return []act{{task: offers, calls: calls(known(isAda), read(jada)), answer: answer}}
	}
	details := func(settings, said string) []act {
		told := control(follows, `{"said":["A Silver Octavia, KX 73 RVT. Quentin drives."]}`, known(isAda), read(parked))
		return []act{told, {task: with(follows, settings), calls: calls(configured(served), known(isAda), read(parked)), answer: said}}
	}
	const press, presses = `{"want":"comingNow","journeyId":"JADA","times":1}`, `{"want":"comingNow","journeyId":"JADA","times":3}`
	const driver = `{"to":"driver","callerId":"+441134960000"}`
	return []row{
		{"P-20", "three seconds between readings", pass, polls(3, "EN_ROUTE", 5)},
		{"P-20", "a second and a half between readings", fail, polls(1.5, "EN_ROUTE", 5)},
		{"P-20", "ten readings a second", fail, polls(0.1, "EN_ROUTE", 5)},
		{"P-20", "readings when it is over", fail, polls(3, "COMPLETE", 3)},
		{"P-20", "no reading", unclear, []act{{task: follows}}},
		{"P-40", "status, cancel and edit are offered", pass, active(`{"offered":["book","status","cancel","edit"]}`)},
		{"P-40", "another booking is offered", fail, active(`{"offered":["book"]}`)},
		{"P-40", "nobody tells what was offered", unclear, active("")},
		{"P-45", "the platform's number", pass, pressed(press, driver)},
		{"P-45", "the caller's number", fail, pressed(press, `{"to":"driver","callerId":"+442079460020"}`)},
		{"P-45", "a leg without a number", unclear, pressed(press, `{"to":"driver"}`)},
		{"P-46", "off, and nothing is told", pass, details(allOff, `{"said":["It is outside."]}`)},
		{"P-46", "off, and the vehicle is told", fail, details(allOff, `{"said":["It is a Silver Octavia."]}`)},
		{"P-46", "off, and the badge is told", fail, details(allOff, `{"said":["Badge PH9417."]}`)},
		{"P-46", "nobody tells what was said", unclear, []act{{task: with(follows, allOff), calls: calls(known(isAda), read(parked))}}},
		{"P-47", "offered at ARRIVED", pass, []act{offered(on, parked, now)}},
		{"P-47", "not offered at ARRIVED", fail, []act{offered(on, parked, not)}},
		{"P-47", "nobody tells what was offered", unclear, []act{offered(on, parked, "")}},
		{"P-48", "not offered at EN_ROUTE", pass, []act{menu, offered(on, journeyAt("EN_ROUTE"), not)}},
		{"P-48", "offered at EN_ROUTE", fail, []act{offered(on, journeyAt("EN_ROUTE"), now)}},
		{"P-48", "never seen to be offered", unclear, []act{offered(on, journeyAt("EN_ROUTE"), not)}},
		{"P-49", "not offered without a number", pass, []act{menu, offered(on, noPhone, not)}},
		{"P-49", "offered without a number", fail, []act{offered(on, noPhone, now)}},
		{"P-49", "never seen to be offered", unclear, []act{offered(on, noPhone, not)}},
		{"P-50", "not offered when it is off", pass, []act{menu, offered(allOff, parked, not)}},
		{"P-50", "offered when it is off", fail, []act{offered(allOff, parked, now)}},
		{"P-50", "never seen to be offered", unclear, []act{offered(allOff, parked, not)}},
		{"P-51", "three presses, one leg", pass, pressed(presses, driver)},
		{"P-51", "three presses, three legs", fail, pressed(presses, driver+","+driver+","+driver)},
		{"P-51", "no leg", unclear, pressed(presses, "")},
		{"P-52", "no leg once on board", pass, withdrawn(`{"offered":["status"],"legs":[]}`)},
		{"P-52", "a leg once on board", fail, withdrawn(`{"legs":[` + driver + `]}`)},
		{"P-52", "nobody tells", unclear, withdrawn(`{"outcome":"completed"}`)},
		{"P-53", "no call without a number", pass, unreachable(`{"offered":["book"],"legs":[]}`)},
		{"P-53", "a call without a number", fail, unreachable(`{"legs":[` + driver + `]}`)},
		{"P-53", "nobody tells", unclear, unreachable(`{"outcome":"completed"}`)},
		{"P-57", "the point as it was told", pass, located(`{"shown":[{"kind":"location","longitude":-1.54,"latitude":53.81}]}`)},
		{"P-57", "the point exchanged", fail, located(`{"shown":[{"kind":"location","longitude":53.81,"latitude":-1.54}]}`)},
		{"P-57", "no point", fail, located(`{"shown":[]}`)},
		{"P-57", "nobody tells what was shown", unclear, located(`{"outcome":"completed"}`)},
		{"P-63", "a second that is waited for", pass, slow(time.Second, `{"outcome":"completed"}`, booked(200, waiting))},
		{"P-63", "half a minute that is waited for", warn, slow(30*time.Second, `{"outcome":"completed"}`, booked(200, waiting))},
		{"P-63", "nothing after a second", fail, slow(time.Second, `{"outcome":"completed"}`)},
		{"P-63", "nobody tells how it ended", unclear, slow(time.Second, "")},
	}
}

// slow returns a request for a booking whose /user took some time.
func slow(took time.Duration, answer string, more ...*conformance.Exchange) []act {
	user := changed(after(rules.IntentSlow, known(isAda)), func(x *conformance.Exchange) { x.Took = took })
	return []act{{task: books, calls: append(calls(user), more...), answer: answer}}
}
