package rules_test

import (
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

const (
	jada = `{"journeyId":"JADA","status":"WAITING","date":"2026-11-29T10:00:00Z","pickup":{"address":"1 Row"},"dropoffs":[{"address":"2 Row"},{"address":"3 Row"}],` +
		`"passenger":{"name":"Oskar","phoneNumber":"+442079460987"}}`
	edit    = `{"want":"edit","journeyId":"JADA","pickup":{"address":"9 Row","location":{"longitude":-1.5,"latitude":53.8}}}`
	edited  = `{"journeyId":"JADA","userId":"user-ada","name":"Oskar","phoneNumber":"+442079460987","pickup":{"address":"9 Row"},"dropoffs":[{"address":"2 Row"},{"address":"3 Row"}],"pickupTime":"2026-11-29T11:00:00+01:00"}`
	twoOfUs = `{"userId":"user-ada","phoneNumber":"442079460020","name":"Ada","activeBookings":[{"journeyId":"JONE","status":"WAITING"},{"journeyId":"JADA","status":"WAITING"}]}`
	nobody  = `{"userId":"user-ada","phoneNumber":"442079460020","name":"Ada","activeBookings":[]}`
)

// askedRows returns the rows about what the caller asked for, and about answers that are lost.
func askedRows() []row {
	status := told(1, "status", `{"userId":"user-ada","journeyId":"JADA"}`, 200, jada)
	editing := func(from, to string) []act {
		return []act{{task: edit, calls: []*conformance.Exchange{status, told(2, "book", strings.Replace(edited, from, to, 1), 200, jada)}}}
	}
	unread := []act{{task: edit, calls: []*conformance.Exchange{told(2, "book", edited, 200, jada)}}}
	booking := func(task, from, to string) []act {
		return []act{{task: task, calls: []*conformance.Exchange{told(1, "user", ada, 200, nobody), told(2, "book", strings.Replace(adaBooks, from, to, 1), 200, waiting)}}}
	}
	naming := func(op, id string) []act {
		return []act{{task: `{"want":"` + op + `","journeyId":"JADA"}`, calls: []*conformance.Exchange{
			told(1, "user", ada, 200, twoOfUs), told(2, op, `{"userId":"user-ada","journeyId":"`+id+`"}`, 200, `{"journeyId":"`+id+`","status":"CANCELLED"}`),
		}}}
	}
	typed := func(said string) []act {
		x := told(1, "user", ada, 200, nobody)
		x.Request.Header = map[string][]string{"Content-Type": {said}}
		return []act{{task: `{"want":"book"}`, calls: []*conformance.Exchange{x}}}
	}
	press := func(legs string) act {
		return act{task: `{"want":"comingNow","journeyId":"JADA"}`, calls: []*conformance.Exchange{status}, answer: legs}
	}
	const leg, noLeg, legUnknown = `{"legs":[{"to":"driver"}]}`, `{"legs":[]}`, `{"outcome":"completed"}`
	lost := func(said string, more ...*conformance.Exchange) []act {
		calls := append([]*conformance.Exchange{after(rules.IntentLost, told(2, "book", adaBooks, 500, `{}`))}, more...)
		return []act{{task: `{"want":"book"}`, calls: calls, answer: said}}
	}
	waited := func(d time.Duration, answer string) []act {
		x := after(rules.IntentEndless, told(1, "user", ada, 0, ""))
		x.Took = d
		return []act{{task: `{"want":"book"}`, calls: []*conformance.Exchange{x}, answer: answer}}
	}
	asked := func(answer, reply string) []act {
		return []act{{task: `{"want":"book"}`, calls: []*conformance.Exchange{told(1, "user", ada, 200, reply), told(2, "book", adaBooks, 200, waiting)}, answer: answer}}
	}
	heard := func(driver, said string) act {
		j := `{"journeyId":"JADA","status":"ACCEPTED","driver":{"name":"` + driver + `"}}`
		return act{task: `{"want":"status","journeyId":"JADA"}`, answer: `{"said":["` + said + `"]}`, calls: []*conformance.Exchange{told(1, "status", `{"userId":"user-ada","journeyId":"JADA"}`, 200, j)}}
	}
	ben := func(sent string) []act {
		mine := act{task: `{"want":"status","journeyId":"JADA-001"}`, calls: []*conformance.Exchange{told(1, "user", ada, 200, isAda), told(2, "status", `{"userId":"user-ada","journeyId":"JADA-001"}`, 200, jada)}}
		return []act{mine, {task: `{"want":"status","journeyId":"JBEN-001","caller":"442079460021"}`, calls: []*conformance.Exchange{told(1, "user", ada, 200, isBen), told(2, "status", sent, 200, jada)}}}
	}
	said := func(from, to string) []act {
		const sent = `{"vehicleCategory":"ESTATE","name":"Oskar","phoneNumber":"+442079460020","pickup":{"address":"1 Row"},"dropoffs":[{"address":"2 Row"},{"address":"3 Row"}],"pickupTime":"2026-11-22T10:30:00Z"}`
		task := `{"want":"book","caller":"442079460020","name":"Oskar","vehicleCategory":"ESTATE","pickup":{"address":"1 Row","location":{"longitude":-1.5,"latitude":53.8}},"dropoffs":[{"address":"2 Row"},{"address":"3 Row"}]}`
		return []act{{task: task, calls: []*conformance.Exchange{told(1, "book", strings.Replace(sent, from, to, 1), 200, waiting)}}}
	}
	again := func(task string) []act {
		x := told(9, "book", `{"vehicleCategory":"ESTATE","phoneNumber":"","pickup":{"address":"1 Row"},"dropoffs":[{"address":"2 Row"}]}`, 200, waiting)
		return append(said("", ""), act{task: task, calls: []*conformance.Exchange{x}})
	}
	addressed := func(sent string) []act {
		return []act{{task: `{"want":"book","pickup":{"address":"1 Łódź Row"},"dropoffs":[{"address":"2 Row"}]}`, calls: []*conformance.Exchange{told(1, "book", strings.Replace(adaBooks, "1 Row", sent, 1), 200, waiting)}}}
	}
	return []row{
		{"P-74", "an edit with all as it was, in another zone", pass, editing("", "")},
		{"P-74", "an edit that moves the taxi to now", fail, editing("2026-11-29T11:00:00+01:00", "2026-11-22T10:00:02Z")},
		{"P-74", "an edit that drops a stop", fail, editing(`{"address":"2 Row"},`, "")},
		{"P-74", "an edit in another order", fail, editing(`{"address":"2 Row"},{"address":"3 Row"}`, `{"address":"3 Row"},{"address":"2 Row"}`)},
		{"P-74", "an edit with the new pickup's location", pass, editing(`{"address":"9 Row"}`, `{"address":"9 Row","location":{"longitude":-1.5,"latitude":53.8}}`)},
		{"P-74", "an edit with the old pickup's location", fail, editing(`{"address":"9 Row"}`, `{"address":"9 Row","location":{"longitude":-1.6,"latitude":53.8}}`)},
		{"P-74", "an edit of a booking that was not read", unclear, unread},

		{"P-75", "an edit for the passenger", pass, editing("", "")},
		{"P-75", "an edit for somebody else", fail, editing(`"name":"Oskar"`, `"name":"Ada"`)},
		{"P-75", "an edit with another number", fail, editing("442079460987", "442079460020")},
		{"P-75", "a passenger of whom nothing was told", unclear, unread},
		{"P-76", "a booking for the time that was asked", pass, booking(`{"want":"book","pickupTime":"2026-11-22T10:30:00Z"}`, "", "")},
		{"P-76", "a booking an hour late", fail, booking(`{"want":"book","pickupTime":"2026-11-22T10:30:00Z"}`, "T10:30", "T11:30")},
		{"P-76", "a booking for now", pass, booking(`{"want":"book"}`, "T10:30", "T10:04")},
		{"P-76", "a booking for now that is an hour late", fail, booking(`{"want":"book"}`, "T10:30", "T11:00")},
		{"P-76", "a time without a zone", unclear, booking(`{"want":"book"}`, "T10:30:00Z", "T10:00:00")},

		{"P-77", "the second of two is cancelled", pass, naming("cancel", "JADA")},
		{"P-77", "the first of two is cancelled", fail, naming("cancel", "JONE")},
		{"P-77", "the status of the first of two", fail, naming("status", "JONE")},
		{"P-77", "neither /cancel nor /status", unclear, unread},
		{"P-78", "JSON", pass, typed("application/json; charset=utf-8")},
		{"P-78", "a form", fail, typed("application/x-www-form-urlencoded")},
		{"P-78", "nothing said of the body", fail, typed("")},
		{"P-78", "no call", unclear, []act{{task: `{"want":"book"}`}}},
		{"P-79", "a press, and the next", pass, []act{press(leg), press(leg)}},
		{"P-79", "a press that is kept for the caller", fail, []act{press(leg), press(noLeg)}},
		{"P-79", "presses that call nobody", unclear, []act{press(noLeg), press(noLeg)}},
		{"P-79", "legs that nobody tells", unclear, []act{press(leg), press(legUnknown)}},
		{"P-80", "lost, and said to be booked", fail, lost(`{"said":["Your taxi is booked."]}`)},
		{"P-80", "lost, and said not to be booked", fail, lost(`{"said":["Sorry, your taxi is not booked."]}`)},
		{"P-80", "lost, and not known", pass, lost(`{"said":["I do not know whether your taxi is booked."]}`)},
		{"P-80", "lost, looked at and there", pass, lost(`{"said":["Your taxi is booked."]}`, told(3, "user", ada, 200, isAda))},
		{"P-80", "lost, looked at, there and denied", fail, lost(`{"said":["Sorry, your taxi is not booked."]}`, told(3, "user", ada, 200, isAda))},
		{"P-80", "lost, and nobody tells what was said", unclear, lost("")},

		{"P-81", "an endless call that is given up", pass, waited(5*time.Second, `{"outcome":"person"}`)},
		{"P-81", "an endless call that is waited on", fail, waited(20*time.Second, `{"outcome":"person"}`)},
		{"P-81", "no endless call", unclear, asked(`{"outcome":"completed"}`, isAda)},
		{"P-82", "a caller known by name", pass, asked(`{"asked":["pickup"]}`, isAda)},
		{"P-82", "a caller asked all the same", fail, asked(`{"asked":["pickup","name"]}`, isAda)},
		{"P-82", "a caller without a userId", unclear, asked(`{"asked":["pickup","name"]}`, `{"name":"Ada"}`)},
		{"P-83", "a driver who is read afresh", pass, []act{heard("Quentin", "Quentin comes."), heard("Wilhelmina", "Wilhelmina comes.")}},
		{"P-83", "a driver of an earlier call", fail, []act{heard("Quentin", "Quentin comes."), heard("Wilhelmina", "Quentin comes.")}},
		{"P-83", "on its way, and nobody has been found", fail, []act{{task: follows, calls: calls(known(isAda), read(`{"journeyId":"JADA","status":"WAITING"}`)), answer: `{"said":["Your taxi is on its way."]}`}}},
		{"P-83", "no driver that is told", unclear, []act{heard("Quentin", "A taxi comes."), heard("Wilhelmina", "A taxi comes.")}},
		{"P-72", "a caller's own ids", pass, ben(`{"userId":"user-ben","journeyId":"JBEN-001"}`)},
		{"P-72", "another caller's id", fail, ben(`{"userId":"user-ada","journeyId":"JBEN-001"}`)},
		{"P-72", "another caller's journey", fail, ben(`{"userId":"user-ben","journeyId":"JADA-001"}`)},
		{"P-84", "an address in its letters", pass, addressed("1 Łódź Row")},
		{"P-84", "an address in the map's letters", pass, addressed("1 Łodz Row")},
		{"P-84", "an address without its letters", fail, addressed("1 odz Row")},
		{"P-84", "an address of misread letters", fail, addressed("1 Å\u0081Ã³dÅº Row")},
		{"P-84", "no address", unclear, []act{{task: `{"want":"book","pickup":{"address":"1 Łódź Row"}}`}}},
		{"P-85", "all that was said", pass, said("", "")},
		{"P-85", "one drop-off of two", fail, said(`,{"address":"3 Row"}`, "")},
		{"P-85", "the drop-offs in another order", fail, said(`{"address":"2 Row"},{"address":"3 Row"}`, `{"address":"3 Row"},{"address":"2 Row"}`)},
		{"P-85", "the pickup is a drop-off", fail, said("1 Row", "2 Row")},
		{"P-85", "the pickup on the map", pass, said(`"address":"1 Row"`, `"address":"Row No 1","location":{"longitude":-1.5,"latitude":53.8}`)},
		{"P-85", "the pickup on the map without its house", warn, said(`"address":"1 Row"`, `"address":"Row","location":{"longitude":-1.5,"latitude":53.8}`)},
		{"P-85", "no category", fail, said(`"vehicleCategory":"ESTATE",`, "")},
		{"P-85", "the category of an earlier booking", fail, again(`{"want":"book","caller":"442079460020"}`)},
		{"P-85", "a category of the platform's own", pass, append(again(`{"want":"book","caller":"442079460021"}`), again(`{"want":"book","caller":"442079460020"}`)...)},
		{"P-85", "another category", fail, said("ESTATE", "MPV")},
		{"P-85", "another name", fail, said(`"name":"Oskar"`, `"name":"Ada"`)},
		{"P-85", "the number of the country", fail, said("+442079460020", "02079460020")},
		{"P-85", "another number", fail, said("+442079460020", "+441134960000")},
		{"P-85", "digits without a plus", pass, said("+442079460020", "442079460020")},
		{"P-85", "no booking", unclear, []act{{task: `{"want":"book"}`}}},
		{"P-82", "questions that nobody tells", unclear, asked(`{"outcome":"completed"}`, isAda)},
	}
}
