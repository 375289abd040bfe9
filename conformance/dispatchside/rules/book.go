package rules

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// bookChecks are about making a booking; those about editing one are editChecks.
var bookChecks = []conformance.Check{
	{
		ID: "BOK-01", Level: conformance.Must, Clause: clauseBook,
		Requirement: "name, phoneNumber, pickup, dropoffs and pickupTime suffice; the reply has journeyId and status.",
		Why:         "A first-time caller has no userId; without this they cannot book.",
		Hint:        "Do not demand userId, journeyId, vehicleCategory or data; answer {journeyId, status}.",
	},
	{
		ID: "BOK-02", Level: conformance.Must, Clause: clauseBook,
		Requirement: "journeyId: null or absent creates a booking.",
		Why:         "Platforms that send null for absent values could not book.",
		Hint:        "Treat journeyId null as absent.",
	},
	{
		ID: "BOK-03", Level: conformance.Must, Clause: clauseBook,
		Requirement: "userId, vehicleCategory and data may be given with a booking.",
		Why:         "Known callers and customers with settings of their own could not book.",
		Hint:        "Accept every optional field; ignore what you do not use.",
	},
	{
		ID: "BOK-04", Level: conformance.Must, Clause: clauseBook, Needs: "a served /book call",
		Requirement: "journeyId: string (required): not empty, and another for every booking.",
		Why:         "Two journeys with one id: one caller cancels the other's taxi.",
		Hint:        "Give each booking a new, non-empty string id.",
	},
	{
		ID: "BOK-05", Level: conformance.Must, Clause: clauseStatuses, Needs: "a served /book call",
		Requirement: "status: HELD, WAITING, ACCEPTED, EN_ROUTE, ARRIVED, POB, COMPLETE (or CANCELLED).",
		Why:         "The platform cannot tell the caller a status that it does not know.",
		Hint:        "Use exactly the interface's spellings.",
	},
	{
		ID: "BOK-06", Level: conformance.Should, Clause: clauseStatuses, Needs: "a served /book call",
		Requirement: "A journey just booked is not COMPLETE or CANCELLED.",
		Why:         `The caller hears "booked" and no taxi will come.`,
		Hint:        "Refuse bookings that you cannot serve with 4xx.",
	},
	{
		ID: "BOK-07", Level: conformance.Must, Clause: clauseJourney, Needs: "a reply with the dropoffs of a journey booked with two or more",
		Requirement: "dropoffs: array of Address, at least 1: all are kept, in order.",
		Why:         "The second passenger is never taken home.",
		Hint:        "Store the whole array.",
	},
	{
		ID: "BOK-08", Level: conformance.Must, Clause: clauseJourney, Needs: "a reply with the passenger of a journey booked for somebody else",
		Requirement: "passenger: Passenger object (may differ from the end user).",
		Why:         "The driver asks for the wrong person at the door.",
		Hint:        "Store name and phoneNumber of the booking separately from the user's.",
	},
	{
		ID: "BOK-09", Level: conformance.Must, Clause: clauseJourney, Needs: "a /book reply with date, pickup, dropoffs or passenger",
		Requirement: "Further Journey fields allowed: those sent are well formed.",
		Why:         "Malformed fields break the read-back after booking.",
		Hint:        "Send the objects as the interface describes them, or omit them.",
	},
	{
		ID: "BOK-10", Level: conformance.Must, Clause: clauseBook,
		Requirement: "pickupTime: string, ISO 8601 date-time: with Z, an offset or a fraction of a second.",
		Why:         "Bookings from platforms in summer time, or with another clock library, fail.",
		Hint:        "Parse times with a library that reads RFC 3339.",
	},
	// A MUST, although the interface has no separate sentence for it: an ISO 8601
	// date-time with an offset denotes one instant. A server that shows another instant
	// has not read the required field, and no caller can book a taxi for a given time.
	{
		ID: "BOK-11", Level: conformance.Must, Clause: clauseBook, Needs: "a reply with the date of a journey booked with an offset",
		Requirement: "pickupTime: ISO 8601 date-time: date is the same instant, whatever the offset sent.",
		Why:         "The taxi comes an hour early or late.",
		Hint:        "Keep the offset, or convert to UTC; never drop it.",
	},
	{
		ID: "BOK-12", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "A pickup now and one in a week are both accepted.",
		Why:         "Most callers want a taxi now; some plan ahead.",
		Hint:        "Accept both immediate and advance bookings.",
	},
	{
		ID: "BOK-13", Level: conformance.Observed, Clause: clauseBook,
		Requirement: "The interface does not show the answer to a pickupTime in the past; the answer is recorded.",
		Why:         "Clocks differ, and callers change their mind.",
		Hint:        "Refuse times long past; tolerate a few minutes.",
	},
	{
		ID: "BOK-14", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "An unknown vehicleCategory is refused cleanly or served with another car.",
		Why:         "A category renamed on one side would stop all bookings.",
		Hint:        "Answer 4xx, or fall back to the default.",
	},
	{
		ID: "BOK-24", Level: conformance.Should, Clause: clauseBook, Requirement: "name: required.",
		Why: "The driver does not know whom to ask for.", Hint: "Refuse a booking without name with 4xx.",
	},
	{
		ID: "BOK-25", Level: conformance.Should, Clause: clauseBook, Requirement: "phoneNumber: required.",
		Why: "Nobody can tell the passenger that the taxi has arrived.", Hint: "Refuse a booking without phoneNumber with 4xx.",
	},
	{
		ID: "BOK-26", Level: conformance.Should, Clause: clauseBook, Requirement: "pickup: required.",
		Why: "A taxi is sent to nowhere.", Hint: "Refuse a booking without pickup with 4xx.",
	},
	{
		ID: "BOK-27", Level: conformance.Should, Clause: clauseBook, Requirement: "dropoffs: required.",
		Why: "The fare and the route are unknown.", Hint: "Refuse a booking without dropoffs with 4xx.",
	},
	{
		ID: "BOK-28", Level: conformance.Should, Clause: clauseBook, Requirement: "pickupTime: required.",
		Why: "A taxi is booked for no particular time.", Hint: "Refuse a booking without pickupTime with 4xx.",
	},
	{
		ID: "BOK-29", Level: conformance.Should, Clause: clauseBook, Requirement: "dropoffs: at least 1.",
		Why: "The fare and the route are unknown.", Hint: "Refuse an empty dropoffs array with 4xx.",
	},
	{
		ID: "BOK-30", Level: conformance.Robustness, Clause: clauseObjects,
		Requirement: "Address: address (required), location (required): one without either is refused cleanly.",
		Why:         "Half an address sends a driver to a wrong or unknown place.",
		Hint:        "Check both parts and answer 4xx.",
	},
	{
		ID: "BOK-31", Level: conformance.Robustness, Clause: clauseObjects,
		Requirement: "Latitude 91 and longitude 181 are refused; (0,0) does no harm.",
		Why:         "There is no such place.",
		Hint:        "Check -90 to 90 and -180 to 180.",
	},
	{
		ID: "BOK-32", Level: conformance.Should, Clause: clauseObjects, Needs: "a reply with the pickup or dropoffs of a journey booked",
		Requirement: "Coordinates come back as sent, within 25 metres (more than 1 metre is a warning).",
		Why:         "The taxi waits in another street, or, with the two swapped, in another ocean.",
		Hint:        "longitude is x, latitude is y; keep at least five decimals.",
	},
	{
		ID: "BOK-33", Level: conformance.Should, Clause: clauseObjects, Needs: "a reply with the pickup or dropoffs of a journey booked",
		Requirement: "The text of an address is kept.",
		Why:         "The caller does not recognise the place that is read back.",
		Hint:        "Store the text as received, in addition to your geocoder's result.",
	},
	{
		ID: "BOK-34", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "phoneNumber: E.164, with and without its plus sign.",
		Why:         "The interface does not say which of the two forms /book receives.",
		Hint:        "Accept phoneNumber with and without a plus sign: \"447700900123\" as in /user, and \"+447700900123\" as E.164 is usually written.",
	},
	{
		ID: "BOK-35", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "data: object, arbitrary plugin data: 8 KB of nested data are accepted.",
		Why:         "A customer with many settings could not book.",
		Hint:        "Do not limit data below 64 KB.",
	},
	{
		ID: "BOK-36", Level: conformance.Should, Clause: clauseBook, Needs: "a /user reply after a booking for somebody else under a known userId",
		Requirement: "A journey belongs to the userId given, not to the passenger's number.",
		Why:         "A daughter who books for her father could not cancel it.",
		Hint:        "Assign the journey to userId; use phoneNumber for the passenger.",
	},
	{
		ID: "BOK-37", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "pickupTime that is not a date-time (words, a bare date, a number) is refused cleanly.",
		Why:         "If the server guesses the time, the caller misses the train.",
		Hint:        "Answer 4xx naming the field.",
	},
	{
		ID: "BOK-38", Level: conformance.Observed, Clause: clauseEndUser, Needs: "the number of a DISABLED or BLACKLISTED user",
		Requirement: "The interface does not show the answer to a booking by a DISABLED or BLACKLISTED user; the answer is recorded.",
		Why:         "The platform does not book for them; another client may.",
		Hint:        "Refuse with 403.",
	},
	{
		ID: "BOK-39", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "A pickupTime that does not exist (31 November), or is followed by other text, is refused cleanly.",
		Why:         "The car comes on another day.",
		Hint:        "Parse dates strictly: format the parsed value again and compare it with the input.",
	},
	{
		ID: "BOK-40", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "An optional field of the wrong type is refused; a journeyId that is not a string never gives a second journey (ignoring another field is a warning).",
		Why:         "An edit becomes a second taxi.",
		Hint:        "Check the type of each field that is present; answer 4xx naming it.",
	},
	{
		ID: "BOK-41", Level: conformance.Observed, Clause: clauseBook,
		Requirement: "The answer to rare forms of ISO 8601 (a comma before the fraction, +0100, no offset) is recorded.",
		Why:         "A platform in another language may write one of them.",
		Hint:        "Parse ISO 8601 with a library, or refuse the forms that you do not support.",
	},
}

