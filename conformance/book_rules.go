package conformance

import (
	"fmt"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeBook judges one call of /book by itself.
func judgeBook(x *Exchange, s *findings) {
	if x.Request.Method != "POST" || !x.Sent().isObject() {
		return
	}
	switch x.Intent {
	case intentCategory:
		judgeCategory(x, s)
	case intentDisabled, intentBlacklisted:
		s.observe("BOK-38", fmt.Sprintf("a booking by a %s is answered %d", x.Intent, x.code()), x)
		return
	}
	if faults := bookFaults(x.Sent()); len(faults) > 0 {
		if len(faults) == 1 && !isEdit(x) {
			judgeFault(faults[0], x, s)
		}
		return
	}
	switch x.Intent {
	case intentUnknown:
		judgeUnknownEdit(x, s)
		return
	case intentForeign:
		judgeRefusal(s, "BOK-22", "an edit with another user's userId", x)
		return
	}
	judgeBookRequest(x, s)
	if served(x) {
		judgeBookReply(x, s)
	}
}

// fault is one thing wrong with a /book request.
type fault struct {
	check, what string
	strict      bool // an answer other than 4xx is a failure, not only a booking
}

// bookFaults reads off a request what a server should refuse it for.
func bookFaults(sent value) []fault {
	var faults []fault
	for _, f := range []struct{ key, check string }{
		{"name", "BOK-24"},
		{"phoneNumber", "BOK-25"},
		{"pickup", "BOK-26"},
		{"dropoffs", "BOK-27"},
		{"pickupTime", "BOK-28"},
	} {
		if v := sent.at(f.key); !v.given() || v.isText() && !v.hasText() {
			faults = append(faults, fault{f.check, "a booking without " + f.key, false})
		}
	}
	if d := sent.at("dropoffs"); d.isArray() && len(d.items()) == 0 {
		faults = append(faults, fault{"BOK-29", "a booking with dropoffs []", false})
	}
	for _, a := range append(sent.at("dropoffs").items(), sent.at("pickup")) {
		if a.given() {
			faults = append(faults, placeFaults(a)...)
		}
	}
	if t := sent.at("pickupTime"); t.given() {
		if _, err := taxi.ParseTime(t.text()); err != nil {
			faults = append(faults, fault{"BOK-37", "pickupTime " + t.show(), true})
		}
	}
	return faults
}

func placeFaults(a value) []fault {
	point := a.at("location")
	switch {
	case !a.at("address").hasText():
		return []fault{{"BOK-30", a.pointer() + " without address", true}}
	case !point.isObject():
		return []fault{{"BOK-30", a.pointer() + " without location", true}}
	case len(pointFlaws(point)) > 0:
		return []fault{{"BOK-31", point.pointer() + " " + point.show(), true}}
	}
	return nil
}

func judgeFault(f fault, x *Exchange, s *findings) {
	switch {
	case served(x):
		s.fail(f.check, f.what+" was reported as booked", "4xx", answer(x), x)
	case x.refusedCleanly():
		s.refused(f.check, x)
	case f.strict:
		s.fail(f.check, f.what+" was not refused cleanly", "4xx", answer(x), x)
	default:
		s.warn(f.check, f.what+" was not refused cleanly", "4xx", answer(x), x)
	}
}

func judgeCategory(x *Exchange, s *findings) {
	fine := x.succeeded() || x.refusedCleanly()
	s.want("BOK-14", fine, answer(x), "4xx, or the booking served", x)
}

func judgeUnknownEdit(x *Exchange, s *findings) {
	switch {
	case served(x):
		s.fail("BOK-21", "an edit of an unknown journey was answered with a journey", "404", answer(x), x)
	case x.refusedCleanly():
		s.refused("BOK-21", x)
	default:
		s.warn("BOK-21", "an edit of an unknown journey was not refused cleanly", "404", answer(x), x)
	}
}

// judgeBookRequest judges whether the forms that a booking may take are served.
// A refusal is held against the most unusual thing about the request.
func judgeBookRequest(x *Exchange, s *findings) {
	if _, variant := variants[x.Intent]; variant {
		return
	}
	if isEdit(x) {
		if mustServe(x) && !served(x) {
			s.fail("BOK-15", "an edit was not served", "the journey with its id and status", answer(x), x)
		}
		return
	}
	forms := bookForms(x)
	if served(x) {
		for _, f := range forms {
			s.pass(f.check, x)
		}
		return
	}
	if mustServe(x) {
		blame := forms[0]
		s.fail(blame.check, blame.what+" did not give a journey", "journeyId and status", answer(x), x)
	}
}

// form is one thing about a booking that a server has to be able to take.
type form struct{ check, what string }

const (
	large   = 6 << 10 // bytes from which a booking counts as large
	shortly = 10 * time.Minute
	ahead   = 6 * 24 * time.Hour
)

// bookForms lists the forms of a booking, the most unusual first.
func bookForms(x *Exchange) []form {
	var forms []form
	add := func(is bool, check, what string) {
		if is {
			forms = append(forms, form{check, what})
		}
	}
	text := x.Sent().at("pickupTime").text()
	when, _ := taxi.ParseTime(text)
	until := when.Sub(x.Started)
	object := x.Sent().raw().(map[string]any)
	_, hasID := object["journeyId"]
	bare := !x.Sent().at("userId").given() && !x.Sent().at("vehicleCategory").given() && !x.Sent().at("data").given()

	add(len(x.Request.Body) > large, "BOK-35", "a booking with large data")
	add(strings.HasPrefix(x.Sent().at("phoneNumber").text(), "+"), "BOK-34", "a phoneNumber with a plus sign")
	add(!strings.HasSuffix(text, "Z") || strings.Contains(text, "."), "BOK-10", "pickupTime "+text)
	add(until > -shortly && until < shortly, "BOK-12", "a booking for now")
	add(until < -shortly, "BOK-13", "a booking for the past")
	add(hasID, "BOK-02", "a booking with journeyId null")
	add(bare, "BOK-01", "a booking with the required fields only")
	add(!bare, "BOK-03", "a booking with optional fields")
	add(until > ahead, "BOK-12", "a booking for next week")
	add(strings.HasSuffix(text, "Z"), "BOK-10", "pickupTime "+text)
	add(!strings.HasPrefix(x.Sent().at("phoneNumber").text(), "+"), "BOK-34", "a phoneNumber without a plus sign")
	return forms
}

// judgeBookReply judges the answer to a booking or an edit.
func judgeBookReply(x *Exchange, s *findings) {
	id, status := x.Reply().at("journeyId"), x.Reply().at("status")
	s.want("BOK-04", id.hasText(), id, "string, not empty", x)
	known := s.want("BOK-05", spelled(status), status, statusList, x)
	if known && !isEdit(x) {
		ended := taxi.Status(status.text()).Terminal()
		s.want("BOK-06", !ended, status, "the status of a journey that is to come", x)
	}
	judgeFurther(x, s)
}

// judgeFurther judges the optional parts of an answer to /book.
func judgeFurther(x *Exchange, s *findings) {
	for _, part := range []struct {
		key   string
		flaws func(value) []flaw
	}{
		{"date", dateFlaws},
		{"pickup", addressFlaws},
		{"dropoffs", addressesFlaws},
		{"passenger", func(v value) []flaw { return flawsOf(v, passengerShape) }},
	} {
		if v := x.Reply().at(part.key); v.given() {
			judgeFlaws(s, "BOK-09", part.flaws(v), x)
		}
	}
}

// judgePast records what became of a booking for the past.
func judgePast(x *Exchange, s *findings) {
	when, err := taxi.ParseTime(x.Sent().at("pickupTime").text())
	if x.Operation == OpBook && err == nil && when.Before(x.Started.Add(-shortly)) && !isEdit(x) {
		s.observe("BOK-13", fmt.Sprintf("a pickup %s ago is answered %d", x.Started.Sub(when.Time).Round(time.Hour), x.code()), x)
	}
}
