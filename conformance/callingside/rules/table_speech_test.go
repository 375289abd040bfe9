package rules_test

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// speechRows returns the rows about what callers are told.
func speechRows() []row {
	hears := func(said string) []act {
		return []act{{task: follows, calls: calls(known(isAda), read(parked)), answer: `{"said":[` + said + `]}`}}
	}
	unheard := []act{{task: follows, calls: calls(known(isAda), read(parked))}}
	booksAnd := func(code int, reply, answer string) []act {
		return []act{{task: books, calls: calls(known(nobody), booked(code, reply)), answer: answer}}
	}
	cancelsAnd := func(reply, answer string) []act {
		x := cancelled(reply)
		if !strings.Contains(reply, "CANCELLED") {
			x.Intent = rules.IntentRefused
		}
		return []act{{task: cancels, calls: calls(known(isAda), x), answer: answer}}
	}
	without := func(reply, answer string) []act {
		return []act{{task: follows, calls: calls(known(nobody), after(rules.IntentMissing, read(reply))), answer: answer}}
	}
	const inSeconds = `{"journeyId":"JADA","status":"EN_ROUTE","eta":{"value":240,"unit":"seconds"},"price":{"value":12.4,"currency":"EUR"}}`
	odd := func(answer string) []act {
		return []act{{task: follows, calls: calls(after(rules.IntentOddUnits, read(inSeconds))), answer: answer}}
	}
	differs := func(member, said string) []act {
		x := after(rules.IntentOddUnits, read(`{"journeyId":"JADA","status":"EN_ROUTE",`+member+`}`))
		return []act{{task: follows, calls: calls(x), answer: `{"said":["` + said + `"]}`}}
	}
	priced := func(answer string) []act {
		x := after(rules.IntentOddUnits, booked(200, `{"journeyId":"J2","status":"WAITING","price":{"value":12.4,"currency":"EUR"}}`))
		return []act{{task: books, calls: calls(known(nobody), x), answer: answer}}
	}
	marked := func(answer string) []act {
		x := after(rules.IntentMarkup, read(strings.Replace(parked, "Zvereva", `<sub alias='Zebra'>Zvereva</sub>`, 1)))
		return []act{{task: follows, calls: calls(x), answer: answer}}
	}
	foreignCancel := func(answer string) []act {
		x := after(rules.IntentForeign, cancelled(`{"journeyId":"SOMEBODY","status":"CANCELLED"}`))
		return []act{{task: cancels, calls: calls(known(isAda), x), answer: answer}}
	}
	const isBooked, isNot = `{"said":["Your taxi is booked."]}`, `{"said":["Sorry, your taxi is not booked."]}`
	const isCancelled, stays = `{"said":["Your taxi is cancelled."]}`, `{"said":["Sorry, it was not cancelled."]}`
	const done, refused, ends = `{"journeyId":"JADA","status":"CANCELLED"}`, `{"journeyId":"JADA","status":"EN_ROUTE"}`, `{"outcome":"completed"}`
	const noETA = `{"journeyId":"JADA","status":"EN_ROUTE"}`
	called := control(books, isBooked, known(nobody), booked(200, waiting))
	return []row{
		{"P-44", "no number", pass, hears(`"Quentin drives."`)},
		{"P-44", "the number in figures", fail, hears(`"Call 0161 496 0123."`)},
		{"P-44", "the number in words", fail, hears(`"oh one six one four nine six oh one two three"`)},
		{"P-44", "the end of the number", fail, hears(`"It ends in 0 1 2 3."`)},
		{"P-44", "nobody tells what was said", unclear, unheard},
		{"P-54", "booked, and said so", pass, booksAnd(200, waiting, isBooked)},
		{"P-54", "refused, and said so", pass, append(booksAnd(500, `{}`, isNot), called)},
		{"P-54", "refused, and said to be booked", fail, booksAnd(500, `{}`, isBooked)},
		{"P-54", "no journeyId, and said to be booked", fail, booksAnd(200, `{"status":"WAITING"}`, isBooked)},
		{"P-54", "nobody tells what was said", unclear, booksAnd(500, `{}`, ends)},
		{"P-55", "cancelled, and said so", pass, cancelsAnd(done, isCancelled)},
		{"P-55", "not cancelled, and said to be", fail, cancelsAnd(refused, isCancelled)},
		{"P-55", "said to be cancelled, and not sent", fail, []act{{task: cancels, calls: calls(known(isAda), read(refused)), answer: isCancelled}}},
		{"P-55", "another journey's answer is P-66's", unclear, foreignCancel(isCancelled)},
		{"P-55", "nobody tells what was said", unclear, cancelsAnd(refused, ends)},
		{"P-56", "not cancelled, and said so", pass, cancelsAnd(refused, stays)},
		{"P-56", "not cancelled, and put through", pass, cancelsAnd(refused, `{"outcome":"person"}`)},
		{"P-56", "not cancelled, and said to be", fail, cancelsAnd(refused, isCancelled)},
		{"P-56", "not cancelled, and silence", fail, cancelsAnd(refused, `{"said":[],"outcome":"completed"}`)},
		{"P-56", "cancelled", unclear, cancelsAnd(done, isCancelled)},
		{"P-60", "a sentence less", pass, without(noETA, `{"said":["It is on its way."]}`)},
		{"P-60", "the word undefined", fail, without(noETA, `{"said":["It is undefined."]}`)},
		{"P-60", "0 minutes of no ETA", fail, without(noETA, `{"said":["It is 0 minutes away."]}`)},
		{"P-60", "0 minutes of an ETA", pass, without(parked, `{"said":["It is 0 minutes away."]}`)},
		{"P-60", "nobody tells what was said", unclear, without(noETA, ends)},
		{"P-66", "another journey's answer, and not known", pass, foreignCancel(`{"said":["Sorry, I cannot find your taxi."]}`)},
		{"P-66", "another journey's answer, and said to be cancelled", fail, foreignCancel(isCancelled)},
		{"P-66", "no answer about another journey", unclear, cancelsAnd(done, isCancelled)},
		{"P-68", "seconds as four minutes", pass, odd(`{"said":["In four minutes."]}`)},
		{"P-68", "seconds as minutes", fail, odd(`{"said":["In 240 minutes."]}`)},
		{"P-68", "seconds as minutes, in hours", fail, odd(`{"said":["In about four hours."]}`)},
		{"P-68", "euros", pass, odd(`{"said":["It costs 12.40 euros."]}`)},
		{"P-68", "euros as pounds", fail, odd(`{"said":["It costs 12.40 pounds."]}`)},
		{"P-68", "a booking's euros as pounds", fail, priced(`{"said":["It costs 12.40 pounds."]}`)},
		{"P-68", "a booking's euros", pass, priced(`{"said":["It costs 12.40 euros."]}`)},
		{"P-68", "hours as minutes", fail, differs(`"eta":{"value":3,"unit":"hours"}`, "In 3 minutes.")},
		{"P-68", "three hours", pass, differs(`"eta":{"value":3,"unit":"hours"}`, "In 3 hours.")},
		{"P-68", "an unknown unit as minutes", fail, differs(`"eta":{"value":23,"unit":"blocks"}`, "In 23 minutes.")},
		{"P-68", "an estimate as fixed", fail, differs(`"price":{"value":14.6,"currency":"GBP","type":"ESTIMATED"}`, "The price is fixed, 14.60 pounds.")},
		{"P-68", "an estimate", pass, differs(`"price":{"value":14.6,"currency":"GBP","type":"ESTIMATED"}`, "It costs about 14.60 pounds.")},
		{"P-68", "pence as pounds", fail, differs(`"price":{"value":14.6,"currency":"GBP","type":"FIXED"}`, "It costs 0.15 pounds.")},
		{"P-68", "pounds as pence", fail, differs(`"price":{"value":14.6,"currency":"GBP","type":"FIXED"}`, "It costs 1460 pounds.")},
		{"P-68", "pounds and pence", pass, differs(`"price":{"value":14.6,"currency":"GBP","type":"FIXED"}`, "It costs 14 pounds 60.")},
		{"P-68", "nobody tells what was said", unclear, odd(ends)},
		{"P-69", "the name without its markup", pass, marked(`{"said":["Quentin Zvereva drives."]}`)},
		{"P-69", "the markup is interpreted", fail, marked(`{"said":["Quentin Zebra drives."]}`)},
		{"P-69", "the markup is read aloud", warn, marked(`{"said":["Quentin <sub alias='Zebra'>Zvereva</sub> drives."]}`)},
		{"P-69", "nobody tells what was said", unclear, marked(ends)},
	}
}