// judgeBook judges one call of /book by itself.
func judgeBook(x *conformance.Exchange, s *conformance.Findings) {
	if x.Request.Method != "POST" || !x.Sent().IsObject() {
		return
	}
	switch x.Intent {
	case IntentCategory:
		judgeCategory(x, s)
	case IntentMistyped:
		judgeMistyped(x, s)
		return
	case IntentTimeForm:
		s.Observe("BOK-41", fmt.Sprintf("pickupTime %s is answered %d", x.Sent().At("pickupTime").Show(), x.Code()), x)
		return
	case IntentDisabled, IntentBlacklisted:
		s.Observe("BOK-38", fmt.Sprintf("a booking by a %s is answered %d", x.Intent, x.Code()), x)
		return
	}
	if faults := bookFaults(x.Sent()); len(faults) > 0 {
		if len(faults) == 1 && !IsEdit(x) {
			judgeFault(faults[0], x, s)
		}
		return
	}
	switch x.Intent {
	case IntentUnknown:
		judgeUnknownEdit(x, s)
		return
	case IntentForeign:
		if x.Succeeded() && !Served(x) {
			s.Warn("BOK-22", "an edit with another user's userId was answered as a success, without a journey", "4xx", conformance.Answer(x), x)
			return
		}
		judgeRefusal(s, "BOK-22", "an edit with another user's userId", x)
		return
	}
	judgeBookRequest(x, s)
	if Served(x) {
		judgeBookReply(x, s)
	}
}

