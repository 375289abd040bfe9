package judging

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/fixtures"
)

// failuresOf are the failures that the suite finds in one call.
func failuresOf(x conformance.Exchange) (all []conformance.Finding) {
	x.ID, x.Probe, x.Started, x.Took = 1, "samples", fixtures.Day, time.Millisecond
	x.Request.Method, x.Request.URL = http.MethodPost, "http://127.0.0.1:8080/"+string(x.Operation)
	x.Read()
	for _, res := range dispatchside.Suite.Verdicts([]conformance.Exchange{x}) {
		for _, f := range res.Findings {
			if f.Outcome == conformance.Fail {
				f.Message = res.ID + ": " + f.Message
				all = append(all, f)
			}
		}
	}
	return all
}

// TestSamplesAndChecksAgree has each sample of a response judged: the checks fail the broken ones where
// the sample says that they are broken, and no other.
func TestSamplesAndChecksAgree(t *testing.T) {
	t.Parallel()
	for _, s := range fixtures.Samples() {
		if s.Direction != fixtures.Response {
			continue
		}
		t.Run(s.Op+" "+s.Name, func(t *testing.T) {
			t.Parallel()
			found := failuresOf(conformance.Exchange{
				Operation: conformance.Operation(s.Op), Sound: true, Request: conformance.Request{Body: askFor(s)},
				Response: &conformance.Response{Status: http.StatusOK, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {s.ContentType}}, Body: s.Body},
			})
			if s.Kind != fixtures.Broken {
				require.Empty(t, found)
				return
			}
			require.True(t, slices.ContainsFunc(found, func(f conformance.Finding) bool {
				return strings.HasPrefix(f.Pointer, s.Expect.Pointer) || strings.HasPrefix(s.Expect.Pointer, f.Pointer)
			}), "want a failure at %q, got %+v", s.Expect.Pointer, found)
		})
	}
}

// askFor is a request to which the sample of a response is an answer.
func askFor(s fixtures.Sample) []byte {
	reply := jsonvalue.Parse(s.Body)
	id, phone := reply.At("journeyId").Scalar(), reply.At("phoneNumber").Scalar()
	switch s.Op {
	case "cancel", "status":
		return []byte(`{"userId":"u1","journeyId":"` + id + `"}`)
	case "user":
		return []byte(`{"phoneNumber":"` + phone + `"}`)
	case "book":
		asked := jsonvalue.Parse(fixtures.SamplesFor(s.Op)[0].Body).Raw().(map[string]any) // the required fields
		for name, shown := range map[string]string{"pickup": "pickup", "dropoffs": "dropoffs", "pickupTime": "date"} {
			if now := reply.At(shown); now.Present() {
				asked[name] = now.Raw()
			}
		}
		body, _ := json.Marshal(asked) // what was JSON can be written
		return body
	}
	return []byte(`{}`)
}

// TestOnlyBrokenSamplesMayBeRefused checks that refusing a broken sample of a request is no failure, and that refusing
// a valid one is.
func TestOnlyBrokenSamplesMayBeRefused(t *testing.T) {
	t.Parallel()
	for _, s := range fixtures.Samples() {
		if s.Direction != fixtures.Request {
			continue
		}
		t.Run(s.Op+" "+s.Name, func(t *testing.T) {
			t.Parallel()
			call := conformance.Exchange{
				Operation: conformance.Operation(s.Op), Sound: s.Kind != fixtures.Broken,
				Request:  conformance.Request{Header: http.Header{"Content-Type": {s.ContentType}}, Body: s.Body},
				Response: &conformance.Response{Status: s.Expect.Status, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"application/problem+json"}}, Body: []byte(`{"code":"` + string(s.Expect.Code) + `"}`)},
			}
			if s.Kind != fixtures.Broken {
				call.Response.Status = http.StatusUnprocessableEntity
				require.NotEmpty(t, failuresOf(call), "it was refused")
				return
			}
			require.Empty(t, failuresOf(call))
		})
	}
}

// TestOwnChecksAreInEveryReport runs, reports and repeats checks that a firm has written itself.
func TestOwnChecksAreInEveryReport(t *testing.T) {
	s := newShell(t)
	url := wrong(t, "")
	require.NoError(t, os.WriteFile("own.json", []byte(`{"checks":[
		{"id":"HC-01","member":"journeyId","level":"fail","pattern":"HC[0-9]{6}","says":"A docket is HC and six digits."},
		{"member":"status","level":"warning","oneOf":["HELD"]}]}`), 0o600))
	says, _, code := s.Run("check", url, "--own", "own.json", "--out", "run.json", "--json", "v.json", "--html", "v.html", "--junit", "v.xml", "--markdown", "v.md")
	require.Equal(t, cli.ExitFindings, code)
	require.Contains(t, says, "FAIL  HC-01   must       journey")
	require.Contains(t, says, "warn  OWN-02")
	require.Contains(t, says, "1 of the vendor's own checks failed; every MUST of the interface that could be tested is met")
	for _, path := range []string{"run.json", "v.json", "v.html", "v.xml", "v.md"} {
		require.Contains(t, clitest.Read(t, path), "HC-01", path)
	}
	run, err := readRun("run.json")
	require.NoError(t, err)
	must := run.Summary.Levels[conformance.Must]
	musts := slices.DeleteFunc(slices.Clone(dispatchside.Suite.Checks), func(c conformance.Check) bool { return c.Level != conformance.Must })
	require.Equal(t, len(musts)+4+1, must.Pass+must.Fail+must.Warn+must.NotVerified, "W-01 is of five operations, and a firm's own check is no MUST of the interface")
	shown, _, _ := s.Run("report", "run.json")
	require.Contains(t, shown, "FAIL  HC-01")

	require.Contains(t, s.Fails(cli.ExitUsage, "repeat", "run.json#HC-01"), "give --own")
	require.Contains(t, s.Ends(cli.ExitFindings, "repeat", "run.json#HC-01", "--own", "own.json"), "HC-01: the fault was reproduced")
	require.Contains(t, s.OK("check", url, "--own", "own.json", "--only", few+",HC-01,OWN-02", "--skip", "HC-*", "--quiet"), "warn  OWN-02")

	s.Write("bad.json", `{"checks":[{"member":"journeyId","level":"must"}]}`)
	for flag, says := range map[string]string{"missing.json": "missing.json", "bad.json": "--own bad.json: /checks/0/level: want warning or fail"} {
		require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--own", flag), says)
	}
}
