package rules_test

// What Ann's journey shows when it is read before and after an edit.
var (
	knownAsAnn = annSees("WAITING", aPassenger)
	timeIsNoon = annSees("WAITING", aPassenger).but(atTen, atNoon)
)

// Dates without a zone are judged together: one clock has to show them all.
var (
	onWallClock = func(s step, at string) step { return s.but(atTen, at) }
	benReads    = bens(annReads)
	bothZones   = []step{atOneZone, benBooks}
)

var dateRows = []row{
	{"BOK-11", "one clock for two zones", passes, then(bothZones, onWallClock(annReads, `2026-10-20T11:00:00`), onWallClock(benReads, `2026-10-20T11:00:00`)), ""},
	{"BOK-11", "each zone cut off", fails, then(bothZones, onWallClock(annReads, `2026-10-20T12:00:00`), onWallClock(benReads, `2026-10-20T10:00:00`)), "/date"},
	{"BOK-11", "summer and winter on one clock", passes, []step{
		annBooks, onWallClock(annReads, `2026-10-20T11:00:00`),
		benBooks.sending(atTen, `2026-10-27T10:00:00Z`), onWallClock(benReads, `2026-10-27T10:00:00`),
	}, ""},
	{"BOK-11", "two clocks between a Tuesday and a Wednesday", fails, []step{
		annBooks, onWallClock(annReads, `2026-10-20T11:00:00`),
		benBooks.sending(atTen, `2026-10-21T10:00:00Z`), onWallClock(benReads, `2026-10-21T10:00:00`),
	}, "/date"},
	{"BOK-11", "the basic format", unverified, []step{atOneZone, onWallClock(annReads, `20261020T100000Z`)}, ""},
	{"BOK-18", "an old time without a zone", fails, then(
		annBooked, onWallClock(annReads, `2026-10-20T10:00:00`), movesTime, onWallClock(annReads, `2026-10-20T10:00:00`),
		benBooks, onWallClock(benReads, `2026-10-20T10:00:00`),
	), "/date"},
	{"BOK-18", "a space for the T", passes, then(annBooked, movesTime, onWallClock(annReads, `2026-10-20 12:00:00Z`)), ""},
	{"BOK-18", "no date at all", unverified, then(annBooked, movesTime, onWallClock(annReads, `soon`)), ""},
	{"STA-04", "a space for the T", fails, then(annBooked, onWallClock(annReads, `2026-10-20 10:00:00Z`)), "/date"},
	{"STA-04", "the basic format", warns, then(annBooked, onWallClock(annReads, `20261020T100000Z`)), "/date"},
	{"STA-04", "half a basic format", fails, then(annBooked, onWallClock(annReads, `20261020T10`)), "/date"},
	{"STA-11", "two equal texts", passes, then(annBooked, onWallClock(annReads, `20 October`), annListed(journeyAt("j1", "WAITING")).but(atTen, `20 October`)), ""},

	{"BOK-20", "the passenger as before", passes, then(annBooked, knownAsAnn, movesTime, timeIsNoon), ""},
	{"BOK-20", "no passenger after the edit", fails, then(annBooked, knownAsAnn, movesTime, readsTime), "as before the edit"},
	{"BOK-20", "another name after the edit", fails, then(annBooked, knownAsAnn, movesTime, timeIsNoon.but(`"Ann"`, `"Ben"`)), "/passenger/name"},
	{"BOK-20", "another number after the edit", fails, then(annBooked, knownAsAnn, movesTime, timeIsNoon.but(`0001`, `0002`)), "/passenger/phoneNumber"},
	{"BOK-20", "the number in another form", passes, then(annBooked, knownAsAnn, movesTime, timeIsNoon.but(`"442079460001"`, `"+44 2079 460001"`)), ""},
	{"BOK-20", "no passenger once it has ended", passes, then(annBooked, knownAsAnn, movesTime, timeIsNoon, annSees("COMPLETE").but(atTen, atNoon)), ""},
}

