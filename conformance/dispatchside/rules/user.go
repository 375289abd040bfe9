package rules

import (
	"fmt"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeUser judges one answer to /user without comparing it with other calls.
func judgeUser(x *conformance.Exchange, s *conformance.Findings, odd map[string]*conformance.Exchange) {
	judgeUserRequest(x, s)
	if !x.Succeeded() || x.Request.Method != "POST" {
		return
	}
	if refusedWith2xx(x) {
		return
	}
	for _, key := range []string{"userId", "phoneNumber"} {
		s.Want("USR-01", x.Reply().At(key).HasText(), x.Reply().At(key), "string, not empty", x)
	}
	s.Want("USR-01", x.Reply().At("name").IsText(), x.Reply().At("name"), "string", x)
	if !Served(x) {
		return // this is not an end user
	}
	judgeNumber(x, s)
	judgeMembers(x.Reply(), userMembers, x, s)
	if status := x.Reply().At("status"); status.Given() {
		s.Want("USR-06", taxi.UserStatus(status.Text()).Known(), status, "string, one of ENABLED, DISABLED, BLACKLISTED", x)
	}
	if data := x.Reply().At("data"); data.Given() {
		judgeUserData(data, x, s)
	}
	judgeActiveBookings(x.Reply().At("activeBookings"), x, s, odd)
}

func judgeNumber(x *conformance.Exchange, s *conformance.Findings) {
	got := x.Reply().At("phoneNumber")
	asked, told := jsonvalue.Digits(x.Sent().At("phoneNumber").Text()), jsonvalue.Digits(got.Text())
	if x.Intent != conformance.IntentPlain || asked == "" || told == "" {
		return
	}
	JudgeSameNumber(s, "USR-03", got, asked, x)
}

func judgeUserData(data jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if !data.IsObject() {
		s.Want("USR-07", false, data, "object", x)
		return
	}
	judgeFlaws(s, "USR-07", settingsFlaws(data), x)
	judgeMembers(data, settingMembers("USR-07"), x, s)
	judgeOptionNames(data, "USR-07", x, s)
}

func judgeActiveBookings(list jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings, odd map[string]*conformance.Exchange) {
	if !list.Present() {
		return
	}
	if list.IsNull() {
		s.Warn("USR-08", "/activeBookings is null", "an array, or no field", list, x)
		return
	}
	if !s.Want("USR-08", list.IsArray(), list, "array of objects", x) {
		return
	}
	listed := map[string]bool{}
	for _, j := range list.Items() {
		if !s.Want("USR-08", j.IsObject(), j, "object", x) {
			continue
		}
		if id := j.At("journeyId").Scalar(); id != "" {
			if listed[id] {
				s.Fail("USR-13", j.Pointer()+" is a journey that is listed already", "each journey once", j.At("journeyId"), x)
				s.Suggest("Read a row for each journey: a join with its drop-offs has one for each of them.")
			}
			listed[id] = true
		}
		if odd[j.At("journeyId").Scalar()] == nil {
			judgeFlaws(s, "USR-09", minimumFlaws(j), x)
		}
		terminal := taxi.Status(j.At("status").Text()).Terminal()
		s.Want("USR-11", !terminal, j.At("status"), "the status of a journey that is under way", x)
	}
}

// minimumFlaws returns what an active booking lacks of the members that the interface requires at least.
func minimumFlaws(j jsonvalue.Value) []Flaw {
	var flaws []Flaw
	if !j.At("journeyId").HasText() {
		flaws = append(flaws, Flaw{At: j.At("journeyId"), Expected: "string, not empty"})
	}
	if !Spelled(j.At("status")) {
		flaws = append(flaws, Flaw{At: j.At("status"), Expected: statusList, hint: statusSlip(j.At("status"))})
	}
	flaws = append(flaws, dateFlaws(j.At("date"))...)
	flaws = append(flaws, addressFlaws(j.At("pickup"))...)
	return append(flaws, addressesFlaws(j.At("dropoffs"))...)
}

// judgeUserRequest judges the answers to unusual requests of /user, such as those for unknown or barred users.
func judgeUserRequest(x *conformance.Exchange, s *conformance.Findings) {
	switch x.Intent {
	case IntentNewcomer:
		judgeNewcomer(x, s)
	case IntentPhoneLength:
		judgePhoneLength(x, s)
	case IntentUserData:
		if Served(x) {
			s.Pass("USR-20", x)
		} else if MustServe(x) {
			s.Fail("USR-20", "unusual data was not accepted", "served like any other", conformance.Answer(x), x)
		}
	case IntentDisabled:
		judgeBarred(taxi.Disabled, x, s)
	case IntentBlacklisted:
		judgeBarred(taxi.Blacklisted, x, s)
	}
}

// judgeBarred judges whether /user shows the status of a user who is known to be DISABLED or BLACKLISTED.
func judgeBarred(want taxi.UserStatus, x *conformance.Exchange, s *conformance.Findings) {
	if x.Succeeded() {
		got := x.Reply().At("status")
		s.Want("USR-14", got.Text() == string(want), got, "string "+string(want), x)
		return
	}
	s.Fail("USR-14", "a "+string(want)+" user is not shown as such", "the user, with their status", conformance.Answer(x), x)
}

func judgeNewcomer(x *conformance.Exchange, s *conformance.Findings) {
	s.Observe("USR-15", fmt.Sprintf("an unknown number is answered %d", x.Code()), x)
	if conformance.IsHTML(x) || x.Code() == 0 || x.Code() >= 500 {
		s.Fail("USR-16", "an unknown number was not answered cleanly", "404 with JSON, or the user created", conformance.Answer(x), x)
		return
	}
	s.Refused("USR-16", x)
}

func judgePhoneLength(x *conformance.Exchange, s *conformance.Findings) {
	const longest = 15
	n := len(x.Sent().At("phoneNumber").Text())
	switch {
	case x.Code() == 0 || x.Code() >= 500:
		s.Fail("USR-19", fmt.Sprintf("a number of %d digits was not answered cleanly", n), "2xx or 4xx", conformance.Answer(x), x)
	case x.Succeeded() && !Served(x):
		s.Warn("USR-19", fmt.Sprintf("a number of %d digits was answered as a success, without a user", n), "the user, or 4xx", conformance.Answer(x), x)
	case n > longest && x.Succeeded():
		s.Warn("USR-19", fmt.Sprintf("a number of %d digits was accepted", n), "4xx", conformance.Answer(x), x)
	case n <= longest && (x.Code() == 400 || x.Code() == 422):
		s.Warn("USR-19", fmt.Sprintf("a number of %d digits was refused as such", n), "2xx, or 404 for an unknown number", conformance.Answer(x), x)
	default:
		s.Refused("USR-19", x)
	}
}
