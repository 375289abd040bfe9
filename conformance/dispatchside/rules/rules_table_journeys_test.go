package rules_test

import "slices"

var (
	goldenCall  = []step{configAsked, annLooks, annBooks, annReads, annCancels}
	minimum     = []step{annBooks, annReads, annCancels, readsEnd}
	whileActive = []step{annBooks, annsBooking, annCancels, annLooks}
	editedTwice = []step{annBooks, movesTime, movesStop, annReads, annCancels}
	firstTime   = []step{annLooks.tries("unknown-phone").refused(404), bareBooks, annsBooking}
	fullLife    = []step{annBooks, annSees("WAITING"), annSees("POB"), annSees("COMPLETE")}
	twoJourneys = []step{annBooks, secondTrip, annReads, readsOther, annCancels, readsOther}
)

// changed returns a history with another call in the place of one, counted from 0.
func changed(calls []step, n int, s step) []step {
	calls = slices.Clone(calls)
	calls[n] = s
	return calls
}

var journeyRows = slices.Concat(storyRows, sideBySideRows, statusByStatusRows, lifeRows)

var storyRows = []row{
	{"JRN-01", "every step served", passes, inProbe("golden call", goldenCall...), ""},
	{"JRN-01", "/config refused", fails, inProbe("golden call", changed(goldenCall, 0, configAsked.refused(404))...), ""},
	{"JRN-01", "/book gives no journey", fails, inProbe("golden call", changed(goldenCall, 2, annBooks.gets(200, `{}`))...), ""},
	{"JRN-01", "/cancel refused", fails, inProbe("golden call", changed(goldenCall, 4, annCancels.refused(409))...), ""},
	{"JRN-01", "no /cancel", unverified, inProbe("golden call", goldenCall[:4]...), ""},
	{"JRN-01", "/book before /user", unverified, inProbe("golden call", configAsked, annBooks, annLooks, annReads, annCancels), ""},
	{"JRN-01", "userIds that are numbers", unverified, inProbe("golden call", changed(goldenCall, 1, annLooks.but(`"u1"`, `1`))...), ""},
	{"JRN-01", "one userId for two numbers", unverified, inProbe("golden call", slices.Insert(slices.Clone(goldenCall), 2, benLooks.but(`u2`, `u1`))...), ""},
	{"JRN-01", "userIds that change", unverified, inProbe("golden call", slices.Insert(slices.Clone(goldenCall), 2, annLooks.but(`u1`, `u9`))...), ""},

	{"JRN-02", "booked, read, cancelled, over", passes, inProbe("minimum functionality", minimum...), ""},
	{"JRN-02", "over and no longer known", passes, inProbe("minimum functionality", changed(minimum, 3, readsEnd.refused(404))...), ""},
	{"JRN-02", "alive after the cancellation", fails, inProbe("minimum functionality", changed(minimum, 3, annReads)...), ""},
	{"JRN-02", "a crash in the end", fails, inProbe("minimum functionality", changed(minimum, 3, readsEnd.refused(500))...), ""},
	{"JRN-02", "not booked", fails, inProbe("minimum functionality", changed(minimum, 0, annBooks.refused(400))...), ""},
	{"JRN-02", "not read in the end", unverified, inProbe("minimum functionality", minimum[:3]...), ""},
	{"JRN-02", "not cancelled", unverified, inProbe("minimum functionality", annBooks, annReads, annReads), ""},
	{"JRN-02", "the calls of another probe", unverified, minimum, ""},
	{"JRN-02", "read while all is cancelled", passes, inProbe("minimum functionality", then(minimum, annReads.intends("clean-up"))...), ""},

	{"JRN-03", "listed and then not", passes, inProbe("listed while active", whileActive...), ""},
	{"JRN-03", "never listed", fails, inProbe("listed while active", changed(whileActive, 1, annLooks)...), ""},
	{"JRN-03", "still listed", warns, inProbe("listed while active", changed(whileActive, 3, annsBooking)...), ""},
	{"JRN-03", "the user is unknown", unverified, inProbe("listed while active", changed(whileActive, 1, annLooks.doubtful().refused(404))...), ""},
	{"JRN-03", "looked once", unverified, inProbe("listed while active", whileActive[:3]...), ""},
	{"JRN-03", "nothing booked", unverified, inProbe("listed while active", whileActive[1:]...), ""},
	{"JRN-03", "not cancelled", unverified, inProbe("listed while active", annBooks, annsBooking, annsBooking), ""},

	{"JRN-04", "one id throughout", passes, inProbe("edited twice", editedTwice...), ""},
	{"JRN-04", "another id after the second edit", fails, inProbe("edited twice", changed(editedTwice, 2, movesStop.but(`j1`, `j9`))...), ""},
	{"JRN-04", "another id in the end", fails, inProbe("edited twice", changed(editedTwice, 4, annCancels.but(`j1`, `j9`))...), ""},
	{"JRN-04", "the first edit refused", fails, inProbe("edited twice", changed(editedTwice, 1, movesTime.refused(400))...), ""},
	{"JRN-04", "one edit", unverified, inProbe("edited twice", editedTwice[:2]...), ""},
	{"JRN-04", "one edit, and cancelled", unverified, inProbe("edited twice", annBooks, movesTime, annReads, annCancels), ""},
	{"JRN-04", "not cancelled", unverified, inProbe("edited twice", editedTwice[:4]...), ""},

	{"JRN-05", "known after the first booking", passes, inProbe("first-time caller", firstTime...), ""},
	{"JRN-05", "known, and without the booking", fails, inProbe("first-time caller", changed(firstTime, 2, annLooks)...), ""},
	{"JRN-05", "still unknown", fails, inProbe("first-time caller", changed(firstTime, 2, annLooks.doubtful().refused(404))...), ""},
	{"JRN-05", "the first booking is refused", fails, inProbe("first-time caller", changed(firstTime, 1, bareBooks.refused(400))...), ""},
	{"JRN-05", "a number that was given as known", unverified, inProbe("first-time caller", annLooks, bareBooks, annsBooking), ""},
	{"JRN-05", "nobody looked again", unverified, inProbe("first-time caller", firstTime[:2]...), ""},
	{"JRN-05", "nothing booked", unverified, inProbe("first-time caller", annLooks, annLooks), ""},

	{"JRN-06", "all eight spelled right", passes, inProbe("full life", fullLife...), ""},
	{"JRN-06", "a word of its own", fails, inProbe("full life", changed(fullLife, 2, annSees("ON_BOARD"))...), ""},
	{"JRN-06", "a word of its own in the end", fails, inProbe("full life", changed(fullLife, 3, annSees("DONE"))...), ""},
	{"JRN-06", "not to the end", unverified, inProbe("full life", fullLife[:3]...), ""},
}

