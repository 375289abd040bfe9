package rules_test

var (
	movesPickup = annEdits.sending(millLane1, canalQuay)
	movesStop   = annEdits.sending(stationRoad, canalQuay)
	movesTime   = annEdits.sending(atTen, atNoon)
	movesBoth   = movesTime.sending(millLane1, canalQuay)

	readsPickup = annReads.but(millLane1, canalQuay)
	readsStop   = annReads.but(stationRoad, canalQuay)
	readsTime   = annReads.but(atTen, atNoon)
	readsBriefs = annReads.gets(200, waiting)

	unknownEdit = annEdits.sending(`j1`, `j9`).but(`j1`, `j9`).tries("unknown-journey")
	bensEdit    = annEdits.sending(`u1`, `u2`).tries("foreign-user")
)

var editRows = []row{
	{"BOK-15", "the same id", passes, then(annBooked, movesTime), ""},
	{"BOK-15", "another id", fails, then(annBooked, movesTime.but(`j1`, `j9`)), "/journeyId"},
	{"BOK-15", "an edit is refused", fails, then(annBooked, movesTime.refused(400)), ""},
	{"BOK-15", "no edit", unverified, annBooked, ""},
	{"BOK-15", "an edit of a cancelled journey is refused", unverified, then(annBooked, annCancels, movesTime.refused(409)), ""},

	{"BOK-16", "the new pickup", passes, then(annBooked, movesPickup, readsPickup), ""},
	{"BOK-16", "the old pickup", fails, then(annBooked, movesPickup, annReads), "/pickup"},
	{"BOK-16", "the new pickup, and the old one", fails, then(annBooked, movesPickup.gets(200, readsPickup.reply), annReads), "not from a cache"},
	{"BOK-16", "no pickup shown", unverified, then(annBooked, movesPickup, readsBriefs), ""},
	{"BOK-16", "the pickup was not edited", unverified, then(annBooked, movesTime, readsTime), ""},

	{"BOK-17", "the new drop-off", passes, then(annBooked, movesStop, readsStop), ""},
	{"BOK-17", "the old drop-off", fails, then(annBooked, movesStop, annReads), "/dropoffs"},
	{"BOK-17", "both drop-offs", fails, then(annBooked, movesStop, annReads.but(stationRoad, stationRoad+`,`+canalQuay)), "2 came back in place of 1"},
	{"BOK-17", "no dropoffs shown", unverified, then(annBooked, movesStop, readsBriefs), ""},
	{"BOK-17", "the dropoffs were not edited", unverified, then(annBooked, movesTime, readsTime), ""},

	{"BOK-18", "the new time", passes, then(annBooked, movesTime, readsTime), ""},
	{"BOK-18", "the old time", fails, then(annBooked, movesTime, annReads), "/date"},
	{"BOK-18", "another time", fails, then(annBooked, movesTime, annReads.but(atTen, `2026-10-20T11:00:00Z`)), "/date"},
	{"BOK-18", "no date shown", unverified, then(annBooked, movesTime, readsBriefs), ""},
	{"BOK-18", "read while it was edited", unverified, then(annBooked, movesTime.from(3e9).lasting(2e9), annReads.from(4e9)), ""},
	{"BOK-18", "the time was not edited", unverified, then(annBooked, movesStop, readsStop), ""},

	{"BOK-19", "the journey alone", passes, then(annBooked, movesTime, annListed(journeyAt("j1", "WAITING"))), ""},
	{"BOK-19", "a second journey", fails, then(annBooked, movesTime, annListed(journeyAt("j1", "WAITING"), journeyAt("j9", "WAITING"))), "/activeBookings/1"},
	{"BOK-19", "nobody looked", unverified, then(annBooked, movesTime), ""},
	{"BOK-19", "an empty list", unverified, then(annBooked, movesTime, annLooks), ""},
	{"BOK-19", "no list", unverified, then(annBooked, movesTime, annLooks.but(`,"activeBookings":[]`, ``)), ""},
	{"BOK-19", "a second journey and no edit", unverified, then(annBooked, annListed(journeyAt("j1", "WAITING"), journeyAt("j9", "WAITING"))), ""},
	{"BOK-19", "a second journey from before the edit", passes, then(annBooked, annListed(journeyAt("j1", "WAITING"), journeyAt("j9", "WAITING")), movesTime, annListed(journeyAt("j1", "WAITING"), journeyAt("j9", "WAITING"))), ""},
	{"BOK-19", "a journey from before", unverified, []step{annListed(journeyAt("j8", "WAITING")), annBooks, movesTime, annListed(journeyAt("j8", "WAITING"), journeyAt("j1", "WAITING"), journeyAt("j9", "WAITING"))}, ""},
	{"BOK-19", "a second journey that got no answer before", unverified, []step{annLooks, annBooks.sending("1 Mill", "8 Mill").unanswered(), annBooks, movesTime, annListed(journeyAt("j1", "WAITING"), journeyAt("j9", "WAITING"))}, ""},
	{"BOK-19", "no edit", unverified, then(annBooked, annListed(journeyAt("j1", "WAITING"))), ""},

	{"BOK-20", "the rest as it was", passes, then(annBooked, movesTime, readsTime), ""},
	{"BOK-20", "the first pickup with the new time", fails, then(annBooked, movesPickup, movesBoth, readsTime), "/pickup"},
	{"BOK-20", "another drop-off with the new time", fails, then(annBooked, movesTime, readsTime.but(stationRoad, highStreet)), "/dropoffs"},
	{"BOK-20", "another time with the new drop-off", fails, then(annBooked, movesStop, readsStop.but(atTen, atNoon)), "/date"},
	{"BOK-20", "nothing shown", unverified, then(annBooked, movesTime, readsBriefs), ""},
	{"BOK-20", "no edit", unverified, then(annBooked, annReads), ""},

	{"BOK-21", "refused", passes, then(annBooked, unknownEdit.refused(404), annBooks), ""},
	{"BOK-21", "answered with a journey", fails, then(annBooked, unknownEdit), ""},
	{"BOK-21", "a crash", warns, then(annBooked, unknownEdit.refused(500)), ""},
	{"BOK-21", "refused like everything else", unverified, []step{unknownEdit.refused(404)}, ""},

	{"BOK-22", "refused", passes, then(annBooked, bensEdit.refused(404), annBooks), ""},
	{"BOK-22", "served", fails, then(annBooked, bensEdit), ""},
	{"BOK-22", "an error with 200", warns, then(annBooked, bensEdit.gets(200, `{"error":"not yours"}`)), ""},
	{"BOK-22", "a crash", fails, then(annBooked, bensEdit.refused(500)), ""},
	{"BOK-22", "refused like everything else", unverified, []step{bensEdit.refused(404)}, ""},

	{"BOK-23", "refused", passes, then(annBooked, annCancels, movesTime.refused(409), annBooks), ""},
	{"BOK-23", "served as CANCELLED", passes, then(annBooked, annCancels, movesTime.gets(200, cancelled)), ""},
	{"BOK-23", "served as WAITING", fails, then(annBooked, annCancels, movesTime), "/status"},
	{"BOK-23", "an error with 200", warns, then(annBooked, annCancels, movesTime.gets(200, `{"error":"over"}`)), ""},
	{"BOK-23", "a crash", fails, then(annBooked, annCancels, movesTime.refused(500)), ""},
	{"BOK-23", "an edit of a journey that lives", unverified, then(annBooked, movesTime), ""},
}
