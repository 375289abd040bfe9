package rules

import (
	"github.com/cabrank/cabrank/conformance"
)

// bothForms are the checks that need served bookings in two forms, with the two forms.
var bothForms = map[string][2]string{
	"BOK-12": {forNow, forNextWeek},
	"BOK-34": {withPlus, withoutPlus},
}

// NeedBothForms returns the findings with passes of such checks set to not verified if only one
// form was served, as in traffic of other clients.
func NeedBothForms(all []conformance.FiledFinding, history []*conformance.Exchange) []conformance.FiledFinding {
	served := formsServed(history)
	for i := range all {
		f := &all[i]
		want, two := bothForms[f.Check]
		if !two || f.Outcome != conformance.Pass {
			continue
		}
		for _, form := range want {
			if !served[form] {
				why := conformance.Because(conformance.NotSeen, "%s that was served", form)
				f.Outcome, f.Message, f.Reason = conformance.NotVerified, why.String(), &why
			}
		}
	}
	return all
}

// formsServed returns the forms of the served bookings.
func formsServed(history []*conformance.Exchange) map[string]bool {
	served := map[string]bool{}
	for _, x := range history {
		if x.Operation != OpBook || !Served(x) || IsEdit(x) || OddBooking(x) {
			continue
		}
		for _, f := range bookForms(x) {
			served[f.what] = true
		}
	}
	return served
}
