package conformance

// The intents of calls that are wrong or odd on purpose: one for each class.
const (
	intentBadEmpty    Intent = "BAD-01" // no body at all
	intentBadNotJSON  Intent = "BAD-02" // a body that is not JSON
	intentBadCut      Intent = "BAD-03" // JSON that breaks off
	intentBadNoObject Intent = "BAD-04" // JSON that is no object
	intentBadTypes    Intent = "BAD-05" // a required field of the wrong type
	intentBadHuge     Intent = "BAD-06" // one megabyte
	intentBadNested   Intent = "BAD-07" // nested a thousand levels deep
	intentBadDoubled  Intent = "BAD-08" // duplicate keys
	intentBadUTF8     Intent = "BAD-09" // invalid UTF-8
	intentBadControls Intent = "BAD-10" // control characters
	intentBadLabel    Intent = "BAD-11" // another Content-Type
	intentBadScript   Intent = "BAD-12" // text that means something to SQL, scripts and templates
	intentBadLong     Intent = "BAD-13" // very long strings
	intentBadNumbers  Intent = "BAD-14" // numbers at the edge
	intentBadCapitals Intent = "BAD-15" // keys in other capitals
)

// badChecksOf names the check that each class of bad calls belongs to.
var badChecksOf = map[Intent]string{
	intentBadEmpty:    "BAD-01",
	intentBadNotJSON:  "BAD-02",
	intentBadCut:      "BAD-03",
	intentBadNoObject: "BAD-04",
	intentBadTypes:    "BAD-05",
	intentBadHuge:     "BAD-06",
	intentBadNested:   "BAD-07",
	intentBadDoubled:  "BAD-08",
	intentBadUTF8:     "BAD-09",
	intentBadControls: "BAD-10",
	intentBadLabel:    "BAD-11",
	intentBadScript:   "BAD-12",
	intentBadLong:     "BAD-13",
	intentBadNumbers:  "BAD-14",
	intentBadCapitals: "BAD-15",
}

// isBad reports the intent of a call that is wrong or odd on purpose.
func isBad(i Intent) bool { return badChecksOf[i] != "" }