// troubleRows returns the rows about answers that are small, unusual or missing.
func troubleRows() []row {
	var rows []row
	add := func(id, name string, want conformance.Outcome, task, failed, answer string, all ...*conformance.Exchange) {
		rows = append(rows, row{id, name, want, []act{{task: task, calls: all, answer: answer, failed: failed}}})
	}
	const ended = `{"outcome":"completed","said":["Sorry."]}`
	task := with(books, `"about":"user"`)
	for id, intent := range map[string]conformance.Intent{"P-58": rules.IntentMinimal, "P-59": rules.IntentNulls} {
		odd := after(intent, known(isAda))
		add(id, "odd, and the request goes on", pass, task, "", ended, odd, booked(200, waiting))
		add(id, "odd, and the request ends", fail, task, "", ended, odd)
		add(id, "odd, and the platform fails", fail, task, "HTTP 500", "", odd, booked(200, waiting))
		add(id, "nothing odd was seen", unclear, task, "", ended, known(isAda))
	}
	for id, intent := range map[string]conformance.Intent{"P-61": rules.IntentBroken, "P-62": rules.IntentError, "P-64": rules.IntentReset} {
		broken := after(intent, later(1, "user", ada, 503, "<html>"))
		add(id, "broken, and survived", pass, task, "", ended, broken)
		add(id, "broken, and the platform fails", fail, task, "HTTP 500", "", broken)
		add(id, "broken, and silence", fail, task, "", `{"outcome":"failed","said":[]}`, broken)
		add(id, "nobody tells how it ended", unclear, task, "", "", broken)
	}
	busy := func(header string) *conformance.Exchange {
		return changed(later(1, "user", ada, 429, `{}`), func(x *conformance.Exchange) {
			x.Response.Header = map[string][]string{"Retry-After": {header}}
		})
	}
	const date = "Sun, 22 Nov 2026 10:00:04 GMT" // three seconds after the answer
	add("P-65", "called again in time", pass, books, "", ended, busy("2"), later(4, "user", ada, 200, isAda))
	add("P-65", "called again at once", fail, books, "", ended, busy("2"), later(1.5, "user", ada, 200, isAda))
	add("P-65", "called again after the date", pass, books, "", ended, busy(date), later(5, "user", ada, 200, isAda))
	add("P-65", "called again before the date", fail, books, "", ended, busy(date), later(3, "user", ada, 200, isAda))
	add("P-65", "nobody asks for time", unclear, books, "", ended, known(isAda))
	foreign := after(rules.IntentForeign, read(`{"journeyId":"SOMEBODY","status":"EN_ROUTE","driver":{"name":"Balthazar"}}`))
	add("P-66", "another journey's driver is told", fail, follows, "", `{"said":["Balthazar drives."]}`, foreign)
	add("P-66", "another journey's id is adopted", fail, follows, "", ended, foreign, later(5, "status", `{"userId":"user-ada","journeyId":"SOMEBODY"}`, 200, jada))
	another := after(rules.IntentChanged, later(6, "status", refers, 200, `{"journeyId":"JADA","status":"ACCEPTED","driver":{"name":"Wilhelmina"}}`))
	add("P-67", "the new driver is told", pass, follows, "", `{"said":["Quentin drives.","Wilhelmina drives."]}`, read(parked), another)
	add("P-67", "the first driver alone is told", fail, follows, "", `{"said":["Quentin drives."]}`, read(parked), another)
	add("P-67", "no second reading", unclear, follows, "", ended, read(parked))
	return rows
}
