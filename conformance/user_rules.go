package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeUser judges one answer to /user by itself; what has to fit together with
// other calls is judged by the reader.
func judgeUser(x *Exchange, s *findings, odd map[string]*Exchange) {
	judgeUserRequest(x, s)
	if !x.succeeded() || x.Request.Method != "POST" {
		return
	}
	for _, key := range []string{"userId", "phoneNumber"} {
		s.want("USR-01", x.Reply().at(key).hasText(), x.Reply().at(key), "string, not empty", x)
	}
	s.want("USR-01", x.Reply().at("name").isText(), x.Reply().at("name"), "string", x)
	if !served(x) {
		return // whatever this is, it is no end user
	}
	judgeNumber(x, s)
	if status := x.Reply().at("status"); status.given() {
		s.want("USR-06", taxi.UserStatus(status.text()).Known(), status, "string, one of ENABLED, DISABLED, BLACKLISTED", x)
	}
	if data := x.Reply().at("data"); data.given() {
		judgeUserData(data, x, s)
	}
	judgeActiveBookings(x.Reply().at("activeBookings"), x, s, odd)
}

func judgeNumber(x *Exchange, s *findings) {
	got := x.Reply().at("phoneNumber")
	asked, told := digits(x.Sent().at("phoneNumber").text()), digits(got.text())
	if x.Intent != intentPlain || asked == "" || told == "" {
		return
	}
	const subscriber = 9 // digits that a national form shares with the full number
	switch {
	case asked == told:
		s.pass("USR-03", x)
	case len(told) > subscriber && strings.HasSuffix(asked, told[len(told)-subscriber:]):
		s.warn("USR-03", "/phoneNumber is the number asked for in another form", "the digits asked for", got, x)
	default:
		s.fail("USR-03", "/phoneNumber is not the number asked for", "the digits asked for", got, x)
	}
}

func judgeUserData(data value, x *Exchange, s *findings) {
	if !data.isObject() {
		s.want("USR-07", false, data, "object", x)
		return
	}
	judgeFlaws(s, "USR-07", settingsFlaws(data), x)
}

func judgeActiveBookings(list value, x *Exchange, s *findings, odd map[string]*Exchange) {
	if !list.present() {
		return
	}
	if list.isNull() {
		s.warn("USR-08", "/activeBookings is null", "an array, or no field", list, x)
		return
	}
	if !s.want("USR-08", list.isArray(), list, "array of objects", x) {
		return
	}
	for _, j := range list.items() {
		if !s.want("USR-08", j.isObject(), j, "object", x) {
			continue
		}
		if odd[j.at("journeyId").scalar()] == nil {
			judgeFlaws(s, "USR-09", minimumFlaws(j), x)
		}
		terminal := taxi.Status(j.at("status").text()).Terminal()
		s.want("USR-11", !terminal, j.at("status"), "the status of a journey that is under way", x)
	}
}

// minimumFlaws compares an active booking with the minimum end-user details.
func minimumFlaws(j value) []flaw {
	var flaws []flaw
	if !j.at("journeyId").hasText() {
		flaws = append(flaws, flaw{at: j.at("journeyId"), expected: "string, not empty"})
	}
	if !spelled(j.at("status")) {
		flaws = append(flaws, flaw{at: j.at("status"), expected: statusList})
	}
	flaws = append(flaws, dateFlaws(j.at("date"))...)
	flaws = append(flaws, addressFlaws(j.at("pickup"))...)
	return append(flaws, addressesFlaws(j.at("dropoffs"))...)
}

// judgeUserRequest judges how odd requests are taken.
func judgeUserRequest(x *Exchange, s *findings) {
	switch x.Intent {
	case intentNewcomer:
		judgeNewcomer(x, s)
	case intentPhoneLength:
		judgePhoneLength(x, s)
	case intentUserData:
		if served(x) {
			s.pass("USR-20", x)
		} else if mustServe(x) {
			s.fail("USR-20", "unusual data was not accepted", "served like any other", answer(x), x)
		}
	case intentDisabled:
		judgeBarred(taxi.Disabled, x, s)
	case intentBlacklisted:
		judgeBarred(taxi.Blacklisted, x, s)
	}
}

// judgeBarred judges what is said of a user known to be barred.
func judgeBarred(want taxi.UserStatus, x *Exchange, s *findings) {
	if x.succeeded() {
		got := x.Reply().at("status")
		s.want("USR-14", got.text() == string(want), got, "string "+string(want), x)
		return
	}
	s.fail("USR-14", "a "+string(want)+" user is not told as such", "the user, with their status", answer(x), x)
}

// digitsOnly reports an ordinary look at a number written as digits.
func digitsOnly(x *Exchange) bool {
	number := x.Sent().at("phoneNumber").text()
	return x.Operation == OpUser && x.Request.Method == http.MethodPost && x.Intent == intentPlain && number != "" && number == digits(number)
}

// judgeDigits judges whether numbers are accepted as digits. How a number is
// answered that the server does not know is not shown; a number that has booked is
// known, and refused when none is ever served.
func (r *tracker) judgeDigits(history []*Exchange) {
	var refused *Exchange
	for _, x := range history {
		malformed := x.code() == http.StatusBadRequest || x.code() == http.StatusUnprocessableEntity
		switch {
		case !digitsOnly(x):
		case served(x):
			r.pass("USR-02", x)
			return
		case mustServeUsual(x) && !x.succeeded(), refused == nil && malformed && r.hasBooked(x.Sent().at("phoneNumber").text()):
			refused = x
		}
	}
	if refused != nil {
		r.fail("USR-02", "digits without a plus sign were refused", "the end user, or 404", answer(refused), refused)
	}
}

// hasBooked reports a number under which a probe of the suite has made a journey.
func (r *tracker) hasBooked(phone string) bool {
	p := r.usersByPhone[phone]
	return p != nil && slices.ContainsFunc(p.journeys, func(t *trackedJourney) bool { return t.writes[0].Probe != "" })
}

func judgeNewcomer(x *Exchange, s *findings) {
	s.observe("USR-15", fmt.Sprintf("an unknown number is answered %d", x.code()), x)
	if isHTML(x) || x.code() == 0 || x.code() >= 500 {
		s.fail("USR-16", "an unknown number was not answered cleanly", "404 with JSON, or the user created", answer(x), x)
		return
	}
	s.refused("USR-16", x)
}

func judgePhoneLength(x *Exchange, s *findings) {
	const longest = 15
	n := len(x.Sent().at("phoneNumber").text())
	switch {
	case x.code() == 0 || x.code() >= 500:
		s.fail("USR-19", fmt.Sprintf("a number of %d digits was not answered cleanly", n), "2xx or 4xx", answer(x), x)
	case n > longest && x.succeeded():
		s.warn("USR-19", fmt.Sprintf("a number of %d digits was accepted", n), "4xx", answer(x), x)
	case n <= longest && (x.code() == 400 || x.code() == 422):
		s.warn("USR-19", fmt.Sprintf("a number of %d digits was refused as such", n), "2xx, or 404 for an unknown number", answer(x), x)
	default:
		s.refused("USR-19", x)
	}
}