// bothUsers is a story of Ann's journey and Ben's, a call of the one after a call of
// the other.
var bothUsers = []step{annBooks, benBooks, annReads, bens(annReads), annCancels, bens(annReads)}

var sideBySideRows = []row{
	{"JRN-09", "each its own", passes, inProbe("two journeys of one user", twoJourneys...), ""},
	{"JRN-09", "one id for both", fails, inProbe("two journeys of one user", changed(twoJourneys, 1, secondTrip.but(`j3`, `j1`))...), ""},
	{"JRN-09", "the other is read", fails, inProbe("two journeys of one user", changed(twoJourneys, 2, annReads.but(`j1`, `j3`))...), ""},
	{"JRN-09", "both are cancelled", fails, inProbe("two journeys of one user", changed(twoJourneys, 5, readsOther.but(`WAITING`, `CANCELLED`))...), ""},
	{"JRN-09", "one journey", unverified, inProbe("two journeys of one user", annBooks, annReads), ""},
	{"JRN-09", "one journey, read twice", unverified, inProbe("two journeys of one user", annBooks, annReads, annReads), ""},
	{"JRN-09", "the cancelled one is CANCELLED", passes, inProbe("two journeys of one user", changed(twoJourneys, 5, readsEnd)...), ""},

	{"JRN-10", "each their own", passes, inProbe("two users interleaved", bothUsers...), ""},
	{"JRN-10", "one id for both", fails, inProbe("two users interleaved", changed(bothUsers, 1, benBooks.but(`j2`, `j1`))...), ""},
	{"JRN-10", "the other's is read", fails, inProbe("two users interleaved", changed(bothUsers, 3, bens(annReads).but(`j2`, `j1`))...), ""},
	{"JRN-10", "both are cancelled", fails, inProbe("two users interleaved", changed(bothUsers, 5, bens(annSees("CANCELLED")))...), ""},
	{"JRN-10", "nobody read", unverified, inProbe("two users interleaved", bothUsers[:2]...), ""},

	{"JRN-11", "both served", passes, inProbe("return trip and three stops", twoJourneys...), ""},
	{"JRN-11", "the second is refused", fails, inProbe("return trip and three stops", changed(twoJourneys, 1, secondTrip.refused(400))...), ""},
	{"JRN-11", "one id for both", fails, inProbe("return trip and three stops", changed(twoJourneys, 1, secondTrip.but(`j3`, `j1`))...), ""},
	{"JRN-11", "one journey", unverified, inProbe("return trip and three stops", annBooks, annReads), ""},

	{"JRN-12", "the same after a restart", passes, inProbe("restart", annBooks, annReads, annReads), ""},
	{"JRN-12", "another time after a restart", fails, inProbe("restart", annBooks, annReads, annReads.but(atTen, atNoon)), ""},
	{"JRN-12", "the same time at another offset after a restart", passes, inProbe("restart", annBooks, annReads, annReads.but(atTen, noonInParis)), ""},
	{"JRN-12", "unknown after a restart", fails, inProbe("restart", annBooks, annReads, annReads.refused(404)), ""},
	{"JRN-12", "CANCELLED before and alive after a restart", fails, inProbe("restart", annBooks, annCancels, readsEnd, annReads), ""},
	{"JRN-12", "a car that was on its way is so", passes, inProbe("restart", annBooks, annSees("EN_ROUTE"), annSees("ARRIVED")), ""},
	{"JRN-12", "a car that was on its way is not", fails, inProbe("restart", annBooks, annSees("EN_ROUTE"), annSees("HELD")), ""},
	{"JRN-12", "read once", unverified, inProbe("restart", annBooks, annReads), ""},
}

