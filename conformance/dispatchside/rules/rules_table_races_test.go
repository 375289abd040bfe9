package rules_test

import (
	"slices"
	"strings"
	"time"
)

var (
	manyBooks  = times(20, annBooks.sending("1 Mill", "# Mill").but("j1", "j#"))
	manyReads  = times(20, annReads.sending("j1", "j#").gets(200, briefly("j#", "WAITING")))
	fiftyRead  = times(50, annReads.intends("race"))
	raceEdits  = []step{movesPickup.intends("race"), movesTime.intends("race")}
	wholeEdits = []step{movesAll.tries("race"), movesAll.sending(atNoon, `2026-10-20T13:00:00Z`).tries("race")}
	movesAll   = movesBoth.sending(stationRoad, highStreet)
	keyedBook  = annBooks.intends("key").asking("Idempotency-Key", "k")
	keyedElse  = annBooks.sending("1 Mill", "8 Mill").tries("key-reused").asking("Idempotency-Key", "k").refused(422)
	newLooks   = times(10, annListed(waiting, strings.Replace(waiting, "j1", "j2", 1), strings.Replace(waiting, "j1", "j3", 1), strings.Replace(waiting, "j1", "j4", 1)))
	newBooks   = times(4, bareBooks.sending("1 Mill", "# Mill").but("j1", "j#"))
	hungUp     = annBooks.sending(millLane1, highStreet).tries("hang-up").unanswered()
	isListed   = annListed(journeyAt("j1", "WAITING"), strings.Replace(journeyAt("j9", "WAITING"), millLane1, highStreet, 1))
	notListed  = annListed(journeyAt("j1", "WAITING"))
)

// raceRows returns the rows of concurrent calls, and of calls that were sent twice.
func raceRows() []row { return slices.Concat(concurrentRows, repeatedRows) }

var concurrentRows = []row{
	{"CON-01", "twenty ids, each read under its own", passes, inProbe("twenty bookings at once", then(manyBooks, manyReads...)...), ""},
	{"CON-01", "two with one id", fails, inProbe("twenty bookings at once", then(changed(manyBooks, 9, manyBooks[9].but("j10", "j9")), manyReads...)...), ""},
	{"CON-01", "another journey is read", fails, inProbe("twenty bookings at once", then(manyBooks, changed(manyReads, 9, manyReads[9].but("j10", "j9"))...)...), ""},
	{"CON-01", "one is refused", fails, inProbe("twenty bookings at once", then(changed(manyBooks, 9, manyBooks[9].refused(503)), manyReads...)...), ""},
	{"CON-01", "nineteen are read", unverified, inProbe("twenty bookings at once", then(manyBooks, manyReads[1:]...)...), ""},
	{"CON-01", "nineteen bookings", unverified, inProbe("twenty bookings at once", then(manyBooks[1:], manyReads...)...), ""},

	{"CON-02", "one end", passes, cancelsAtOnce(cancelled, readsEnd), ""},
	{"CON-02", "alive afterwards", fails, cancelsAtOnce(cancelled, annReads), ""},
	{"CON-02", "one crashes", fails, changed(cancelsAtOnce(cancelled, readsEnd), 6, annCancels.tries("race").in("ten cancellations at once").refused(500)), ""},
	{"CON-02", "one gets no answer", fails, changed(cancelsAtOnce(cancelled, readsEnd), 6, annCancels.tries("race").in("ten cancellations at once").unanswered()), ""},
	{"CON-02", "none said CANCELLED", fails, cancelsAtOnce(waiting, readsEnd), ""},
	{"CON-02", "nobody read", unverified, cancelsAtOnce(cancelled, annLooks), ""},
	{"CON-02", "one cancellation", unverified, inProbe("ten cancellations at once", then(annBooked, annCancels.tries("race"), readsEnd.tries("race"))...), ""},

	{"CON-03", "cancelled in both views", passes, cancelAndEdit(readsEnd, annLooks), ""},
	{"CON-03", "CANCELLED, says /cancel, and alive", fails, cancelAndEdit(annReads, annsBooking), ""},
	{"CON-03", "cancelled and listed", fails, cancelAndEdit(readsEnd, annsBooking), ""},
	{"CON-03", "the edit crashes", fails, changed(cancelAndEdit(readsEnd, annLooks), 3, movesTime.tries("race").in("cancelled while edited").refused(500)), ""},
	{"CON-03", "alive, and in no list", fails, changed(cancelAndEdit(annReads, annLooks), 2, annCancels.tries("race").in("cancelled while edited").refused(409)), ""},
	{"CON-03", "nobody looked", unverified, cancelAndEdit(readsEnd, readsEnd), ""},

	{"CON-04", "one user", passes, inProbe("a new number at once", then(newBooks, newLooks...)...), ""},
	{"CON-04", "two users", fails, inProbe("a new number at once", then(newBooks, changed(newLooks, 3, newLooks[3].but(`u1`, `u9`))...)...), ""},
	{"CON-04", "one look crashes", fails, inProbe("a new number at once", then(newBooks, changed(newLooks, 3, newLooks[3].doubtful().refused(500))...)...), ""},
	{"CON-04", "a booking is not listed", fails, inProbe("a new number at once", then(newBooks, changed(newLooks, 9, annListed(waiting))...)...), ""},
	{"CON-04", "three bookings", unverified, inProbe("a new number at once", then(newBooks[1:], newLooks...)...), ""},
	{"CON-04", "one look", unverified, inProbe("a new number at once", then(newBooks, newLooks[0])...), ""},

	{"CON-05", "one edit whole", passes, inProbe("edits at once", then(annBooked, then(raceEdits, readsTime.intends("race"))...)...), ""},
	{"CON-05", "a mix of two", fails, inProbe("edits at once", then(annBooked, then(raceEdits, readsTime.but(millLane1, canalQuay).intends("race"))...)...), ""},
	{"CON-05", "one edit crashes", fails, inProbe("edits at once", then(annBooked, raceEdits[0], movesTime.tries("race").refused(500), readsPickup.intends("race"))...), ""},
	{"CON-05", "all refused, and none applied", passes, inProbe("edits at once", then(annBooked, wholeEdits[0].refused(409), wholeEdits[1].refused(409), annReads.intends("race"))...), ""},
	{"CON-05", "served, and none applied", fails, inProbe("edits at once", then(annBooked, wholeEdits[0], wholeEdits[1], annReads.intends("race"))...), ""},
	{"CON-05", "one edit", unverified, inProbe("edits at once", then(annBooked, raceEdits[0], readsPickup.intends("race"))...), ""},
	{"CON-05", "nothing shown", unverified, inProbe("edits at once", then(annBooked, then(raceEdits, readsBriefs.intends("race"))...)...), ""},

	{"CON-06", "fifty reads", passes, inProbe("fifty reads at once", then(annBooked, fiftyRead...)...), ""},
	{"CON-06", "one is refused", fails, inProbe("fifty reads at once", then(annBooked, changed(fiftyRead, 9, fiftyRead[9].refused(503))...)...), ""},
	{"CON-06", "forty-nine reads", unverified, inProbe("fifty reads at once", then(annBooked, fiftyRead[1:]...)...), ""},
}

