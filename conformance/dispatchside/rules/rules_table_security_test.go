package rules_test

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

var (
	overWire   = configAsked.in("over the wire")
	overTLS    = overWire.to("https://taxi.example/config")
	goodTLS    = conformance.Security{Version: "TLS 1.3", Modern: true, Verified: true, NotAfter: firstCall.AddDate(0, 2, 0)}
	inTheClear = configAsked.tries("plain-http")
	schemeCase = configAsked.intends("scheme-case")
	noneSuch   = annReads.sending(`j1`, `j9`).tries("no-such").refused(404)
	notYours   = bensRead.tries("not-yours").refused(404)
	tellsName  = bensRead.gets(404, `{"error":"it is Ann's"}`)
	injected   = annBooks.sending("Ann", `Ann\r\nX-Injected: 1`).intends("injection")
)

// securityRows are the rows of who may call, and of what strangers learn.
var securityRows = slices.Concat(transportRows, strangerRows(), refusalRows)

var transportRows = []row{
	{"SEC-01", "https", passes, []step{overTLS}, ""},
	{"SEC-01", "http to another machine", fails, []step{overTLS.to("http://taxi.example/config")}, ""},
	{"SEC-01", "http on this machine", unverified, []step{overWire}, ""},
	{"SEC-01", "https in another probe", unverified, []step{configAsked.to("https://taxi.example/config")}, ""},

	{"SEC-02", "TLS 1.3 and two months", passes, []step{overTLS.over(goodTLS)}, ""},
	{"SEC-02", "TLS 1.1", fails, []step{overTLS.over(conformance.Security{Version: "TLS 1.1", Verified: true, NotAfter: goodTLS.NotAfter})}, ""},
	{"SEC-02", "one week", fails, []step{overTLS.over(conformance.Security{Version: "TLS 1.3", Modern: true, Verified: true, NotAfter: firstCall.Add(7 * 24 * time.Hour)})}, ""},
	{"SEC-02", "a certificate that nobody verified", unverified, []step{overTLS.over(conformance.Security{Version: "TLS 1.3", Modern: true, NotAfter: goodTLS.NotAfter})}, ""},
	{"SEC-02", "plain http", unverified, []step{overWire}, ""},

	{"SEC-03", "closed", passes, []step{inTheClear.unanswered(), configAsked}, ""},
	{"SEC-03", "refused", passes, []step{inTheClear.refused(403), configAsked}, ""},
	{"SEC-03", "served", fails, []step{inTheClear, configAsked}, ""},
	{"SEC-03", "redirected", warns, []step{inTheClear.refused(301), configAsked}, ""},
	{"SEC-03", "asked for credentials", warns, []step{inTheClear.refused(401), configAsked}, ""},
	{"SEC-03", "closed like everything else", unverified, []step{inTheClear.unanswered(), configAsked.unanswered()}, ""},
	{"SEC-03", "nobody tried", unverified, []step{overTLS}, ""},

	{"SEC-04", "served", passes, []step{overWire}, ""},
	{"SEC-04", "401", fails, []step{overWire.refused(401)}, ""},
	{"SEC-04", "403", fails, []step{overWire.refused(403)}, ""},
	{"SEC-04", "refused for something else", unverified, []step{overWire.refused(400)}, ""},
	{"SEC-04", "refused in another probe", unverified, []step{configAsked.refused(401)}, ""},

	{"SEC-08", "other capitals are served", passes, []step{schemeCase}, ""},
	{"SEC-08", "other capitals are refused", fails, []step{schemeCase.refused(401)}, ""},
	{"SEC-08", "nobody tried", unverified, []step{configAsked}, ""},
}

