package rules

import (
	"fmt"

	"github.com/cabrank/cabrank/conformance"
)

// The scenes that other packages look up in a run, by the probe of their request. The
// meaning of a published name never changes.
const (
	SceneBooking      conformance.ProbeName = "a booking"
	SceneStatus       conformance.ProbeName = "a status"
	SceneCancellation conformance.ProbeName = "a cancellation"
)

// SceneRequest returns the name of the probe for the nth request of a scene, from 1; all is how many requests the scene has.
func SceneRequest(scene conformance.ProbeName, n, all int) conformance.ProbeName {
	if all == 1 {
		return scene
	}
	return conformance.ProbeName(fmt.Sprintf("%s (%d)", scene, n))
}

// The intents: what is special about the scripted answer to a call, or about the call
// itself. The meaning of a published intent never changes.
const (
	IntentMinimal    conformance.Intent = "minimal-reply"
	IntentNulls      conformance.Intent = "null-and-unknown-fields"
	IntentMissing    conformance.Intent = "required-field-missing"
	IntentOddIDs     conformance.Intent = "odd-ids"
	IntentUnknown    conformance.Intent = "unknown-feature-or-option"
	IntentBroken     conformance.Intent = "unreadable-reply" // HTML, empty, truncated, 204
	IntentError      conformance.Intent = "http-error"
	IntentDown       conformance.Intent = "config-down"
	IntentLost       conformance.Intent = "outcome-lost" // the answer to a booking that may have been made did not arrive
	IntentSlow       conformance.Intent = "slow-reply"
	IntentReset      conformance.Intent = "reset-or-drip"
	IntentEndless    conformance.Intent = "never-answered" // no answer, or one that does not end
	IntentBusy       conformance.Intent = "retry-after"
	IntentForeign    conformance.Intent = "foreign-journey"
	IntentChanged    conformance.Intent = "driver-changed"
	IntentOddUnits   conformance.Intent = "odd-units"
	IntentMarkup     conformance.Intent = "markup"
	IntentRefused    conformance.Intent = "not-cancelled"
	IntentRedirect   conformance.Intent = "redirect"
	IntentRedirected conformance.Intent = "at-another-host" // a call that followed a redirect
	IntentStray      conformance.Intent = "another-path"    // a call of no operation, or beside the base address
	IntentOldTLS     conformance.Intent = "tls-1.2-http-1.1"
	IntentNewTLS     conformance.Intent = "tls-1.3-http-2"
	IntentBadCert    conformance.Intent = "bad-certificate"
)

// ProbeShared is the probe of calls that cannot be assigned to one request: /config while
// several requests are running.
const ProbeShared conformance.ProbeName = "several at once"
