package rules

import (
	"cmp"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

var wireRows = []row{
	{must("API-01", "Endpoints, success response", Operations(), "Each operation serves a valid call with its success code: 200 to read, 201 to create, 204 to update.", "A client that follows the table treats another answer as a failure.", "Answer with the code of the interface's table; another 2xx is a warning."), judgeSuccess},
	{idle(at(conformance.Should, must("API-02", "Endpoints", jsonOperations(), "Replies to reads are JSON with Content-Type application/json.", "Generated clients choose the decoder by it.", "Send Content-Type: application/json with every 200."))), judgeMedia},
	{must("API-03", bearerClause, Guarded(), "Every REST call except the token endpoint sends Authorization: Bearer; a call without it is not served.", "Anybody could read and change accounts.", "Refuse a call without a token, with 401."), refusal(IntentNoToken)},
	{must("API-04", bearerClause, Guarded(), "The bearer token is the issued access token; a made-up one is not served.", "Anybody could read and change accounts.", "Check the token's signature on every operation."), refusal(IntentGarbage)},
	{at(conformance.Robustness, must("API-05", ours, []conformance.Operation{Trunk.Create, Hook.Create, Device.Create, OpPutAddress}, "A body that is not JSON at all is refused with a 4xx.", "A 5xx looks like an outage and is retried.", "Answer 400 if the body cannot be parsed.")), judgeBroken},
	{idle(at(conformance.Should, must("API-06", basicClause, []conformance.Operation{SpanREST}, "No answer has a user's password or an account's Client ID, which is the password of the Voice API.", "Every reader of an account can place calls at its cost.", "Keep secrets out of replies."))), judgeSecrets},
	{at(conformance.Observed, must("ERR-01", "Errors", []conformance.Operation{SpanREST}, "Error status codes and the shape of their bodies are not shown.", "Clients have to know what to expect.", "Nothing to change.")), observeErrors},
	{needing("a second user in the credentials file", at(conformance.Observed, must("ROL-01", bearerClause, []conformance.Operation{SpanREST}, "Which role is required for which endpoint is not shown.", "Administrators who assign roles have to know.", "Nothing to change."))), observeRoles},
}

const bearerClause = "Authentication, REST API"

// SpanREST is the subject of verdicts about several operations.
const SpanREST conformance.Operation = "rest"

const ours = "required by this suite"

func jsonOperations() []conformance.Operation {
	return slices.DeleteFunc(Operations(), func(op conformance.Operation) bool { return success(op) != 200 })
}

func judgeSuccess(s *sheet, c conformance.Check) {
	for _, op := range c.Operations {
		for _, x := range s.of(op, conformance.IntentPlain) {
			if x.Sound {
				s.judgeCode(c.ID, op, x)
			}
		}
	}
}

// judgeCode judges the answer to a valid call. The code alone is not enough: a read must
// return its object.
func (s *sheet) judgeCode(id string, op conformance.Operation, x *conformance.Exchange) {
	want := success(op)
	expected := fmt.Sprint("HTTP ", want)
	if want == 0 {
		expected = "an answer of the 2xx kind"
	}
	switch {
	case !x.Succeeded():
		s.Fail(id, fmt.Sprintf("a valid call was not served (%d)", x.Code()), expected, conformance.Answer(x), x)
		s.Suggest("See the answer or the server's log for the reason.")
		if op == OpVoiceCall && x.Code() == http.StatusUnauthorized {
			s.Suggest("Accept accounts/0 of the credentials file by Basic authentication, if its id and client_id are correct there.")
		}
	case op == OpAuthorize && !x.Reply().At("access_token").HasText():
		s.Fail(id, fmt.Sprintf("the answer is %d without a token", x.Code()), expected+" and a token object", conformance.Answer(x), x)
	case want == http.StatusOK && !x.Reply().IsArray() && !x.Reply().IsObject():
		s.Fail(id, fmt.Sprintf("the answer is %d, and %s", x.Code(), x.WhyNoObject()), expected+" and JSON", conformance.Answer(x), x)
	case x.Code() == want || want == 0:
		s.Pass(id, x)
	default:
		s.Fail(id, fmt.Sprintf("the answer is %d", x.Code()), expected, conformance.Answer(x), x)
	}
}

func judgeMedia(s *sheet, c conformance.Check) {
	for _, op := range c.Operations {
		for _, x := range s.served(op) {
			said := x.Response.Header.Get("Content-Type")
			media, _, _ := mime.ParseMediaType(said)
			if media == "application/json" && x.Reply().Present() {
				s.Pass(c.ID, x)
				continue
			}
			s.Fail(c.ID, "the reply is not JSON or not labelled as JSON", "application/json", jsonvalue.HeaderValue("Content-Type", said), x)
		}
	}
}

// judgeSecrets looks for the secrets that the run was given.
func judgeSecrets(s *sheet, c conformance.Check) {
	for _, x := range s.all {
		if x.Response != nil {
			s.Want(c.ID, !x.Response.Echoes, jsonvalue.Verbatim("(not shown here)"), "no password and no Client ID in the answer of "+string(x.Operation), x)
		}
	}
}

// judgeBroken judges the answers to bodies that are not JSON.
func judgeBroken(s *sheet, c conformance.Check) {
	for _, op := range c.Operations {
		for _, x := range s.of(op, IntentBad) {
			if !x.Sent().Present() {
				s.wantRefused(c.ID, x)
			}
		}
	}
}

// observeErrors records the codes and shapes of refusals.
func observeErrors(s *sheet, c conformance.Check) {
	seen := map[string]*conformance.Exchange{}
	for _, x := range s.all {
		if x.RefusedCleanly() {
			media, _, _ := mime.ParseMediaType(x.Response.Header.Get("Content-Type"))
			seen[fmt.Sprintf("%d %s", x.Code(), media)] = x
		}
	}
	for _, shape := range sortedKeys(seen) {
		s.File(SpanREST, c.ID, conformance.Finding{Outcome: conformance.Seen, Message: "refusals are answered " + shape}, seen[shape])
	}
}

// observeRoles records what each role was served.
func observeRoles(s *sheet, c conformance.Check) {
	said := map[string][]string{}
	shown := map[string]*conformance.Exchange{}
	for _, x := range s.all {
		if x.Intent == IntentRole {
			role := strings.TrimPrefix(string(x.Probe), string(ProbeRoles))
			said[role] = append(said[role], fmt.Sprintf("%s %d", x.Operation, x.Code()))
			shown[role] = x
		}
	}
	for _, role := range sortedKeys(shown) {
		s.File(SpanREST, c.ID, conformance.Finding{Outcome: conformance.Seen, Message: role + ": " + strings.Join(said[role], ", ")}, shown[role])
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