// fault is one fault of a /book request.
type fault struct {
	check, what string
	strict      bool // an answer other than 4xx is a failure, not only a booking
}

// almostTime matches text that starts like a date-time.
var almostTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d`)

// judgeMistyped judges a booking or an edit with an optional field of the wrong type.
func judgeMistyped(x *conformance.Exchange, s *conformance.Findings) {
	id := x.Sent().At("journeyId")
	switch {
	case x.RefusedCleanly():
		s.Refused("BOK-40", x)
	case !x.Succeeded():
		s.Fail("BOK-40", "a field of the wrong type was not refused cleanly", "4xx", conformance.Answer(x), x)
	case Served(x) && id.Given() && !id.IsText():
		s.Fail("BOK-40", "a /book with a journeyId that is not a string gave a journey", "4xx", conformance.Answer(x), x)
	default:
		s.Warn("BOK-40", "a field of the wrong type was ignored", "4xx", conformance.Answer(x), x)
	}
}

// bookFaults lists the faults for which a server should refuse a request.
func bookFaults(sent jsonvalue.Value) []fault {
	var faults []fault
	for _, f := range []struct{ key, check string }{
		{"name", "BOK-24"},
		{"phoneNumber", "BOK-25"},
		{"pickup", "BOK-26"},
		{"dropoffs", "BOK-27"},
		{"pickupTime", "BOK-28"},
	} {
		if v := sent.At(f.key); !v.Given() || v.IsText() && !v.HasText() {
			faults = append(faults, fault{f.check, "a booking without " + f.key, false})
		}
	}
	if d := sent.At("dropoffs"); d.IsArray() && len(d.Items()) == 0 {
		faults = append(faults, fault{"BOK-29", "a booking with dropoffs []", false})
	}
	for _, a := range append(sent.At("dropoffs").Items(), sent.At("pickup")) {
		if a.Given() {
			faults = append(faults, placeFaults(a)...)
		}
	}
	if t := sent.At("pickupTime"); t.Given() {
		if _, err := taxi.ParseTime(t.Text()); err != nil {
			check := "BOK-37"
			if almostTime.MatchString(t.Text()) {
				check = "BOK-39"
			}
			faults = append(faults, fault{check, "pickupTime " + t.Show(), true})
		}
	}
	return faults
}

func placeFaults(a jsonvalue.Value) []fault {
	point := a.At("location")
	switch {
	case !a.At("address").HasText():
		return []fault{{"BOK-30", a.Pointer() + " without address", true}}
	case !point.IsObject():
		return []fault{{"BOK-30", a.Pointer() + " without location", true}}
	case len(pointFlaws(point)) > 0:
		return []fault{{"BOK-31", point.Pointer() + " " + point.Show(), true}}
	}
	return nil
}

func judgeFault(f fault, x *conformance.Exchange, s *conformance.Findings) {
	switch {
	case Served(x):
		s.Fail(f.check, f.what+" was reported as booked", "4xx", conformance.Answer(x), x)
	case x.RefusedCleanly():
		s.Refused(f.check, x)
	case f.strict:
		s.Fail(f.check, f.what+" was not refused cleanly", "4xx", conformance.Answer(x), x)
	default:
		s.Warn(f.check, f.what+" was not refused cleanly", "4xx", conformance.Answer(x), x)
	}
}

func judgeCategory(x *conformance.Exchange, s *conformance.Findings) {
	fine := x.Succeeded() || x.RefusedCleanly()
	s.Want("BOK-14", fine, conformance.Answer(x), "4xx, or the booking served", x)
}

func judgeUnknownEdit(x *conformance.Exchange, s *conformance.Findings) {
	switch {
	case Served(x):
		s.Fail("BOK-21", "an edit of an unknown journey was answered with a journey", "404", conformance.Answer(x), x)
	case x.RefusedCleanly():
		s.Refused("BOK-21", x)
	default:
		s.Warn("BOK-21", "an edit of an unknown journey was not refused cleanly", "404", conformance.Answer(x), x)
	}
}

// judgeBookRequest judges whether the allowed forms of a booking are served. A refusal
// is filed under the most unusual form of the request.
func judgeBookRequest(x *conformance.Exchange, s *conformance.Findings) {
	if _, variant := Variants[x.Intent]; variant {
		return
	}
	if IsEdit(x) {
		if MustServe(x) && !Served(x) {
			s.Fail("BOK-15", "an edit was not served", "the journey with its id and status", conformance.Answer(x), x)
		}
		return
	}
	forms := bookForms(x)
	if Served(x) {
		for _, f := range forms {
			s.Pass(f.check, x)
		}
		return
	}
	if blame := forms[0]; MustServe(x) && blame.check != "BOK-13" { // BOK-13 only records the answer
		s.Fail(blame.check, blame.what+" did not give a journey", "journeyId and status", conformance.Answer(x), x)
	}
}

// form is a form of a booking that a server must accept.
type form struct{ check, what string }

// Forms that a check needs in pairs.
const (
	forNow      = "a booking for now"
	forNextWeek = "a booking for next week"
	withPlus    = "a phoneNumber with a plus sign"
	withoutPlus = "a phoneNumber without a plus sign"
)

const (
	large   = 6 << 10 // bytes from which a booking counts as large
	shortly = 10 * time.Minute
	ahead   = 6 * 24 * time.Hour
)

// bookForms lists the forms of a booking, the most unusual first.
func bookForms(x *conformance.Exchange) []form {
	var forms []form
	add := func(is bool, check, what string) {
		if is {
			forms = append(forms, form{check, what})
		}
	}
	text := x.Sent().At("pickupTime").Text()
	when, _ := taxi.ParseTime(text)
	until := when.Sub(x.Started)
	hasID := x.Sent().At("journeyId").Present()
	bare := !x.Sent().At("userId").Given() && !x.Sent().At("vehicleCategory").Given() && !x.Sent().At("data").Given()

	add(len(x.Request.Body) > large, "BOK-35", "a booking with large data")
	add(strings.HasPrefix(x.Sent().At("phoneNumber").Text(), "+"), "BOK-34", withPlus)
	add(!strings.HasSuffix(text, "Z") || strings.Contains(text, "."), "BOK-10", "pickupTime "+text)
	add(until > -shortly && until < shortly, "BOK-12", forNow)
	add(until < -shortly, "BOK-13", "a booking for the past")
	add(hasID, "BOK-02", "a booking with journeyId null")
	add(bare, "BOK-01", "a booking with the required fields only")
	add(!bare, "BOK-03", "a booking with optional fields")
	add(until > ahead, "BOK-12", forNextWeek)
	add(strings.HasSuffix(text, "Z"), "BOK-10", "pickupTime "+text)
	add(!strings.HasPrefix(x.Sent().At("phoneNumber").Text(), "+"), "BOK-34", withoutPlus)
	return forms
}

// judgeBookReply judges the answer to a booking or an edit.
func judgeBookReply(x *conformance.Exchange, s *conformance.Findings) {
	id, status := x.Reply().At("journeyId"), x.Reply().At("status")
	s.Want("BOK-04", id.HasText(), id, "string, not empty", x)
	known := judgeSpelling("BOK-05", status, x, s)
	if known && !IsEdit(x) {
		ended := taxi.Status(status.Text()).Terminal()
		s.Want("BOK-06", !ended, status, "the status of a journey that is to come", x)
	}
	judgeFurther(x, s)
}

// judgeFurther judges the optional parts of an answer to /book.
func judgeFurther(x *conformance.Exchange, s *conformance.Findings) {
	for _, part := range bookedParts {
		if v := x.Reply().At(part.key); v.Given() {
			judgeFlaws(s, "BOK-09", part.flaws(v), x)
		}
	}
}

// judgePast records what became of a booking for the past.
func judgePast(x *conformance.Exchange, s *conformance.Findings) {
	when, err := taxi.ParseTime(x.Sent().At("pickupTime").Text())
	ago := min(x.Started.Sub(when.Time), x.Wall().Sub(when.Time)) // a client of a world that runs ahead may use real time
	if x.Operation == OpBook && err == nil && ago > shortly && !IsEdit(x) {
		s.Observe("BOK-13", fmt.Sprintf("a pickup %s ago is answered %d", ago.Round(time.Hour), x.Code()), x)
	}
}
