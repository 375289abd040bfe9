package rules_test

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// wireRows returns the rows of each wire check on each operation. The changed call is the last of a history in
// which everything else is right.
func wireRows() []row {
	var rows []row
	for n, s := range plainCalls {
		on := func(check, name string, want conformance.Outcome, changed ...step) {
			rows = append(rows, row{check: check + "@" + s.op, name: name, want: want, calls: then(plainCalls[:n], changed...)})
		}
		on("W-01", "a JSON object", passes, s)
		on("W-01", "an array", fails, s.gets(200, `[]`))
		on("W-01", "a page", fails, s.gets(200, `<html>Welcome</html>`))
		on("W-01", "no body", fails, s.gets(200, ``))
		on("W-01", "no answer", fails, s.unanswered())
		on("W-01", "never served", fails, s.refused(404))
		on("W-01", "only put off", unverified, s.refused(429).answering("Retry-After", "1"))
		on("W-01", "put off, then served", passes, s.refused(429).answering("Retry-After", "1"), s)
		on("W-02", "200", passes, s)
		on("W-02", "201", warns, s.gets(201, s.reply))
		on("W-02", "refused", unverified, s.refused(503))
		on("W-02", "a GET", unverified, s.byGET().gets(201, s.reply))
		on("W-03", "application/json", passes, s)
		on("W-03", "with a charset", passes, s.answering("Content-Type", "application/json; charset=utf-8"))
		on("W-03", "a kind of JSON", warns, s.answering("Content-Type", "application/vnd.taxi+json"))
		on("W-03", "text/html", fails, s.answering("Content-Type", "text/html"))
		on("W-03", "refused", unverified, s.refused(503).answering("Content-Type", "text/html"))
		rows = append(rows, formRows(plainCalls[:n], s)...)
	}
	return slices.Concat(rows, wireByteRows, methodRows())
}

// formRows returns the rows of calls that differ from an ordinary one in form.
func formRows(before []step, s step) []row {
	var rows []row
	for _, f := range []struct{ check, intent string }{
		{"W-04", "unknown-fields"},
		{"W-05", "charset"},
		{"W-08", "accept"},
		{"W-09", "framing"},
		{"W-10", "keep-alive"},
		{"W-10", "http2"},
		{"W-16", "nulls"},
	} {
		call := s.intends(f.intent)
		rows = append(
			rows,
			row{f.check + "@" + s.op, f.intent + ": served", passes, then(before, call), ""},
			row{f.check + "@" + s.op, f.intent + ": refused", fails, then(before, call.refused(400)), ""},
			row{f.check + "@" + s.op, f.intent + ": refused in its usual form, too", unverified, then(before, call.refused(400), s.refused(400)), ""},
			row{f.check + "@" + s.op, f.intent + ": nobody tried", unverified, then(before, s), ""},
		)
	}
	return rows
}

