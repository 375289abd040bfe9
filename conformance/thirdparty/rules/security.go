package rules

import "github.com/cabrank/cabrank/conformance"

const (
	needsTLS  = "an https address"
	needsAuth = "credentials that can be left out or changed"
)

// securityChecks are about who may call, and what strangers learn. The interface
// leaves authentication to the third party: what is declared has to hold.
var securityChecks = []conformance.Check{
	{
		ID: "SEC-01", Level: conformance.Should, Clause: clauseAuth, Needs: "an address that is not on this machine, or https",
		Requirement: "The operations are reached over https.",
		Why:         "Names, numbers and addresses of passengers travel with every call.",
		Hint:        "Serve https, also behind a proxy.",
	},
	{
		ID: "SEC-02", Level: conformance.Should, Clause: clauseAuth, Needs: needsTLS,
		Requirement: "TLS 1.2 or later, a chain and a host name that hold, and at least 14 days left on the certificate.",
		Why:         "On the day a certificate runs out no taxi can be booked.",
		Hint:        "Renew certificates by machine, a month ahead; switch old TLS versions off.",
	},
	{
		ID: "SEC-03", Level: conformance.Should, Clause: clauseAuth, Needs: needsTLS,
		Requirement: "Plain http is closed or refuses the call (a redirect is a warning, and so is 401).",
		Why:         "A slip in the address sends passengers' data in the clear.",
		Hint:        "Close the port, or answer 4xx there.",
	},
	{
		ID: "SEC-04", Level: conformance.Should, Clause: clauseAuth,
		Requirement: "Authentication is chosen by the third party: with the credentials declared every operation is served.",
		Why:         "A password that does not work is a line that is dead.",
		Hint:        "Try the credentials with curl; mind operations behind another gateway.",
	},
	{
		ID: "SEC-05", Level: conformance.Should, Clause: clauseAuth, Needs: needsAuth,
		Requirement: "Without credentials all five operations refuse.",
		Why:         "Anybody could book, cancel and look up anybody's taxi.",
		Hint:        "Check credentials in one place that all five pass.",
	},
	{
		ID: "SEC-06", Level: conformance.Should, Clause: clauseAuth, Needs: needsAuth,
		Requirement: "With wrong credentials all five operations refuse.",
		Why:         "A password that is not compared is none.",
		Hint:        "Compare the secret itself, not whether there is one.",
	},
	{
		ID: "SEC-07", Level: conformance.Robustness, Clause: clauseAuth, Needs: needsAuth,
		Requirement: "A call refused for its credentials has changed nothing.",
		Why:         "The refusal is worth nothing if the taxi is cancelled all the same.",
		Hint:        "Check credentials before anything else.",
	},
	{
		ID: "SEC-08", Level: conformance.Robustness, Clause: clauseAuth, Needs: "credentials with a scheme (Basic, Bearer)",
		Requirement: "The scheme's name is compared without regard to capitals (RFC 9110).",
		Why:         "HTTP libraries write bearer and Bearer.",
		Hint:        "Compare the word before the space without regard to capitals, the rest exactly.",
	},
	{
		ID: "SEC-09", Level: conformance.Robustness, Clause: clauseStatus, Needs: "two end users whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "An unknown journey and somebody else's are refused alike.",
		Why:         "Whoever can tell the two apart can find out which ids exist.",
		Hint:        "Answer both with the same 404.",
	},
	{
		ID: "SEC-10", Level: conformance.Robustness, Needs: "refusals of calls by strangers",
		Requirement: "Refusals show neither passengers' data nor credentials.",
		Why:         "Errors are logged, copied and sent around.",
		Hint:        "Answer a short sentence that names no one.",
	},
	{
		ID: "SEC-11", Level: conformance.Observed, Clause: clauseBook, Needs: "several journeys booked",
		Requirement: "Whether journeyIds can be guessed from one another is recorded.",
		Why:         "Ids that count up tell a competitor your turnover, and a stranger which ids to try.",
		Hint:        "Make ids at random.",
	},
	{
		ID: "SEC-12", Level: conformance.Robustness,
		Requirement: "Line breaks and header lines in strings have no effect on the reply.",
		Why:         "A name could set headers, or forge lines in your log.",
		Hint:        "Never build headers from text of a request; escape line breaks in logs.",
	},
}
