package rules_test

import "strings"

// The people, places and times of the tables. Ann (u1) books j1 from Mill Lane to
// Station Road, Ben (u2) books j2 from High Street.
const (
	millLane1   = `{"address":"1 Mill Lane, Leeds LS1 4DT","location":{"longitude":-1.55,"latitude":53.8}}`
	stationRoad = `{"address":"2 Station Road, Leeds LS2 7EU","location":{"longitude":-1.54,"latitude":53.79}}`
	canalQuay   = `{"address":"3 Canal Quay, Leeds LS9 8HP","location":{"longitude":-1.53,"latitude":53.81}}`
	highStreet  = `{"address":"7 High Street, Leeds LS6 1AA","location":{"longitude":-1.57,"latitude":53.82}}`
	atTen       = `2026-10-20T10:00:00Z`
	atNoon      = `2026-10-20T12:00:00Z`
	noonInParis = `2026-10-20T12:00:00.000+02:00` // atTen

	requiredFields = `"name":"Ann","phoneNumber":"442079460001","pickup":` + millLane1 + `,"dropoffs":[` + stationRoad + `],"pickupTime":"` + atTen + `"`

	bareOrder = `{` + requiredFields + `}`
	annsOrder = `{"userId":"u1",` + requiredFields + `}`
	annsEdit  = `{"userId":"u1","journeyId":"j1",` + requiredFields + `}`
	annsPhone = `{"phoneNumber":"442079460001"}`
	annsIDs   = `{"userId":"u1","journeyId":"j1"}`
	waiting   = `{"journeyId":"j1","status":"WAITING"}`
	cancelled = `{"journeyId":"j1","status":"CANCELLED"}`

	// What Ann's journey shows of when and where.
	shownBooking = `"date":"` + atTen + `","pickup":` + millLane1 + `,"dropoffs":[` + stationRoad + `]`
)

// Parts of a journey that carry more.
const (
	anETA       = `"eta":{"value":5,"unit":"minutes"}`
	aPrice      = `"price":{"value":12.5,"currency":"GBP","type":"FIXED"}`
	aVehicle    = `"vehicle":{"description":"Black Ford Galaxy","registration":"AB12 CDE"}`
	aDriver     = `"driver":{"name":"Percy","phoneNumber":"447700900456","badgeNumber":"P123"}`
	aPassenger  = `"passenger":{"phoneNumber":"442079460001","name":"Ann"}`
	atMillLane  = `"location":{"longitude":-1.5501,"latitude":53.8001}`
	atCanalQuay = `"location":{"longitude":-1.53,"latitude":53.81}`
)

// journeyAt returns a journey as /status shows it, with further members.
func journeyAt(id, status string, more ...string) string {
	return briefly(id, status, append([]string{shownBooking}, more...)...)
}

// briefly returns a journey with no more members than those given.
func briefly(id, status string, more ...string) string {
	return `{` + strings.Join(append([]string{`"journeyId":"` + id + `"`, `"status":"` + status + `"`}, more...), ",") + `}`
}

// annListing returns the reply of /user about Ann with active bookings.
func annListing(journeys ...string) string {
	return `{"userId":"u1","phoneNumber":"442079460001","name":"Ann","activeBookings":[` + strings.Join(journeys, ",") + `]}`
}

// The calls that most histories consist of.
var (
	annLooks   = asked("user", annsPhone, 200, annListing())
	annBooks   = asked("book", annsOrder, 200, waiting)
	annReads   = asked("status", annsIDs, 200, journeyAt("j1", "WAITING"))
	annCancels = asked("cancel", annsIDs, 200, cancelled)
	annEdits   = asked("book", annsEdit, 200, waiting)
	annBooked  = []step{annLooks, annBooks}

	bensTexts = strings.NewReplacer("u1", "u2", "0001", "0002", "Ann", "Ben", "j1", "j2", millLane1, highStreet)
	benLooks  = bens(annLooks)
	benBooks  = bens(annBooks)

	configAsked = asked("config", `{}`, 200, `{"status":"OK"}`)
)

// bens returns a call of Ann's as made by Ben.
func bens(s step) step {
	s.sent, s.reply = bensTexts.Replace(s.sent), bensTexts.Replace(s.reply)
	return s
}

// annListed returns a /user call about Ann whose reply lists journeys.
func annListed(journeys ...string) step { return annLooks.gets(200, annListing(journeys...)) }

// annSees returns a /status call about Ann's journey in a status, with further members.
func annSees(status string, more ...string) step {
	return annReads.gets(200, journeyAt("j1", status, more...))
}

// plainCalls are a sound call of each operation, after which the next is sound.
var plainCalls = []step{configAsked, annLooks, annBooks, annReads, annCancels}

// scripts writes Ann's street in another way.
var scripts = strings.NewReplacer("1 Mill Lane", "1 Café Lane, שלום 🚕")
