package rules

import (
	"fmt"
	"net"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

const (
	callClause  = "Resources and their fields, Voice call request"
	basicClause = "Authentication, Voice API"
)

var (
	voiceOnly = []conformance.Operation{OpVoiceCall}
	bothCalls = []conformance.Operation{OpAccountCall, OpVoiceCall}
)

var voiceRows = []row{
	{must("VOI-01", "Endpoints, Voice API", bothCalls, "The minimal request, a phoneNumber target and one say verb with text, is valid: everything else falls back to the account.", "Nobody could place the simplest call.", "Give callerId, tag, timeout, voice and loop defaults."), callTaken(conformance.IntentPlain)},
	{must("VOI-02", callClause, bothCalls, "callerId, tag with data, the target's timeout, and say with voice and loop are accepted.", "Calls cannot be distinguished, or show the wrong number.", "Accept every field of the table."), callTaken(IntentFull)},
	{must("VOI-03", callClause, bothCalls, "A blank callerId means the account's default.", "Clients that send every field cannot call.", "Treat \"\" as omitted."), callTaken(IntentBlank)},
	{must("VOI-04", callClause, bothCalls, "The verbs dial and hangup are accepted with their fields.", "Calls cannot be put through.", "Accept callerId, timeLimit, timeout and targets; and reason."), callTaken(IntentDial)},
	{needing("a device with an extension, which the run makes", must("VOI-05", callClause, bothCalls, "An extension is a target, with or without overrideTo.", "Colleagues cannot be called.", "Accept the target type extension.")), callTaken(IntentExtension, IntentOverride)},
	{must("VOI-06", basicClause, voiceOnly, "The Voice API requires Basic authentication; a call without it is not placed.", "Anybody could call at the account's cost.", "Answer 401."), refusal(IntentNoBasic)},
	{must("VOI-07", basicClause, voiceOnly, "The password is the account's Client ID; another one is refused.", "Anybody could call at the account's cost.", "Compare the Client ID, and answer 401."), refusal(IntentWrongBasic)},
	{needing("two accounts in the credentials file", must("VOI-08", basicClause, voiceOnly, "The credentials identify the account: one account's ID with another's Client ID is refused.", "One customer could call at another's cost.", "Compare the Client ID of the same account.")), refusal(IntentMixedBasic)},
	{robust("VOI-09", "A request without target is refused: target is required.", "Require target."), refusal(IntentNoTarget)},
	{robust("VOI-10", "A request without verbs is refused: verbs is required.", "Require verbs."), refusal(IntentNoVerbs)},
	{robust("VOI-11", "A verb object with two keys is refused: each has exactly one.", "Count the keys."), refusal(IntentTwoKeys)},
	{robust("VOI-12", "A verb that the interface does not define is refused.", "Accept only dial, say, play, gather, reject, hangup and redirect."), refusal(IntentStrangeVerb)},
	{robust("VOI-13", "A body that is not JSON is refused.", "Answer 400."), refusal(IntentBadCall)},
	{needing("an https address, or one that is not on this machine", conformance.Check{
		ID: "VOI-14", Level: conformance.Robustness, Operations: voiceOnly, Clause: basicClause,
		Requirement: "Every call must use HTTPS.", Why: "Clear text exposes the credentials to interception.", Hint: "Offer the Voice API over https only.",
	}), judgeHTTPS},
	{at(conformance.Observed, must("VOI-15", "Endpoints, Voice API", voiceOnly, "The response body is not shown.", "A client wants to know its call's id.", "Nothing to change.")), observeCall},
	{at(conformance.Observed, must("VOI-16", "Limits", voiceOnly, "Whether an Idempotency-Key is honoured is not shown.", "A request that is sent again may place two calls.", "Nothing to change.")), observeKey},
	{at(conformance.Observed, must("VOI-17", callClause, voiceOnly, "Fields of Device and SipURI targets are not shown.", "A client has to know how to write them.", "Nothing to change.")), observations(map[conformance.Intent]string{
		IntentToDevice: `a target {"device":{"id"}}`, IntentToSIP: `a target {"sipUri":{"uri"}}`,
	})},
	{at(conformance.Observed, must("VOI-18", callClause, voiceOnly, "Fields of the play, gather, reject and redirect verbs are not shown.", "A client has to know how to write them.", "Nothing to change.")), observations(map[conformance.Intent]string{
		IntentPlay: `{"play":{"url"}}`, IntentGather: `{"gather":{"input","numDigits","timeout"}}`, IntentReject: `{"reject":{"reason"}}`, IntentRedirect: `{"redirect":{"url"}}`,
	})},
}

// robust is a check on a call request that the interface rules out without defining the
// answer.
func robust(id, requirement, hint string) conformance.Check {
	return conformance.Check{
		ID: id, Level: conformance.Robustness, Operations: bothCalls, Clause: callClause, Requirement: requirement,
		Why: "The called person notices the mistake, not the client that made it.", Hint: hint,
	}
}

func callTaken(intents ...conformance.Intent) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		for _, op := range c.Operations {
			for _, intent := range intents {
				for _, x := range s.of(op, intent) {
					s.Want(c.ID, x.Succeeded(), conformance.Answer(x), "an answer of the 2xx kind", x)
				}
			}
		}
	}
}

// observations records the answers to calls with several intents, with a description of each.
func observations(of map[conformance.Intent]string) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		for _, intent := range sortedKeys(of) {
			observation(intent, of[intent])(s, c)
		}
	}
}

// judgeHTTPS judges the address; plain HTTP on this machine is harmless.
func judgeHTTPS(s *sheet, c conformance.Check) {
	for _, x := range s.accepted(OpVoiceCall) {
		host, _, _ := strings.Cut(strings.TrimPrefix(x.Request.URL, "http://"), "/")
		switch {
		case strings.HasPrefix(x.Request.URL, "https://"):
			s.Pass(c.ID, x)
		case !Loopback(host):
			s.Fail(c.ID, "a call was placed without encryption", "https://", jsonvalue.Verbatim(x.Request.URL), x)
		}
	}
}

func observeCall(s *sheet, c conformance.Check) {
	for _, x := range s.served(OpVoiceCall) {
		s.Observe(c.ID, fmt.Sprintf("%d; the body is %s", x.Code(), conformance.Article(x.Reply().Kind())), x)
	}
}

// observeKey compares the answers to a request that was sent twice with one key.
func observeKey(s *sheet, c conformance.Check) {
	for _, op := range c.Operations {
		xs := s.of(op, IntentKeyed)
		if len(xs) < 2 {
			continue
		}
		word := "another"
		if string(xs[0].Replied()) == string(xs[1].Replied()) {
			word = "the same"
		}
		s.Observe(c.ID, fmt.Sprintf("the second of two requests with one key was answered %d, with %s body", xs[1].Code(), word), xs[0], xs[1])
	}
}

// Loopback reports whether a host, with or without port, is this machine.
func Loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