// inEachStatus tries a call on a journey of its own in each status, and reads it
// before and after.
func inEachStatus(probe string, try func(status, id string) (step, step)) []step {
	calls := []step{annLooks}
	for i, status := range []string{"HELD", "WAITING", "ACCEPTED", "EN_ROUTE", "ARRIVED", "POB", "COMPLETE"} {
		id := "k" + string(rune('1'+i))
		book := annBooks.sending("1 Mill", id+" Mill").but("j1", id)
		read := annSees(status).sending("j1", id).but("j1", id).but("1 Mill", id+" Mill")
		tried, after := try(status, id)
		calls = append(calls, book, read, tried.sending("j1", id), after.sending("j1", id))
	}
	return inProbe(probe, calls...)
}

// cancelEach returns a history that cancels a journey in each status; at POB and COMPLETE it is refused. In
// the status at, /status then shows the status shown.
func cancelEach(at, shown string) []step {
	return inEachStatus("cancelled in each status", func(status, id string) (step, step) {
		cancel, end := annCancels.but("j1", id), "CANCELLED"
		if status == "POB" || status == "COMPLETE" {
			cancel, end = annCancels.doubtful().refused(409), status
		}
		if status == at {
			end = shown
		}
		return cancel, annSees(end).but("j1", id)
	})
}

