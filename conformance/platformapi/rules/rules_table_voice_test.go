package rules_test

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

const minimal = `{"target":{"phoneNumber":{"number":"+447700900123"}},"verbs":[{"say":{"text":["Hello."]}}]}`

// call returns a call request that is served.
func call(op conformance.Operation) step { return asked(op, minimal, 201, `{"id":"c1"}`) }

var (
	placed = call(rules.OpVoiceCall)
	mine   = call(rules.OpAccountCall)
)

// taken returns the rows of a form of call request that must be accepted.
func taken(id string, intent conformance.Intent) []row {
	return []row{
		{id + onVoice, "placed", passes, []step{placed.intends(intent)}, ""},
		{id + "@" + string(rules.OpAccountCall), "placed for the account", passes, []step{mine.intends(intent)}, ""},
		{id + onVoice, "refused", fails, []step{placed.intends(intent).refused(400)}, "2xx"},
		{id + onVoice, "no answer", fails, []step{placed.intends(intent).gets(0, "")}, "2xx"},
		{id + onVoice, "not tried", unverified, []step{placed.intends("another")}, ""},
	}
}

// turned returns the rows of a call request that must be refused.
func turned(id string, intent conformance.Intent) []row {
	try := placed.tries(intent)
	return []row{
		{id + onVoice, "refused", passes, []step{placed, try.refused(400)}, ""},
		{id + onVoice, "placed", fails, []step{placed, try}, "4xx"},
		{id + onVoice, "a crash", fails, []step{placed, try.refused(502)}, "4xx"},
		{id + onVoice, "none is placed", unverified, []step{placed.refused(403), try.refused(403)}, ""},
	}
}

var voiceRows = slices.Concat(
	taken("VOI-01", conformance.IntentPlain), taken("VOI-02", rules.IntentFull), taken("VOI-03", rules.IntentBlank),
	taken("VOI-04", rules.IntentDial), taken("VOI-05", rules.IntentExtension),
	turned("VOI-06", rules.IntentNoBasic), turned("VOI-07", rules.IntentWrongBasic), turned("VOI-08", rules.IntentMixedBasic),
	turned("VOI-09", rules.IntentNoTarget), turned("VOI-10", rules.IntentNoVerbs), turned("VOI-11", rules.IntentTwoKeys),
	turned("VOI-12", rules.IntentStrangeVerb), turned("VOI-13", rules.IntentBadCall),
	[]row{
		{"VOI-05" + onVoice, "refused with overrideTo", fails, []step{placed.intends(rules.IntentExtension), placed.intends(rules.IntentOverride).refused(400)}, "2xx"},
		{"VOI-14", "https", passes, []step{placed.under("https://voice.example")}, ""},
		{"VOI-14", "clear text", fails, []step{placed.under("http://voice.example")}, "https://"},
		{"VOI-14", "clear text is refused", unverified, []step{placed.under("http://voice.example").refused(403)}, ""},
		{"VOI-14", "this machine", unverified, []step{placed}, ""},
		{"VOI-15", "an id", observed, []step{placed}, "201; the body is an object"},
		{"VOI-16", "the same answer", observed, []step{placed.tries(rules.IntentKeyed), placed.tries(rules.IntentKeyed)}, "the same body"},
		{"VOI-16", "another call", observed, []step{placed.tries(rules.IntentKeyed), placed.tries(rules.IntentKeyed).but("c1", "c2")}, "another body"},
		{"VOI-17", "a device", observed, []step{placed.tries(rules.IntentToDevice)}, "201"},
		{"VOI-17", "a SIP address is refused", observed, []step{placed.tries(rules.IntentToSIP).refused(400)}, "400"},
		{"VOI-18", "each verb", observed, []step{
			placed.tries(rules.IntentPlay), placed.tries(rules.IntentGather), placed.tries(rules.IntentReject), placed.tries(rules.IntentRedirect).refused(422),
		}, "redirect"},
	},
)
