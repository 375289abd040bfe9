package rules

import "github.com/cabrank/cabrank/conformance"

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
)

// The probes.
const (
	ProbeLogin   conformance.ProbeName = "logging in"
	ProbeAccount conformance.ProbeName = "account"
	ProbeRoles   conformance.ProbeName = "role "
	ProbeDoors   conformance.ProbeName = "closed doors"
	ProbeCalls   conformance.ProbeName = "calls"
	ProbeStart   conformance.ProbeName = "route start"
	ProbeLife    conformance.ProbeName = "life of a token"
)

// ProbeOf names the probe of a kind.
func ProbeOf(k Kind) conformance.ProbeName { return conformance.ProbeName(k.Name) }
