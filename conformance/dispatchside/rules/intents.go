package rules

import "github.com/cabrank/cabrank/conformance"

// The intents of the calls that probes make.
const (
	IntentUnknown     conformance.Intent = "unknown-journey"  // an id that names no journey
	IntentForeign     conformance.Intent = "foreign-user"     // the right journey, somebody else's userId
	IntentInexact     conformance.Intent = "inexact-id"       // a journey's id in other letter case or with spaces
	IntentNewcomer    conformance.Intent = "unknown-phone"    // /user for a number never seen
	IntentPhoneForm   conformance.Intent = "phone-form"       // /user with a number written differently
	IntentPhoneLength conformance.Intent = "phone-length"     // /user with a very short or long number
	IntentSameEnding  conformance.Intent = "same-ending"      // /user and /book for one of two numbers that end alike
	IntentCountry     conformance.Intent = "country"          // /book for a new caller of another country
	IntentUserData    conformance.Intent = "user-data"        // /user with unusual data
	IntentDisabled    conformance.Intent = "disabled-user"    // /user or /book for a user who is DISABLED
	IntentBlacklisted conformance.Intent = "blacklisted-user" // the same for one who is BLACKLISTED
	IntentCategory    conformance.Intent = "unknown-category" // /book with a vehicleCategory nobody has
	IntentExtra       conformance.Intent = "unknown-fields"
	IntentCharset     conformance.Intent = "charset"
	IntentSlashes     conformance.Intent = "slashes"
	IntentMethod      conformance.Intent = "method"
	IntentAccept      conformance.Intent = "accept"
	IntentFraming     conformance.Intent = "framing"
	IntentKeepAlive   conformance.Intent = "keep-alive"
	IntentHTTP2       conformance.Intent = "http2"
	IntentGzip        conformance.Intent = "gzip"
	IntentScripts     conformance.Intent = "scripts"
	IntentNulls       conformance.Intent = "nulls"
	IntentRepeat      conformance.Intent = "repeat"         // the same call repeated while no other calls run
	IntentMoved       conformance.Intent = "moved"          // reads a journey that an aid has advanced
	IntentRace        conformance.Intent = "race"           // sent together with calls that may conflict with it
	IntentBeside      conformance.Intent = "beside"         // sent during a slow upload
	IntentSlow        conformance.Intent = "slow-upload"    // a body that arrives in two halves
	IntentTogether    conformance.Intent = "together"       // sent together with equal calls, to see whether they wait for each other
	IntentTimed       conformance.Intent = "timed"          // made alone, to see how long it takes
	IntentHangUp      conformance.Intent = "hang-up"        // the caller does not wait for the answer
	IntentKey         conformance.Intent = "key"            // with an Idempotency-Key
	IntentKeyReused   conformance.Intent = "key-reused"     // another body under the same Idempotency-Key
	IntentRestarted   conformance.Intent = "after-restart"  // a /status or the first /book after the server was restarted
	IntentNextDay     conformance.Intent = "next-day"       // the first /user and /book after the server's clock was moved over midnight
	IntentLater       conformance.Intent = "later"          // reads a journey after the server's clock was advanced by a minute or more
	IntentMistyped    conformance.Intent = "optional-type"  // /book with an optional field of the wrong type
	IntentTimeForm    conformance.Intent = "time-form"      // /book with a pickupTime in a rare form of ISO 8601
	IntentAgreed      conformance.Intent = "agreed"         // reads a trip for which the operator has a fixed price
	IntentFare        conformance.Intent = "fare"           // a trip that is longer than those of other calls
	IntentSeasons     conformance.Intent = "seasons"        // a pickup around the change of the clocks
	IntentNewYear     conformance.Intent = "new-year"       // a pickup on a day that has another year by its week
	IntentNoCreds     conformance.Intent = "no-credentials" // a valid call without credentials
	IntentWrongCreds  conformance.Intent = "wrong-credentials"
	IntentSchemeCase  conformance.Intent = "scheme-case" // the authentication scheme in other letter case
	IntentInjected    conformance.Intent = "injection"   // line breaks and header lines in strings
	IntentNoSuch      conformance.Intent = "no-such"     // an id that names no journey, to compare refusals
	IntentNotYours    conformance.Intent = "not-yours"   // somebody else's journey, to compare refusals
)

// Variants are the unusual forms of a call that must be served like the usual one,
// with the check of each.
var Variants = map[conformance.Intent]struct{ Check, Form string }{
	IntentExtra:     {"W-04", "with unknown fields"},
	IntentCharset:   {"W-05", "labelled with a charset"},
	IntentAccept:    {"W-08", "without a preference in Accept"},
	IntentFraming:   {"W-09", "sent in chunks or with its length"},
	IntentKeepAlive: {"W-10", "on a connection kept alive"},
	IntentHTTP2:     {"W-10", "over HTTP/2"},
	IntentGzip:      {"W-11", "that allows gzip"},
	IntentScripts:   {"W-12", "with accents, right-to-left text and emoji"},
	IntentNulls:     {"W-16", "with null for optional fields"},
}

// The intents of invalid or unusual input: one for each class.
const (
	IntentBadEmpty    conformance.Intent = "BAD-01" // no body at all
	IntentBadNotJSON  conformance.Intent = "BAD-02" // a body that is not JSON
	IntentBadCut      conformance.Intent = "BAD-03" // JSON that breaks off
	IntentBadNoObject conformance.Intent = "BAD-04" // JSON that is not an object
	IntentBadTypes    conformance.Intent = "BAD-05" // a required field of the wrong type
	IntentBadHuge     conformance.Intent = "BAD-06" // one megabyte
	IntentBadNested   conformance.Intent = "BAD-07" // nested a thousand levels deep
	IntentBadDoubled  conformance.Intent = "BAD-08" // duplicate keys
	IntentBadUTF8     conformance.Intent = "BAD-09" // invalid UTF-8
	IntentBadControls conformance.Intent = "BAD-10" // control characters
	IntentBadLabel    conformance.Intent = "BAD-11" // another Content-Type
	IntentBadScript   conformance.Intent = "BAD-12" // Text with a meaning in SQL, scripts and templates
	IntentBadLong     conformance.Intent = "BAD-13" // very long strings
	IntentBadNumbers  conformance.Intent = "BAD-14" // extreme numbers
	IntentBadCapitals conformance.Intent = "BAD-15" // keys in other letter case
)

// BadChecksOf names the check of each class of bad calls.
var BadChecksOf = map[conformance.Intent]string{
	IntentBadEmpty:    "BAD-01",
	IntentBadNotJSON:  "BAD-02",
	IntentBadCut:      "BAD-03",
	IntentBadNoObject: "BAD-04",
	IntentBadTypes:    "BAD-05",
	IntentBadHuge:     "BAD-06",
	IntentBadNested:   "BAD-07",
	IntentBadDoubled:  "BAD-08",
	IntentBadUTF8:     "BAD-09",
	IntentBadControls: "BAD-10",
	IntentBadLabel:    "BAD-11",
	IntentBadScript:   "BAD-12",
	IntentBadLong:     "BAD-13",
	IntentBadNumbers:  "BAD-14",
	IntentBadCapitals: "BAD-15",
}

// IsBad reports whether an intent is one of invalid or unusual input.
func IsBad(i conformance.Intent) bool { return BadChecksOf[i] != "" }
