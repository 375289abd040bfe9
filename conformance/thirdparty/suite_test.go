package thirdparty_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	"github.com/stretchr/testify/require"
)

// toy is a suite of a telephone service that has nothing to do with taxis.
func toy() *conformance.Suite {
	const call, hang conformance.Operation = "POST /account/{id}/calls", "DELETE /account/{id}/calls/{call}"
	return &conformance.Suite{
		Name: "toy", Label: "telephone", Operations: []conformance.Operation{call, hang},
		Checks: []conformance.Check{
			{ID: "TOY-01", Level: conformance.Must, Operations: []conformance.Operation{call}, Requirement: "A call is made."},
			{ID: "TOY-02", Level: conformance.Should, Operations: []conformance.Operation{hang}, Requirement: "A call ends."},
		},
	}
}

// TestASuiteFindsItsOperations matches addresses with operations of a method and a path.
func TestASuiteFindsItsOperations(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		suite       *conformance.Suite
		method, url string
		op, base    string
	}{
		{toy(), "POST", "https://voice.example/v1/account/7/calls", "POST /account/{id}/calls", "https://voice.example/v1"},
		{toy(), "POST", "https://voice.example/account/7/calls/", "POST /account/{id}/calls", "https://voice.example"},
		{toy(), "DELETE", "https://voice.example/account/7/calls/9", "DELETE /account/{id}/calls/{call}", "https://voice.example"},
		{toy(), "GET", "https://voice.example/account/7/calls", "", ""},
		{toy(), "POST", "https://voice.example/account//calls", "", ""},
		{toy(), "POST", "https://voice.example/calls", "", ""},
		{&thirdparty.Suite, "GET", "https://taxis.example/a/book", "book", "https://taxis.example/a"},
		{&thirdparty.Suite, "POST", "https://taxis.example//config/", "config", "https://taxis.example"},
		{&thirdparty.Suite, "POST", "https://taxis.example/cart", "", ""},
	} {
		u, err := url.Parse(row.url)
		require.NoError(t, err)
		op, base, ok := row.suite.Match(row.method, u)
		require.Equal(t, row.op != "", ok, row.url)
		require.Equal(t, conformance.Operation(row.op), op, row.url)
		require.Equal(t, row.base, base, row.url)
	}
}

// observedRun is a run file of the toy suite, with a finding that an observation shows.
func observedRun() *conformance.RunFile {
	x := &conformance.Exchange{
		ID: 1, Operation: "POST /account/{id}/calls", Direction: conformance.Received, Started: autumn,
		Request:  conformance.Request{Method: http.MethodPost, URL: "https://voice.example/account/7/calls", Body: conformance.Body(`{}`)},
		Response: &conformance.Response{Status: 200, Body: conformance.Body(`{}`)},
	}
	report := &conformance.Report{
		Suite: toy(), Target: "https://voice.example", Started: autumn, Exchanges: []*conformance.Exchange{x}, Leftovers: []conformance.Leftover{},
		Observations: []conformance.Observation{{ID: 1, At: autumn.Add(time.Second), Text: "the caller heard nothing", Call: 1}},
		Checks: []conformance.Result{{
			ID: "TOY-01", Level: conformance.Must, Operation: "POST /account/{id}/calls", Outcome: conformance.Fail, Evidence: 1,
			Findings: []conformance.Finding{{Outcome: conformance.Fail, Message: "nobody spoke", Observations: []int{1}}},
		}},
	}
	report.Score(conformance.Scoring{}, autumn)
	return conformance.NewRunFile(report, "1.2.3")
}

// TestAFindingPointsAtAnObservation follows one through a run file and the formats
// that show evidence.
func TestAFindingPointsAtAnObservation(t *testing.T) {
	t.Parallel()
	file := observedRun()
	text := render(t, file, "run.json")
	again, err := conformance.ReadRunFile(strings.NewReader(text), &thirdparty.Suite, toy())
	require.NoError(t, err)
	require.Equal(t, "toy", again.Suite.Name)
	require.Equal(t, conformance.Received, again.Calls[0].Direction)
	require.Equal(t, text, render(t, again, "run.json"))
	unknown, err := conformance.ReadRunFile(strings.NewReader(text), &thirdparty.Suite)
	require.NoError(t, err, "it carries its own catalogue")
	require.Len(t, unknown.Suite.Checks, 2)
	for _, wrong := range []string{
		strings.Replace(text, `"observations": [
            1`, `"observations": [
            2`, 1),
		strings.Replace(text, `"direction": "received"`, `"direction": "sideways"`, 1),
	} {
		require.NotEqual(t, text, wrong)
		_, err := conformance.ReadRunFile(strings.NewReader(wrong), toy())
		require.Error(t, err)
	}
	for _, format := range []string{"junit.xml", "report.html"} {
		require.Contains(t, render(t, again, format), "the caller heard nothing", format)
	}
	require.Contains(t, render(t, again, "badge.svg"), ">telephone<")
	var out bytes.Buffer
	(&report.Terminal{W: &out}).Report(&again.Report)
	require.Contains(t, out.String(), "1: the caller heard nothing")
}
