package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// A server that books nonsense has to tell nonsense back: that is the fault of the
// call that it took, and is said under that call's check, once.

// oddBooking reports a booking that a server should have refused for its contents.
func oddBooking(x *conformance.Exchange) bool {
	return IsBad(x.Intent) || oddIntents[x.Intent] != "" || len(bookFaults(x.Sent())) > 0
}

// oddIntents name the checks of other bookings that a server may take or refuse.
var oddIntents = map[conformance.Intent]string{IntentMistyped: "BOK-40", IntentTimeForm: "BOK-41"}

// oddCheck names the check of such a booking.
func oddCheck(made *conformance.Exchange) string {
	if IsBad(made.Intent) {
		return BadChecksOf[made.Intent]
	}
	if check := oddIntents[made.Intent]; check != "" {
		return check
	}
	return bookFaults(made.Sent())[0].check
}

// trackOdd records a journey whose booking was odd: what it is like from then on
// proves nothing about the rest.
func (r *tracker) trackOdd(id string, x *conformance.Exchange) {
	r.unreliableIDs[id] = true
	r.oddBookings[id] = x
	r.outdateLists(x)
}

// outdateLists marks the last /user replies of the users of a probe as out of date:
// whose journey a call made cannot always be read off it.
func (r *tracker) outdateLists(x *conformance.Exchange) {
	if x.Operation == OpBook {
		r.ownerOf(x).lastReply = nil
	}
	for _, p := range r.usersByPhone {
		if x.Probe != "" && r.probeOfPhone[p.phone] == x.Probe {
			p.lastReply = nil
		}
	}
}

// judgeToldBack says what an odd booking was told back as, if that is no journey as
// the interface describes one.
func (r *tracker) judgeToldBack(made *conformance.Exchange, shown jsonvalue.Value, x *conformance.Exchange) {
	flaws := journeyFlaws(shown)
	id := shown.At("journeyId").Scalar()
	if len(flaws) == 0 || r.toldBack[id] {
		return
	}
	r.toldBack[id] = true
	f := flaws[0]
	message := fmt.Sprintf("what should have been refused was booked, and was then told back as %s %s", f.at.Pointer(), f.at.Show())
	finding := conformance.Finding{Outcome: conformance.Warn, Message: message, Pointer: f.at.Pointer(), Expected: f.expected + ", or the booking refused", Got: f.at.Show()}
	r.File(OpBook, oddCheck(made), finding, made, x)
}

// journeyFlaws compares a whole journey with the interface, as far as it is there.
func journeyFlaws(j jsonvalue.Value) []flaw {
	var flaws []flaw
	for _, part := range journeyParts {
		if v := j.At(part.key); v.Given() {
			flaws = append(flaws, part.flaws(v)...)
		}
	}
	return flaws
}

// oddShown reports a journey that was booked with odd contents.
func (r *tracker) oddShown(j jsonvalue.Value) bool {
	return r.oddBookings[j.At("journeyId").Scalar()] != nil
}

// evaluated is what is left of {{7*7}}${7*7} when a template ran it.
var evaluated = regexp.MustCompile(`4949|49\$\{|\}\}49`)

// judgeOdd judges what became of a booking with odd contents that was served.
func (r *tracker) judgeOdd(x *conformance.Exchange) {
	made := r.oddBookings[x.Reply().At("journeyId").Scalar()]
	if made == nil {
		return
	}
	r.judgeToldBack(made, x.Reply(), x)
	if made.Intent == IntentBadCapitals {
		l := LikenessOf(x.Reply().At("pickup"), made.Sent().At("Pickup"))
		r.judgeOn(OpBook, "BAD-15", !l.shownAtAll() || l.Same(), x.Reply().At("pickup"), "the pickup as sent, or the call refused", made, x)
	}
	r.judgeTemplates(made, made.Sent().At("name"), x.Reply().At("passenger").At("name"), x)
	r.judgeTemplates(made, made.Sent().At("pickup").At("address"), x.Reply().At("pickup").At("address"), x)
}

// judgeTemplates judges whether a template in a text came back unchanged, if it came
// back at all.
func (r *tracker) judgeTemplates(made *conformance.Exchange, sent, shown jsonvalue.Value, x *conformance.Exchange) {
	if made.Intent == IntentBadScript && shown.HasText() && strings.Contains(sent.Text(), "{{7*7}}") {
		ran := evaluated.MatchString(shown.Text()) && !evaluated.MatchString(sent.Text())
		r.judgeOn(OpBook, "BAD-12", !ran, shown, "string "+sent.Show(), made, x)
	}
}
