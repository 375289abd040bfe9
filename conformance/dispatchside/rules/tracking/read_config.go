package tracking

import (
	"reflect"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// trackConfig judges the first answer to /config in a run, and the answers to the same
// request repeated while nothing else happens.
func (r *tracker) trackConfig(x *conformance.Exchange) {
	if x.Probe == conformance.ProbePreflight {
		r.Want("CFG-12", rules.Served(x), conformance.Answer(x), "the first call of all served", x)
	}
	if x.Intent != rules.IntentRepeat || !rules.Served(x) {
		return
	}
	before := r.lastConfig
	r.lastConfig = x
	if before == nil {
		return
	}
	same := reflect.DeepEqual(kindsOf(before.Reply()), kindsOf(x.Reply()))
	r.Want("CFG-08", same, x.Reply(), "the same fields as the call before", before, x)
	for _, key := range []string{"status", "data"} {
		now, was := x.Reply().At(key), before.Reply().At(key)
		if !reflect.DeepEqual(now.Raw(), was.Raw()) {
			r.Fail("CFG-14", now.Pointer()+" changed while nothing happened", was.Show(), now, before, x)
			return
		}
	}
	r.Pass("CFG-14", before, x)
}

// kindsOf returns the types of the fields that the interface defines for /config.
func kindsOf(reply jsonvalue.Value) map[string]string {
	kinds := map[string]string{}
	for _, key := range []string{"status", "eta", "data"} {
		kinds[key] = reply.At(key).Kind()
	}
	return kinds
}
