package rules_test

import (
	"slices"
	"time"
)

var (
	bareBooks  = asked("book", bareOrder, 200, waiting)
	nullBooks  = bareBooks.sending(`{`, `{"journeyId":null,`)
	twoStops   = annBooks.sending(`[`+stationRoad, `[`+stationRoad+`,`+canalQuay)
	readsStops = annSees("WAITING").but(`[`+stationRoad, `[`+stationRoad+`,`+canalQuay)
	lostStop   = twoStops.gets(200, journeyAt("j1", "WAITING")).in("").lasting(time.Second)
	booksFull  = annBooks.gets(200, journeyAt("j1", "WAITING", aPassenger))
	atOneZone  = annBooks.sending(atTen, `2026-10-20T12:00:00+02:00`)

	// For somebody else: Dad (0009) travels, Ann books.
	forDad      = annBooks.sending("442079460001", "442079460009").sending("Ann", "Dad")
	readsDad    = annSees("WAITING", `"passenger":{"phoneNumber":"+442079460009","name":"Dad"}`)
	dadLooks    = asked("user", `{"phoneNumber":"442079460009"}`, 200, `{"userId":"u9","phoneNumber":"442079460009","name":"Dad","activeBookings":[]}`)
	bookedByAnn = []step{annLooks, forDad}
)

// bookRows are the rows of the checks of /book, without edits.
var bookRows = slices.Concat(formsOfBooking, repliesToBooking, bookedPlaces, lackingRows(), oddBookings)

var formsOfBooking = []row{
	{"BOK-01", "the required fields suffice", passes, []step{bareBooks}, ""},
	{"BOK-01", "the required fields are refused", fails, []step{bareBooks.refused(400)}, ""},
	{"BOK-01", "no journeyId in the answer", fails, []step{bareBooks.but(`"journeyId":"j1",`, ``)}, ""},
	{"BOK-01", "no status in the answer", fails, []step{bareBooks.but(`,"status":"WAITING"`, ``)}, ""},
	{"BOK-01", "refused to somebody else", unverified, []step{bareBooks.in("").refused(400)}, ""},
	{"BOK-01", "only booked with a userId", unverified, []step{annBooks}, ""},
	{"BOK-01", "only booked with a category", unverified, []step{bareBooks.sending(`{`, `{"vehicleCategory":"MPV",`)}, ""},
	{"BOK-01", "a GET", unverified, []step{bareBooks.byGET()}, ""},

	{"BOK-02", "journeyId null", passes, []step{nullBooks}, ""},
	{"BOK-02", "journeyId null is refused", fails, []step{nullBooks.refused(400)}, ""},
	{"BOK-02", "journeyId left out", unverified, []step{bareBooks}, ""},

	{"BOK-03", "a userId", passes, []step{annBooks}, ""},
	{"BOK-03", "a category and data", passes, []step{bareBooks.sending(`{`, `{"vehicleCategory":"MPV","data":{"a":1},`)}, ""},
	{"BOK-03", "a userId is refused", fails, []step{annBooks.refused(422)}, ""},
	{"BOK-03", "a userId is refused after a booking whose answer was not awaited", unverified, []step{hungUp, annBooks.refused(422)}, ""},
	{"BOK-03", "the required fields only", unverified, []step{bareBooks}, ""},
	{"BOK-03", "refused in an unusual form", unverified, []step{annBooks.intends("charset").refused(400)}, ""},

	{"BOK-10", "Z", passes, []step{annBooks}, ""},
	{"BOK-10", "an offset", passes, []step{atOneZone}, ""},
	{"BOK-10", "an offset is refused", fails, []step{atOneZone.refused(400)}, ""},
	{"BOK-10", "a fraction is refused", fails, []step{annBooks.sending(`00:00Z`, `00:00.5Z`).refused(400)}, ""},
	{"BOK-10", "refused for something else", unverified, []step{annBooks.refused(422)}, ""},

	{"BOK-12", "for next week and for now", passes, []step{annBooks, annBooks.sending(atTen, `2026-10-12T09:05:00Z`).but(`j1`, `j2`)}, ""},
	{"BOK-12", "for next week alone", unverified, []step{annBooks}, ""},
	{"BOK-12", "a booking for now is refused", fails, []step{annBooks.sending(atTen, `2026-10-12T09:05:00Z`).refused(400)}, ""},
	{"BOK-12", "a booking for tomorrow", unverified, []step{annBooks.sending(atTen, `2026-10-13T09:05:00Z`)}, ""},
	{"BOK-12", "a booking for yesterday", unverified, []step{annBooks.sending(atTen, `2026-10-11T09:00:00Z`)}, ""},

	{"BOK-13", "a booking for yesterday", observed, []step{annBooks.sending(atTen, `2026-10-11T09:00:00Z`).doubtful().refused(400)}, ""},
	{"BOK-13", "one that should be served is refused", observed, []step{annBooks.sending(atTen, `2026-10-11T09:00:00Z`).refused(400)}, ""},
	{"BOK-13", "none for the past", unverified, []step{annBooks}, ""},
	{"BOK-13", "an edit to the past", unverified, then(annBooked, annEdits.sending(atTen, `2026-10-11T09:00:00Z`)), ""},

	{"BOK-14", "an unknown category is refused", passes, []step{annBooks.tries("unknown-category").refused(400)}, ""},
	{"BOK-14", "an unknown category is served", passes, []step{annBooks.tries("unknown-category")}, ""},
	{"BOK-14", "an unknown category crashes", fails, []step{annBooks.tries("unknown-category").refused(500)}, ""},
	{"BOK-14", "nobody tried", unverified, []step{annBooks}, ""},

	{"BOK-34", "with a plus sign and without", passes, []step{annBooks, annBooks.sending(`"44`, `"+44`).but(`j1`, `j2`)}, ""},
	{"BOK-34", "a plus sign alone", unverified, []step{annBooks.sending(`"44`, `"+44`)}, ""},
	{"BOK-34", "a plus sign is refused", fails, []step{annBooks.sending(`"44`, `"+44`).refused(400)}, ""},
	{"BOK-34", "refused for something else", unverified, []step{annBooks.refused(400)}, ""},
}

