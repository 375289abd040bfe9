package dispatchside

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// faults are the kinds of fault that explain several failed checks. Those that cause others come
// first, since only the first match is used.
var faults = []conformance.Fault{
	{Checks: append([]string{"W-01"}, ofFamily("")...), When: repliesNoObject},
	{
		Checks: ofFamily(""), When: repliesError, Says: saysError,
		Cure: "Answer what is refused with a status of 4xx: a caller reads a 2xx as success.",
	},
	{Checks: strings.Fields(`JRN-12 STA-01 STA-06 STA-11 STA-12 CAN-01 CAN-02 CAN-03 CAN-10 CAN-12 JRN-08 USR-10 USR-13`), When: inRestart},
	{Checks: strings.Fields(`CON-01 STA-01 STA-06 USR-10`), When: amongTwenty},
	{Checks: strings.Fields(`CAN-04 CAN-02 CON-02`), When: cancelledAgain, Follows: strings.Fields(`CAN-12 JRN-08`)},
	{Checks: strings.Fields(`ENR-31`), Follows: strings.Fields(`JRN-12`)},
	{Checks: strings.Fields(`W-13`), When: notUTF8, Follows: strings.Fields(`W-12 BOK-08 BOK-33`)},
	{
		Members: []string{"journeyId"}, Checks: strings.Fields(`BOK-04`),
		Follows: strings.Fields(`STA-01 STA-06 CAN-01 CAN-02 JRN-02 JRN-09 JRN-10 JRN-12 CON-01 CON-04 USR-10 USR-18 USR-21`),
		Says:    saysNumericID, Seen: numericID, Breaks: []conformance.Operation{rules.OpCancel, rules.OpStatus},
		Cure: "Send a journeyId as a string, the same in every reply, and accept it unchanged in requests.",
	},
	{
		Members: []string{"userId"}, Checks: strings.Fields(`USR-05 USR-04`), Follows: strings.Fields(`CON-04 BAD-05 USR-10`),
		Says: saysNumericUser, Seen: numericUser, Breaks: []conformance.Operation{rules.OpBook, rules.OpCancel, rules.OpStatus},
		Cure: "Send a userId as a string, the same in every reply, and accept it unchanged in requests.",
	},
	{
		Checks: strings.Fields(`BOK-19 BOK-15`), When: editedAnother,
		Follows: strings.Fields(`BOK-01 BOK-08 BOK-16 BOK-17 BOK-18 BOK-19 BOK-20 BOK-21 BOK-22 BOK-23 CAN-09 CAN-10 USR-10 USR-13 USR-18 STA-17 JRN-04 JRN-14 JRN-15 CON-05`),
		Says:    saysEdit, Cure: editCure,
	},
	{Checks: strings.Fields(`STA-01 STA-06`), Follows: strings.Fields(`USR-10 STA-11 STA-12 CAN-02 JRN-02 JRN-04 JRN-09 JRN-10 JRN-11 JRN-12 CON-01 CON-02 CON-03 CON-05 ENR-16`)},
	{Checks: strings.Fields(`CAN-09`), Follows: strings.Fields(`JRN-09 JRN-15 USR-10 USR-13 USR-18 BOK-15 IDM-02`)},
	{
		Checks: strings.Fields(`CAN-01 CAN-02`),
		Follows: strings.Fields(`STA-02 JRN-01 JRN-02 JRN-03 JRN-04 JRN-08 JRN-09 JRN-10 JRN-11 JRN-13 CAN-03 CAN-04 CAN-06 CAN-08 CAN-12 USR-11 BOK-23
			CON-02 CON-03 CON-05 IDM-02 IDM-03`),
	},
	{Checks: strings.Fields(`STA-02 BOK-05`), Follows: strings.Fields(`JRN-02 JRN-03 JRN-06 JRN-13 CAN-01 CAN-02 CON-02 CON-03 USR-10 STA-12`)},
	{
		Checks: strings.Fields(`BOK-01`),
		Follows: strings.Fields(`BOK-02 BOK-03 BOK-10 JRN-01 JRN-02 JRN-03 JRN-04 JRN-05 JRN-09 JRN-10 JRN-11 CON-01 CON-02 CON-03 CON-04 CON-05 CON-06
			IDM-02 IDM-03`),
	},
	{Checks: strings.Fields(`BOK-07`), Follows: strings.Fields(`BOK-17 BOK-20 JRN-14 CON-05`)},
	{Checks: strings.Fields(`STA-10`), Follows: strings.Fields(`STA-11 ENR-15 ENR-16 ENR-19 ENR-20 JRN-08`)},
	{
		Members: []string{"date"}, Checks: strings.Fields(`STA-04 BOK-09 BOK-11 TIM-05`), Follows: strings.Fields(`STA-11 BOK-18 BOK-20 JRN-14 CON-05`),
	},
	{Checks: strings.Fields(`USR-12`), Follows: strings.Fields(`USR-13 USR-18 BOK-16 BOK-17 BOK-18 BOK-19 BOK-36 CAN-03 CON-03 STA-11 JRN-10 JRN-15 BAD-08 BAD-14`)},
	{Checks: strings.Fields(`USR-08`), Follows: strings.Fields(`USR-10 USR-13 JRN-03 JRN-05 BOK-36 IDM-02`)},
	{Checks: strings.Fields(`USR-10 JRN-03`), Follows: strings.Fields(`USR-13 USR-18 JRN-05 BOK-36 IDM-02`)},
	{Checks: strings.Fields(`USR-11 CAN-03`), Follows: strings.Fields(`JRN-03 CON-03 USR-18`)},
	{Checks: strings.Fields(`USR-18`), Follows: strings.Fields(`IDM-02`)},
	{
		Checks: strings.Fields(`BOK-19 BOK-15 BOK-16 BOK-17 BOK-18 BOK-20`), Follows: strings.Fields(`BOK-08 BOK-21 BOK-22 BOK-23 STA-17 JRN-04 JRN-14 CON-05 CAN-10`), Says: saysEdit,
		Cure: editCure,
	},
	{Checks: strings.Fields(`SEC-05 SEC-06`), Follows: strings.Fields(`SEC-07`)},
	{
		Checks: strings.Fields(`CAN-11 BAD-10 BAD-12 BAD-13 SEC-12`), When: idNotWhole, Says: saysIDNotWhole,
		Cure: "Compare ids byte for byte: an id with added characters or in other letter case names no journey.",
	},
	{ // bodies that no reader understands
		Checks: strings.Fields(`BAD-01 BAD-02 BAD-03 BAD-04`), When: crashed, Says: saysBadBody,
		Cure: "Catch errors in parsing a body in one place for all operations, and answer 400.",
	},
}

