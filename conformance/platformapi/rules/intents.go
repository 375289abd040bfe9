package rules

import (
	"cmp"

	"github.com/cabrank/cabrank/conformance"
)

// What calls are after that are out of the ordinary. A recorded intent keeps its meaning.
const (
	IntentRefresh       conformance.Intent = "refresh"
	IntentWrongPassword conformance.Intent = "wrong-password"
	IntentWrongRefresh  conformance.Intent = "wrong-refresh-token"
	IntentRenewed       conformance.Intent = "renewed-token"
	IntentNoToken       conformance.Intent = "no-token"
	IntentGarbage       conformance.Intent = "garbage-token"
	IntentForged        conformance.Intent = "forged-token"
	IntentNoAlgorithm   conformance.Intent = "unsigned-token"
	IntentRefreshBearer conformance.Intent = "refresh-token-as-access-token"
	IntentExpired       conformance.Intent = "expired-token"
	IntentNoBasic       conformance.Intent = "no-basic"
	IntentWrongBasic    conformance.Intent = "wrong-client-id"
	IntentMixedBasic    conformance.Intent = "client-id-of-another-account"
	IntentRole          conformance.Intent = "role"
	IntentUnknown       conformance.Intent = "unknown-id"
	IntentForeign       conformance.Intent = "other-account"
	IntentMismatch      conformance.Intent = "id-mismatch"
	IntentAfterMismatch conformance.Intent = "after-id-mismatch"
	IntentBad           conformance.Intent = "bad-body"
	IntentAfterBad      conformance.Intent = "after-bad-body"
	IntentDelete        conformance.Intent = "delete"
	IntentRestore       conformance.Intent = "restore"
	IntentFull          conformance.Intent = "call-full"
	IntentBlank         conformance.Intent = "call-blank-caller"
	IntentExtension     conformance.Intent = "call-extension"
	IntentDial          conformance.Intent = "call-dial"
	IntentNoTarget      conformance.Intent = "call-no-target"
	IntentNoVerbs       conformance.Intent = "call-no-verbs"
	IntentTwoKeys       conformance.Intent = "call-verb-of-two-keys"
	IntentStrangeVerb   conformance.Intent = "call-unknown-verb"
	IntentBadCall       conformance.Intent = "call-broken-json"
	IntentKeyed         conformance.Intent = "call-idempotency-key"
	IntentOverride      conformance.Intent = "call-extension-override"
	IntentNoRoom        conformance.Intent = "no-room"
	IntentRenewal       conformance.Intent = "renewal"
	IntentStale         conformance.Intent = "token-ran-out"
)

// The forms of a call request whose fields the interface does not show.
const (
	IntentToDevice conformance.Intent = "call-target-device"
	IntentToSIP    conformance.Intent = "call-target-sip-uri"
	IntentPlay     conformance.Intent = "call-verb-play"
	IntentGather   conformance.Intent = "call-verb-gather"
	IntentReject   conformance.Intent = "call-verb-reject"
	IntentRedirect conformance.Intent = "call-verb-redirect"
)

// refusable says in words what calls hold that a right platform refuses.
var refusable = map[conformance.Intent]string{
	IntentWrongPassword: "a wrong password",
	IntentWrongRefresh:  "a made-up refresh token",
	IntentNoToken:       "a call without a token",
	IntentGarbage:       "a made-up token",
	IntentForged:        "a token whose claims were changed",
	IntentNoAlgorithm:   "a token that is not signed",
	IntentRefreshBearer: "the refresh token in place of an access token",
	IntentExpired:       "an access token that has run out",
	IntentNoBasic:       "a call without credentials",
	IntentWrongBasic:    "another Client ID",
	IntentMixedBasic:    "the Client ID of another account",
	IntentUnknown:       "an id that nothing has",
	IntentForeign:       "what another account has",
	IntentBad:           "a body that cannot be right",
	IntentNoTarget:      "a request without target",
	IntentNoVerbs:       "a request without verbs",
	IntentTwoKeys:       "a verb of two keys",
	IntentStrangeVerb:   "a verb that there is not",
	IntentBadCall:       "a body that is no JSON",
}

// tried is what a call held.
func tried(x *conformance.Exchange) string { return cmp.Or(refusable[x.Intent], "it") }

// The probes.
const (
	ProbeLogin   conformance.ProbeName = "logging in"
	ProbeAccount conformance.ProbeName = "account"
	ProbeRoles   conformance.ProbeName = "role "
	ProbeDoors   conformance.ProbeName = "closed doors"
	ProbeCalls   conformance.ProbeName = "calls"
	ProbeStart   conformance.ProbeName = "route start"
)

// ProbeOf names the probe of a kind.
func ProbeOf(k Kind) conformance.ProbeName { return conformance.ProbeName(k.Name) }
