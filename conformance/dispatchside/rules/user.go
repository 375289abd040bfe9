package rules

import (
	"fmt"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var userChecks = []conformance.Check{
	{
		ID: "USR-01", Level: conformance.Must, Clause: clauseEndUser, Needs: "a served /user call",
		Requirement: "userId, phoneNumber, name: string, required.",
		Why:         "Without a userId nothing can be cancelled or followed.",
		Hint:        "Send all three as non-empty JSON strings.",
	},
	{
		ID: "USR-02", Level: conformance.Must, Clause: clauseUser, Needs: "an end user whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "phoneNumber: string, required, E.164 format, digits without plus sign.",
		Why:         "It is the only form that the platform sends.",
		Hint:        "Look users up by digits alone.",
	},
	{
		ID: "USR-03", Level: conformance.Should, Clause: clauseEndUser, Needs: "a served /user call",
		Requirement: "The phoneNumber returned denotes the number in the request.",
		Why:         "Somebody else's number means somebody else's bookings.",
		Hint:        "Return the number of the requested user.",
	},
	{
		ID: "USR-04", Level: conformance.Should, Clause: clauseUser, Needs: "two served /user calls for one number",
		Requirement: "To identify an end user: one number gives one userId, call after call.",
		Why:         "A userId that changes loses the caller's journeys between two calls.",
		Hint:        "Store the userId with the user; do not generate one for each reply.",
	},
	{
		ID: "USR-05", Level: conformance.Should, Clause: clauseUser, Needs: "two end users whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "To identify an end user: two numbers give two userIds.",
		Why:         "Two people with the same id can cancel each other's taxis.",
		Hint:        "Give each user their own id.",
	},
	{
		ID: "USR-06", Level: conformance.Must, Clause: clauseEndUser, Needs: "a status in a /user reply",
		Requirement: "status: string: ENABLED, DISABLED, BLACKLISTED.",
		Why:         "An unknown word leaves the platform guessing whether the caller may book.",
		Hint:        "Use exactly these spellings, or leave status out.",
	},
	{
		ID: "USR-07", Level: conformance.Must, Clause: clauseEndUser, Needs: "data in a /user reply",
		Requirement: "data: object with features (array of strings), options (array of strings), skipDropOff (boolean).",
		Why:         "Settings of the wrong type switch the wrong things on or off.",
		Hint:        "Send string arrays and a real boolean, or leave data out.",
	},
	{
		ID: "USR-08", Level: conformance.Must, Clause: clauseEndUser, Needs: "activeBookings in a /user reply",
		Requirement: "activeBookings: array of Journey objects.",
		Why:         "The caller's own journeys cannot be read.",
		Hint:        "Send an array of objects; [] or nothing when there are none.",
	},
	{
		ID: "USR-09", Level: conformance.Must, Clause: clauseMinimum, Needs: "an active booking in a /user reply",
		Requirement: "Active journeys each with journey id, status, pickup date/time, pickup location, drop-off location(s).",
		Why:         `The platform needs time and place to ask "Which booking do you mean?"`,
		Hint:        "Send journeyId, status, date, pickup and dropoffs with each active booking.",
	},
	{
		ID: "USR-10", Level: conformance.Must, Clause: clauseMinimum, Needs: "a /user reply after a booking of that user",
		Requirement: "Minimum end-user details: … and active journeys: a journey just booked is among them.",
		Why:         "A caller who rings back a minute later hears that there is no booking.",
		Hint:        "Read activeBookings from where /book wrote, not from a cache or replica.",
	},
	{
		ID: "USR-11", Level: conformance.Should, Clause: clauseEndUser, Needs: "a booking in a /user reply, or a journey that ended",
		Requirement: "activeBookings: CANCELLED and COMPLETE journeys are not active.",
		Why:         "The platform offers callers to cancel taxis that they cancelled yesterday.",
		Hint:        "Leave finished journeys out of activeBookings.",
	},
	{
		ID: "USR-12", Level: conformance.Robustness, Clause: clauseEndUser, Needs: "/user replies while another end user has bookings",
		Requirement: "A reply never lists another end user's booking.",
		Why:         "The place and time of a pickup are private.",
		Hint:        "Select bookings by the user's id.",
	},
	{
		ID: "USR-13", Level: conformance.Robustness, Clause: clauseEndUser, Needs: "an end user with ten active bookings or more",
		Requirement: "All active bookings are listed, even ten or more.",
		Why:         "A care home books ten taxis; a page limit must not hide any.",
		Hint:        "Do not page activeBookings.",
	},
	{
		ID: "USR-14", Level: conformance.Should, Clause: clauseEndUser, Needs: "numbers of a DISABLED and a BLACKLISTED user",
		Requirement: "status: DISABLED and BLACKLISTED users are shown as such.",
		Why:         "A barred caller is taken through a booking that is then refused.",
		Hint:        "Return the status of the user.",
	},
	{
		ID: "USR-15", Level: conformance.Observed, Clause: clauseUser,
		Requirement: "The interface does not show the answer for an unknown number; the answer is recorded.",
		Why:         "First-time callers are common.",
		Hint:        "404 lets the platform ask for the name; creating the user is equally good.",
	},
	{
		ID: "USR-16", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "An unknown number is answered cleanly: no 5xx, no HTML, no hang.",
		Why:         "Every first-time caller would hear an error.",
		Hint:        "Answer 404 with a small JSON body, or create the user.",
	},
	{
		ID: "USR-17", Level: conformance.Robustness, Clause: clauseUser, Needs: "an end user whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "A number with plus, spaces, 00 or in national form is refused or normalised, never another user's.",
		Why:         "A badly formatted number must not open somebody else's account.",
		Hint:        "Normalise before looking up, or refuse with 4xx.",
	},
	{
		ID: "USR-18", Level: conformance.Robustness, Needs: "repeated /user calls with nothing between them",
		Requirement: "Reading is free of side effects: twenty calls give the same user and bookings.",
		Why:         "A read that changes something cannot be repeated safely.",
		Hint:        "Do not write in /user beyond creating an unknown user once.",
	},
	{
		ID: "USR-19", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "Numbers of 7 and 15 digits are E.164 and accepted; one of 16 is refused cleanly.",
		Why:         "Visitors from small and large countries ring too.",
		Hint:        "Check for 7 to 15 digits, not for the local length.",
	},
	{
		ID: "USR-20", Level: conformance.Robustness, Clause: clauseUser, Needs: "an end user whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "data absent, null, {} or with unknown keys is accepted.",
		Why:         "The platform's plugin data differs from customer to customer.",
		Hint:        "Ignore unknown keys in data.",
	},
}

// judgeUser judges one answer to /user by itself; the tracker compares it with other
// calls.
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
	for _, j := range list.Items() {
		if !s.Want("USR-08", j.IsObject(), j, "object", x) {
			continue
		}
		if odd[j.At("journeyId").Scalar()] == nil {
			judgeFlaws(s, "USR-09", minimumFlaws(j), x)
		}
		terminal := taxi.Status(j.At("status").Text()).Terminal()
		s.Want("USR-11", !terminal, j.At("status"), "the status of a journey that is under way", x)
	}
}

// minimumFlaws compares an active booking with the minimum end-user details.
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

// judgeUserRequest judges the answers to unusual requests.
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

// judgeBarred judges the status of a user known to be barred.
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