const editCure = "Treat a /book with a journeyId as an edit: change that journey, keep the fields that are not sent, and create no other journey."

// editedAnother reports whether an edit was answered with another journey.
func editedAnother(x *conformance.Exchange) bool {
	was, is := x.Sent().At("journeyId"), x.Reply().At("journeyId")
	return rules.IsEdit(x) && x.Intent == conformance.IntentPlain && x.Succeeded() && is.HasText() && !strings.EqualFold(is.Text(), was.Text())
}

// errorMembers are the members in which servers say why they refuse.
var errorMembers = strings.Fields("error errors title detail")

// repliesError reports whether a call was refused with a success code.
func repliesError(x *conformance.Exchange) bool {
	for _, v := range x.Reply().Members() {
		if v.At("userId").Present() || v.At("journeyId").Present() || v.At("status").Present() {
			return false // the reply is wrapped
		}
	}
	says := func(member string) bool {
		v := x.Reply().At(member)
		return v.HasText() || v.IsObject() || len(v.Items()) > 0
	}
	return x.Succeeded() && !rules.Served(x) && slices.ContainsFunc(errorMembers, says)
}

// saysError returns a description of a refusal that was sent as a success, and its call; "" if there is none.
func saysError(s conformance.Sight) (string, *conformance.Exchange) {
	for _, x := range s.Calls() {
		if repliesError(x) {
			const widest = 70
			return fmt.Sprintf("%s was refused with %d, which says that it was served: %s", x.Operation.Path(), x.Code(), jsonvalue.Clip(x.Reply().Show(), widest)), x
		}
	}
	return "", nil
}

// repliesNoObject reports whether the reply of a successful call is not a JSON object, which makes other checks fail, too.
func repliesNoObject(x *conformance.Exchange) bool { return x.Succeeded() && !x.Reply().IsObject() }

// notUTF8 reports whether a reply is not valid UTF-8, which changes the texts that are read from it.
func notUTF8(x *conformance.Exchange) bool { return x.Response != nil && !utf8.Valid(x.Response.Body) }

// inRestart reports whether a call belongs to the probe that restarts the server.
func inRestart(x *conformance.Exchange) bool { return x.Probe == rules.ProbeRestart }

