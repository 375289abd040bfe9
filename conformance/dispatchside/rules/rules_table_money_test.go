package rules_test

import (
	"fmt"
	"strings"
	"time"
)

// Ann's journey with an estimate, and the journey as /book tells it.
var (
	estimated  = annSees("WAITING", `"price":{"value":6.5,"currency":"GBP","type":"ESTIMATED"}`)
	toldPrice  = annBooks.gets(200, estimated.reply)
	annQuoted  = []step{annLooks, toldPrice}
	stopsAtBay = annEdits.sending(stationRoad, canalQuay).gets(200, estimated.reply).but(stationRoad, canalQuay)
	annAgain   = annEdits.gets(200, estimated.reply)

	tenMiles = `{"address":"9 Far Lane, Leeds LS9 9ZZ","location":{"longitude":-1.55,"latitude":53.9}}`
	shortWay = inProbe("a short trip and a long one", annLooks, toldPrice, estimated)
	longEdit = annEdits.sending(stationRoad, tenMiles).gets(200, estimated.reply).but(stationRoad, tenMiles).in("a short trip and a long one").tries("fare")
)

// priced changes the price in a reply.
func priced(s step, value string) step { return s.but(`"value":6.5`, `"value":`+value) }

var moneyRows = []row{
	{"ENR-21", "one price", passes, then(annQuoted, estimated, estimated.from(3500*time.Millisecond)), ""},
	{"ENR-21", "a penny more", passes, then(annQuoted, estimated, priced(estimated, "6.51").from(3500*time.Millisecond)), ""},
	{"ENR-21", "a pound more", warns, then(annQuoted, estimated, priced(estimated, "7.5").from(3500*time.Millisecond)), "/price/value"},
	{"ENR-21", "another currency", warns, then(annQuoted, estimated, estimated.but("GBP", "EUR").from(3500*time.Millisecond)), "/price/value"},
	{"ENR-21", "a pound more while the run moved the clock", unverified, then(annQuoted, estimated, priced(estimated, "7.5").from(3500*time.Millisecond).moved()), ""},
	{"ENR-21", "a pound more a minute later", unverified, then(annQuoted, estimated, priced(estimated, "7.5").from(64*time.Second)), ""},
	{"ENR-21", "a pound more in another status", unverified, then(annQuoted, estimated, priced(estimated, "7.5").but("WAITING", "ACCEPTED").from(3500*time.Millisecond)), ""},
	{"ENR-21", "the meter runs", unverified, then(annQuoted, estimated.but("WAITING", "POB"), priced(estimated, "7.5").but("WAITING", "POB").from(3500*time.Millisecond)), ""},
	{"ENR-21", "no price", unverified, then(annBooked, annReads, annReads), ""},

	{"ENR-22", "as /book told", passes, then(annQuoted, estimated), ""},
	{"ENR-22", "a pound more", warns, then(annQuoted, priced(estimated, "7.5")), "/price/value"},
	{"ENR-22", "a pound more after an edit, as it told", passes, then(annQuoted, priced(stopsAtBay, "7.5"), priced(estimated, "7.5").but(stationRoad, canalQuay)), ""},
	{"ENR-22", "in pence", warns, then(annQuoted, priced(estimated, "650")), "/price/value"},
	{"ENR-22", "a fixed price, which ENR-07 judges", unverified, []step{annLooks, annBooks.gets(200, comes.reply), comes.but(`12.5`, `13.5`)}, ""},
	{"ENR-22", "/book tells none", unverified, then(annBooked, estimated), ""},
	{"ENR-22", "five minutes later", unverified, then(annQuoted, priced(estimated, "7.5").from(5*time.Minute)), ""},

	{"ENR-23", "there and back", passes, then(annQuoted, priced(stopsAtBay, "9"), annAgain), ""},
	{"ENR-23", "the flag fall", warns, then(annQuoted, priced(stopsAtBay, "3.2"), priced(annAgain, "3.2")), "/price/value"},
	{"ENR-23", "one edit", unverified, then(annQuoted, priced(stopsAtBay, "9")), ""},
	{"ENR-23", "another time than at first", unverified, then(annQuoted, priced(stopsAtBay, "9"), priced(annAgain.sending(atTen, atNoon), "7.5")), ""},

	{"ENR-24", "a longer way costs more", passes, then(shortWay, priced(longEdit, "25")), ""},
	{"ENR-24", "a longer way costs the same", warns, then(shortWay, longEdit), ""},
	{"ENR-24", "a longer way at another time", unverified, then(shortWay, priced(longEdit, "25").but(atTen, "2026-06-04T02:10:00Z")), ""},
	{"ENR-24", "a longer way is refused", unverified, then(shortWay, longEdit.refused(422)), ""},
	{"ENR-24", "no price", unverified, inProbe("a short trip and a long one", annLooks, annBooks, annReads), ""},

	{"ENR-25", "six pounds fifty", passes, then(annQuoted, estimated), ""},
	{"ENR-25", "650 pounds for a kilometre", fails, then(annQuoted, priced(estimated, "650")), "/price/value"},
	{"ENR-25", "six pence for a kilometre", warns, then(annQuoted, priced(estimated, "0.065")), "/price/value"},
	{"ENR-25", "nothing at all", passes, then(annQuoted, priced(estimated, "0")), ""},
	{"ENR-25", "less than nothing", fails, then(annQuoted, priced(estimated, "-6.5")), "/price/value"},
	{"ENR-25", "650 yen", unverified, []step{annLooks, annBooks, priced(estimated, "650").but("GBP", "JPY")}, ""},
	{"ENR-25", "no price", unverified, annBooked, ""},

	{"ENR-26", "longer trips cost more", passes, pricedTrips(40, func(i int) float64 { return 3 + float64(i) }), ""},
	{"ENR-26", "the price of the journey before", warns, pricedTrips(40, func(i int) float64 { return 3 + float64(i*17%40) }), "/price/value"},
	{"ENR-26", "by zones", passes, pricedTrips(40, func(i int) float64 { return 3 + float64(i/7) }), ""},
	{"ENR-26", "one price for all", unverified, pricedTrips(40, func(int) float64 { return 9 }), ""},
	{"ENR-26", "ten trips", unverified, pricedTrips(10, func(i int) float64 { return 3 + float64(i) }), ""},
}