// strangerRows returns the rows of calls without the right credentials, on each operation.
func strangerRows() []row {
	var rows []row
	for _, c := range []struct{ check, intent string }{{"SEC-05", "no-credentials"}, {"SEC-06", "wrong-credentials"}} {
		for n, s := range plainCalls {
			try := s.tries(c.intent)
			on := func(name string, want conformance.Outcome, changed ...step) {
				rows = append(rows, row{check: c.check, name: s.op + " " + name, want: want, calls: then(plainCalls[:n], changed...)})
			}
			on("refused", passes, try.refused(401), s)
			on("served", fails, try, s)
			on("a crash", fails, try.refused(500), s)
			on("refused to everybody", unverified, try.refused(401), s.refused(401))
			on("nobody tried", unverified, s)
		}
	}
	return rows
}

var refusalRows = []row{
	{"SEC-05", "no answer over https", passes, []step{overTLS.tries("no-credentials").unanswered(), overTLS}, ""},
	{"SEC-05", "no answer over http", fails, []step{configAsked.tries("no-credentials").unanswered(), configAsked}, ""},

	{"SEC-07", "refused, and nothing is cancelled", passes, then(annBooked, annCancels.tries("no-credentials").refused(401), annReads), ""},
	{"SEC-07", "refused, and cancelled", fails, then(annBooked, annCancels.tries("no-credentials").refused(401), readsEnd), "/status"},
	{"SEC-07", "refused, and booked", fails, then(annBooked, secondTrip.tries("no-credentials").refused(401), annListed(journeyAt("j1", "WAITING"), journeyAt("j3", "WAITING"))), ""},
	{"SEC-07", "nobody looked", unverified, then(annBooked, annCancels.tries("no-credentials").refused(401)), ""},

	{"SEC-09", "refused alike", passes, then(annBooked, noneSuch, notYours), ""},
	{"SEC-09", "other codes", fails, then(annBooked, noneSuch, notYours.refused(403)), ""},
	{"SEC-09", "other words", warns, then(annBooked, noneSuch, notYours.gets(404, `{"error":"not yours"}`)), ""},
	{"SEC-09", "only one of them", unverified, then(annBooked, notYours), ""},
	{"SEC-09", "one of them crashes", unverified, then(annBooked, noneSuch.refused(500), notYours), ""},
	{"SEC-09", "the other crashes", unverified, then(annBooked, noneSuch, notYours.refused(500)), ""},
	{"SEC-09", "ids and times of their own", passes, then(annBooked, noneSuch.gets(404, `{"error":"no","traceId":"1","time":"1","instance":"a"}`), notYours.gets(404, `{"error":"no","traceId":"2","time":"2","instance":"b"}`)), ""},

	{"SEC-10", "a short sentence", passes, then(annBooked, bensRead.refused(404), annReads), ""},
	{"SEC-10", "a passenger's name", fails, then(annBooked, tellsName, annReads), ""},
	{"SEC-10", "a name that the stranger sent", passes, then(annBooked, bensEdit.gets(404, tellsName.reply), annBooks), ""},
	{"SEC-10", "a name, to Ann herself", unverified, then(annBooked, annReads.gets(404, tellsName.reply), annReads), ""},
	{"SEC-10", "a name in an answer that is no refusal", unverified, then(annBooked, bensRead.gets(200, tellsName.reply), annReads), ""},
	{"SEC-10", "the credentials", fails, then(annBooked, bensRead.refused(404).echoing(), annReads), ""},
	{"SEC-10", "refused like everything else", unverified, then(annBooked, bensRead.refused(404)), ""},

	{"SEC-11", "ids that count up", observed, times(5, annBooks.sending("1 Mill", "# Mill").but("j1", "j#")), ""},
	{"SEC-11", "four ids", unverified, times(4, annBooks.sending("1 Mill", "# Mill").but("j1", "j#")), ""},

	{"SEC-12", "kept as text", passes, []step{injected}, ""},
	{"SEC-12", "a header of the reply", fails, []step{injected.answering("X-Injected", "1")}, ""},
	{"SEC-12", "a crash", fails, []step{injected.refused(500)}, ""},
	{"SEC-12", "nobody tried", unverified, []step{annBooks}, ""},
}
