package conformance

// The probes of a run. Those of a family have a number or a form behind the name:
// see [ProbeName.with].
const (
	probeGoldenCall   ProbeName = "golden call"
	probeMinimum      ProbeName = "minimum functionality"
	probeListed       ProbeName = "listed while active"
	probeEditedTwice  ProbeName = "edited twice"
	probeFirstCaller  ProbeName = "first-time caller"
	probeTwoJourneys  ProbeName = "two journeys of one user"
	probeTwoUsers     ProbeName = "two users interleaved"
	probeReturnTrip   ProbeName = "return trip and three stops"
	probeRestart      ProbeName = "restart"
	probeFullLife     ProbeName = "full life"
	probeCancelInEach ProbeName = "cancelled in each status"
	probeEditInEach   ProbeName = "edited in each status"

	probeSettings       ProbeName = "settings"
	probeConfigRepeated ProbeName = "config repeated"

	probeTwentyLooks ProbeName = "twenty looks"
	probeTenBookings ProbeName = "ten bookings"
	probePhoneForms  ProbeName = "numbers written differently"
	probeUserData    ProbeName = "user data"
	probeBarredUsers ProbeName = "barred users"

	probeBookingForms ProbeName = "forms of a booking"
	probePickupTimes  ProbeName = "pickup times"
	probeReadBack     ProbeName = "read back"
	probeAgreedPrice  ProbeName = "agreed price"
	probeSomebodyElse ProbeName = "for somebody else"
	probeIncomplete   ProbeName = "incomplete bookings"
	probeImpossible   ProbeName = "impossible bookings"

	probeEdits           ProbeName = "edits"
	probeUnknownJourneys ProbeName = "unknown journeys"
	probeStrangers       ProbeName = "strangers"

	probeCancelledTwice ProbeName = "cancelled twice"
	probeMissingIDs     ProbeName = "missing ids"
	probeInexactIDs     ProbeName = "inexact ids"

	probeManyReads ProbeName = "fifty reads"

	probeMethods ProbeName = "other methods"
	probeSlashes ProbeName = "doubled slashes"
	probeForm    ProbeName = "calls"     // of an unusual form, such as "calls over HTTP/2"
	probeBad     ProbeName = "bad input" // of one class, such as "bad input BAD-01"

	probeTwentyBookings  ProbeName = "twenty bookings at once"
	probeTenCancels      ProbeName = "ten cancellations at once"
	probeCancelAndEdit   ProbeName = "cancelled while edited"
	probeNewNumber       ProbeName = "a new number at once"
	probeEditsAtOnce     ProbeName = "edits at once"
	probeFiftyReads      ProbeName = "fifty reads at once"
	probeSentTwice       ProbeName = "sent twice"
	probeHungUp          ProbeName = "hung up"
	probeIdempotencyKeys ProbeName = "idempotency keys"

	probeNoCredentials    ProbeName = "no credentials"
	probeWrongCredentials ProbeName = "wrong credentials"
	probeSchemeCase       ProbeName = "scheme in other capitals"
	probeRefusals         ProbeName = "refusals compared"
	probeInjectedLines    ProbeName = "injected lines"
	probePlainHTTP        ProbeName = "plain http"
	probeOverTheWire      ProbeName = "over the wire"

	probeFirstImpressions ProbeName = "first impressions"
	probeSlowUpload       ProbeName = "slow upload"
	probeSummerTime       ProbeName = "summer time"
	probeTiming           ProbeName = "timing"

	probeWalk     ProbeName = "random walk"    // of one walker, such as "random walk 1"
	probeShortest ProbeName = "shortest story" // of one seed, such as "shortest story, seed 7"
)