// wireByteRows are rows of what the bytes of an answer are like.
var wireByteRows = []row{
	{"W-01@config", "a page in answer to a GET", unverified, []step{configAsked.byGET().gets(200, `<p>`)}, ""},
	{"W-01@config", "a page at a doubled slash", unverified, []step{configAsked.tries("slashes").gets(200, `<p>`)}, ""},
	{"W-01@config", "a page at another port", unverified, []step{configAsked.tries("plain-http").gets(200, `<p>`)}, ""},
	{"W-01@user", "every number is unknown", unverified, []step{newcomer.refused(404)}, ""},
	{"W-01@user", "every number crashes", fails, []step{newcomer.refused(500)}, ""},
	{"W-01@user", "every number is refused without a word", fails, []step{newcomer.gets(404, ``)}, ""},

	{"W-06@config", "a doubled slash is served", passes, []step{configAsked.tries("slashes"), configAsked}, ""},
	{"W-06@config", "a doubled slash is refused", passes, []step{configAsked.tries("slashes").refused(404), configAsked}, ""},
	{"W-06@config", "a doubled slash is redirected", fails, []step{configAsked.tries("slashes").refused(301), configAsked}, ""},
	{"W-06@config", "refused by a server that serves nothing", unverified, []step{configAsked.tries("slashes").refused(404)}, ""},

	{"W-11@config", "gzip although nobody asked", fails, []step{configAsked.answering("Content-Encoding", "gzip")}, ""},
	{"W-11@config", "gzip as asked", passes, []step{configAsked.asking("Accept-Encoding", "gzip").answering("Content-Encoding", "gzip")}, ""},
	{"W-11@config", "nothing compressed", passes, []step{configAsked}, ""},
	{"W-11@config", "said to be nothing compressed", passes, []step{configAsked.answering("Content-Encoding", "identity")}, ""},
	{"W-11@config", "no answer", unverified, []step{configAsked.unanswered()}, ""},

	{"W-12@status", "a text as it was", passes, then(annBooked[:1], scripted(annBooks), scripted(annReads)), ""},
	{"W-12@status", "an accent lost", fails, then(annBooked[:1], scripted(annBooks), scripted(annReads).but("é", "e")), "/pickup/address"},
	{"W-12@status", "decoded as an address of the web", fails, then(annBooked[:1], scripted(annBooks).sending("é", "é%41"), scripted(annReads).but("é", "éA")), "Keep + and %"},
	{"W-12@status", "no text shown", unverified, then(annBooked[:1], scripted(annBooks), scripted(annReads).gets(200, waiting)), ""},
	{"W-12@status", "plain text", unverified, then(annBooked, annReads), ""},

	{"W-13@config", "an object and no more", passes, []step{configAsked}, ""},
	{"W-13@config", "a byte-order mark", fails, []step{configAsked.gets(200, "\ufeff"+configAsked.reply)}, ""},
	{"W-13@config", "a key twice", fails, []step{configAsked.gets(200, `{"status":"OK","status":"OK"}`)}, ""},
	{"W-13@config", "bytes after the object", fails, []step{configAsked.gets(200, configAsked.reply+"}")}, ""},
	{"W-13@config", "no JSON at all", unverified, []step{configAsked.gets(200, `OK`)}, ""},

	{"W-14@book", "a short sentence", passes, []step{annBooks.refused(400)}, ""},
	{"W-14@book", "a stack trace", fails, []step{annBooks.gets(500, `{"error":"goroutine 12 [running]: main.go:33"}`)}, ""},
	{"W-14@book", "SQL", fails, []step{annBooks.gets(500, `{"error":"SQLSTATE 42601"}`)}, ""},
	{"W-14@book", "a path on the server", fails, []step{annBooks.gets(500, `{"error":"/srv/taxi/main"}`)}, ""},
	{"W-14@book", "a path in quotation marks", fails, []step{annBooks.gets(500, `{"error":"open '/etc/taxi.conf'"}`)}, ""},
	{"W-14@book", "a path behind a sign", fails, []step{annBooks.gets(500, `{"error":"file=/var/lib/taxi.db"}`)}, ""},
	{"W-14@book", "a path with escaped slashes", fails, []step{annBooks.gets(500, `{"error":"\/home\/taxi\/main.x"}`)}, ""},
	{"W-14@book", "a path of Windows", fails, []step{annBooks.gets(500, `{"error":"at C:/taxi/main"}`)}, ""},
	{"W-14@book", "an address", passes, []step{annBooks.gets(400, `{"type":"https://taxi.example/var/errors#1","see":"taxi.example/home/x"}`)}, ""},
	{"W-14@book", "words between slashes", passes, []step{annBooks.gets(400, `{"error":"pickup/home/work is odd, and/or late"}`)}, ""},
	{"W-14@book", "the path that was called", passes, []step{annBooks.gets(400, `{"error":"/srv/book?"}`)}, ""},
	{"W-14@book", "nothing refused", unverified, []step{annBooks}, ""},

	{"W-15@config", "no redirect", passes, []step{configAsked}, ""},
	{"W-15@config", "moved", fails, []step{configAsked.refused(301)}, ""},
	{"W-15@config", "moved, and still a POST", warns, []step{configAsked.refused(308)}, ""},
	{"W-15@config", "no answer", unverified, []step{configAsked.unanswered()}, ""},
	{"W-15@config", "a GET is moved", unverified, []step{configAsked.byGET().refused(301)}, ""},

	{"W-17@status", "strings and numbers", passes, then(annBooked, annReads), ""},
	{"W-17@status", "an id that is a number", fails, then(annBooked, annReads.but(`"j1"`, `1`)), "/journeyId"},
	{"W-17@status", "a longitude that is a string", fails, then(annBooked, annReads.but(`-1.55`, `"-1.55"`)), "/pickup/location/longitude"},
	{"W-17@status", "no object", unverified, then(annBooked, annReads.gets(200, `[]`)), ""},
}

// scripted is a call of which the address has accents and other scripts.
func scripted(s step) step {
	s.sent, s.reply = scripts.Replace(s.sent), scripts.Replace(s.reply)
	if s.op == "book" {
		return s.intends("scripts")
	}
	return s
}

// methodRows returns the rows of calls with a method other than POST.
func methodRows() []row {
	var rows []row
	for n, s := range plainCalls {
		get := s.tries("method").byGET()
		on := func(name string, want conformance.Outcome, changed ...step) {
			rows = append(rows, row{check: "W-07@" + s.op, name: name, want: want, calls: then(plainCalls[:n], changed...)})
		}
		on("refused", passes, get.refused(405), s)
		on("served", fails, get, s)
		on("a crash", fails, get.refused(500), s)
		on("unknown to the server", warns, get.refused(501), s)
		on("refused like everything else", unverified, get.refused(405), s.refused(405))
	}
	return rows
}
