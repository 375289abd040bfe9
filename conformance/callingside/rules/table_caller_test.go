package rules_test

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// callerRows returns the rows about who is calling.
func callerRows() []row {
	number := func(text string) []act {
		return []act{{task: `{"want":"offer","from":"07700900120","caller":"447700900120"}`, calls: calls(later(1, "user", `{"phoneNumber":`+text+`}`, 200, isAda))}}
	}
	withheld := func(more ...*conformance.Exchange) []act {
		other := control(offers, "", known(isAda))
		return []act{other, {task: `{"want":"book","withheld":true,"from":""}`, calls: append(calls(configured(`{"status":"OK"}`)), more...), answer: `{"outcome":"person"}`}}
	}
	bookingAs := func(user, from, to string) []act {
		return []act{{task: books, calls: calls(known(user), unlike(booked(200, waiting), from, to))}}
	}
	barred := func(status, answer string, more ...*conformance.Exchange) []act {
		may := control(books, "", known(isAda), booked(200, waiting))
		return []act{may, {task: books, calls: append(calls(known(`{"userId":"u","name":"Ada","status":"`+status+`"}`)), more...), answer: answer}}
	}
	went := func(more ...*conformance.Exchange) []act {
		return []act{{task: books, calls: more}}
	}
	unknown := later(1, "user", ada, 404, `{}`)
	stranger := func(from, to, answer string) []act {
		return []act{{task: books, calls: calls(unknown, unlike(booked(200, waiting), from, to)), answer: answer}}
	}
	twins := func(second string) []act {
		other := strings.ReplaceAll(books, "1 Row", "5 Row")
		return []act{{task: books, calls: calls(booked(200, waiting))}, {task: other, calls: calls(unlike(booked(200, waiting), "1 Row", second))}}
	}
	const noUser, other = `"userId":"user-ada",`, `"userId":"user-ben",`
	const asksName, asksNone = `{"asked":["pickup","name"]}`, `{"asked":["pickup"]}`
	return []row{
		{"P-05", "digits with the country code", pass, number(`"447700900120"`)},
		{"P-05", "a plus sign", fail, number(`"+447700900120"`)},
		{"P-05", "a number that is a JSON number", fail, number(`447700900120`)},
		{"P-05", "no /user", unclear, went()},
		{"P-06", "a national number in E.164", pass, number(`"447700900120"`)},
		{"P-06", "a national number as it came", fail, number(`"07700900120"`)},
		{"P-06", "no /user", unclear, []act{{task: offers}}},
		{"P-07", "no /user for a withheld number", pass, withheld()},
		{"P-07", "/user with no number", fail, withheld(later(1, "user", `{"phoneNumber":""}`, 404, `{}`))},
		{"P-07", "/user for anonymous", fail, withheld(later(1, "user", `{"phoneNumber":"anonymous"}`, 404, `{}`))},
		{"P-07", "nothing is told of a withheld number", unclear, []act{{task: `{"want":"book","withheld":true,"from":""}`}}},
		{"P-13", "the userId that was told", pass, bookingAs(isAda, "", "")},
		{"P-13", "another userId", fail, bookingAs(isAda, noUser, other)},
		{"P-13", "no userId", fail, bookingAs(isAda, noUser, "")},
		{"P-13", "nobody tells a userId", unclear, went(unknown)},
		{"P-37", "DISABLED, and no /book", pass, barred("DISABLED", "")},
		{"P-37", "DISABLED, and a /book", fail, barred("DISABLED", "", booked(200, waiting))},
		{"P-37", "nobody was seen to book", unclear, went(known(`{"userId":"u","name":"Ada","status":"DISABLED"}`))},
		{"P-38", "BLACKLISTED, and nothing of it", pass, barred("BLACKLISTED", `{"said":["We cannot help on this line."]}`)},
		{"P-38", "BLACKLISTED, and told so", fail, barred("BLACKLISTED", `{"said":["You are barred."]}`)},
		{"P-38", "nobody was seen to book", unclear, went(known(`{"userId":"u","name":"Ada","status":"BLACKLISTED"}`))},
		{"P-39", "no status, and a /book", pass, went(known(isBen), booked(200, waiting))},
		{"P-39", "no status, and no /book", fail, went(known(isBen))},
		{"P-39", "no call", unclear, went()},
		{"P-41", "activeBookings null, and a /book", pass, went(known(`{"userId":"u","activeBookings":null}`), booked(200, waiting))},
		{"P-41", "activeBookings null, and no /book", fail, went(known(`{"userId":"u","activeBookings":null}`))},
		{"P-41", "no call", unclear, went()},
		{"P-42", "the name that /user told", pass, bookingAs(isAda, "", "")},
		{"P-42", "another name", fail, bookingAs(isAda, `"name":"Ada"`, `"name":"Guest"`)},
		{"P-42", "a caller without a name", unclear, bookingAs(`{"userId":"user-ada"}`, "", "")},
		{"P-43", "an unknown caller is asked for a name", pass, stranger(noUser, "", asksName)},
		{"P-43", "a userId is invented", fail, stranger(noUser, other, asksName)},
		{"P-43", "an unknown caller is not asked", fail, stranger(noUser, "", asksNone)},
		{"P-43", "an unknown caller is turned away", fail, []act{{task: books, calls: calls(unknown), answer: `{"outcome":"rejected"}`}}},
		{"P-43", "an unknown caller is put through", warn, []act{{task: books, calls: calls(unknown), answer: `{"outcome":"person"}`}}},
		{"P-43", "nobody unknown calls", unclear, went()},
		{"P-71", "each from its own pickup", pass, twins("5 Row")},
		{"P-71", "both from one pickup", fail, twins("1 Row")},
		{"P-71", "no bookings", unclear, went()},
		{"P-72", "nobody is identified", unclear, went()},
		{"P-82", "nobody books", unclear, went()},
	}
}