// What was booked although it should have been refused is told once, under its check.
var (
	oddlyRead   = annReads.but(`"latitude":53.8}`, `"latitude":91}`).doubtful()
	oddlyListed = annListed(journeyAt("j1", "WAITING", `"price":{"value":null,"currency":"GBP"}`)).but(`"latitude":53.8}`, `"latitude":91}`)
)

var toldBackRows = []row{
	{"BOK-31", "latitude 91: booked and told back", fails, []step{nowhere, oddlyRead, oddlyRead}, ""},
	{"STA-05", "latitude 91 told back", unverified, []step{nowhere, oddlyRead}, ""},
	{"STA-06", "latitude 91 told back", unverified, []step{nowhere, oddlyRead}, ""},
	{"BOK-32", "latitude 91 told back", unverified, []step{nowhere, oddlyRead}, ""},
	{"USR-09", "latitude 91 listed", unverified, []step{nowhere, oddlyListed}, ""},
	{"ENR-04", "no price for nowhere", unverified, []step{nowhere, oddlyListed}, ""},
	{"BAD-14@book", "told back as null", warns, []step{annBooks.tries("BAD-14"), annListed(journeyAt("j1", "WAITING", `"price":{"value":null,"currency":"GBP"}`))}, "number"},
	{"BAD-14@book", "told back as every journey is", passes, []step{
		benBooks, bens(annSees("WAITING", `"price":{"value":null,"currency":"GBP"}`)),
		annBooks.tries("BAD-14"), annListed(journeyAt("j1", "WAITING", `"price":{"value":null,"currency":"GBP"}`)),
	}, ""},
	{"BAD-14@book", "told back as it is", passes, []step{annBooks.tries("BAD-14"), annListed(journeyAt("j1", "WAITING"))}, ""},
	{"BOK-11", "a bare date told back", unverified, []step{annBooks.sending(atTen, `2026-10-20`).doubtful(), annReads.but(atTen, `2026-10-20T00:00:00Z`)}, ""},
	{"STA-14", "a passenger that is no text", unverified, []step{annBooks.sending(`"Ann"`, `{"value":1}`).tries("BAD-05"), annSees("WAITING", `"passenger":{"name":{"value":1},"phoneNumber":"1"}`)}, ""},
	{"USR-18", "booked by a bad call in between", unverified, []step{annLooks, annBooks.tries("BAD-06"), annListed(journeyAt("j1", "WAITING"))}, ""},
}

// A journey booked for somebody else that its orderer cannot read is one fault.
var forDadRows = []row{
	{"STA-01", "for somebody else: not known", passes, then(bookedByAnn, annReads.refused(404), benBooks.doubtful(), bens(annReads).doubtful()), ""},
	{"BOK-36", "for somebody else: not known", fails, then(bookedByAnn, annReads.refused(404), benBooks.doubtful(), bens(annReads).doubtful()), ""},
	{"STA-01", "for somebody else: nobody is served", fails, then(bookedByAnn, annReads.refused(404)), ""},
}

// A server that serves none but its customers has not been shown to be wrong.
var (
	stranger      = annLooks.tries("unknown-phone").refused(404)
	strangersBook = bareBooks.refused(404)
	malformed     = annBooks.gets(400, `{"error":"JSON"}`).tries("BAD-02").sending(annsOrder, `taxi`)
)

var customerRows = []row{
	{"W-01@book", "every number is unknown", unverified, []step{stranger, strangersBook, malformed}, ""},
	{"BOK-01", "every number is unknown", unverified, []step{stranger, strangersBook, malformed}, ""},
	{"JRN-05", "every number is unknown", unverified, inProbe("first-time caller", stranger, strangersBook, malformed), ""},
	{"W-01@book", "there is no /book", fails, []step{stranger, strangersBook, malformed.refused(404)}, ""},
	{"W-01@book", "the users are known", fails, []step{annLooks, strangersBook, malformed}, ""},
	{"BOK-01", "refused as malformed", fails, []step{stranger, strangersBook.refused(400), malformed}, ""},
}
