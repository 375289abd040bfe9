package rules

import "github.com/cabrank/cabrank/conformance"

// The intents of calls that are wrong or odd on purpose: one for each class.
const (
	IntentBadEmpty    conformance.Intent = "BAD-01" // no body at all
	IntentBadNotJSON  conformance.Intent = "BAD-02" // a body that is not JSON
	IntentBadCut      conformance.Intent = "BAD-03" // JSON that breaks off
	IntentBadNoObject conformance.Intent = "BAD-04" // JSON that is no object
	IntentBadTypes    conformance.Intent = "BAD-05" // a required field of the wrong type
	IntentBadHuge     conformance.Intent = "BAD-06" // one megabyte
	IntentBadNested   conformance.Intent = "BAD-07" // nested a thousand levels deep
	IntentBadDoubled  conformance.Intent = "BAD-08" // duplicate keys
	IntentBadUTF8     conformance.Intent = "BAD-09" // invalid UTF-8
	IntentBadControls conformance.Intent = "BAD-10" // control characters
	IntentBadLabel    conformance.Intent = "BAD-11" // another Content-Type
	IntentBadScript   conformance.Intent = "BAD-12" // text that means something to SQL, scripts and templates
	IntentBadLong     conformance.Intent = "BAD-13" // very long strings
	IntentBadNumbers  conformance.Intent = "BAD-14" // numbers at the edge
	IntentBadCapitals conformance.Intent = "BAD-15" // keys in other capitals
)

// BadChecksOf names the check that each class of bad calls belongs to.
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

// IsBad reports the intent of a call that is wrong or odd on purpose.
func IsBad(i conformance.Intent) bool { return BadChecksOf[i] != "" }
