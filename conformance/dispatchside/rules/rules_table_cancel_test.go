package rules_test

var (
	secondTrip   = annBooks.sending("1 Mill", "8 Mill").but(`j1`, `j3`)
	readsOther   = asked("status", `{"userId":"u1","journeyId":"j3"}`, 200, briefly("j3", "WAITING"))
	cancelsOther = annCancels.sending(`j1`, `j3`).but(`j1`, `j3`)

	unknownID = annCancels.sending(`j1`, `j9`).but(`j1`, `j9`).tries("unknown-journey")
	inexactID = annCancels.sending(`j1`, `J1`).tries("inexact-id")
	bensTry   = annCancels.sending(`u1`, `u2`).tries("foreign-user")
	noUserID  = annCancels.sending(`"userId":"u1",`, ``).doubtful()
	readsEnd  = annSees("CANCELLED")
	riding    = then(annBooked, annSees("POB"))
)

var cancelRows = []row{
	{"CAN-01", "the id and CANCELLED", passes, then(annBooked, annCancels), ""},
	{"CAN-01", "one L", fails, then(annBooked, annCancels.but(`CANCELLED`, `CANCELED`)), "/status"},
	{"CAN-01", "no status", fails, then(annBooked, annCancels.but(`,"status":"CANCELLED"`, ``)), "/status"},
	{"CAN-01", "still WAITING", fails, then(annBooked, annCancels.but(`CANCELLED`, `WAITING`)), "/status"},
	{"CAN-01", "another id", fails, then(annBooked, annCancels.but(`j1`, `j9`)), "/journeyId"},
	{"CAN-01", "no id", fails, then(annBooked, annCancels.but(`"journeyId":"j1",`, ``)), "/journeyId"},
	{"CAN-01", "refused", fails, then(annBooked, annCancels.refused(409)), ""},
	{"CAN-01", "refused to a passenger on board", unverified, then(riding, annCancels.refused(409)), ""},
	{"CAN-01", "refused after a stranger cancelled it", unverified, then(annBooked, bensTry, annCancels.refused(404)), ""},
	{"CAN-01", "refused, and still waiting", fails, then(annBooked, annCancels.refused(409), annReads), ""},
	{"CAN-01", "refused, and ARRIVED by then", unverified, then(annBooked, annCancels.refused(409), annSees("ARRIVED")), ""},
	{"CAN-01", "refused, and on board by then", unverified, then(annBooked, annCancels.refused(409), annSees("POB")), ""},
	{"CAN-01", "refused, and COMPLETE by then", unverified, then(annBooked, annCancels.refused(409), annSees("COMPLETE")), ""},
	{"CAN-01", "a crash, and on board by then", fails, then(annBooked, annCancels.refused(500), annSees("POB")), ""},
	{"CAN-01", "recorded in part", unverified, then(annBooked, annCancels.tries("partly-recorded").gets(200, `{}`)), ""},
	{"CAN-01", "POB to a passenger on board", warns, then(riding, annCancels.but(`CANCELLED`, `POB`)), "/status"},
	{"CAN-01", "a word of its own to a passenger on board", fails, then(riding, annCancels.but(`CANCELLED`, `NO`)), "/status"},
	{"CAN-01", "a GET", unverified, then(annBooked, annCancels.byGET()), ""},
	{"CAN-01", "nobody cancelled", unverified, annBooked, ""},

	{"CAN-02", "CANCELLED", passes, then(annBooked, annCancels, readsEnd), ""},
	{"CAN-02", "no longer known", warns, then(annBooked, annCancels, annReads.refused(404)), ""},
	{"CAN-02", "alive", fails, then(annBooked, annCancels, annReads), "/status"},
	{"CAN-02", "a crash", fails, then(annBooked, annCancels, annReads.refused(500)), ""},
	{"CAN-02", "undone by a second cancellation", fails, then(annBooked, annCancels, readsEnd, annCancels, annReads), "/status"},
	{"CAN-02", "nobody read", unverified, then(annBooked, annCancels), ""},
	{"CAN-02", "nobody cancelled", unverified, then(annBooked, annReads), ""},

	{"CAN-03", "gone", passes, then(annBooked, annCancels, annLooks), ""},
	{"CAN-03", "listed as CANCELLED", fails, then(annBooked, annCancels, annListed(journeyAt("j1", "CANCELLED"))), "/activeBookings/0/status"},
	{"CAN-03", "listed as alive", fails, then(annBooked, annCancels, annListed(journeyAt("j1", "WAITING"))), "/activeBookings/0/status"},
	{"CAN-03", "nobody looked", unverified, then(annBooked, annCancels), ""},
	{"CAN-03", "nobody cancelled", unverified, then(annBooked, annListed(journeyAt("j1", "WAITING"))), ""},

	{"CAN-04", "CANCELLED again", passes, then(annBooked, annCancels, annCancels), ""},
	{"CAN-04", "refused the second time", passes, then(annBooked, annCancels, annCancels.refused(409)), ""},
	{"CAN-04", "another status", fails, then(annBooked, annCancels, annCancels.but(`CANCELLED`, `WAITING`)), "/status"},
	{"CAN-04", "the first undone", fails, then(annBooked, annCancels, readsEnd, annCancels, annReads), "/status"},
	{"CAN-04", "a crash", fails, then(annBooked, annCancels, annCancels.refused(500)), ""},
	{"CAN-04", "cancelled once", unverified, then(annBooked, annCancels), ""},

	{"CAN-05", "refused", passes, then(annBooked, unknownID.refused(404), annCancels), ""},
	{"CAN-05", "refused with the word in the body", passes, then(annBooked, unknownID.gets(404, cancelled), annCancels), ""},
	{"CAN-05", "CANCELLED", fails, then(annBooked, unknownID, annCancels), ""},
	{"CAN-05", "refused like everything else", unverified, then(annBooked, unknownID.refused(404)), ""},

	{"CAN-06", "refused", passes, then(annBooked, bensTry.refused(404), annReads, annCancels), ""},
	{"CAN-06", "CANCELLED", fails, then(annBooked, bensTry, annCancels), ""},
	{"CAN-06", "refused, and cancelled all the same", fails, then(annBooked, bensTry.refused(404), readsEnd, annCancels), "/status"},
	{"CAN-06", "refused like everything else", unverified, then(annBooked, bensTry.refused(404)), ""},

	{"CAN-07", "refused", passes, then(annBooked, noUserID.refused(400), annCancels), ""},
	{"CAN-07", "CANCELLED", fails, then(annBooked, noUserID, annCancels), ""},
	{"CAN-07", "200 without a word", warns, then(annBooked, noUserID.gets(200, `{}`), annCancels), ""},
	{"CAN-07", "refused like everything else", unverified, then(annBooked, noUserID.refused(400)), ""},
	{"CAN-07", "a body that is no object", unverified, then(annBooked, asked("cancel", `[]`, 400, `{}`).doubtful(), annCancels), ""},

	{"CAN-08", "refused, and goes on", passes, then(riding, annCancels.refused(409), annSees("POB")), ""},
	{"CAN-08", "CANCELLED, and goes on", fails, then(riding, annCancels, annSees("POB")), "/status"},
	{"CAN-08", "refused, and ends", fails, then(riding, annCancels.refused(409), readsEnd), "/status"},
	{"CAN-08", "CANCELLED at COMPLETE, and COMPLETE", fails, then(annBooked, annSees("COMPLETE"), annCancels, annSees("COMPLETE")), "/status"},
	{"CAN-08", "CANCELLED at COMPLETE, and so it is", passes, then(annBooked, annSees("COMPLETE"), annCancels, readsEnd), ""},
	{"CAN-08", "cancelled while WAITING", unverified, then(annBooked, annCancels, readsEnd), ""},

	{"CAN-09", "the other lives on", passes, then(annBooked, secondTrip, annCancels, readsOther), ""},
	{"CAN-09", "the other is cancelled, too", fails, then(annBooked, secondTrip, annCancels, readsOther.but(`WAITING`, `CANCELLED`)), "/status"},
	{"CAN-09", "nobody read the other", unverified, then(annBooked, secondTrip, annCancels), ""},
	{"CAN-09", "cancelled in another probe", unverified, then(annBooked, secondTrip, annCancels.in("another"), readsOther), ""},
	{"CAN-09", "both are cancelled, as asked", unverified, then(annBooked, secondTrip, annCancels, cancelsOther, readsOther.but(`WAITING`, `CANCELLED`)), ""},
	{"CAN-09", "the other is cancelled after a call that crashed", unverified, then(annBooked, secondTrip, annCancels, cancelsOther.refused(500), readsOther.but(`WAITING`, `CANCELLED`)), ""},
	{"CAN-09", "nothing is cancelled", unverified, then(annBooked, secondTrip, readsOther), ""},

	{"CAN-10", "cancelled after an edit", passes, then(annBooked, movesTime, annCancels), ""},
	{"CAN-10", "refused after an edit", fails, then(annBooked, movesTime, annCancels.refused(404)), ""},
	{"CAN-10", "no edit", unverified, then(annBooked, annCancels), ""},
	{"CAN-10", "refused without an edit", unverified, then(annBooked, annCancels.refused(404)), ""},
	{"CAN-10", "refused to a passenger on board", unverified, then(annBooked, movesTime, readsTime.but(`WAITING`, `POB`), annCancels.refused(409)), ""},
	{"CAN-10", "nobody cancelled", unverified, then(annBooked, movesTime), ""},

	{"CAN-11", "refused", passes, then(annBooked, inexactID.refused(404), annReads, annCancels), ""},
	{"CAN-11", "CANCELLED", fails, then(annBooked, inexactID, annCancels), ""},
	{"CAN-11", "refused like everything else", unverified, then(annBooked, inexactID.refused(404)), ""},

	{"CAN-12", "CANCELLED twice", passes, then(annBooked, annCancels, readsEnd, readsEnd), ""},
	{"CAN-12", "alive again", fails, then(annBooked, annCancels, readsEnd, annReads), "/status"},
	{"CAN-12", "read once", unverified, then(annBooked, annCancels, readsEnd), ""},
	{"CAN-12", "COMPLETE twice", unverified, then(annBooked, annSees("COMPLETE"), annSees("COMPLETE")), ""},
}