var repliesToBooking = []row{
	{"BOK-04", "a string", passes, []step{annBooks}, ""},
	{"BOK-04", "a number", fails, []step{annBooks.but(`"j1"`, `1`)}, "/journeyId"},
	{"BOK-04", "one id for two bookings", fails, []step{annBooks, annBooks.sending("1 Mill", "2 Mill")}, "/journeyId"},
	{"BOK-04", "one id for a booking sent twice", passes, []step{annBooks, annBooks}, ""},
	{"BOK-04", "refused", unverified, []step{annBooks.refused(400)}, ""},

	{"BOK-05", "WAITING", passes, []step{annBooks}, ""},
	{"BOK-05", "a word of its own", fails, []step{annBooks.but(`WAITING`, `BOOKED`)}, "/status"},
	{"BOK-05", "small letters", fails, []step{annBooks.but(`WAITING`, `waiting`)}, "/status"},
	{"BOK-05", "refused", unverified, []step{annBooks.refused(400)}, ""},

	{"BOK-06", "WAITING", passes, []step{annBooks}, ""},
	{"BOK-06", "ACCEPTED at once", passes, []step{annBooks.but(`WAITING`, `ACCEPTED`)}, ""},
	{"BOK-06", "an edit is answered COMPLETE", passes, then(annBooked, annEdits.but(`WAITING`, `COMPLETE`)), ""},
	{"BOK-06", "COMPLETE", fails, []step{annBooks.but(`WAITING`, `COMPLETE`)}, "/status"},
	{"BOK-06", "CANCELLED", fails, []step{annBooks.but(`WAITING`, `CANCELLED`)}, "/status"},
	{"BOK-06", "no status of the interface", unverified, []step{annBooks.but(`WAITING`, `DONE`)}, ""},

	{"BOK-09", "all well formed", passes, []step{booksFull}, ""},
	{"BOK-09", "a date without a time", fails, []step{booksFull.but(atTen, `2026-10-20`)}, "/date"},
	{"BOK-09", "a pickup without a location", fails, []step{booksFull.but(`,"location":{"longitude":-1.55,"latitude":53.8}`, ``)}, "/pickup/location"},
	{"BOK-09", "dropoffs that are an object", fails, []step{booksFull.but(`[`+stationRoad+`]`, stationRoad)}, "/dropoffs"},
	{"BOK-09", "a passenger without a number", fails, []step{booksFull.but(`"phoneNumber":"442079460001",`, ``)}, "/passenger/phoneNumber"},
	{"BOK-09", "no further fields", unverified, []step{annBooks}, ""},

	{"BOK-36", "listed under the userId", passes, then(bookedByAnn, annListed(journeyAt("j1", "WAITING"))), ""},
	{"BOK-36", "not listed under the userId", fails, then(bookedByAnn, annLooks), "/activeBookings"},
	{"BOK-36", "listed under the passenger", fails, then(bookedByAnn, dadLooks.but(`[]`, `[`+journeyAt("j1", "WAITING")+`]`)), "/activeBookings/0/journeyId"},
	{"BOK-36", "booked for oneself", unverified, then(annBooked, annListed(journeyAt("j1", "WAITING"))), ""},
	{"BOK-36", "nobody looked", unverified, bookedByAnn, ""},
}

