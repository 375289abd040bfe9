package rules

import (
	"github.com/cabrank/cabrank/conformance"
)

// badChecks are about invalid or unusual input; each is executed on all five
// operations.
var badChecks = []conformance.Check{
	badCheck("BAD-01", "An empty body", "A request cut off on the way must not book a taxi.", "Answer 400 when there is no body."),
	badCheck("BAD-02", "A body that is not JSON", "An error in one integration must not stop the others.", "Catch the JSON reader's error and answer 400."),
	badCheck("BAD-03", "JSON that breaks off", "Half a booking is no booking.", "Read the body whole before acting on it; answer 400."),
	badCheck("BAD-04", "An array, a string or null in place of the object", "Code that expects an object crashes.", "Check that the body is an object; answer 400."),
	badCheck("BAD-05", "A required field of the wrong type", "A name that is an object is read out as nonsense.", "Check the type of each field; answer 4xx naming it."),
	badCheck("BAD-06", "A body of one megabyte", "One client's mistake must not use up the memory for all others.", "Limit bodies to a sensible size and answer 413, or accept it."),
	badCheck("BAD-07", "Nesting a thousand levels deep", "Anybody can crash a parser that recurses.", "Limit the depth, or skip unknown fields without recursion."),
	badCheck("BAD-08", "Duplicate keys", "Two parts of a system read different values and disagree on what was booked.", "Refuse with 400, or always use the same one of the two."),
	badCheck("BAD-09", "Invalid UTF-8 or a lone surrogate", "Text that cannot be stored or forwarded breaks the next system.", "Refuse with 400, or replace what cannot be read."),
	badCheck("BAD-10", "NUL and control characters", "A NUL ends the text in some databases and not in others.", "Refuse with 4xx, or keep them as data; compare ids whole."),
	badCheck("BAD-11", "A Content-Type other than JSON", "A form sent by mistake must not be half understood.", "Answer 415, or read the body as JSON anyway."),
	badCheck("BAD-12", "Characters with a meaning in SQL, scripts and templates: kept as data", "A passenger's name must not run as code.", "Bind parameters; never build queries or templates from text."),
	badCheck("BAD-13", "Strings of ten thousand characters", "One over-long name must not crash the call for everybody.", "Refuse with 4xx, or keep it whole."),
	badCheck("BAD-14", "Extreme numbers: 1e400, -0, 1e-7", "Parsers turn them into infinity or zero, and the taxi goes there.", "Check ranges after reading; answer 4xx."),
	badCheck("BAD-15", "Keys in other letter case (PhoneNumber): all accepted or none", "Half a booking is booked.", "Compare all keys exactly, or all of them ignoring case."),
}

func badCheck(id, what, why, hint string) conformance.Check {
	return conformance.Check{
		ID: id, Level: conformance.Robustness,
		Requirement: what + ": the server answers 4xx or a harmless 2xx; it must not answer 5xx, stay silent or change state.",
		Why:         why,
		Hint:        hint,
	}
}
