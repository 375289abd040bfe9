package tracking

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// judgeStrangersView judges whether a refusal reveals to another user that a journey exists: it
// must be like the refusal of an unknown id.
func judgeStrangersView(history []*conformance.Exchange, s *conformance.Findings) {
	type key struct {
		probe conformance.ProbeName
		op    conformance.Operation
	}
	unknown := map[key]*conformance.Exchange{}
	for _, x := range history {
		switch x.Intent {
		case rules.IntentNoSuch:
			unknown[key{x.Probe, x.Operation}] = x
		case rules.IntentNotYours:
			if u := unknown[key{x.Probe, x.Operation}]; u != nil && u.RefusedCleanly() && x.RefusedCleanly() {
				judgeAlike(u, x, s)
			}
		}
	}
}

func judgeAlike(unknown, foreign *conformance.Exchange, s *conformance.Findings) {
	switch {
	case unknown.Code() != foreign.Code():
		s.Fail("SEC-09", fmt.Sprintf("an unknown journey is answered %d, somebody else's %d", unknown.Code(), foreign.Code()),
			"the same answer to both", conformance.Answer(foreign), unknown, foreign)
	case !reflect.DeepEqual(refusalWithoutIDs(unknown), refusalWithoutIDs(foreign)):
		s.Warn("SEC-09", "an unknown journey and somebody else's are refused with different texts", conformance.Answer(unknown).Show(), conformance.Answer(foreign), unknown, foreign)
	default:
		s.Pass("SEC-09", unknown, foreign)
	}
}

// refusalWithoutIDs returns the members of a refusal without ids and times, which differ between calls.
func refusalWithoutIDs(x *conformance.Exchange) map[string]string {
	said := map[string]string{}
	for key, v := range x.Reply().Members() {
		if key == "instance" || strings.Contains(strings.ToLower(key), "id") || strings.Contains(strings.ToLower(key), "time") {
			continue
		}
		said[key] = strings.ReplaceAll(v.Show(), x.Sent().At("journeyId").Scalar(), "")
	}
	return said
}

// secretive are the intents of calls whose refusal must not reveal anything.
var secretive = []conformance.Intent{rules.IntentNoCreds, rules.IntentWrongCreds, rules.IntentNotYours, rules.IntentForeign}

// judgeSecured judges whether refusals reveal private data: text of a booking of the
// same probe that is not in the request, or credentials.
func judgeSecured(history []*conformance.Exchange, s *conformance.Findings) {
	private := map[conformance.ProbeName][]string{}
	for _, x := range history {
		if x.Operation == rules.OpBook && rules.Served(x) && x.Probe != "" {
			private[x.Probe] = append(private[x.Probe], privateIn(x.Sent())...)
		}
	}
	for _, x := range history {
		if !slices.Contains(secretive, x.Intent) || x.Response == nil || x.Code() < 400 {
			continue
		}
		said := string(x.Response.Body)
		leak := slices.IndexFunc(private[x.Probe], func(text string) bool {
			return strings.Contains(said, text) && !strings.Contains(string(x.Request.Body), text)
		})
		switch {
		case x.Response.Echoes:
			s.Fail("SEC-10", "the refusal repeats the caller's credentials", "a short sentence", jsonvalue.Verbatim("(not shown here)"), x)
		case leak >= 0:
			s.Fail("SEC-10", "the refusal shows whose journey it is", "a short sentence", conformance.Answer(x), x)
		default:
			s.Refused("SEC-10", x)
		}
	}
}

// privateIn returns the private texts of a booking: the name, the number and the address of the pickup.
func privateIn(sent jsonvalue.Value) []string {
	var texts []string
	for _, v := range []jsonvalue.Value{sent.At("name"), sent.At("phoneNumber"), sent.At("pickup").At("address")} {
		if v.HasText() {
			texts = append(texts, strings.TrimPrefix(v.Text(), "+"))
		}
	}
	return texts
}

// judgeGuessable records whether journeyIds count up: whether most of them are followed by another
// that is one more.
func judgeGuessable(history []*conformance.Exchange, s *conformance.Findings) {
	seen := map[string]bool{}
	var last *conformance.Exchange
	for _, x := range history {
		if id := x.Reply().At("journeyId").Scalar(); x.Operation == rules.OpBook && rules.Served(x) && !rules.IsEdit(x) && id != "" {
			seen[id], last = true, x
		}
	}
	if len(seen) < 5 {
		return
	}
	neighbours := 0
	for id := range seen {
		if after, ok := successor(id); ok && seen[after] {
			neighbours++
		}
	}
	if neighbours*2 > len(seen) {
		s.Observe("SEC-11", fmt.Sprintf("journeyIds count up: %d of %d are one more than another", neighbours, len(seen)), last)
	} else {
		s.Observe("SEC-11", fmt.Sprintf("no pattern in %d journeyIds", len(seen)), last)
	}
}

// successor returns an id with the number at its end increased by one; false if it does not end in a number.
func successor(id string) (string, bool) {
	head := strings.TrimRight(id, "0123456789")
	tail := id[len(head):]
	n, err := strconv.ParseUint(tail, 10, 63)
	if err != nil {
		return "", false
	}
	return fmt.Sprintf("%s%0*d", head, len(tail), n+1), true
}
