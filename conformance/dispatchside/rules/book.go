package rules

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeBook judges one call of /book without comparing it with other calls.
func judgeBook(x *conformance.Exchange, s *conformance.Findings) {
	if x.Request.Method != "POST" || !x.Sent().IsObject() {
		return
	}
	switch x.Intent {
	case IntentCategory:
		judgeCategory(x, s)
	case IntentMistyped:
		judgeMistyped(x, s)
		return
	case IntentTimeForm:
		s.Observe("BOK-41", fmt.Sprintf("pickupTime %s is answered %d", x.Sent().At("pickupTime").Show(), x.Code()), x)
		return
	case IntentDisabled, IntentBlacklisted:
		s.Observe("BOK-38", fmt.Sprintf("a booking by a %s is answered %d", x.Intent, x.Code()), x)
		return
	}
	if faults := bookFaults(x.Sent()); len(faults) > 0 {
		if len(faults) == 1 && !IsEdit(x) {
			judgeFault(faults[0], x, s)
		}
		return
	}
	switch x.Intent {
	case IntentUnknown:
		judgeUnknownEdit(x, s)
		return
	case IntentForeign:
		if !IsEdit(x) { // nobody's userId: whose journey it is shows in what /user lists
			return
		}
		if x.Succeeded() && !Served(x) {
			s.Warn("BOK-22", "an edit with another user's userId was answered as a success, without a journey", "4xx", conformance.Answer(x), x)
			return
		}
		judgeRefusal(s, "BOK-22", "an edit with another user's userId", x)
		return
	}
	judgeBookRequest(x, s)
	if Served(x) {
		judgeBookReply(x, s)
	}
}

// A fault is something in a /book request for which a server should refuse it.
type fault struct {
	check, what string
	strict      bool // every answer other than 4xx fails the check; otherwise only a booking does
}

