package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

var callerRows = []row{
	{check("P-05", must, onUser, operations, "phoneNumber of /user is in E.164 format, digits without the plus sign.", "The third party does not find the caller.", "Send country code and number as digits, nothing else, such as 442079460001."), judgeUserNumber},
	{check("P-06", should, onUser, operations, "For one caller /user is called with the same digits, in whichever form the network gives the number.", "A caller is known on one line and unknown on the next.", "Convert 07…, 0044… and +44… to E.164, by the country of the account, before calling /user."), judgeForms},
	{check("P-07", should, onUser, operations, "For a withheld number /user is not called with an empty number or a word such as anonymous.", "All callers who withhold their number become one user.", "Do not call /user; treat the caller as unknown."), judgeWithheld},
	{check("P-13", should, onBook, bookFields, "The userId from /user is sent with /book (\"if known\").", "The booking is not listed for its caller, who cannot cancel it.", "Keep the userId for the whole request."), judgeUserID},
	{check("P-37", should, onBook, "States and transitions, end-user statuses", "For a user who is DISABLED no /book is sent.", "A user whom the office has disabled can book.", "Put the caller through to a person."), judgeBarred},
	{check("P-38", should, onBook, "States and transitions, end-user statuses", "For a user who is BLACKLISTED no /book is sent, and the reason is not told.", "A barred caller books, or learns about the list.", "Refuse without a reason."), judgeBarred},
	{check("P-39", should, onBook, userObject, "A user without a status may book (status is not required); an unknown one is tolerated.", "Callers of a third party that sends no status can do nothing.", "Treat an absent or unknown status as ENABLED."), judgeWentOn},
	{check("P-42", should, onBook, bookFields, "A known user books under their own name unless another is given.", "The driver asks for the wrong person.", "Take name from the answer of /user."), judgeName},
	{check("P-43", robust, onBook, bookFields, "An unknown user is asked for a name, and /book is sent without userId.", "An invented userId books for somebody else.", "Omit userId."), judgeStranger},
	{needing(needsCaller, check("P-82", robust, onBook, userObject, "A caller whose name is in the /user reply is not asked for it.", "Regular customers spell their name at every call.", "Take name from the answer of /user.")), judgeNameAsked},
	{check("P-71", robust, onBook, ours, "Two calls from one number at the same time do not affect each other.", "Two taxis go to one address, and none to the other.", "Store the state by call, not by number."), judgeTwins},
	{check("P-72", robust, onRequest, ours, "Data stored for one caller is never sent for another.", "One customer cancels or sees another's taxi.", "Store ids with the request in which they were received."), judgeMixing},
}

// number matches E.164 digits.
var number = regexp.MustCompile(`^[1-9][0-9]{6,14}$`)

func judgeUserNumber(s *sheet, c conformance.Check) {
	for x := range s.of(OpUser) {
		v := x.Sent().At("phoneNumber")
		if withheldWord(v.Text()) && v.IsText() {
			continue // P-07 judges it
		}
		const expected = "string of 7 to 15 digits with the country code, no plus"
		if flaw := numberFlaw(v); flaw != "" {
			s.Fail(c.ID, "phoneNumber of /user "+flaw, expected, v, x)
			continue
		}
		s.wantSent(c.ID, v.IsText(), v, expected, x)
	}
}

// numberFlaw returns what is wrong with a string as E.164 digits. It returns "" if nothing is, or if the value is not a string.
func numberFlaw(v jsonvalue.Value) string {
	text := v.Text()
	switch {
	case !v.IsText() || number.MatchString(text):
		return ""
	case strings.HasPrefix(text, "+"):
		return "has a plus sign"
	case strings.HasPrefix(text, "0"):
		return "starts with 0, not with the country code"
	case jsonvalue.Digits(text) != text:
		return "has characters other than digits"
	}
	return "is too long or too short for E.164"
}

// wantSent records a pass for a member of a request if ok is true, and otherwise a failure.
func (s *sheet) wantSent(id string, ok bool, v jsonvalue.Value, expected string, x *conformance.Exchange) {
	if ok {
		s.Pass(id, x)
		return
	}
	message := strings.Replace(conformance.Describe(v, expected), "the reply", "the request", 1)
	s.Fail(id, "in the request to /"+string(x.Operation)+", "+message, expected, v, x)
}

// withheldWord reports whether a text is empty or a word that some platforms send for an unknown number.
func withheldWord(text string) bool {
	return slices.Contains([]string{"", "anonymous", "unknown", "withheld", "private", "restricted", "unavailable", "null", "undefined"}, strings.ToLower(strings.TrimSpace(text)))
}