// cancelsAtOnce returns a history of ten concurrent cancellations and a read.
func cancelsAtOnce(reply string, look step) []step {
	cancels := times(10, annCancels.tries("race").gets(200, reply))
	return inProbe("ten cancellations at once", then(annBooked, append(cancels, look.tries("race"))...)...)
}

// cancelAndEdit returns a history of a concurrent cancellation and edit, and two reads of the journey after them.
func cancelAndEdit(read, look step) []step {
	return inProbe("cancelled while edited", then(annBooked, annCancels.tries("race"), movesTime.tries("race"), read.tries("race"), look.doubtful())...)
}

var repeatedRows = []row{
	{"IDM-01", "one journey", observed, []step{annBooks, annBooks}, ""},
	{"IDM-01", "two journeys", observed, []step{annBooks, annBooks.but(`j1`, `j3`)}, ""},
	{"IDM-01", "sent once", unverified, []step{annBooks}, ""},

	{"IDM-02", "listed afterwards", passes, inProbe("hung up", then(annBooked, hungUp, isListed, annCancels)...), ""},
	{"IDM-02", "listed, and then not", fails, inProbe("hung up", then(annBooked, hungUp, isListed, notListed, annCancels)...), ""},
	{"IDM-02", "never listed", unverified, inProbe("hung up", then(annBooked, hungUp, notListed, annCancels)...), ""},
	{"IDM-02", "the story broke off", unverified, inProbe("hung up", then(annBooked, hungUp, isListed)...), ""},

	{"IDM-03", "answered alike", passes, inProbe("idempotency keys", keyedBook, keyedBook, keyedElse), ""},
	{"IDM-03", "refused the second time", fails, inProbe("idempotency keys", keyedBook, keyedBook.refused(400), keyedElse), ""},
	{"IDM-03", "a crash on another call", fails, inProbe("idempotency keys", keyedBook, keyedBook, keyedElse.refused(500)), ""},
	{"IDM-03", "sent once", unverified, inProbe("idempotency keys", keyedBook), ""},
	{"IDM-03", "no other call under the key", unverified, inProbe("idempotency keys", keyedBook, keyedBook), ""},
}

