package rules_test

import (
	"fmt"
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// badRows returns the rows of each class of bad calls on each operation. Calls of classes 01 to 05 cannot be
// parsed at all, the others can.
func badRows() []row {
	var rows []row
	for class := 1; class <= 15; class++ {
		id := fmt.Sprintf("BAD-%02d", class)
		for n, s := range plainCalls {
			try := s.tries(id)
			if class <= 5 {
				try.sent = ""
			}
			on := func(name string, want conformance.Outcome, changed ...step) {
				rows = append(rows, row{check: id + "@" + s.op, name: name, want: want, calls: then(plainCalls[:n], changed...)})
			}
			on("refused", passes, try.refused(400), s)
			on("a crash", fails, try.refused(500), s)
			on("refused like everything else", unverified, try.refused(400), s.refused(400))
			on("nobody tried", unverified, s)
			if class != 6 {
				on("no answer", fails, try.unanswered(), s)
			}
			if class <= 5 && s.op != "config" {
				on("served", fails, try, s)
			}
		}
	}
	return slices.Concat(rows, badStateRows)
}

var (
	oddName   = annBooks.sending(`"Ann"`, `"{{7*7}}${7*7}"`).tries("BAD-12")
	oddKeys   = annBooks.sending(`"pickup"`, `"Pickup"`).tries("BAD-15")
	noBody    = annCancels.tries("BAD-01").gets(400, `{}`)
	oddNotice = annSees("WAITING", aPassenger).tries("BAD-12")
)

// badStateRows are rows of what bad calls leave behind.
var badStateRows = []row{
	{"BAD-01@cancel", "refused, and the journey lives", passes, then(annBooked, noBody, annReads, annCancels), ""},
	{"BAD-01@config", "served", passes, []step{configAsked.tries("BAD-01"), configAsked}, ""},
	{"BAD-01@book", "200 without a journey", passes, []step{annBooks.tries("BAD-01").gets(200, `{}`), annBooks}, ""},
	{"BAD-01@book", "made of nothing, under userIds that change", fails, []step{annLooks, annLooks.but(`u1`, `u9`), annBooks.tries("BAD-01"), annBooks}, ""},
	{"BAD-08@status", "the journey named is shown", passes, then(annBooked, annReads.tries("BAD-08")), ""},
	{"BAD-08@status", "another journey is shown", fails, then(annBooked, benLooks, benBooks, annReads.tries("BAD-08").but(`j1`, `j2`)), ""},
	{"BAD-08@status", "an invented journey is shown", fails, then(annBooked, annReads.sending(`j1`, `j9`).but(`j1`, `j9`).tries("BAD-08")), ""},
	{"BAD-08@cancel", "the journey named is cancelled", passes, then(annBooked, annCancels.tries("BAD-08")), ""},
	{"BAD-08@cancel", "another journey is cancelled", fails, then(annBooked, benLooks, benBooks, annCancels.tries("BAD-08").but(`j1`, `j2`)), ""},
	{"BAD-09@status", "bytes that are no text name the journey", passes, then(annBooked, asked("status", "\xff", 200, annReads.reply).tries("BAD-09")), ""},
	{"BAD-15@status", "the journey named in other capitals", passes, then(annBooked, annReads.sending(`journeyId`, `JourneyId`).tries("BAD-15")), ""},
	{"STA-01", "not there after an odd cancellation", unverified, then(annBooked, annCancels.tries("BAD-08"), annReads.refused(404)), ""},
	{"STA-01", "not there after an odd cancellation with one L", unverified, then(annBooked, annCancels.tries("BAD-08").but(`CANCELLED`, `CANCELED`), annReads.refused(404)), ""},
	{"BAD-01@cancel", "refused, and the journey is cancelled", fails, then(annBooked, noBody, readsEnd, annCancels), "/status"},
	{"BAD-01@book", "refused, and nothing is booked", passes, []step{annLooks, annBooks.tries("BAD-01").refused(400), annBooks, annsBooking}, ""},
	{"BAD-01@book", "refused, and booked", fails, []step{annLooks, annBooks.tries("BAD-01").refused(400), annBooks, annListed(journeyAt("j1", "WAITING"), journeyAt("j9", "WAITING"))}, "/activeBookings/1"},
	{"BAD-06@book", "the connection breaks off", warns, []step{annBooks.tries("BAD-06").unanswered(), annBooks}, ""},
	{"BAD-12@book", "a quote in a name", fails, []step{annLooks, annBooks.sending(`"Ann"`, `"Ann'"`).tries("BAD-12").refused(500), annBooks}, "the text kept"},
	{"BAD-12@book", "a quote comes back twice", fails, []step{annLooks, annBooks.sending(`"Ann"`, `"Ann'"`).tries("BAD-12"), oddNotice.but(`"Ann"`, `"Ann''"`)}, "/passenger/name"},
	{"BAD-12@book", "a quote comes back", passes, []step{annLooks, annBooks.sending(`"Ann"`, `"Ann'"`).tries("BAD-12"), oddNotice.but(`"Ann"`, `"Ann'"`)}, ""},
	{"BAD-12@book", "a quote is lost", warns, []step{annLooks, annBooks.sending(`"Ann"`, `"Ann'"`).tries("BAD-12"), oddNotice}, "has lost '"},
	{"BAD-12@status", "any user's", fails, then(annBooked, annReads.sending(`u1`, `%`).tries("BAD-12")), ""},
	{"BAD-12@book", "a template is kept as text", passes, []step{annLooks, oddName, oddNotice.but(`"Ann"`, `"{{7*7}}${7*7}"`)}, ""},
	{"BAD-12@book", "a template runs", fails, []step{annLooks, oddName, oddNotice.but(`"Ann"`, `"4949"`)}, "/passenger/name"},
	{"BAD-15@book", "taken whole", passes, []step{annLooks, oddKeys, annReads.tries("BAD-15")}, ""},
	{"BAD-15@book", "taken by half", fails, []step{annLooks, oddKeys, annReads.but(millLane1, highStreet).tries("BAD-15")}, "/pickup"},
}