func judgeForms(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		users := r.of(OpUser)
		if len(users) == 0 {
			s.unclear(c.ID, r, conformance.NotSeen, "a call of /user for the number "+r.task.From)
			return
		}
		v := users[0].Sent().At("phoneNumber")
		s.wantSent(c.ID, jsonvalue.Digits(v.Text()) == r.task.Caller, v, "the digits "+r.task.Caller+", as for every other form of the number", users[0])
	})
}

func judgeWithheld(s *sheet, c conformance.Check) {
	known := false
	for x := range s.of(OpUser) {
		known = true
		if v := x.Sent().At("phoneNumber"); withheldWord(v.Scalar()) {
			s.Fail(c.ID, "/user is called without a number", "no call of /user", v, x)
		}
	}
	s.each(c.ID, func(r *request) {
		switch {
		case len(r.of(OpUser)) > 0:
			x := r.of(OpUser)[0]
			if v := x.Sent().At("phoneNumber"); !withheldWord(v.Scalar()) {
				s.Fail(c.ID, "/user is called for a withheld number", "no call of /user", v, x)
			}
		case !known || len(r.calls) == 0 && r.outcome() == "":
			s.unclear(c.ID, r, conformance.NotSeen, "the request of a caller whose number is withheld")
		default:
			s.passed(c.ID, r)
		}
	})
}

func judgeUserID(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		user := r.user()
		if user == nil || !user.Reply().At("userId").HasText() {
			continue
		}
		for _, x := range r.of(OpBook) {
			if x.Started.Before(user.Started) {
				continue
			}
			v := x.Sent().At("userId")
			s.wantSent(c.ID, v.Scalar() == user.Reply().At("userId").Text(), v, "the userId that /user told", x)
		}
	}
}

// judgeBarred requires that no /book is sent for a user whose status forbids it. The
// control is a booking by another user.
func judgeBarred(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		said, _ := r.said()
		word := tellsOfList(said)
		if u := r.user(); u != nil && u.Reply().At("status").Text() == "ENABLED" {
			return // the request before they were barred
		}
		switch {
		case len(r.of(OpBook)) > 0 && len(r.of(OpUser)) == 0:
			s.failed(c.ID, r, "/book was sent without asking /user in this request", "/user, and no /book", sequence(r.ordinary()))
			s.Suggest("Call /user in each request: what it said of an earlier one may have changed.")
		case len(r.of(OpBook)) > 0 && r.user() != nil:
			s.failed(c.ID, r, "/book was sent for "+r.scene(), "no /book", sequence(r.ordinary()))
		case c.ID == "P-38" && word != "":
			s.failed(c.ID, r, "the caller was told the reason", "a neutral sentence", word)
		case r.user() == nil || !s.controls[books]:
			s.unclear(c.ID, r, conformance.NotSeen, "the same request of a user who may book")
		default:
			s.passed(c.ID, r)
		}
	})
}

// judgeWentOn requires a request to reach its goal in spite of unusual data.
func judgeWentOn(s *sheet, c conformance.Check) {
	for r := range s.supported(c.ID) {
		s.wantWentOn(c, r)
	}
}

func (s *sheet) wantWentOn(c conformance.Check, r *request) {
	odd := r.scene()
	switch goal := r.goal(); {
	case r.failed != "":
		s.failed(c.ID, r, "the platform failed at the request: "+odd, "the request continues", r.failed)
	case goal == nil && len(r.calls) == 0:
		s.unclear(c.ID, r, conformance.NotSeen, "any call for the request")
	case goal == nil:
		s.failed(c.ID, r, "the request went no further: "+odd, "a call of what the caller wants", sequence(r.ordinary()))
	case r.outcome() == OutcomeFailed:
		s.failed(c.ID, r, "the platform gave up: "+odd, "the request continues", "outcome failed")
	default:
		s.passed(c.ID, r)
	}
}

func judgeName(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		user := r.user()
		if !r.wants(WantBook) || r.task.Name != "" || !identified(user) {
			continue
		}
		for _, x := range r.booked() {
			v := x.Sent().At("name")
			s.wantSent(c.ID, v.Text() == user.Reply().At("name").Text(), v, "the user's own name", x)
		}
	}
}

// identified reports whether a /user reply has a userId and a name. A user without a userId may be treated as unknown.
func identified(user *conformance.Exchange) bool {
	return user != nil && user.Reply().At("userId").HasText() && user.Reply().At("name").HasText()
}

func judgeStranger(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		books := r.booked()
		if len(books) == 0 {
			s.judgeTurnedAway(c, r)
			return
		}
		asked, known := r.asked("name")
		switch v := books[0].Sent().At("userId"); {
		case v.Given():
			s.Fail(c.ID, "a userId is sent for a user who has none", "no userId", v, books[0])
		case known && !asked:
			s.failed(c.ID, r, "the caller was not asked for a name", "name in asked", strings.Join(r.answer.Asked, ", "))
		default:
			s.passed(c.ID, r)
		}
	})
}