var (
	duringSlow = configAsked.tries("beside")
	inTime     = configAsked.answering("Date", "Mon, 12 Oct 2026 09:00:01 GMT")
	summerEnds = annBooks.sending(atTen, `2026-10-25T01:30:00+01:00`).intends("seasons")
)

// timingRows are the rows of how long answers take, and of clocks.
var timingRows = []row{
	{"TIM-01", "half a second", passes, timed(10, configAsked.lasting(time.Second/2)), ""},
	{"TIM-01", "three seconds", warns, timed(10, configAsked.lasting(3*time.Second)), ""},
	{"TIM-01", "six seconds", fails, timed(10, configAsked.lasting(6*time.Second)), ""},
	{"TIM-01", "six seconds for one operation of two", fails, then(timed(10, configAsked), timed(10, annLooks.lasting(6*time.Second))...), ""},
	{"TIM-01", "six seconds for one call of twenty", passes, then(timed(19, configAsked), timed(1, configAsked.lasting(6*time.Second))...), ""},
	{"TIM-01", "nine calls", unverified, timed(9, configAsked.lasting(6*time.Second)), ""},
	{"TIM-01", "six seconds for somebody else", fails, times(10, configAsked.in("").lasting(6*time.Second)), ""},
	{"TIM-01", "six seconds beside others", fails, times(10, configAsked.lasting(6*time.Second)), ""},
	{"TIM-01", "three seconds beside others", warns, times(10, configAsked.lasting(3*time.Second)), ""},
	{"TIM-01", "late now and then, beside others", unverified, then(times(8, configAsked), times(3, configAsked.lasting(3*time.Second))...), ""},
	{"TIM-01", "quick beside others", passes, times(10, configAsked), ""},
	{"TIM-01", "nine calls beside others", unverified, times(9, configAsked.lasting(6*time.Second)), ""},
	{"TIM-01", "refusals", unverified, timed(10, configAsked.refused(503).lasting(6*time.Second)), ""},

	{"CFG-10", "half a second", passes, timed(10, configAsked.lasting(time.Second/2)), ""},
	{"CFG-10", "a second and a half", fails, timed(10, configAsked.lasting(3*time.Second/2)), ""},
	{"CFG-10", "a second and a half beside others", fails, times(10, configAsked.lasting(3*time.Second/2)), ""},
	{"CFG-10", "nine calls", unverified, timed(9, configAsked.lasting(3*time.Second/2)), ""},
	{"CFG-10", "ten calls of another operation", unverified, timed(10, annLooks.lasting(3*time.Second/2)), ""},

	{"TIM-02", "answered meanwhile", passes, []step{duringSlow}, ""},
	{"TIM-02", "not answered meanwhile", fails, []step{duringSlow.unanswered()}, ""},
	{"TIM-02", "nobody tried", unverified, []step{configAsked}, ""},

	{"TIM-03", "as quick as at first", passes, worn(100, 10*time.Millisecond), ""},
	{"TIM-03", "a second more", fails, worn(100, time.Second), ""},
	{"TIM-03", "forty milliseconds more", passes, worn(100, 50*time.Millisecond), ""},
	{"TIM-03", "few bookings", unverified, worn(99, time.Second), ""},

	{"TIM-04", "the same time", passes, []step{inTime}, ""},
	{"TIM-04", "an hour late", fails, []step{inTime.answering("Date", "Mon, 12 Oct 2026 08:00:01 GMT")}, ""},
	{"TIM-04", "no Date", unverified, []step{configAsked}, ""},

	{"TIM-05", "the instant is kept", passes, []step{summerEnds, annReads.but(atTen, `2026-10-25T00:30:00Z`)}, ""},
	{"TIM-05", "an hour late", fails, []step{summerEnds, annReads.but(atTen, `2026-10-25T01:30:00Z`)}, "/date"},
	{"TIM-05", "refused", unverified, []step{summerEnds.refused(400)}, ""},
}

// timed repeats a call n times, each time while no other call runs.
func timed(n int, s step) []step { return inProbe("timing", times(n, s.intends("timed"))...) }

// worn returns a history of quick calls, bookings, and calls that take longer.
func worn(bookings int, later time.Duration) []step {
	return slices.Concat(
		inProbe("first impressions", times(10, configAsked.intends("timed"))...),
		times(bookings, annBooks.sending("1 Mill", "# Mill").but("j1", "j#")),
		timed(10, configAsked.lasting(later)),
	)
}
