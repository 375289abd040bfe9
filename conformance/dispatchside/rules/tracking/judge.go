package tracking

import (
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// Judge applies every rule to a history and returns the findings. It annotates copies of the calls,
// since others may be reading the same history.
func Judge(recorded []*conformance.Exchange, _ []conformance.Observation) []conformance.FiledFinding {
	history := make([]*conformance.Exchange, len(recorded))
	for i, x := range recorded {
		own := *x
		history[i] = &own
		own.Read()
	}
	unread := slices.DeleteFunc(slices.Clone(history), func(x *conformance.Exchange) bool { return !x.Unread() })
	flaky := setFlakyAside(history)
	r := newTracker(byID, history)
	setUnreadAside(unread, &r.Findings)
	judgeFlaky(flaky, history, &r.Findings)
	if servesCustomersOnly(history) {
		excuseStrangers(history, &r.Findings)
	}
	whole := history
	history = withoutRateLimited(history, &r.Findings)
	for _, x := range history {
		r.next(x)
	}
	partly := func(x *conformance.Exchange) bool { return x.Intent == conformance.IntentPartly }
	history = slices.DeleteFunc(slices.Clone(history), partly)
	whole = slices.DeleteFunc(slices.Clone(whole), partly)
	for _, op := range rules.Operations() {
		judgeAnswered(op, whole, &r.Findings)
	}
	r.judgeDigits(history)
	judgeByDigits(history, r)
	r.judgeZones()
	r.judgeOwnPrices()
	r.judgeUnlistedForOthers()
	judgeSequences(history, r)
	judgeSentTwice(history, &r.Findings)
	judgeTimes(history, &r.Findings)
	r.judgeInTurn(history)
	judgeStrangersView(history, &r.Findings)
	judgeSecured(history, &r.Findings)
	judgeGuessable(history, &r.Findings)
	judgeWalks(history, &r.Findings)
	return r.withoutInTurn(rules.NeedBothForms(needControls(r.Filed, history), history))
}

// setUnreadAside excludes calls that were too long to be parsed. An answer longer than any answer
// may be fails W-01 all the same.
func setUnreadAside(calls []*conformance.Exchange, s *conformance.Findings) {
	s.JudgeUnread(rules.Catalogue(), calls)
	for _, x := range calls {
		if x.Succeeded() && x.Endless() {
			s.Fail("W-01", x.WhyNoObject(), "one JSON object", conformance.Answer(x), x)
		}
		x.RecordedPartly()
	}
}

// withoutRateLimited returns the history without the calls that were answered 429, which were
// neither served nor refused, and judges those answers.
func withoutRateLimited(history []*conformance.Exchange, s *conformance.Findings) []*conformance.Exchange {
	var rest []*conformance.Exchange
	for _, x := range history {
		if x.Code() != http.StatusTooManyRequests || x.Intent == conformance.IntentPartly {
			rest = append(rest, x)
			continue
		}
		rules.JudgeRateLimited(x, s)
	}
	return rest
}

// judgeAnswered judges whether an operation exists and answers in JSON.
func judgeAnswered(op conformance.Operation, history []*conformance.Exchange, s *conformance.Findings) {
	var refused, putOff *conformance.Exchange
	served := false
	for _, x := range history {
		if x.Operation != op || x.Request.Method != "POST" || x.Intent == rules.IntentSlashes || x.ToOtherPort() {
			continue
		}
		switch {
		case x.Code() == http.StatusTooManyRequests:
			putOff = x
		case x.Succeeded() && x.Reply().IsObject():
			served = true
			s.Pass("W-01", x)
		case x.Succeeded():
			s.Fail("W-01", x.WhyNoObject(), "one JSON object", conformance.Answer(x), x)
		case rules.MustServeUsual(x) && x.Response == nil:
			s.Fail("W-01", "no answer came", "one JSON object", conformance.Answer(x), x)
		case refused == nil && (rules.MustServeUsual(x) || x.Probe != "" && x.Intent == rules.IntentNewcomer):
			refused = x
		}
	}
	switch {
	case !served && putOff != nil:
		s.Unverified("W-01", conformance.RateLimited, "the server kept answering that calls are too frequent (429)", putOff)
	case served || refused == nil:
	case rules.MustServeUsual(refused) || !refused.RefusedCleanly() || !refused.Reply().Present():
		s.Fail("W-01", "the operation never answered with success", "2xx with one JSON object", conformance.Answer(refused), refused)
	default:
		s.Unverified("W-01", conformance.NeedsAid, "every number was unknown to the server: name two that it knows", refused)
	}
}

// needControls returns the findings with passes for a refusal set to not verified unless the server
// served the operation later in the same probe.
func needControls(all []conformance.FiledFinding, history []*conformance.Exchange) []conformance.FiledFinding {
	type key struct {
		probe conformance.ProbeName
		op    conformance.Operation
	}
	lastServed := map[key]int{}
	byID := map[int]*conformance.Exchange{}
	for _, x := range history {
		byID[x.ID] = x
		if rules.Served(x) && x.Request.Method == "POST" && !x.ToOtherPort() {
			lastServed[key{x.Probe, x.Operation}] = x.ID
		}
	}
	for i := range all {
		j := &all[i]
		if !j.ByRefusal {
			continue
		}
		x := byID[j.Exchanges[len(j.Exchanges)-1]]
		if lastServed[key{x.Probe, x.Operation}] < x.ID {
			j.Outcome = conformance.NotVerified
			why := conformance.Because(conformance.NotServed, "the call was refused, but no later call of %s in this probe was served either", x.Operation.Path())
			j.Message, j.Reason = why.String(), &why
		}
	}
	return all
}
