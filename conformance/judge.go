package conformance

import (
	"net/http"
	"slices"
)

// FindingsOf applies every rule to a history. It notes on each call what it finds out
// about it, on copies: others may be reading the same history.
func FindingsOf(recorded []*Exchange) []filedFinding {
	history := make([]*Exchange, len(recorded))
	for i, x := range recorded {
		own := *x
		history[i] = &own
		own.read()
	}
	r := newTracker(history)
	whole := history
	history = r.withoutRateLimited(history)
	for _, x := range history {
		r.next(x)
	}
	partly := func(x *Exchange) bool { return x.Intent == intentPartly }
	history = slices.DeleteFunc(slices.Clone(history), partly)
	whole = slices.DeleteFunc(slices.Clone(whole), partly)
	for _, op := range Operations() {
		r.judgeAnswered(op, whole)
	}
	r.judgeDigits(history)
	judgeSequences(history, r)
	r.judgeSentTwice(history)
	r.judgeTimes(history)
	r.judgeStrangersView(history)
	r.judgeSecured(history)
	r.judgeGuessable(history)
	r.judgeWalks(history)
	return needControls(r.filed, history)
}

// withoutRateLimited leaves out the calls that were answered 429: they were neither
// served nor refused. What can be said of such an answer is said here.
func (r *tracker) withoutRateLimited(history []*Exchange) []*Exchange {
	var rest []*Exchange
	for _, x := range history {
		if x.code() != http.StatusTooManyRequests || x.Intent == intentPartly {
			rest = append(rest, x)
			continue
		}
		judgeWire(x, &r.findings)
		if x.Operation == OpStatus {
			judgePolling(x, &r.findings)
		}
	}
	return rest
}

// judgeAnswered judges whether an operation is there and answers in JSON.
func (r *tracker) judgeAnswered(op Operation, history []*Exchange) {
	var refused, putOff *Exchange
	served := false
	for _, x := range history {
		if x.Operation != op || x.Request.Method != "POST" || x.Intent == intentSlashes || x.toOtherPort() {
			continue
		}
		switch {
		case x.code() == http.StatusTooManyRequests:
			putOff = x
		case x.succeeded() && x.Reply().isObject():
			served = true
			r.pass("W-01", x)
		case x.succeeded():
			r.fail("W-01", x.whyNoObject(), "one JSON object", answer(x), x)
		case mustServeUsual(x) && x.Response == nil:
			r.fail("W-01", "no answer came", "one JSON object", answer(x), x)
		case refused == nil && (mustServeUsual(x) || x.Probe != "" && x.Intent == intentNewcomer):
			refused = x
		}
	}
	switch {
	case !served && putOff != nil:
		r.unverified("W-01", RateLimited, "the server asked to be called less often (429), and went on asking", putOff)
	case served || refused == nil:
	case mustServeUsual(refused) || !refused.refusedCleanly() || !refused.Reply().present():
		r.fail("W-01", "the operation never answered with success", "2xx with one JSON object", answer(refused), refused)
	default:
		r.unverified("W-01", NeedsAid, "every number was unknown to the server: name two that it knows", refused)
	}
}

// needControls takes back passes earned by a refusal if the server did not also serve
// the operation later in the same probe.
func needControls(all []filedFinding, history []*Exchange) []filedFinding {
	type key struct {
		probe ProbeName
		op    Operation
	}
	lastServed := map[key]int{}
	byID := map[int]*Exchange{}
	for _, x := range history {
		byID[x.ID] = x
		if served(x) && x.Request.Method == "POST" && !x.toOtherPort() {
			lastServed[key{x.Probe, x.Operation}] = x.ID
		}
	}
	for i := range all {
		j := &all[i]
		if !j.byRefusal {
			continue
		}
		x := byID[j.Exchanges[len(j.Exchanges)-1]]
		if lastServed[key{x.Probe, x.Operation}] < x.ID {
			j.Outcome = NotVerified
			why := because(NotServed, "it was refused, but so was everything else: no later call of %s in this probe was served", x.Operation.Path())
			j.Message, j.Reason = why.String(), &why
		}
	}
	return all
}
