package rules

import (
	"github.com/cabrank/cabrank/conformance"
)

// bothForms are the checks that need bookings in two forms, with these forms.
var bothForms = map[string][2]string{
	"BOK-12": {forNow, forNextWeek},
	"BOK-34": {withPlus, withoutPlus},
}

// NeedBothForms withdraws passes of checks for which only one form was served: traffic of
// other clients may contain only one.
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