var bookedPlaces = []row{
	{"BOK-07", "two stops, in order", passes, []step{twoStops, readsStops}, ""},
	{"BOK-07", "the second is lost", fails, []step{twoStops, annReads}, "1 of 2 came back"},
	{"BOK-07", "the second is lost, while another user is looked up", fails, []step{lostStop, benLooks.in("").from(1500 * time.Millisecond)}, "/dropoffs"},
	{"BOK-07", "the second is lost, while another's journey is cancelled", fails, []step{lostStop, bens(annCancels).in("").from(1500 * time.Millisecond)}, "/dropoffs"},
	{"BOK-07", "the other way round", fails, []step{twoStops, readsStops.but(stationRoad+`,`+canalQuay, canalQuay+`,`+stationRoad)}, "in the order in which"},
	{"BOK-07", "no dropoffs shown", unverified, []step{twoStops, annReads.gets(200, waiting)}, ""},
	{"BOK-07", "an empty array in /status", fails, []step{twoStops, annReads.gets(200, briefly("j1", "WAITING", `"dropoffs":[]`))}, "/dropoffs"},
	{"BOK-07", "an empty array in the answer of /book", unverified, []step{twoStops.gets(200, briefly("j1", "WAITING", `"dropoffs":[]`))}, ""},
	{"BOK-07", "one stop", unverified, []step{annBooks, annReads}, ""},

	{"BOK-08", "the passenger's name and number", passes, then(bookedByAnn, readsDad), ""},
	{"BOK-08", "the name alone", passes, then(bookedByAnn, readsDad.but(`+442079460009`, ``)), ""},
	{"BOK-08", "the number alone", passes, then(bookedByAnn, readsDad.but(`Dad`, ``)), ""},
	{"BOK-08", "the user's name", fails, then(bookedByAnn, readsDad.but(`Dad`, `Ann`)), "/passenger/name"},
	{"BOK-08", "the name cut short", fails, then(bookedByAnn, readsDad.but(`Dad`, `Da`)), "cut after 2 characters"},
	{"BOK-08", "the user's number", fails, then(bookedByAnn, readsDad.but(`0009`, `0001`)), "/passenger/phoneNumber"},
	{"BOK-08", "no passenger shown", unverified, then(bookedByAnn, annReads), ""},
	{"BOK-08", "an empty passenger", unverified, then(bookedByAnn, annSees("WAITING", `"passenger":{}`)), ""},
	{"BOK-08", "booked for oneself", unverified, then(annBooked, annSees("WAITING", aPassenger)), ""},

	{"BOK-11", "the instant in another zone", passes, []step{atOneZone, annReads}, ""},
	{"BOK-11", "the offset dropped", fails, []step{atOneZone, annReads.but(atTen, atNoon)}, "/date"},
	{"BOK-11", "a clock somewhere in the world", passes, []step{atOneZone, annReads.but(atTen, `2026-10-20T12:00:00`)}, ""},
	{"BOK-11", "a clock nowhere in the world", fails, []step{atOneZone, annReads.but(atTen, `2026-10-20T12:07:00`)}, "/date"},
	{"BOK-11", "the seconds are lost", warns, []step{atOneZone.sending(":00+", ":58+"), annReads}, "/date"},
	{"BOK-11", "the day after", fails, []step{atOneZone, annReads.but(atTen, `2026-10-21T12:00:00`)}, "/date"},
	{"BOK-11", "twelve hours off", fails, []step{atOneZone, annReads.but(atTen, `2026-10-20T22:00:00Z`)}, "half of the day"},
	{"BOK-11", "a day off", fails, []step{atOneZone, annReads.but(atTen, `2026-10-21T10:00:00Z`)}, "1 day off"},
	{"BOK-11", "a year off", fails, []step{atOneZone, annReads.but(atTen, `2027-10-20T10:00:00Z`)}, "Keep the year"},
	{"BOK-11", "the time of the call", fails, []step{atOneZone, annReads.but(atTen, `2026-10-12T09:00:01Z`)}, "the time of the pickup"},
	{"BOK-11", "two hours off", fails, []step{atOneZone, annReads.but(atTen, `2026-10-20T12:00:00Z`)}, "/date"},
	{"BOK-11", "no date shown", unverified, []step{atOneZone, annReads.but(`"date":"`+atTen+`",`, ``)}, ""},

	{"BOK-32", "where it was", passes, []step{annBooks, annReads}, ""},
	{"BOK-32", "three metres off", warns, []step{annBooks, annReads.but(`53.8}`, `53.80003}`)}, "/pickup/location"},
	{"BOK-32", "a hundred metres off", fails, []step{annBooks, annReads.but(`53.8}`, `53.801}`)}, "/pickup/location"},
	{"BOK-32", "longitude and latitude swapped", fails, []step{annBooks, annReads.but(`"longitude":-1.55,"latitude":53.8`, `"longitude":53.8,"latitude":-1.55`)}, "/pickup/location"},
	{"BOK-32", "a drop-off a hundred metres off", fails, []step{annBooks, annReads.but(`53.79}`, `53.791}`)}, "/dropoffs/0/location"},
	{"BOK-32", "no places shown", unverified, []step{annBooks, annReads.gets(200, waiting)}, ""},

	{"BOK-33", "the same text", passes, []step{annBooks, annReads}, ""},
	{"BOK-33", "other capitals", warns, []step{annBooks, annReads.but(`1 Mill Lane`, `1 MILL LANE`)}, "/pickup/address"},
	{"BOK-33", "the country as well", warns, []step{annBooks, annReads.but(`LS1 4DT`, `LS1 4DT, UK`)}, "/pickup/address"},
	{"BOK-33", "no postcode", warns, []step{annBooks, annReads.but(`, Leeds LS1 4DT`, `, Leeds`)}, "/pickup/address"},
	{"BOK-33", "the town alone", fails, []step{annBooks, annReads.but(`1 Mill Lane, Leeds LS1 4DT`, `Leeds`)}, "/pickup/address"},
	{"BOK-33", "another text", fails, []step{annBooks, annReads.but(`1 Mill Lane, Leeds LS1 4DT`, `Beeston`)}, "/pickup/address"},
	{"BOK-33", "another text at the drop-off", fails, []step{annBooks, annReads.but(`2 Station Road, Leeds LS2 7EU`, `Beeston`)}, "/dropoffs/0/address"},
	{"BOK-33", "no places shown", unverified, []step{annBooks, annReads.gets(200, waiting)}, ""},
	{"BOK-33", "another journey altogether", unverified, []step{annBooks, annReads.but(millLane1, highStreet)}, ""},
	{"BOK-33", "line breaks taken out", unverified, []step{annBooks.sending(`1 Mill Lane`, `1\nMill Lane`).intends("injection"), annReads}, ""},
	{"BOK-33", "edited after its end", passes, then(annBooked, annSees("COMPLETE"), movesPickup, annSees("COMPLETE").but(millLane1, canalQuay)), ""},
}