// judgeTurnedAway judges a request in which an unknown user wanted to book and no booking was sent.
func (s *sheet) judgeTurnedAway(c conformance.Check, r *request) {
	const expected = "the caller is asked for a name, and /book is sent without userId"
	switch {
	case len(r.of(OpUser)) == 0:
		s.unclear(c.ID, r, conformance.NotSeen, "a booking by somebody whom /user does not know")
	case r.outcome() == OutcomePerson:
		s.warned(c.ID, r, "somebody whom /user does not know was put through to a person", expected, sequence(r.ordinary()))
	case r.outcome() == OutcomeRejected, r.outcome() == OutcomeFailed:
		s.failed(c.ID, r, "somebody whom /user does not know was turned away", expected, "outcome "+r.outcome())
	default:
		s.unclear(c.ID, r, conformance.NotSeen, "a booking by somebody whom /user does not know")
	}
}

// judgeNameAsked fails requests in which the caller was asked for a name that is in the /user reply.
func judgeNameAsked(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		asked, known := r.asked("name")
		if !r.wants(WantBook) || r.task.Name != "" || !known || !identified(r.user()) || len(r.booked()) == 0 {
			continue
		}
		if asked {
			s.failed(c.ID, r, "the caller was asked for the name, which is in the /user reply", "no question for a name", strings.Join(r.answer.Asked, ", "))
			continue
		}
		s.passed(c.ID, r)
	}
}

// judgeTwins compares two concurrent requests: each booking must have its own
// pickup.
func judgeTwins(s *sheet, c conformance.Check) {
	want, got := map[string]bool{}, map[string]int{}
	var last *request
	s.each(c.ID, func(r *request) {
		want[r.task.Pickup.Address] = true
		last = r
		for _, x := range r.booked() {
			got[x.Sent().At("pickup").At("address").Text()]++
		}
	})
	if last == nil {
		return
	}
	if len(got) == 0 {
		s.unclear(c.ID, last, conformance.NotSeen, "bookings of two calls at once")
		return
	}
	for address := range want {
		if got[address] != 1 {
			s.failed(c.ID, last, "two concurrent calls from one number did not each book from their own pickup", "one booking from each", strings.Join(pickups(got), "; "))
			return
		}
	}
	s.passed(c.ID, last)
}

func pickups(got map[string]int) []string {
	var all []string
	for address := range got {
		all = append(all, address)
	}
	slices.Sort(all)
	return all
}

// judgeMixing looks for an id in one caller's request that was received only in another's.
func judgeMixing(s *sheet, c conformance.Check) {
	owner := s.owners()
	for _, r := range s.requests {
		if r.user() == nil || r.task == nil {
			continue
		}
		for _, x := range r.ordinary() {
			for _, v := range idsOf(x.Sent()) {
				if other := owner[v.Scalar()]; other != "" && other != r.task.Caller {
					s.failed(c.ID, r, "an id of another caller was sent", "the caller's own", v.Scalar())
					return
				}
			}
		}
	}
	s.judgeNames(c)
	s.each(c.ID, func(r *request) {
		if g := r.goal(); g != nil && g.Sent().At("userId").HasText() {
			s.passed(c.ID, r)
		}
	})
}

// judgeNames fails requests in which another caller's name was spoken or booked.
func (s *sheet) judgeNames(c conformance.Check) {
	owner := map[string]string{}
	for _, r := range s.requests {
		if u := r.user(); u != nil && r.task != nil && len(strings.Fields(u.Reply().At("name").Text())) > 1 {
			owner[u.Reply().At("name").Text()] = r.task.Caller
		}
	}
	for _, r := range s.requests {
		if r.task == nil {
			continue
		}
		heard, _ := r.said()
		texts := slices.Clone(heard)
		for _, x := range r.of(OpBook) {
			texts = append(texts, x.Sent().At("name").Text())
		}
		text := strings.Join(texts, " ")
		for name, other := range owner {
			if other != r.task.Caller && strings.Contains(text, name) {
				s.failed(c.ID, r, "the name of another caller was used", "the caller's own, or none", name)
				return
			}
		}
	}
}

// owners maps each userId and journeyId to the number of its caller. It omits short ids, and those of scenes with odd ids,
// which several callers share.
func (s *sheet) owners() map[string]string {
	all := map[string]string{}
	for _, r := range s.requests {
		u := r.user()
		if u == nil || r.task == nil || r.with(IntentOddIDs) != nil {
			continue
		}
		for _, id := range []string{u.Reply().At("userId").Text(), r.task.JourneyID} {
			if len(id) >= leastNumber {
				all[id] = r.task.Caller
			}
		}
	}
	return all
}
