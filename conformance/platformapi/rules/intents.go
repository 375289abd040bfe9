package rules

import (
	"cmp"

	"github.com/cabrank/cabrank/conformance"
)

// The intents of unusual calls. The meaning of a published intent never changes.
const (
	IntentRefresh       conformance.Intent = "refresh"
	IntentWrongPassword conformance.Intent = "wrong-password"
	IntentWrongRefresh  conformance.Intent = "wrong-refresh-token"
	IntentAccessRefresh conformance.Intent = "access-token-as-refresh-token"
	IntentRenewed       conformance.Intent = "renewed-token"
	IntentNoToken       conformance.Intent = "no-token"
	IntentGarbage       conformance.Intent = "garbage-token"
	IntentForged        conformance.Intent = "forged-token"
	IntentForgedSubject conformance.Intent = "forged-subject"
	IntentForgedExpiry  conformance.Intent = "forged-expiry"
	IntentForgedKey     conformance.Intent = "forged-key"
	IntentNoAlgorithm   conformance.Intent = "unsigned-token"
	IntentRefreshBearer conformance.Intent = "refresh-token-as-access-token"
	IntentExpired       conformance.Intent = "expired-token"
	IntentNoBasic       conformance.Intent = "no-basic"
	IntentWrongBasic    conformance.Intent = "wrong-client-id"
	IntentMixedBasic    conformance.Intent = "client-id-of-another-account"
	IntentRole          conformance.Intent = "role"
	IntentUnknown       conformance.Intent = "unknown-id"
	IntentForeign       conformance.Intent = "other-account"
	IntentOther         conformance.Intent = "read-of-the-other-account"
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

// refusable describes, by intent, the calls that a correct platform refuses.
var refusable = map[conformance.Intent]string{
	IntentWrongPassword: "a wrong password",
	IntentWrongRefresh:  "a made-up refresh token",
	IntentNoToken:       "a call without a token",
	IntentGarbage:       "a made-up token",
	IntentAccessRefresh: "the access token in place of the refresh token",
	IntentForged:        "a token with another role",
	IntentForgedSubject: "a token with another subject",
	IntentForgedExpiry:  "a token with another expiry",
	IntentForgedKey:     "a token signed with another key",
	IntentNoAlgorithm:   "a token that is not signed",
	IntentRefreshBearer: "the refresh token in place of an access token",
	IntentExpired:       "an expired access token",
	IntentNoBasic:       "a call without credentials",
	IntentWrongBasic:    "another Client ID",
	IntentMixedBasic:    "the Client ID of another account",
	IntentUnknown:       "an unknown id",
	IntentForeign:       "an id of another account",
	IntentBad:           "an invalid body",
	IntentNoTarget:      "a request without target",
	IntentNoVerbs:       "a request without verbs",
	IntentTwoKeys:       "a verb with two keys",
	IntentStrangeVerb:   "an unknown verb",
	IntentBadCall:       "a body that is not JSON",
}

// tried describes the call.
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
