package rules_test

var (
	readsUnknown = annReads.sending(`j1`, `j9`).but(`j1`, `j9`).tries("unknown-journey")
	bensRead     = annReads.sending(`u1`, `u2`).tries("foreign-user")
	readsNoID    = annReads.sending(`,"journeyId":"j1"`, ``).doubtful()
	cancelsAny   = asked("cancel", `{"userId":"u1"}`, 200, `{"status":"CANCELLED"}`).doubtful()
	readsRide    = annSees("WAITING", aPassenger)
	readsPrice   = annSees("EN_ROUTE", aPrice)
)

var statusRows = []row{
	{"STA-01", "the journey asked for", passes, then(annBooked, annReads), ""},
	{"STA-01", "another journey", fails, then(annBooked, annReads.but(`j1`, `j9`)), "/journeyId"},
	{"STA-01", "no journeyId", fails, then(annBooked, annReads.but(`"journeyId":"j1",`, ``)), "/journeyId"},
	{"STA-01", "no status", fails, then(annBooked, annReads.but(`"status":"WAITING",`, ``)), "/status"},
	{"STA-01", "refused", fails, then(annBooked, annReads.refused(404)), ""},
	{"STA-01", "refused after its end", unverified, then(annBooked, annCancels, annReads.refused(404)), ""},
	{"STA-01", "refused after a stranger cancelled it", unverified, then(annBooked, bensTry, annReads.refused(404)), ""},
	{"STA-01", "refused after a stranger could not cancel it", fails, then(annBooked, bensTry.refused(404), annReads.refused(404)), ""},
	{"STA-01", "refused after a stranger cancelled another one", fails, then(annBooked, benLooks, benBooks, bens(annCancels).sending(`u2`, `u1`).tries("foreign-user"), annReads.refused(404)), ""},
	{"STA-01", "refused after an id in other capitals cancelled it", unverified, then(annBooked, inexactID.but(`j1`, `J1`), annReads.refused(404)), ""},
	{"STA-01", "refused after a GET cancelled it", unverified, then(annBooked, annCancels.tries("method").byGET(), annReads.refused(404)), ""},
	{"STA-01", "refused after a call without ids cancelled something", unverified, then(annBooked, cancelsAny, annReads.refused(404)), ""},
	{"STA-01", "refused after a call without ids in another probe", fails, then(annBooked, cancelsAny.in("another"), annReads.refused(404)), ""},
	{"STA-01", "refused after a cancellation at another port", fails, then(annBooked, annCancels.tries("plain-http"), annReads.refused(404)), ""},
	{"STA-01", "refused after a cancellation without credentials", unverified, then(annBooked, annCancels.tries("no-credentials"), annReads.refused(404)), ""},
	{"STA-01", "nobody read", unverified, annBooked, ""},
	{"STA-01", "a GET", unverified, then(annBooked, annReads.byGET()), ""},

	{"STA-02", "WAITING", passes, then(annBooked, annReads), ""},
	{"STA-02", "a word of its own", fails, then(annBooked, annReads.but(`WAITING`, `PENDING`)), "/status"},
	{"STA-02", "a hyphen", fails, then(annBooked, annReads.but(`WAITING`, `EN-ROUTE`)), "/status"},
	{"STA-02", "refused", unverified, then(annBooked, annReads.refused(404)), ""},
	{"STA-02", "no status", unverified, then(annBooked, annReads.but(`"status":"WAITING",`, ``)), ""},

	{"STA-03", "date, pickup and dropoffs", passes, then(annBooked, annReads), ""},
	{"STA-03", "no date", warns, then(annBooked, annReads.but(`"date":"`+atTen+`",`, ``)), "/date"},
	{"STA-03", "no pickup", warns, then(annBooked, annReads.but(`"pickup":`+millLane1+`,`, ``)), "/pickup"},
	{"STA-03", "no dropoffs", warns, then(annBooked, annReads.but(`,"dropoffs":[`+stationRoad+`]`, ``)), "/dropoffs"},
	{"STA-03", "refused", unverified, then(annBooked, annReads.refused(404)), ""},

	{"STA-04", "a date and a time", passes, then(annBooked, annReads), ""},
	{"STA-04", "no time", fails, then(annBooked, annReads.but(atTen, `2026-10-20`)), "/date"},
	{"STA-04", "a number", fails, then(annBooked, annReads.but(`"`+atTen+`"`, `1792490400`)), "/date"},
	{"STA-04", "no zone", warns, then(annBooked, annReads.but(atTen, `2026-10-20T10:00:00`)), "/date"},
	{"STA-04", "no date", unverified, then(annBooked, annReads.but(`"date":"`+atTen+`",`, ``)), ""},

	{"STA-05", "text and location", passes, then(annBooked, annReads), ""},
	{"STA-05", "no text", fails, then(annBooked, annReads.but(`"address":"1 Mill Lane, Leeds LS1 4DT",`, ``)), "/pickup/address"},
	{"STA-05", "no location", fails, then(annBooked, annReads.but(`,"location":{"longitude":-1.55,"latitude":53.8}`, ``)), "/pickup/location"},
	{"STA-05", "no longitude", fails, then(annBooked, annReads.but(`"longitude":-1.55,`, ``)), "/pickup/location/longitude"},
	{"STA-05", "a drop-off without latitude", fails, then(annBooked, annReads.but(`,"latitude":53.79`, ``)), "/dropoffs/0/location/latitude"},
	{"STA-05", "a pickup that is a text", fails, then(annBooked, annReads.but(millLane1, `"1 Mill Lane"`)), "/pickup"},
	{"STA-05", "dropoffs that are a text", fails, then(annBooked, annReads.but(`[`+stationRoad+`]`, `"2 Station Road"`)), "/dropoffs"},
	{"STA-05", "an empty text", warns, then(annBooked, annReads.but(`1 Mill Lane, Leeds LS1 4DT`, ``)), "/pickup/address"},
	{"STA-05", "no places", unverified, then(annBooked, readsBriefs), ""},
	{"STA-05", "an empty array", unverified, then(annBooked, annReads.gets(200, briefly("j1", "WAITING", `"dropoffs":[]`))), ""},

	{"STA-06", "the journey as booked", passes, then(annBooked, annReads), ""},
	{"STA-06", "another place", fails, then(annBooked, annReads.but(millLane1, highStreet)), "/pickup"},
	{"STA-06", "the text, twenty kilometres away", fails, then(annBooked, annReads.but(`53.8}`, `54.0}`)), "/pickup/location"},
	{"STA-06", "another time and no places", fails, then(annBooked, annReads.gets(200, briefly("j1", "WAITING", `"date":"`+atNoon+`"`))), ""},
	{"STA-06", "the drop-off and no pickup", passes, then(annBooked, annReads.but(`"pickup":`+millLane1+`,`, ``)), ""},
	{"STA-06", "another drop-off and no pickup", fails, then(annBooked, annReads.but(`"pickup":`+millLane1+`,`, ``).but(stationRoad, highStreet)), ""},
	{"STA-06", "the time and no places", passes, then(annBooked, annReads.gets(200, briefly("j1", "WAITING", `"date":"`+atTen+`"`))), ""},
	{"STA-06", "nothing shown", unverified, then(annBooked, readsBriefs), ""},
	{"STA-06", "another place in the answer of /book", unverified, []step{booksFull.but(millLane1, highStreet)}, ""},
	{"STA-06", "seen in /user only", unverified, then(annBooked, annListed(journeyAt("j1", "WAITING"))), ""},
	{"STA-06", "as a stranger edited it", unverified, then(annBooked, bensEdit.sending(millLane1, canalQuay), annReads.but(millLane1, canalQuay)), ""},
	{"STA-06", "a booking nobody saw", unverified, []step{annReads}, ""},

	{"STA-07", "refused", passes, then(annBooked, readsUnknown.refused(404), annReads), ""},
	{"STA-07", "a journey", fails, then(annBooked, readsUnknown, annReads), ""},
	{"STA-07", "a crash", fails, then(annBooked, readsUnknown.refused(500), annReads), ""},
	{"STA-07", "an id alone", fails, then(annBooked, readsUnknown.gets(200, `{"journeyId":"j9"}`), annReads), ""},
	{"STA-07", "refused with a journey in the body", passes, then(annBooked, readsUnknown.gets(404, readsUnknown.reply), annReads), ""},
	{"STA-07", "200 without a journey", warns, then(annBooked, readsUnknown.gets(200, `{}`), annReads), ""},
	{"STA-07", "refused like everything else", unverified, then(annBooked, readsUnknown.refused(404)), ""},

	{"STA-08", "refused", passes, then(annBooked, bensRead.refused(404), annReads), ""},
	{"STA-08", "the journey", fails, then(annBooked, bensRead, annReads), ""},
	{"STA-08", "refused like everything else", unverified, then(annBooked, bensRead.refused(404)), ""},

	{"STA-09", "refused", passes, then(annBooked, readsNoID.refused(400), annReads), ""},
	{"STA-09", "a journey", fails, then(annBooked, readsNoID, annReads), ""},
	{"STA-09", "refused like everything else", unverified, then(annBooked, readsNoID.refused(400)), ""},
	{"STA-09", "a body that is no object", unverified, then(annBooked, asked("status", `[]`, 400, `{}`).doubtful(), annReads), ""},

	{"STA-10", "stands still", passes, then(annBooked, annReads, annReads), ""},
	{"STA-10", "moves with every read", fails, then(annBooked, annReads, annSees("ACCEPTED"), annSees("EN_ROUTE"), annSees("ARRIVED")), "/status"},
	{"STA-10", "moves three times in nine reads", passes, then(annBooked, append(times(6, annReads), annSees("ACCEPTED"), annSees("EN_ROUTE"), annSees("ARRIVED"))...), ""},
	{"STA-10", "edited between two reads", passes, then(annBooked, annReads, movesTime, readsTime.but(`WAITING`, `ACCEPTED`)), ""},
	{"STA-10", "helped along", unverified, then(annBooked, annReads, annSees("ACCEPTED").intends("moved"), annSees("EN_ROUTE").intends("moved"), annSees("ARRIVED").intends("moved")), ""},
	{"STA-10", "moves while somebody else reads", unverified, inProbe("", then(annBooked, annReads, annSees("ACCEPTED"), annSees("EN_ROUTE"), annSees("ARRIVED"))...), ""},
	{"STA-10", "read once", unverified, then(annBooked, annReads), ""},

	{"STA-11", "the same in both", passes, then(annBooked, annReads, annListed(journeyAt("j1", "WAITING"))), ""},
	{"STA-11", "the car has come", passes, then(annBooked, annReads, annListed(journeyAt("j1", "ARRIVED"))), ""},
	{"STA-11", "on board, and then waiting", fails, then(riding, annListed(journeyAt("j1", "WAITING"))), "/activeBookings/0"},
	{"STA-11", "another date", fails, then(annBooked, annReads, annListed(journeyAt("j1", "WAITING")).but(atTen, atNoon)), "/activeBookings/0"},
	{"STA-11", "seen in /status only", unverified, then(annBooked, annReads), ""},
	{"STA-11", "read twice", unverified, then(annBooked, annReads, annReads), ""},
	{"STA-11", "edited between the two", unverified, then(annBooked, annReads, movesTime, annListed(journeyAt("j1", "WAITING")).but(atTen, atNoon)), ""},
	{"STA-11", "seen in /user only", unverified, then(annBooked, annListed(journeyAt("j1", "WAITING"))), ""},

	{"STA-12", "as /book said", passes, then(annBooked, annReads), ""},
	{"STA-12", "on board, says /status, and then waiting", passes, then(annBooked, annSees("POB"), annReads), ""},
	{"STA-12", "a word of its own from /book", unverified, []step{annLooks, annBooks.but(`WAITING`, `BOOKED`), annReads}, ""},
	{"STA-12", "a word of its own from /status", unverified, then(annBooked, annReads.but(`WAITING`, `PENDING`)), ""},
	{"STA-12", "on board, says /book, and waiting, says /status", fails, []step{annLooks, annBooks.but(`WAITING`, `POB`), annReads}, "/status"},
	{"STA-12", "nobody read", unverified, annBooked, ""},
	{"STA-12", "a booking nobody saw", unverified, []step{annReads}, ""},

	{"STA-13", "served", passes, then(annBooked, annReads), ""},
	{"STA-13", "429 with Retry-After", passes, then(annBooked, annReads.refused(429).answering("Retry-After", "1")), ""},
	{"STA-13", "429 without it", fails, then(annBooked, annReads.refused(429)), ""},
	{"STA-13", "nobody read", unverified, annBooked, ""},
	{"STA-13", "refused", unverified, then(annBooked, annReads.refused(404)), ""},

	{"STA-14", "number and name", passes, then(annBooked, readsRide), ""},
	{"STA-14", "no number", fails, then(annBooked, readsRide.but(`"phoneNumber":"442079460001",`, ``)), "/passenger/phoneNumber"},
	{"STA-14", "no name", fails, then(annBooked, readsRide.but(`,"name":"Ann"`, ``)), "/passenger/name"},
	{"STA-14", "a text in place of the object", fails, then(annBooked, annSees("WAITING", `"passenger":"Ann"`)), "/passenger"},
	{"STA-14", "no passenger", unverified, then(annBooked, annReads), ""},

	{"STA-15", "the same types", passes, then(annBooked, readsPrice, readsPrice), ""},
	{"STA-15", "an object and then null", passes, then(annBooked, readsPrice, annSees("EN_ROUTE", `"price":null`)), ""},
	{"STA-15", "an object and then a text", fails, then(annBooked, readsPrice, annSees("EN_ROUTE", `"price":"12.50"`)), "/price"},
	{"STA-15", "read once", unverified, then(annBooked, readsPrice), ""},

	{"STA-16", "an object and then nothing", passes, then(annBooked, readsPrice, annSees("EN_ROUTE")), ""},
	{"STA-16", "null and then an object", passes, then(annBooked, annSees("EN_ROUTE", `"price":null`), readsPrice), ""},
	{"STA-16", "an eta that is null after the end", passes, then(annBooked, comes, annSees("COMPLETE", `"eta":null`)), ""},
	{"STA-16", "an eta that is null on the way", fails, then(annBooked, comes, annSees("EN_ROUTE", `"eta":null`)), "/eta"},
	{"STA-16", "an object and then null", fails, then(annBooked, readsPrice, annSees("EN_ROUTE", `"price":null`)), "/price"},
	{"STA-16", "a price that is null after the end", fails, then(annBooked, readsPrice, annSees("COMPLETE", `"price":null`)), "/price"},
	{"STA-16", "read once", unverified, then(annBooked, readsPrice), ""},
}
