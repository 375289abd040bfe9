package conformance

import "reflect"

// trackConfig judges the first answer to /config of a run, and the answers to the same
// question while nothing else happens.
func (r *tracker) trackConfig(x *Exchange) {
	if x.Probe == probePreflight {
		r.want("CFG-12", served(x), answer(x), "the first call of all served", x)
	}
	if x.Intent != intentRepeat || !served(x) {
		return
	}
	before := r.lastConfig
	r.lastConfig = x
	if before == nil {
		return
	}
	same := reflect.DeepEqual(kindsOf(before.Reply()), kindsOf(x.Reply()))
	r.want("CFG-08", same, x.Reply(), "the same fields as the call before", before, x)
	for _, key := range []string{"status", "data"} {
		now, was := x.Reply().at(key), before.Reply().at(key)
		if !reflect.DeepEqual(now.raw(), was.raw()) {
			r.fail("CFG-14", now.pointer()+" changed while nothing happened", was.show(), now, before, x)
			return
		}
	}
	r.pass("CFG-14", before, x)
}

// kindsOf returns the types of the fields that the interface gives to /config.
func kindsOf(reply value) map[string]string {
	kinds := map[string]string{}
	for _, key := range []string{"status", "eta", "data"} {
		kinds[key] = reply.at(key).kind()
	}
	return kinds
}