// pricedTrips returns a history of bookings of longer and longer trips, each with a price.
func pricedTrips(n int, price func(i int) float64) []step {
	all := []step{annLooks}
	for i := range n {
		stop := fmt.Sprintf(`{"address":"%d Long Road","location":{"longitude":-1.54,"latitude":%.3f}}`, i, 53.81+float64(i)/100)
		id := fmt.Sprintf("j%d", i+1)
		all = append(all, annBooks.sending(stationRoad, stop).gets(200, strings.Replace(briefly(id, "WAITING", fmt.Sprintf(`"price":{"value":%g,"currency":"GBP"}`, price(i))), stationRoad, stop, 1)))
	}
	return all
}

const soonEnough = 40 * time.Minute

var etaRows = []row{
	{"ENR-27", "five minutes on the way", passes, then(annBooked, comes), ""},
	{"ENR-27", "five hours, two kilometres away", warns, then(annBooked, comes.but(`"value":5`, `"value":300`)), "/eta"},
	{"ENR-27", "the days until the pickup", warns, then(annBooked, annSees("HELD", `"eta":{"value":11580,"unit":"minutes"}`)), ""},
	{"ENR-27", "38 days until the pickup of next week", warns, then(annBooked, annSees("HELD", `"eta":{"value":55165,"unit":"minutes"}`)), "/eta"},
	{"ENR-27", "half a day in seconds", passes, then(annBooked, annSees("HELD", `"eta":{"value":43200,"unit":"seconds"}`)), ""},
	{"ENR-27", "an eta that is a text", unverified, then(annBooked, annSees("HELD", `"eta":{"value":"5","unit":"minutes"}`)), ""},
	{"ENR-27", "a unit of its own", unverified, then(annBooked, annSees("HELD", `"eta":{"value":5,"unit":"jiffies"}`)), ""},
	{"ENR-27", "no eta", unverified, then(annBooked, annReads), ""},

	{"ENR-28", "nought", passes, then(annBooked, annSees("ARRIVED", `"eta":{"value":0,"unit":"minutes"}`)), ""},
	{"ENR-28", "forty seconds", passes, then(annBooked, annSees("ARRIVED", `"eta":{"value":40,"unit":"seconds"}`)), ""},
	{"ENR-28", "five minutes", warns, then(annBooked, annSees("ARRIVED", anETA)), "/eta"},
	{"ENR-28", "no eta", unverified, then(annBooked, arrived), ""},
	{"ENR-28", "still coming", unverified, then(annBooked, comes), ""},

	{"ENR-29", "five minutes and then two", passes, then(annBooked, annSees("ACCEPTED", anETA), comes.but(`"value":5`, `"value":2`)), ""},
	{"ENR-29", "always five", warns, then(annBooked, annSees("ACCEPTED", anETA), annSees("EN_ROUTE", anETA), annSees("ARRIVED", anETA)), "/eta"},
	{"ENR-29", "five minutes, and a kilometre nearer", warns, then(annBooked, comes, annSees("EN_ROUTE", anETA, atMillLane).from(soonEnough)), "/eta"},
	{"ENR-29", "five minutes twice", unverified, then(annBooked, annSees("ACCEPTED", anETA), annSees("EN_ROUTE", anETA)), ""},
	{"ENR-29", "nought all the way", unverified, then(annBooked, annSees("ACCEPTED", `"eta":{"value":0,"unit":"min"}`), annSees("ARRIVED", `"eta":{"value":0,"unit":"min"}`)), ""},
	{"ENR-29", "no eta", unverified, then(annBooked, annReads), ""},
}

