package tracking

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// trackOdd records that a journey comes from an invalid booking: its later replies prove nothing
// for other checks.
func (r *tracker) trackOdd(id string, x *conformance.Exchange) {
	r.unreliableIDs[id] = true
	r.oddBookings[id] = x
	r.outdateLists(x)
}

// outdateLists marks the last /user replies of the users of a probe as out of date, since
// the user of a new journey is not always known.
func (r *tracker) outdateLists(x *conformance.Exchange) {
	if x.Operation == rules.OpBook {
		r.ownerOf(x).lastReply = nil
	}
	for _, p := range r.usersByPhone {
		if x.Probe != "" && r.probeOfPhone[p.phone] == x.Probe {
			p.lastReply = nil
		}
	}
}

// judgeToldBack warns, once for each journey, if a reply shows an invalid booking with values that
// the interface does not allow.
func (r *tracker) judgeToldBack(made *conformance.Exchange, shown jsonvalue.Value, x *conformance.Exchange) {
	flaws := slices.DeleteFunc(rules.JourneyFlaws(shown), func(f rules.Flaw) bool { return r.isUsual(shown, f) })
	id := shown.At("journeyId").Scalar()
	if len(flaws) == 0 || r.toldBack[id] {
		return
	}
	r.toldBack[id] = true
	f := flaws[0]
	message := fmt.Sprintf("an invalid booking was accepted, and a later reply shows %s %s", f.At.Pointer(), f.At.Show())
	finding := conformance.Finding{Outcome: conformance.Warn, Message: message, Pointer: f.At.Pointer(), Expected: f.Expected + ", or the booking refused", Got: f.At.Show()}
	r.File(rules.OpBook, rules.OddCheck(made), finding, made, x)
}

// isUsual reports whether the server shows the same flaw in another journey, so that the invalid booking is not its cause.
func (r *tracker) isUsual(shown jsonvalue.Value, f rules.Flaw) bool {
	for id, t := range r.journeys {
		if t.lastRead == nil || r.oddBookings[id] != nil {
			continue
		}
		usual := t.lastRead.Reply()
		for _, other := range rules.JourneyFlaws(usual) {
			if other.Expected == f.Expected && strings.TrimPrefix(other.At.Pointer(), usual.Pointer()) == strings.TrimPrefix(f.At.Pointer(), shown.Pointer()) {
				return true
			}
		}
	}
	return false
}

// oddShown reports whether a journey was booked with odd contents.
func (r *tracker) oddShown(j jsonvalue.Value) bool {
	return r.oddBookings[j.At("journeyId").Scalar()] != nil
}

// evaluated matches the text {{7*7}}${7*7} after a template engine has evaluated it.
var evaluated = regexp.MustCompile(`4949|49\$\{|\}\}49`)

// judgeOdd judges the replies that show a served booking with odd contents.
func (r *tracker) judgeOdd(x *conformance.Exchange) {
	made := r.oddBookings[x.Reply().At("journeyId").Scalar()]
	if made == nil {
		return
	}
	r.judgeToldBack(made, x.Reply(), x)
	if made.Intent == rules.IntentBadCapitals {
		l := rules.LikenessOf(x.Reply().At("pickup"), made.Sent().At("Pickup"))
		fileUnderOperation(&r.Findings, rules.OpBook, "BAD-15", !l.ShownAtAll() || l.Same(), x.Reply().At("pickup"), "the pickup as sent, or the call refused", made, x)
	}
	judgeTemplates(made, made.Sent().At("name"), x.Reply().At("passenger").At("name"), x, &r.Findings)
	judgeTemplates(made, made.Sent().At("pickup").At("address"), x.Reply().At("pickup").At("address"), x, &r.Findings)
}

// judgeTemplates judges whether a mark or a template in a text is returned unchanged, if it is
// returned.
func judgeTemplates(made *conformance.Exchange, sent, shown jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if _, mark := rules.Marked(made); mark.Text != "" && strings.HasSuffix(sent.Text(), mark.Text) && shown.HasText() {
		more := strings.Count(shown.Text(), mark.Text) > strings.Count(sent.Text(), mark.Text)
		fileUnderOperation(s, rules.OpBook, "BAD-12", !more, shown, "string "+sent.Show(), made, x)
		if strings.Count(shown.Text(), mark.Text) < strings.Count(sent.Text(), mark.Text) { // kept out on purpose, perhaps
			message := shown.Pointer() + " has lost " + mark.Text
			s.File(rules.OpBook, "BAD-12", conformance.Finding{Outcome: conformance.Warn, Message: message, Pointer: shown.Pointer(), Expected: "string " + sent.Show(), Got: shown.Show()}, made, x)
		}
	}
	if made.Intent == rules.IntentBadScript && shown.HasText() && strings.Contains(sent.Text(), "{{7*7}}") {
		ran := evaluated.MatchString(shown.Text()) && !evaluated.MatchString(sent.Text())
		fileUnderOperation(s, rules.OpBook, "BAD-12", !ran, shown, "string "+sent.Show(), made, x)
	}
}
