package rules

import "github.com/cabrank/cabrank/conformance"

// The probes of a run. Those of a family have a number or a form after the name: see
// [conformance.ProbeName.With].
const (
	ProbeGoldenCall   conformance.ProbeName = "golden call"
	ProbeMinimum      conformance.ProbeName = "minimum functionality"
	ProbeListed       conformance.ProbeName = "listed while active"
	ProbeEditedTwice  conformance.ProbeName = "edited twice"
	ProbeFirstCaller  conformance.ProbeName = "first-time caller"
	ProbeTwoJourneys  conformance.ProbeName = "two journeys of one user"
	ProbeTwoUsers     conformance.ProbeName = "two users interleaved"
	ProbeReturnTrip   conformance.ProbeName = "return trip and three stops"
	ProbeRestart      conformance.ProbeName = "restart"
	ProbeFullLife     conformance.ProbeName = "full life"
	ProbeCancelInEach conformance.ProbeName = "cancelled in each status"
	ProbeDayAfter     conformance.ProbeName = "the day after"
	ProbeEditInEach   conformance.ProbeName = "edited in each status"
	ProbeMinuteLater  conformance.ProbeName = "a minute later"

	ProbeSettings       conformance.ProbeName = "settings"
	ProbeConfigRepeated conformance.ProbeName = "config repeated"

	ProbeTwentyLooks conformance.ProbeName = "twenty looks"
	ProbeTenBookings conformance.ProbeName = "ten bookings"
	ProbePhoneForms  conformance.ProbeName = "numbers written differently"
	ProbeCountries   conformance.ProbeName = "callers of several countries"
	ProbeSameEnding  conformance.ProbeName = "numbers that end alike"
	ProbeUserData    conformance.ProbeName = "user data"
	ProbeBarredUsers conformance.ProbeName = "barred users"

	ProbeBookingForms conformance.ProbeName = "forms of a booking"
	ProbePickupTimes  conformance.ProbeName = "pickup times"
	ProbeReadBack     conformance.ProbeName = "read back"
	ProbeAgreedPrice  conformance.ProbeName = "agreed price"
	ProbeSomebodyElse conformance.ProbeName = "for somebody else"
	ProbeIncomplete   conformance.ProbeName = "incomplete bookings"
	ProbeImpossible   conformance.ProbeName = "impossible bookings"

	ProbeShortAndLong conformance.ProbeName = "a short trip and a long one"

	ProbeEdits           conformance.ProbeName = "edits"
	ProbeUnknownJourneys conformance.ProbeName = "unknown journeys"
	ProbeStrangers       conformance.ProbeName = "strangers"

	ProbeCancelledTwice conformance.ProbeName = "cancelled twice"
	ProbeMissingIDs     conformance.ProbeName = "missing ids"
	ProbeInexactIDs     conformance.ProbeName = "inexact ids"

	ProbeManyReads conformance.ProbeName = "fifty reads"

	ProbeMethods conformance.ProbeName = "other methods"
	ProbeSlashes conformance.ProbeName = "doubled slashes"
	ProbeForm    conformance.ProbeName = "calls"     // of an unusual form, such as "calls over HTTP/2"
	ProbeBad     conformance.ProbeName = "bad input" // of one class, such as "bad input BAD-01"

	ProbeTwentyBookings  conformance.ProbeName = "twenty bookings at once"
	ProbeTenCancels      conformance.ProbeName = "ten cancellations at once"
	ProbeCancelAndEdit   conformance.ProbeName = "cancelled while edited"
	ProbeNewNumber       conformance.ProbeName = "a new number at once"
	ProbeEditsAtOnce     conformance.ProbeName = "edits at once"
	ProbeFiftyReads      conformance.ProbeName = "fifty reads at once"
	ProbeSentTwice       conformance.ProbeName = "sent twice"
	ProbeHungUp          conformance.ProbeName = "hung up"
	ProbeIdempotencyKeys conformance.ProbeName = "idempotency keys"

	ProbeNoCredentials    conformance.ProbeName = "no credentials"
	ProbeWrongCredentials conformance.ProbeName = "wrong credentials"
	ProbeSchemeCase       conformance.ProbeName = "scheme in other capitals"
	ProbeRefusals         conformance.ProbeName = "refusals compared"
	ProbeInjectedLines    conformance.ProbeName = "injected lines"
	ProbePlainHTTP        conformance.ProbeName = "plain http"
	ProbeOverTheWire      conformance.ProbeName = "over the wire"

	ProbeFirstImpressions conformance.ProbeName = "first impressions"
	ProbeSlowUpload       conformance.ProbeName = "slow upload"
	ProbeNewYear          conformance.ProbeName = "new year"
	ProbeSummerTime       conformance.ProbeName = "summer time"
	ProbeSummerTimeNear   conformance.ProbeName = "summer time, a week ahead"
	ProbeTiming           conformance.ProbeName = "timing"

	ProbeWalk     conformance.ProbeName = "random walk"    // of one walker, such as "random walk 1"
	ProbeShortest conformance.ProbeName = "shortest story" // of one seed, such as "shortest story, seed 7"
)