const (
	withNumber   = `"passenger":{"phoneNumber":"442079460001","name":"Ann"}`
	anotherCab   = `"vehicle":{"description":"Red Skoda","registration":"XY34 ZZZ"}`
	bensDriver   = `"driver":{"name":"Bert","phoneNumber":"447700900457","badgeNumber":"P124"}`
	halfASecond  = 3500 * time.Millisecond
	aSecondLater = 4 * time.Second
)

var peopleRows = []row{
	{"STA-17", "digit by digit", passes, then(annBooked, annSees("WAITING", withNumber)), ""},
	{"STA-17", "with a plus sign", passes, then(annBooked, annSees("WAITING", withNumber).but("4420", "+4420")), ""},
	{"STA-17", "the national form", warns, then(annBooked, annSees("WAITING", withNumber).but("4420", "020")), "/passenger/phoneNumber"},
	{"STA-17", "with 00", warns, then(annBooked, annSees("WAITING", withNumber).but("4420", "004420")), "/passenger/phoneNumber"},
	{"STA-17", "a 0 behind the country's code", fails, then(annBooked, annSees("WAITING", withNumber).but("4420", "+44020")), "/passenger/phoneNumber"},
	{"STA-17", "a plus sign before the national form", fails, then(annBooked, annSees("WAITING", withNumber).but("4420", "+020")), "/passenger/phoneNumber"},
	{"STA-17", "another number", fails, then(annBooked, annSees("WAITING", withNumber).but("0001", "0002")), "/passenger/phoneNumber"},
	{"STA-17", "no passenger", unverified, then(annBooked, annReads), ""},
	{"USR-03", "a 0 behind the country's code", fails, []step{annLooks.but(`442079`, `4402079`)}, "/phoneNumber"},
	{"USR-03", "with 00", warns, []step{annLooks.but(`442079`, `00442079`)}, "/phoneNumber"},

	{"ENR-30", "a number of their own", passes, then(annBooked, bareCar), ""},
	{"ENR-30", "the passenger's number", fails, then(annBooked, bareCar.but("447700900456", "442079460001")), "/driver/phoneNumber"},
	{"ENR-30", "the passenger's number at home", fails, then(annBooked, bareCar.but("447700900456", "02079460001")), "/driver/phoneNumber"},
	{"ENR-30", "no driver", unverified, then(annBooked, annReads), ""},

	{"ENR-31", "one driver and car", passes, then(annBooked, bareCar, bareCar.from(halfASecond)), ""},
	{"ENR-31", "another car while the run moved the clock", unverified, then(annBooked, bareCar, bareCar.but(aVehicle, anotherCab).from(halfASecond).moved()), ""},
	{"ENR-31", "another car", warns, then(annBooked, bareCar, bareCar.but(aVehicle, anotherCab).from(halfASecond)), "/vehicle"},
	{"ENR-31", "another driver", warns, then(annBooked, bareCar, bareCar.but(aDriver, bensDriver).from(halfASecond)), "/driver"},
	{"ENR-31", "another driver at each read", fails, then(annBooked, bareCar, bareCar.but(aDriver, bensDriver).from(halfASecond), bareCar.from(aSecondLater), bareCar.but(aDriver, bensDriver).from(4500*time.Millisecond)), "/driver"},
	{"ENR-31", "another driver a minute later", unverified, then(annBooked, bareCar, bareCar.but(aDriver, bensDriver).from(time.Minute)), ""},
	{"ENR-31", "another driver in another status", unverified, then(annBooked, bareCar, arrived.but(aDriver, bensDriver).from(halfASecond)), ""},
	{"ENR-31", "that of the journey accepted last", fails, then(annBooked, bareCar, annBooks.but("j1", "j2"), bareCar.sending("j1", "j2").but("j1", "j2").but(aDriver, bensDriver).but(aVehicle, anotherCab).moved(), bareCar.but(aDriver, bensDriver).but(aVehicle, anotherCab).moved()), "/driver"},
	{"ENR-31", "each its own", unverified, then(annBooked, bareCar, annBooks.but("j1", "j2"), bareCar.sending("j1", "j2").but("j1", "j2").but(aDriver, bensDriver).moved(), bareCar.moved()), ""},
	{"ENR-31", "read once", unverified, then(annBooked, bareCar), ""},

	{"JRN-08", "COMPLETE is cancelled", warns, then(annBooked, annSees("COMPLETE"), annCancels, annSees("CANCELLED")), "/status"},
	{"JRN-08", "COMPLETE is not cancelled", passes, then(annBooked, annSees("COMPLETE"), annCancels.refused(409), annSees("COMPLETE")), ""},

	{"JRN-17", "an id of its own", passes, then(annBooked, annBooks.but("j1", "j2").intends("after-restart")), ""},
	{"JRN-17", "an id of before", fails, then(annBooked, annBooks.sending(atTen, atNoon).intends("after-restart")), "/journeyId"},
	{"JRN-17", "no restart", unverified, annBooked, ""},

	{"JRN-18", "an id of its own", passes, then(annBooked, annBooks.but("j1", "j2").intends("next-day")), ""},
	{"JRN-18", "an id of before", fails, then(annBooked, annBooks.sending(atTen, atNoon).intends("next-day")), "/journeyId"},
	{"JRN-18", "cancelled, and listed again", fails, then(annBooked, annCancels, annListed(journeyAt("j1", "CANCELLED")).intends("next-day")), "/activeBookings/0/status"},
	{"JRN-18", "cancelled, and gone", unverified, then(annBooked, annCancels, annLooks.intends("next-day")), ""},
	{"JRN-18", "the same day", unverified, then(annBooked, annCancels, annLooks), ""},
}

