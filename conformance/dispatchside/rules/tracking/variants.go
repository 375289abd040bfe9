package tracking

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// judgeVariant judges whether a call was served that differs from an ordinary one only in form.
func (r *tracker) judgeVariant(x *conformance.Exchange) {
	v, ok := rules.Variants[x.Intent]
	switch {
	case !ok:
	case x.Succeeded() && x.Intent == rules.IntentScripts && x.Operation != rules.OpConfig && x.Operation != rules.OpCancel:
		// compareWithBooking judges whether the text is returned.
	case x.Succeeded() && x.Intent == rules.IntentKeepAlive && (x.Response.Closed || x.Resent):
		r.Warn(v.Check, "the server closed the connection after the call", "the connection stays open", conformance.Answer(x), x)
	case x.Succeeded():
		r.Pass(v.Check, x)
	case rules.MustServe(x) && r.refusedPlainToo[x.ID] != nil:
		r.Unverified(v.Check, conformance.NotServed, "the call was also refused in its usual form, so the form is not the reason", x, r.refusedPlainToo[x.ID])
	case rules.MustServe(x):
		r.Fail(v.Check, "a call "+v.Form+" was not served", "served like any other", conformance.Answer(x), x)
	case x.Sound:
		r.Unverified(v.Check, conformance.NotServed, "a call "+v.Form+" was not served, but after the earlier calls the form may not be the reason", x)
	}
}
