package rules

import "github.com/cabrank/cabrank/conformance"

// wireChecks are about HTTP and JSON; each is executed on all five operations.
var wireChecks = []conformance.Check{
	{
		ID: "W-01", Level: conformance.Must, Clause: clauseOperations,
		Requirement: "All are POST to {third_party_url}, JSON in and out.",
		Why:         "An operation that cannot be read leaves the caller listening to silence.",
		Hint:        "Answer POST {base}{path} with exactly one JSON object.",
	},
	{
		ID: "W-02", Level: conformance.Should, Clause: clauseOperations,
		Requirement: "A served call is answered 200; another 2xx is legal and may surprise a caller.",
		Why:         "A caller that tests for 200 would report a booked taxi as lost.",
		Hint:        "Answer 200 on all five operations.",
	},
	{
		ID: "W-03", Level: conformance.Should, Clause: clauseOperations,
		Requirement: "JSON out is labelled Content-Type: application/json (a charset is allowed).",
		Why:         "Many HTTP libraries refuse to decode a body that is not labelled as JSON.",
		Hint:        "Set Content-Type: application/json on every reply.",
	},
	{
		ID: "W-04", Level: conformance.Robustness,
		Requirement: "Unknown fields, at the top and nested, are ignored.",
		Why:         "A field added to the interface later would otherwise stop every booking.",
		Hint:        "Let the JSON reader ignore fields it does not know.",
	},
	{
		ID: "W-05", Level: conformance.Robustness,
		Requirement: `A request labelled "application/json; charset=utf-8" is served like any other.`,
		Why:         "Common HTTP libraries add the charset by themselves.",
		Hint:        "Compare the media type without its parameters.",
	},
	{
		ID: "W-06", Level: conformance.Robustness,
		Requirement: "A base address with a trailing slash ({base}//path) is served alike or refused cleanly.",
		Why:         "A slash too many in a settings page should not take the taxi line down in a puzzling way.",
		Hint:        "Serve the doubled slash or answer 404; never redirect a POST or answer 5xx.",
	},
	{
		ID: "W-07", Level: conformance.Robustness, Clause: clauseOperations,
		Requirement: "All are POST: GET, PUT and DELETE are refused with 4xx and change nothing.",
		Why:         "A link checker must not be able to book or cancel a taxi.",
		Hint:        "Answer 405 with an Allow header.",
	},
	{
		ID: "W-08", Level: conformance.Robustness,
		Requirement: "A request without Accept, or with */*, is served.",
		Why:         "Callers that do not negotiate are the rule.",
		Hint:        "Treat a missing Accept header as */*.",
	},
	{
		ID: "W-09", Level: conformance.Robustness,
		Requirement: "A body sent in chunks and one sent with Content-Length are both served.",
		Why:         "Streaming HTTP clients send chunks; their calls would all fail.",
		Hint:        "Use a server that understands Transfer-Encoding: chunked.",
	},
	{
		ID: "W-10", Level: conformance.Robustness,
		Requirement: "Ten calls one after another over a kept-alive connection are all served.",
		Why:         "A connection for each call adds two round trips to every answer a caller waits for.",
		Hint:        "Keep connections alive, and read each request body to its end.",
	},
	{
		ID: "W-11", Level: conformance.Robustness,
		Requirement: "A reply is compressed only if the caller asked for it.",
		Why:         "A caller that did not ask cannot read it.",
		Hint:        "Look at Accept-Encoding before compressing.",
	},
	{
		ID: "W-12", Level: conformance.Robustness, Needs: "a reply that shows the pickup or the passenger",
		Requirement: "Accents, apostrophes, right-to-left text and emoji come back byte for byte.",
		Why:         "A name garbled on the way is a driver asking for the wrong person.",
		Hint:        "Use UTF-8 from the socket to the database and back; do not normalise.",
	},
	{
		ID: "W-13", Level: conformance.Robustness,
		Requirement: "A reply has no byte-order mark, no duplicate keys and nothing after the JSON.",
		Why:         "Strict readers refuse such bodies and lenient ones disagree on what they say.",
		Hint:        "Let a JSON library write the whole body.",
	},
	{
		ID: "W-14", Level: conformance.Robustness,
		Requirement: "A refusal shows no stack trace, SQL or file path.",
		Needs:       "a refused call",
		Why:         "Internals in errors help attackers, and end up read aloud.",
		Hint:        "Log the details and answer a short sentence.",
	},
	{
		ID: "W-15", Level: conformance.Robustness,
		Requirement: "A POST is never answered 301 or 302 (307 and 308 are a warning).",
		Why:         "Clients turn a redirected POST into a GET and lose the booking.",
		Hint:        "Publish the final address; do not redirect API calls.",
	},
	{
		ID: "W-16", Level: conformance.Robustness,
		Requirement: "null for an optional field means the same as leaving it out.",
		Why:         "Many JSON writers send null for what they do not have.",
		Hint:        "Treat null as absent for every optional field.",
	},
	{
		ID: "W-17", Level: conformance.Robustness, Clause: clauseObjects,
		Requirement: "Number fields are JSON numbers and string fields are JSON strings.",
		Why:         "Typed callers refuse the whole reply when an id comes as 123.",
		Hint:        `Write ids, names and dates in quotation marks ("123"), and numbers such as coordinates without.`,
	},
}
