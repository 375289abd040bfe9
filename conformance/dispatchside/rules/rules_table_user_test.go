package rules_test

const userSettings = `"data":{"features":["voice"],"options":["eta"],"skipDropOff":false}`

var (
	annStatus   = annLooks.but(`"name"`, `"status":"ENABLED","name"`)
	annData     = annLooks.but(`"name"`, userSettings+`,"name"`)
	annsBooking = annListed(journeyAt("j1", "WAITING"))
	annDisabled = annStatus.but(`ENABLED`, `DISABLED`).intends("disabled-user")
	annBlack    = annStatus.but(`ENABLED`, `BLACKLISTED`).intends("blacklisted-user")
	oddData     = annLooks.sending(`}`, `,"data":{"x":1}}`).intends("user-data")
	newcomer    = annLooks.tries("unknown-phone")
	withPlus    = bareBooks.sending(`"442079460001"`, `"+442079460001"`).tries("country")
)

var userRows = []row{
	{"USR-01", "three strings", passes, []step{annLooks}, ""},
	{"USR-01", "a userId that is a number", fails, []step{annLooks.but(`"u1"`, `1`)}, "/userId"},
	{"USR-01", "an empty userId", fails, []step{annLooks.but(`u1`, ``)}, "/userId"},
	{"USR-01", "no phoneNumber", fails, []step{annLooks.but(`"phoneNumber":"442079460001",`, ``)}, "/phoneNumber"},
	{"USR-01", "no name", fails, []step{annLooks.but(`"name":"Ann",`, ``)}, "/name"},
	{"USR-01", "no name yet", warns, []step{annLooks.but(`Ann`, ``)}, "/name"},
	{"USR-01", "no name of somebody who has booked", fails, then(annBooked, annLooks.but(`Ann`, ``)), "/name"},
	{"USR-01", "refused", unverified, []step{annLooks.refused(404)}, ""},
	{"USR-01", "a GET", unverified, []step{annLooks.byGET()}, ""},

	{"USR-02", "digits are served", passes, []step{annLooks}, ""},
	{"USR-02", "refused before a booking, and served after it", passes, []step{annLooks.doubtful().refused(422), bareBooks, annLooks.doubtful()}, ""},
	{"USR-02", "digits are refused", fails, []step{annLooks.refused(400)}, ""},
	{"USR-02", "digits are refused after a booking", fails, []step{bareBooks, annLooks.doubtful().refused(422)}, ""},
	{"USR-02", "an unknown number", unverified, []step{annLooks.doubtful().refused(404)}, ""},
	{"USR-02", "only asked with a plus sign", unverified, []step{annLooks.sending(`44`, `+44`)}, ""},
	{"USR-02", "unknown after a booking", unverified, []step{bareBooks, annLooks.doubtful().refused(404)}, ""},
	{"USR-02", "refused before any booking", unverified, []step{annLooks.doubtful().refused(400)}, ""},
	{"USR-02", "refused after a booking of somebody else's", unverified, []step{bareBooks.in(""), annLooks.in("").refused(400)}, ""},
	{"USR-02", "an answer that says nothing", unverified, []step{annLooks.gets(200, `{}`)}, ""},
	{"USR-02", "a GET", unverified, []step{annLooks.byGET()}, ""},
	{"USR-02", "refused in an unusual form", unverified, []step{bareBooks, annLooks.intends("charset").refused(400)}, ""},
	{"USR-02", "no number", unverified, []step{annLooks.sending(`"phoneNumber":"442079460001"`, ``).refused(400)}, ""},

	{"USR-03", "the digits asked for", passes, []step{annLooks}, ""},
	{"USR-03", "the same with a plus sign", passes, []step{annLooks.but(`442`, `+442`)}, ""},
	{"USR-03", "the national form", warns, []step{annLooks.but(`442079`, `02079`)}, "/phoneNumber"},
	{"USR-03", "another number", fails, []step{annLooks.but(`0001`, `0002`)}, "other digits behind the first 11 digits"},
	{"USR-03", "a digit lost", fails, []step{annLooks.but(`442079`, `44279`)}, "1 digit fewer, behind the first 3 digits"},
	{"USR-03", "the country's code twice", fails, []step{annLooks.but(`442079`, `44442079`)}, "2 digits more"},
	{"USR-03", "a number of another country", fails, []step{annLooks.but(`442079460001`, `4915112345678`)}, "is not the number that was sent"},
	{"USR-03", "no number", unverified, []step{annLooks.but(`"phoneNumber":"442079460001",`, ``)}, ""},
	{"USR-03", "six of the digits", fails, []step{annLooks.but(`442079460001`, `460001`)}, "/phoneNumber"},
	{"USR-03", "no number asked for", unverified, []step{annLooks.sending(`"phoneNumber":"442079460001"`, ``)}, ""},
	{"USR-03", "asked in another form", unverified, []step{annLooks.sending(`44`, `0044`).tries("phone-form")}, ""},
	{"USR-03", "no userId", unverified, []step{annLooks.but(`"userId":"u1",`, ``)}, ""},

	{"USR-21", "found by the digits", passes, []step{withPlus, annsBooking}, ""},
	{"USR-21", "not found by the digits", fails, []step{withPlus, annLooks.doubtful().refused(404)}, ""},
	{"USR-21", "another user by the digits", fails, []step{benLooks.but(`[]`, `[`+journeyAt("j2", "WAITING")+`]`), withPlus, annLooks}, ""},
	{"USR-21", "an error", unverified, []step{withPlus, annLooks.doubtful().refused(503)}, ""},
	{"USR-21", "numbers of that country are refused", unverified, []step{withPlus.refused(422), annLooks.doubtful().refused(404)}, ""},

	{"USR-04", "one userId twice", passes, []step{annLooks, annLooks}, ""},
	{"USR-04", "another userId", fails, []step{annLooks, annLooks.but(`u1`, `u9`)}, "/userId"},
	{"USR-04", "another userId for the number with a plus sign", fails, []step{annLooks, annLooks.sending(`44`, `+44`).but(`u1`, `u9`)}, ""},
	{"USR-04", "another userId for a number with a line behind it", unverified, []step{annLooks, annLooks.sending(`0001`, `0001\r\nX: y`).but(`u1`, `u9`)}, ""},
	{"USR-04", "asked once", unverified, []step{annLooks}, ""},

	{"USR-05", "two userIds", passes, []step{annLooks, benLooks}, ""},
	{"USR-05", "one userId for two", fails, []step{annLooks, benLooks.but(`u2`, `u1`)}, "/userId"},
	{"USR-05", "one user", unverified, []step{annLooks, annLooks}, ""},
	{"USR-05", "one number in two forms", unverified, []step{annLooks, annLooks.sending(`442079`, `02079`)}, ""},
	{"USR-05", "a text with digits", unverified, []step{annLooks, annLooks.sending(`442079460001`, `user 12345678`)}, ""},
	{"USR-05", "booked before anybody looked", unverified, []step{annBooks, annLooks}, ""},

	{"USR-06", "ENABLED", passes, []step{annStatus}, ""},
	{"USR-06", "in small letters", fails, []step{annStatus.but(`ENABLED`, `enabled`)}, "/status"},
	{"USR-06", "a boolean", fails, []step{annStatus.but(`"ENABLED"`, `true`)}, "/status"},
	{"USR-06", "no status", unverified, []step{annLooks}, ""},

	{"USR-07", "arrays and a boolean", passes, []step{annData}, ""},
	{"USR-07", "an array", fails, []step{annLooks.but(`"name"`, `"data":[],"name"`)}, "/data"},
	{"USR-07", "options that are a string", fails, []step{annData.but(`["eta"]`, `"eta"`)}, "/data/options"},
	{"USR-07", "a feature that is null", fails, []step{annData.but(`"voice"`, `null`)}, "/data/features/0"},
	{"USR-07", "skipDropOff that is a number", fails, []step{annData.but(`false`, `0`)}, "/data/skipDropOff"},
	{"USR-07", "no data", unverified, []step{annLooks}, ""},

	{"USR-08", "an empty array", passes, []step{annLooks}, ""},
	{"USR-08", "journeys", passes, then(annBooked, annsBooking), ""},
	{"USR-08", "an object", fails, []step{annLooks.but(`[]`, `{}`)}, "/activeBookings"},
	{"USR-08", "ids in place of journeys", fails, []step{annListed(`"j1"`)}, "/activeBookings/0"},
	{"USR-08", "null", warns, []step{annLooks.but(`[]`, `null`)}, "/activeBookings"},
	{"USR-08", "no list", unverified, []step{annLooks.but(`,"activeBookings":[]`, ``)}, ""},

	{"USR-09", "the minimum", passes, then(annBooked, annsBooking), ""},
	{"USR-09", "no journeyId", fails, then(annBooked, annsBooking.but(`"journeyId":"j1",`, ``)), "/activeBookings/0/journeyId"},
	{"USR-09", "no status", fails, then(annBooked, annsBooking.but(`"status":"WAITING",`, ``)), "/activeBookings/0/status"},
	{"USR-09", "no date", fails, then(annBooked, annsBooking.but(`"date":"`+atTen+`",`, ``)), "/activeBookings/0/date"},
	{"USR-09", "no pickup", fails, then(annBooked, annsBooking.but(`"pickup":`+millLane1+`,`, ``)), "/activeBookings/0/pickup"},
	{"USR-09", "a pickup without a location", fails, then(annBooked, annsBooking.but(`,"location":{"longitude":-1.55,"latitude":53.8}`, ``)), "/activeBookings/0/pickup/location"},
	{"USR-09", "no dropoffs", fails, then(annBooked, annsBooking.but(`,"dropoffs":[`+stationRoad+`]`, ``)), "/activeBookings/0/dropoffs"},
	{"USR-09", "an empty list", unverified, []step{annLooks}, ""},
	{"USR-09", "ids in place of journeys", unverified, []step{annListed(`"j1"`)}, ""},
	{"USR-09", "a booking with odd contents", unverified, []step{annLooks, annBooks.tries("BAD-08"), annsBooking.but(`"pickup":`+millLane1+`,`, ``)}, ""},

	{"USR-10", "listed", passes, then(annBooked, annsBooking), ""},
	{"USR-10", "not listed", fails, then(annBooked, annLooks), "/activeBookings"},
	{"USR-10", "not listed, and alive", fails, then(annBooked, annLooks, annReads), "/activeBookings"},
	{"USR-10", "one of two is not listed", fails, then(annBooked, secondTrip, annListed(journeyAt("j3", "WAITING"))), "/activeBookings"},
	{"USR-10", "listed in other capitals", fails, then(annBooked, annListed(journeyAt("J1", "WAITING"))), "the same journeyId in every reply"},
	{"USR-10", "not among four that are listed", fails, then(annBooked, annListed(journeyAt("a", "WAITING"), journeyAt("b", "WAITING"), journeyAt("c", "WAITING"), journeyAt("d", "WAITING"))), "more than 4"},
	{"USR-10", "none of ten is listed", fails, manyBookings(10, 0), "/activeBookings"},
	{"USR-10", "a list that ends", passes, manyBookings(6, 5), ""},
	{"USR-10", "not listed after a cancellation answered WAITING", fails, then(annBooked, annCancels.but(`CANCELLED`, `WAITING`), annLooks), ""},
	{"USR-10", "no list", fails, then(annBooked, annLooks.but(`,"activeBookings":[]`, ``)), "/activeBookings"},
	{"USR-10", "nobody looked", unverified, annBooked, ""},
	{"USR-10", "not listed after a cancellation with one L", unverified, then(annBooked, annCancels.but(`CANCELLED`, `CANCELED`), annLooks), ""},
	{"USR-10", "not listed after a cancellation that crashed", unverified, then(annBooked, annCancels.refused(500), annLooks), ""},
	{"USR-10", "not listed after a cancellation that got no answer", unverified, then(annBooked, annCancels.unanswered(), annLooks), ""},
	{"USR-10", "not listed after a cancellation that was refused", fails, then(annBooked, annCancels.refused(409), annLooks), "/activeBookings"},
	{"USR-10", "looked an hour later", unverified, then(annBooked, annLooks.from(3600e9)), ""},
	{"USR-10", "not listed after an edit recorded in part", unverified, then(annBooked, annEdits.tries("partly-recorded"), annLooks), ""},
	{"USR-10", "looked while it was booked", unverified, []step{annLooks, annBooks.from(2e9).lasting(2e9), annLooks.from(3e9)}, ""},
	{"USR-10", "looked while all was cancelled", unverified, then(annBooked, annLooks.intends("clean-up")), ""},
	{"USR-10", "one id for two bookings", unverified, then(annBooked, annBooks.sending("1 Mill", "2 Mill"), annLooks), ""},
	{"USR-10", "calls met over it", unverified, then(annBooked, annReads.intends("race"), annLooks), ""},
	{"USR-10", "not listed after COMPLETE", unverified, then(annBooked, annSees("COMPLETE"), annLooks), ""},
	{"USR-10", "not listed, and then COMPLETE", unverified, then(annBooked, annLooks, annSees("COMPLETE")), ""},
	{"USR-10", "another probe has the number, too", unverified, then(annBooked, annLooks, annLooks.in("another")), ""},

	{"USR-11", "a journey that waits", passes, then(annBooked, annsBooking), ""},
	{"USR-11", "a cancelled journey is gone", passes, then(annBooked, annCancels, annLooks), ""},
	{"USR-11", "COMPLETE", fails, []step{annListed(journeyAt("j1", "COMPLETE"))}, "/activeBookings/0/status"},
	{"USR-11", "CANCELLED", fails, then(annBooked, annCancels, annListed(journeyAt("j1", "CANCELLED"))), "/activeBookings/0/status"},
	{"USR-11", "nothing listed, nothing ended", unverified, []step{annLooks}, ""},

	{"USR-12", "one's own journeys", passes, then(annBooked, benLooks, benBooks, annsBooking), ""},
	{"USR-12", "somebody else's", fails, then(annBooked, benLooks, benBooks, annListed(journeyAt("j1", "WAITING"), journeyAt("j2", "WAITING"))), "/activeBookings/1/journeyId"},
	{"USR-12", "one's own, booked in traffic with the national number", unverified, inProbe("", benLooks, bareBooks.sending(`442079460001`, `02079460001`), annsBooking), ""},
	{"USR-12", "nobody else has booked", unverified, then(annBooked, annsBooking), ""},
	{"USR-12", "no list", unverified, then(annBooked, benLooks, benBooks, annLooks.but(`,"activeBookings":[]`, ``)), ""},
	{"USR-12", "an empty list", unverified, then(annBooked, benLooks, benBooks, annLooks), ""},
	{"USR-12", "neither one's own nor the passenger", fails, then(bookedByAnn, benLooks.but(`[]`, `[`+journeyAt("j1", "WAITING")+`]`)), "/activeBookings/0/journeyId"},

	{"USR-13", "thirteen are listed", passes, manyBookings(13, 13), ""},
	{"USR-13", "twelve of thirteen", fails, manyBookings(13, 12), "/activeBookings"},
	{"USR-13", "a journey twice", fails, []step{annListed(journeyAt("j1", "WAITING"), journeyAt("j1", "WAITING"))}, "/activeBookings/1"},
	{"USR-13", "one booking", unverified, then(annBooked, annsBooking), ""},

	{"USR-14", "DISABLED is told", passes, []step{annDisabled}, ""},
	{"USR-14", "BLACKLISTED is told", passes, []step{annBlack}, ""},
	{"USR-14", "a DISABLED user is ENABLED", fails, []step{annDisabled.but(`DISABLED`, `ENABLED`)}, "/status"},
	{"USR-14", "a BLACKLISTED user has no status", fails, []step{annBlack.but(`"status":"BLACKLISTED",`, ``)}, "/status"},
	{"USR-14", "a DISABLED user is refused", fails, []step{annDisabled.refused(403)}, ""},
	{"USR-14", "a DISABLED user is refused as such", fails, []step{annDisabled.gets(403, annDisabled.reply)}, ""},
	{"USR-14", "nobody is known to be barred", unverified, []step{annStatus.but(`ENABLED`, `DISABLED`)}, ""},

	{"USR-15", "an unknown number", observed, []step{newcomer.refused(404)}, ""},
	{"USR-15", "no unknown number", unverified, []step{annLooks}, ""},

	{"USR-16", "404", passes, []step{newcomer.refused(404), annLooks}, ""},
	{"USR-16", "500", fails, []step{newcomer.refused(500), annLooks}, ""},
	{"USR-16", "no answer", fails, []step{newcomer.unanswered(), annLooks}, ""},
	{"USR-16", "a page", fails, []step{newcomer.gets(404, `<p>Not found`).answering("Content-Type", "text/html"), annLooks}, ""},
	{"USR-16", "404 to everybody", unverified, []step{newcomer.refused(404)}, ""},

	{"USR-17", "the same user", passes, []step{annLooks, annLooks.sending(`44`, `0044`).tries("phone-form")}, ""},
	{"USR-17", "refused", passes, []step{annLooks.sending(`44`, `0044`).tries("phone-form").refused(400), annLooks}, ""},
	{"USR-17", "another user", fails, []step{annLooks, benLooks, annLooks.sending(`44`, `0044`).tries("phone-form").but(`u1`, `u2`)}, "/userId"},
	{"USR-17", "a new user", warns, []step{annLooks, annLooks.sending(`44`, `0044`).tries("phone-form").but(`u1`, `u9`)}, "/userId"},
	{"USR-17", "a crash", fails, []step{annLooks, annLooks.sending(`44`, `0044`).tries("phone-form").refused(500)}, ""},
	{"USR-17", "refused like everything else", unverified, []step{annLooks.sending(`44`, `0044`).tries("phone-form").refused(400)}, ""},

	{"USR-18", "the same list twice", passes, then(annBooked, annsBooking, annsBooking), ""},
	{"USR-18", "a journey forgotten", fails, then(annBooked, annsBooking, annLooks), "/activeBookings"},
	{"USR-18", "a journey out of nowhere", fails, then(annBooked, annsBooking, annListed(journeyAt("j1", "WAITING"), journeyAt("j9", "WAITING"))), "/activeBookings"},
	{"USR-18", "gone with its end", passes, then(annBooked, annsBooking, annLooks, annSees("COMPLETE")), ""},
	{"USR-18", "helped along", unverified, then(annBooked, annsBooking, annLooks.intends("moved")), ""},
	{"USR-18", "looked from another probe", unverified, then(annBooked, annsBooking, annLooks.in("another")), ""},
	{"USR-18", "somebody else's traffic", unverified, inProbe("", then(annBooked, annsBooking, annLooks)...), ""},
	{"USR-18", "looked once", unverified, then(annBooked, annsBooking), ""},

	{"USR-19", "seven digits are served", passes, []step{sevenDigits, annLooks}, ""},
	{"USR-19", "seven digits crash", fails, []step{sevenDigits.refused(500), annLooks}, ""},
	{"USR-19", "seven digits are refused as such", warns, []step{sevenDigits.refused(422), annLooks}, ""},
	{"USR-19", "nobody tried", unverified, []step{annLooks}, ""},
	{"USR-19", "seven digits are refused with 400", warns, []step{sevenDigits.refused(400), annLooks}, ""},
	{"USR-19", "seven digits get no answer", fails, []step{sevenDigits.unanswered(), annLooks}, ""},
	{"USR-19", "sixteen digits are refused", passes, []step{sevenDigits.sending(`2903456`, `4420794600012345`).refused(400), annLooks}, ""},
	{"USR-19", "sixteen digits are accepted", warns, []step{sevenDigits.sending(`2903456`, `4420794600012345`), annLooks}, ""},

	{"USR-20", "odd data is accepted", passes, []step{oddData}, ""},
	{"USR-20", "odd data is refused", fails, []step{oddData.refused(400)}, ""},
	{"USR-20", "nobody tried", unverified, []step{annLooks}, ""},
	{"USR-20", "refused to somebody unknown", unverified, []step{oddData.tries("user-data").refused(404)}, ""},
}

var sevenDigits = asked("user", `{"phoneNumber":"2903456"}`, 200, `{"userId":"u7","phoneNumber":"2903456","name":"Cy"}`).tries("phone-length")

// manyBookings returns a history of bookings of which /user lists so many.
func manyBookings(made, listed int) []step {
	bookings := times(made, annBooks.sending("1 Mill", "# Mill").but("j1", "j#"))
	var list []string
	for _, b := range bookings[:listed] {
		list = append(list, b.reply)
	}
	return append(append([]step{annLooks}, bookings...), annListed(list...))
}