// lackingRows returns the rows of bookings that lack something required.
func lackingRows() []row {
	var rows []row
	for _, lacks := range []struct{ check, what, old, now string }{
		{"BOK-24", "name", `"name":"Ann",`, ``},
		{"BOK-25", "phoneNumber", `"phoneNumber":"442079460001",`, ``},
		{"BOK-26", "pickup", `"pickup":` + millLane1 + `,`, ``},
		{"BOK-27", "dropoffs", `"dropoffs":[` + stationRoad + `],`, ``},
		{"BOK-28", "pickupTime", `,"pickupTime":"` + atTen + `"`, ``},
		{"BOK-29", "stop in dropoffs", stationRoad, ``},
	} {
		try := annBooks.sending(lacks.old, lacks.now).doubtful()
		without := "no " + lacks.what + ": "
		rows = append(
			rows,
			row{lacks.check, without + "refused", passes, []step{try.refused(400), annBooks}, ""},
			row{lacks.check, without + "booked", fails, []step{try, annBooks}, ""},
			row{lacks.check, without + "a crash", warns, []step{try.refused(500), annBooks}, ""},
			row{lacks.check, without + "refused like everything else", unverified, []step{try.refused(400), annBooks.refused(400)}, ""},
			row{lacks.check, without + "nobody tried", unverified, []step{annBooks}, ""},
		)
	}
	return rows
}