// almostTime matches text that starts like a date-time.
var almostTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d`)

// judgeMistyped judges a booking or an edit with an optional field of the wrong type.
func judgeMistyped(x *conformance.Exchange, s *conformance.Findings) {
	id := x.Sent().At("journeyId")
	switch {
	case x.RefusedCleanly():
		s.Refused("BOK-40", x)
	case !x.Succeeded():
		s.Fail("BOK-40", "a field of the wrong type was not refused cleanly", "4xx", conformance.Answer(x), x)
	case Served(x) && id.Given() && !id.IsText():
		s.Fail("BOK-40", "a /book with a journeyId that is not a string gave a journey", "4xx", conformance.Answer(x), x)
	default:
		s.Warn("BOK-40", "a field of the wrong type was ignored", "4xx", conformance.Answer(x), x)
	}
}

// bookFaults returns the faults of a /book request for which a server should refuse it.
func bookFaults(sent jsonvalue.Value) []fault {
	var faults []fault
	for _, f := range []struct{ key, check string }{
		{"name", "BOK-24"},
		{"phoneNumber", "BOK-25"},
		{"pickup", "BOK-26"},
		{"dropoffs", "BOK-27"},
		{"pickupTime", "BOK-28"},
	} {
		if v := sent.At(f.key); !v.Given() || v.IsText() && !v.HasText() {
			faults = append(faults, fault{f.check, "a booking without " + f.key, false})
		}
	}
	if d := sent.At("dropoffs"); d.IsArray() && len(d.Items()) == 0 {
		faults = append(faults, fault{"BOK-29", "a booking with dropoffs []", false})
	}
	for _, a := range append(sent.At("dropoffs").Items(), sent.At("pickup")) {
		if a.Given() {
			faults = append(faults, placeFaults(a)...)
		}
	}
	if t := sent.At("pickupTime"); t.Given() {
		if _, err := taxi.ParseTime(t.Text()); err != nil {
			check := "BOK-37"
			if almostTime.MatchString(t.Text()) {
				check = "BOK-39"
			}
			faults = append(faults, fault{check, "pickupTime " + t.Show(), true})
		}
	}
	return faults
}

func placeFaults(a jsonvalue.Value) []fault {
	point := a.At("location")
	switch {
	case !a.At("address").HasText():
		return []fault{{"BOK-30", a.Pointer() + " without address", true}}
	case !point.IsObject():
		return []fault{{"BOK-30", a.Pointer() + " without location", true}}
	case len(pointFlaws(point)) > 0:
		return []fault{{"BOK-31", point.Pointer() + " " + point.Show(), true}}
	}
	return nil
}

func judgeFault(f fault, x *conformance.Exchange, s *conformance.Findings) {
	switch {
	case Served(x):
		s.Fail(f.check, f.what+" was reported as booked", "4xx", conformance.Answer(x), x)
	case x.RefusedCleanly():
		s.Refused(f.check, x)
	case f.strict:
		s.Fail(f.check, f.what+" was not refused cleanly", "4xx", conformance.Answer(x), x)
	default:
		s.Warn(f.check, f.what+" was not refused cleanly", "4xx", conformance.Answer(x), x)
	}
}

func judgeCategory(x *conformance.Exchange, s *conformance.Findings) {
	fine := x.Succeeded() || x.RefusedCleanly()
	s.Want("BOK-14", fine, conformance.Answer(x), "4xx, or the booking served", x)
}

func judgeUnknownEdit(x *conformance.Exchange, s *conformance.Findings) {
	switch {
	case Served(x):
		s.Fail("BOK-21", "an edit of an unknown journey was answered with a journey", "404", conformance.Answer(x), x)
	case x.RefusedCleanly():
		s.Refused("BOK-21", x)
	default:
		s.Warn("BOK-21", "an edit of an unknown journey was not refused cleanly", "404", conformance.Answer(x), x)
	}
}

// judgeBookRequest judges whether the allowed forms of a booking are served. A refusal
// is filed under the most unusual form of the request.
func judgeBookRequest(x *conformance.Exchange, s *conformance.Findings) {
	if _, variant := Variants[x.Intent]; variant {
		return
	}
	if IsEdit(x) {
		if MustServe(x) && !Served(x) {
			s.Fail("BOK-15", "an edit was not served", "the journey with its id and status", conformance.Answer(x), x)
		}
		return
	}
	forms := bookForms(x)
	if Served(x) {
		for _, f := range forms {
			s.Pass(f.check, x)
		}
		return
	}
	if blame := forms[0]; MustServe(x) && blame.check != "BOK-13" { // BOK-13 only records the answer
		s.Fail(blame.check, blame.what+" did not give a journey", "journeyId and status", conformance.Answer(x), x)
	}
}

// A form is one way of writing a booking that a server must accept, with its check.
type form struct{ check, what string }

// The pairs of forms that one check needs: both must occur.
const (
	forNow      = "a booking for now"
	forNextWeek = "a booking for next week"
	withPlus    = "a phoneNumber with a plus sign"
	withoutPlus = "a phoneNumber without a plus sign"
)

const (
	large   = 6 << 10 // bytes from which a booking counts as large
	shortly = 10 * time.Minute
	ahead   = 6 * 24 * time.Hour
)

// bookForms lists the forms of a booking, the most unusual first.
func bookForms(x *conformance.Exchange) []form {
	var forms []form
	add := func(is bool, check, what string) {
		if is {
			forms = append(forms, form{check, what})
		}
	}
	text := x.Sent().At("pickupTime").Text()
	when, _ := taxi.ParseTime(text)
	until := when.Sub(x.Started)
	hasID := x.Sent().At("journeyId").Present()
	bare := !x.Sent().At("userId").Given() && !x.Sent().At("vehicleCategory").Given() && !x.Sent().At("data").Given()

	add(len(x.Request.Body) > large, "BOK-35", "a booking with large data")
	add(strings.HasPrefix(x.Sent().At("phoneNumber").Text(), "+"), "BOK-34", withPlus)
	add(!strings.HasSuffix(text, "Z") || strings.Contains(text, "."), "BOK-10", "pickupTime "+text)
	add(until > -shortly && until < shortly, "BOK-12", forNow)
	add(until < -shortly, "BOK-13", "a booking for the past")
	add(hasID, "BOK-02", "a booking with journeyId null")
	add(bare, "BOK-01", "a booking with the required fields only")
	add(!bare, "BOK-03", "a booking with optional fields")
	add(until > ahead, "BOK-12", forNextWeek)
	add(strings.HasSuffix(text, "Z"), "BOK-10", "pickupTime "+text)
	add(!strings.HasPrefix(x.Sent().At("phoneNumber").Text(), "+"), "BOK-34", withoutPlus)
	return forms
}

// judgeBookReply judges the answer to a booking or an edit.
func judgeBookReply(x *conformance.Exchange, s *conformance.Findings) {
	id, status := x.Reply().At("journeyId"), x.Reply().At("status")
	s.Want("BOK-04", id.HasText(), id, "string, not empty", x)
	known := judgeSpelling("BOK-05", status, x, s)
	if known && !IsEdit(x) {
		ended := taxi.Status(status.Text()).Terminal()
		s.Want("BOK-06", !ended, status, "the status of a journey that is to come", x)
	}
	judgeFurther(x, s)
}

// judgeFurther judges date, pickup, dropoffs and passenger in an answer to /book, as far as they are there.
func judgeFurther(x *conformance.Exchange, s *conformance.Findings) {
	for _, part := range bookedParts {
		if v := x.Reply().At(part.key); v.Given() {
			judgeFlaws(s, "BOK-09", part.flaws(v), x)
		}
	}
}

// judgePast records how a booking for the past was answered.
func judgePast(x *conformance.Exchange, s *conformance.Findings) {
	when, err := taxi.ParseTime(x.Sent().At("pickupTime").Text())
	ago := min(x.Started.Sub(when.Time), x.Wall().Sub(when.Time)) // a client of a world that runs ahead may use real time
	if x.Operation == OpBook && err == nil && ago > shortly && !IsEdit(x) {
		s.Observe("BOK-13", fmt.Sprintf("a pickup %s ago is answered %d", ago.Round(time.Hour), x.Code()), x)
	}
}