var (
	noSuchDay   = annBooks.sending(atTen, "2026-11-31T10:00:00Z").doubtful()
	mistypedID  = asked("book", strings.Replace(annsEdit, `"journeyId":"j1"`, `"journeyId":["j1"]`, 1), 422, `{"error":"no"}`).tries("optional-type")
	mistypedCab = asked("book", strings.Replace(annsEdit, `{"userId"`, `{"vehicleCategory":["x"],"userId"`, 1), 422, `{"error":"no"}`).tries("optional-type")
	commaTime   = annEdits.sending(atTen, "2026-10-20T10:00:00,000Z").tries("time-form")
)

var lenientRows = []row{
	{"BOK-39", "31 November is refused", passes, then(annBooked, noSuchDay.refused(422), annBooks.but("j1", "j2")), ""},
	{"BOK-39", "31 November is booked", fails, then(annBooked, noSuchDay.but("j1", "j2")), ""},
	{"BOK-39", "words behind a date", fails, then(annBooked, annBooks.sending(atTen, atTen+" tomorrow").doubtful().but("j1", "j2")), ""},
	{"BOK-39", "a crash", fails, then(annBooked, noSuchDay.refused(500)), ""},
	{"BOK-39", "nobody tried", unverified, annBooked, ""},

	{"BOK-40", "a list for an id is refused", passes, then(annBooked, mistypedID, annBooks.but("j1", "j2")), ""},
	{"BOK-40", "a list for an id books again", fails, then(annBooked, mistypedID.gets(200, `{"journeyId":"j2","status":"WAITING"}`)), ""},
	{"BOK-40", "a list for a category is ignored", warns, then(annBooked, mistypedCab.gets(200, waiting)), ""},
	{"BOK-40", "a list for a category crashes", fails, then(annBooked, mistypedCab.refused(500)), ""},
	{"BOK-40", "nobody tried", unverified, annBooked, ""},

	{"BOK-41", "a comma is taken", observed, then(annBooked, commaTime), ""},
	{"BOK-41", "a comma is refused", observed, then(annBooked, commaTime.refused(422)), ""},
	{"BOK-41", "nobody tried", unverified, annBooked, ""},

	{"CAN-11", "a line feed behind the id", fails, then(annBooked, annCancels.sending(`"j1"`, `"j1\n"`).tries("inexact-id")), ""},
	{"SEC-12", "an id with a line behind it cancels", fails, then(annBooked, annCancels.sending(`"j1"`, `"j1\r\nX: y"`).tries("injection")), ""},
	{"SEC-12", "an id with a line behind it is read", warns, then(annBooked, annReads.sending(`"j1"`, `"j1\r\nX: y"`).tries("injection")), ""},
	{"CAN-01", "an id with a line behind it cancels", unverified, then(annBooked, annCancels.sending(`"j1"`, `"j1\r\nX: y"`).tries("injection")), ""},
	{"STA-01", "an id with a line behind it is read", unverified, then(annBooked, annReads.sending(`"j1"`, `"j1\r\nX: y"`).tries("injection")), ""},
	{"BAD-10@status", "an id with a NUL behind it is read", warns, then(annBooked, annReads.sending(`"j1"`, `"j1\u0000"`).tries("BAD-10")), ""},
	{"BAD-10@cancel", "an id with a NUL behind it cancels", fails, then(annBooked, annCancels.sending(`"j1"`, `"j1\u0000"`).tries("BAD-10")), ""},
	{"W-12@status", "a comma less", passes, then(annBooked[:1], scripted(annBooks), scripted(annReads).but("🚕, Leeds", "🚕 LEEDS")), ""},
}

// together returns three rounds of concurrent /user calls, which took these times.
func together(took ...time.Duration) []step {
	var all []step
	alone := annLooks.in("timing").intends("timed").lasting(10 * time.Millisecond)
	for i := range 3 {
		all = append(all, alone.from(time.Duration(i+1)*time.Second))
	}
	for round := range 3 {
		at := time.Duration(10+round) * time.Second
		for _, t := range took {
			all = append(all, annLooks.in("timing").intends("together").from(at).lasting(t))
		}
	}
	return all
}

// inSteps returns n times, each longer by a step than the one before.
func inSteps(n int, step time.Duration) []time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = time.Duration(i+1) * step
	}
	return all
}

var serialRows = []row{
	{"CON-07", "one after another", observed, together(inSteps(8, 10*time.Millisecond)...), ""},
	{"CON-07", "side by side", observed, together(inSteps(8, 2*time.Millisecond)...), ""},
	{"CON-07", "nobody tried", unverified, annBooked, ""},
}
