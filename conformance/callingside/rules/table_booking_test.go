package rules_test

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// bookingRows returns the rows about /book, and about the ids of /cancel and /status.
func bookingRows() []row {
	sends := func(from, to string) []act {
		return []act{{task: books, calls: calls(known(isAda), unlike(booked(200, waiting), from, to))}}
	}
	edits := func(body string) []act {
		return []act{{task: edit, calls: calls(read(jada), later(3, "book", body, 200, jada))}}
	}
	names := func(body string) []act {
		return []act{{task: cancels, calls: calls(known(isAda), later(2, "cancel", body, 200, `{"journeyId":"JADA","status":"CANCELLED"}`))}}
	}
	oddIDs := func(id string) []act {
		user := after(rules.IntentOddIDs, known(`{"userId":"user-ada","name":"Ada","activeBookings":[{"journeyId":"0071"}]}`))
		return []act{{task: `{"want":"status","journeyId":"0071"}`, calls: calls(user, unlike(read(waiting), "JADA", id))}}
	}
	lost := func(more ...*conformance.Exchange) []act {
		return []act{{task: books, calls: append(calls(after(rules.IntentLost, booked(0, ""))), more...)}}
	}
	nothing := []act{{task: books, calls: calls(known(isAda))}}
	again := later(9, "book", adaBooks, 200, waiting)
	hungUp := changed(booked(0, ""), func(x *conformance.Exchange) { x.ErrKind = conformance.ErrHungUp })
	return []row{
		{"P-08", "all required fields", pass, sends("", "")},
		{"P-08", "no name", fail, sends(`"name":"Ada",`, "")},
		{"P-08", "no drop-off", fail, sends(`{"address":"2 Row","location":{"longitude":-1.6,"latitude":53.8}}`, "")},
		{"P-08", "no /book", unclear, nothing},
		{"P-09", "addresses with locations", pass, sends("", "")},
		{"P-09", "a latitude as text", fail, sends(`"latitude":53.8}},`, `"latitude":"53.8"}},`)},
		{"P-09", "longitude and latitude exchanged", fail, sends(`"longitude":-1.5,"latitude":53.8`, `"longitude":53.8,"latitude":-1.5`)},
		{"P-09", "no /book", unclear, nothing},
		{"P-10", "a time with Z", pass, sends("", "")},
		{"P-10", "a time with an offset", pass, sends("10:30:00Z", "12:30:00+02:00")},
		{"P-10", "a time in words", fail, sends("2026-11-22T10:30:00Z", "half past ten")},
		{"P-10", "a time in the past", fail, sends("2026-11-22", "2026-11-21")},
		{"P-10", "a time without a zone", fail, sends("10:30:00Z", "10:30:00")},
		{"P-10", "no /book", unclear, nothing},
		{"P-11", "no journeyId", pass, sends("", "")},
		{"P-11", "journeyId null", pass, sends("{", `{"journeyId":null,`)},
		{"P-11", "an empty journeyId", fail, sends("{", `{"journeyId":"",`)},
		{"P-11", "a journeyId of another journey", fail, sends("{", `{"journeyId":"JADA",`)},
		{"P-11", "no /book", unclear, nothing},
		{"P-12", "an edit as it should be", pass, edits(edited)},
		{"P-12", "an edit without the journeyId", fail, edits(strings.Replace(edited, `"journeyId":"JADA",`, "", 1))},
		{"P-12", "an edit of what changes alone", fail, edits(`{"journeyId":"JADA","pickup":{"address":"9 Row"}}`)},
		{"P-12", "no edit", unclear, []act{{task: edit, calls: calls(read(jada))}}},
		{"P-14", "both ids", pass, names(refers)},
		{"P-14", "no userId", fail, names(`{"journeyId":"JADA"}`)},
		{"P-14", "a journeyId that is a number", fail, names(`{"userId":"user-ada","journeyId":7}`)},
		{"P-14", "neither /cancel nor /status", unclear, nothing},
		{"P-15", "an id as it was received", pass, oddIDs("0071")},
		{"P-15", "an id without its zeros", fail, oddIDs("71")},
		{"P-15", "ids that nobody sends back", unclear, nothing},
		{"P-19", "a lost booking that is looked for", pass, lost(later(5, "user", ada, 200, nobody), again)},
		{"P-19", "a lost booking that is made again", fail, lost(again)},
		{"P-19", "a lost booking that is there and made again", fail, lost(later(5, "user", ada, 200, isAda), again)},
		{"P-19", "no booking is lost", unclear, nothing},
		{"P-70", "a caller who hangs up", seen, []act{{task: books, calls: calls(hungUp)}}},
	}
}