// editEach returns a history that edits the time and the drop-off of a journey in each status; at POB and
// COMPLETE it is refused. In the status at, /status then shows old in place of now.
func editEach(at, old, now string) []step {
	return inEachStatus("edited in each status", func(status, id string) (step, step) {
		edit := movesTime.sending(stationRoad, canalQuay).sending("1 Mill", id+" Mill").but("j1", id)
		after := annSees(status).but("j1", id).but("1 Mill", id+" Mill")
		if status == "POB" || status == "COMPLETE" {
			edit = edit.doubtful().refused(409)
		} else {
			after = after.but(stationRoad, canalQuay).but(atTen, atNoon)
		}
		if status == at {
			after = after.but(now, old)
		}
		return edit, after
	})
}

var statusByStatusRows = []row{
	{"JRN-13", "as /cancel said", passes, cancelEach("", ""), ""},
	{"JRN-13", "cancelled at ARRIVED, and alive", fails, cancelEach("ARRIVED", "ARRIVED"), ""},
	{"JRN-13", "refused at POB, and cancelled", fails, cancelEach("POB", "CANCELLED"), ""},
	{"JRN-13", "only tried at HELD", unverified, cancelEach("", "")[:5], ""},

	{"JRN-14", "whole or not at all", passes, editEach("", "", ""), ""},
	{"JRN-14", "the time only, at ACCEPTED", fails, editEach("ACCEPTED", stationRoad, canalQuay), ""},
	{"JRN-14", "refused at POB, and applied", fails, editEach("POB", atNoon, atTen), ""},
	{"JRN-14", "refused at POB, and the time is at another offset", passes, editEach("POB", noonInParis, atTen), ""},
	{"JRN-14", "only tried at HELD", unverified, editEach("", "", "")[:5], ""},
}

var lifeRows = []row{
	{"JRN-07", "WAITING and then ACCEPTED", observed, then(annBooked, annReads, annSees("ACCEPTED")), ""},
	{"JRN-07", "stands still", unverified, then(annBooked, annReads, annReads), ""},

	{"JRN-08", "COMPLETE for ever", passes, then(annBooked, annSees("COMPLETE"), annSees("COMPLETE")), ""},
	{"JRN-08", "COMPLETE and then WAITING", fails, then(annBooked, annSees("COMPLETE"), annReads), "/status"},
	{"JRN-08", "read once", unverified, then(annBooked, annSees("COMPLETE")), ""},
	{"JRN-08", "COMPLETE, and CANCELLED although refused", fails, then(annBooked, annSees("COMPLETE"), annCancels.refused(409), readsEnd), "/status"},

	{"JRN-16", "driver and vehicle stay", passes, then(annBooked, bareCar, onBoard), ""},
	{"JRN-16", "the driver is gone", fails, then(annBooked, bareCar, onBoard.but(aDriver+`,`, ``)), "/driver"},
	{"JRN-16", "both are gone after ACCEPTED", fails, then(annBooked, annSees("ACCEPTED", aVehicle, aDriver), annSees("EN_ROUTE")), ""},
	{"JRN-16", "a driver and never a vehicle", passes, then(annBooked, annSees("EN_ROUTE", aDriver), annSees("EN_ROUTE", aDriver)), ""},
	{"JRN-16", "the vehicle is null", fails, then(annBooked, bareCar, onBoard.but(aVehicle, `"vehicle":null`)), "/vehicle"},
	{"JRN-16", "back to waiting", unverified, then(annBooked, bareCar, annReads), ""},
	{"JRN-16", "shown while waiting, and not later", unverified, then(annBooked, annSees("WAITING", aDriver), annSees("EN_ROUTE")), ""},
	{"JRN-16", "read once", unverified, then(annBooked, bareCar), ""},
}