// amongTwenty reports whether a call belongs to the probe that makes twenty bookings at once.
func amongTwenty(x *conformance.Exchange) bool { return x.Probe == rules.ProbeTwentyBookings }

// cancelledAgain reports whether a call belongs to a probe that cancels a journey more than once.
func cancelledAgain(x *conformance.Exchange) bool {
	return x.Probe == rules.ProbeCancelledTwice || x.Probe == rules.ProbeTenCancels
}

// crashed reports whether a call was answered with a 5xx.
func crashed(x *conformance.Exchange) bool { return x.Code() >= http.StatusInternalServerError }

// idNotWhole reports whether a call was answered with a journey whose id only resembles the one that was sent.
func idNotWhole(x *conformance.Exchange) bool {
	about := x.Operation == rules.OpCancel || x.Operation == rules.OpStatus
	return about && rules.Served(x) && x.Sent().At("journeyId").HasText() && !rules.NamesJourney(x)
}

// saysIDNotWhole describes a call that was answered for an id that only resembles its own; "" if there is none.
func saysIDNotWhole(s conformance.Sight) (string, *conformance.Exchange) {
	for _, x := range s.Calls() {
		if idNotWhole(x) {
			sent, told := x.Sent().At("journeyId").Show(), x.Reply().At("journeyId").Show()
			return fmt.Sprintf("ids are not compared whole: %s with the journeyId %s was answered for %s", x.Operation.Path(), jsonvalue.Clip(sent, 60), told), x
		}
	}
	return "", nil
}

// ofFamily returns the ids of the checks that start with a prefix.
func ofFamily(prefix string) []string {
	var all []string
	for _, c := range rules.Catalogue() {
		if strings.HasPrefix(c.ID, prefix) {
			all = append(all, c.ID)
		}
	}
	return all
}

// numericID returns the first successful booking whose journeyId is a number, or nil.
func numericID(calls []*conformance.Exchange) *conformance.Exchange {
	return numeric(calls, rules.OpBook, "journeyId")
}

// numericUser returns the first successful /user whose userId is a number, or nil.
func numericUser(calls []*conformance.Exchange) *conformance.Exchange {
	return numeric(calls, rules.OpUser, "userId")
}

func numeric(calls []*conformance.Exchange, op conformance.Operation, member string) *conformance.Exchange {
	for _, x := range calls {
		if x.Operation == op && x.Succeeded() && x.Reply().At(member).IsNumber() {
			return x
		}
	}
	return nil
}

func saysNumericID(s conformance.Sight) (string, *conformance.Exchange) {
	return saysNumeric(s, numericID(s.Calls()), "journeyId")
}

func saysNumericUser(s conformance.Sight) (string, *conformance.Exchange) {
	return saysNumeric(s, numericUser(s.Calls()), "userId")
}

// saysNumeric describes an id that was sent as a number, and the operations that do not find
// it.
func saysNumeric(s conformance.Sight, x *conformance.Exchange, member string) (string, *conformance.Exchange) {
	if x == nil {
		return "", nil
	}
	id := x.Reply().At(member).Show()
	text := fmt.Sprintf("%s sent the %s as a number, %s; the interface defines a string", x.Operation.Path(), member, id)
	var paths []string
	for _, op := range s.Broken {
		paths = append(paths, op.Path())
	}
	if len(paths) > 0 {
		text += fmt.Sprintf(", and %s did not find %q", conformance.WordList(paths), id)
	}
	return text, x
}

// saysEdit describes an edit that was answered with another journey; "" if there is none.
func saysEdit(s conformance.Sight) (string, *conformance.Exchange) {
	for _, x := range s.Calls() {
		if was, is := x.Sent().At("journeyId"), x.Reply().At("journeyId"); editedAnother(x) {
			return fmt.Sprintf("/book with the journeyId %s, which is an edit, was answered with another journey, %s", was.Show(), is.Show()), x
		}
	}
	return "", nil
}

// saysBadBody describes malformed bodies that were answered with a 5xx; "" if there is none.
func saysBadBody(s conformance.Sight) (string, *conformance.Exchange) {
	calls := s.Calls()
	at := slices.IndexFunc(calls, func(x *conformance.Exchange) bool { return x.Code() >= http.StatusInternalServerError })
	if at < 0 {
		return "", nil
	}
	var paths []string
	for _, r := range s.Failed {
		if path := r.Operation.Path(); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	const widest = 70
	answer := jsonvalue.Clip(conformance.Answer(calls[at]).Show(), widest)
	return fmt.Sprintf("a malformed body makes %s answer %s", conformance.WordList(paths), answer), calls[at]
}