var (
	noText    = annBooks.sending(`"address":"1 Mill Lane, Leeds LS1 4DT",`, ``).doubtful()
	noPoint   = annBooks.sending(`,"location":{"longitude":-1.55,"latitude":53.8}`, ``).doubtful()
	nowhere   = annBooks.sending(`"latitude":53.8`, `"latitude":91`).doubtful()
	someTime  = annBooks.sending(atTen, `tomorrow`).doubtful()
	muchData  = annBooks.sending(`{`, `{"data":{"a":"`+string(slices.Repeat([]byte("x"), 8<<10))+`"},`)
	barredTry = annBooks.tries("disabled-user")
)

var oddBookings = []row{
	{"BOK-24", "an empty name: booked", fails, []step{annBooks.sending(`"Ann"`, `" "`).doubtful(), annBooks}, ""},
	{"BOK-24", "neither name nor pickup: refused", unverified, []step{asked("book", `{"userId":"u1","phoneNumber":"442079460001","dropoffs":[`+stationRoad+`],"pickupTime":"`+atTen+`"}`, 400, `{}`).doubtful(), annBooks}, ""},
	{"BOK-24", "an edit without a name: refused", unverified, then(annBooked, annEdits.sending(`"name":"Ann",`, ``).doubtful().refused(400), annBooks), ""},

	{"BOK-30", "no text: refused", passes, []step{noText.refused(400), annBooks}, ""},
	{"BOK-30", "no text: booked", fails, []step{noText, annBooks}, ""},
	{"BOK-30", "no location: a crash", fails, []step{noPoint.refused(500), annBooks}, ""},
	{"BOK-30", "refused like everything else", unverified, []step{noText.refused(400)}, ""},

	{"BOK-31", "latitude 91: refused", passes, []step{nowhere.refused(400), annBooks}, ""},
	{"BOK-31", "latitude 91: booked", fails, []step{nowhere, annBooks}, ""},
	{"BOK-31", "refused like everything else", unverified, []step{nowhere.refused(400)}, ""},

	{"BOK-35", "8 KB of data", passes, []step{muchData}, ""},
	{"BOK-35", "8 KB of data are refused", fails, []step{muchData.refused(413)}, ""},
	{"BOK-35", "little data", unverified, []step{annBooks}, ""},

	{"BOK-37", "words: refused", passes, []step{someTime.refused(400), annBooks}, ""},
	{"BOK-37", "words: booked", fails, []step{someTime, annBooks}, ""},
	{"BOK-37", "words: a crash", fails, []step{someTime.refused(500), annBooks}, ""},
	{"BOK-37", "refused like everything else", unverified, []step{someTime.refused(400)}, ""},

	{"BOK-38", "a DISABLED user is refused", observed, []step{barredTry.refused(403)}, ""},
	{"BOK-38", "nobody is known to be barred", unverified, []step{annBooks}, ""},
}
