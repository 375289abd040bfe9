package platformapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
)

// vendor is a running server of testdata/vendors: what somebody writes who knows the
// interface and nothing of this project.
type vendor struct {
	url         string
	credentials platformapi.Credentials
	lines       *bufio.Scanner
	clock       io.Writer
}

// startVendor starts the hurried server with these mistakes; "": none.
func startVendor(t *testing.T, mistakes string) *vendor {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on the PATH: the server of testdata/vendors is not tried")
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join("testdata", "vendors", "hurried.mjs"))
	cmd.Env = append(os.Environ(), "ONLY="+mistakes)
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() }) // the test's context has ended it
	v := &vendor{lines: bufio.NewScanner(out), clock: in}
	v.url = v.line(t)
	require.NoError(t, json.Unmarshal([]byte(v.line(t)), &v.credentials))
	return v
}

func (v *vendor) line(t *testing.T) string {
	t.Helper()
	require.True(t, v.lines.Scan(), "the server said nothing")
	return v.lines.Text()
}

// judge runs the suite against the server, whose clock is moved on in place of waiting.
func (v *vendor) judge(t *testing.T) *conformance.Report {
	t.Helper()
	rep, err := platformapi.Run(t.Context(), platformapi.Target{
		URL: v.url, Credentials: v.credentials, Now: time.Now, Nonce: seeds.Add(1),
		Wait: func(_ context.Context, d time.Duration) {
			_, err := fmt.Fprintln(v.clock, math.Ceil(d.Seconds()))
			require.NoError(t, err)
			v.line(t)
		},
	})
	require.NoError(t, err)
	require.Zero(t, rep.Summary.Error, counts(rep))
	return rep
}

// having lists the checks with an outcome.
func having(rep *conformance.Report, outcome conformance.Outcome) []string {
	var ids []string
	for _, c := range rep.Checks {
		if c.Outcome == outcome && !slices.Contains(ids, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// TestAVendorsMistakesAreFoundOneByOne checks that each mistake of a server fails the checks that are about
// it, and no others, and that what the interface does not define is reported. WHOLE=1 tries every mistake, as
// the gate does; otherwise it is a sample.
func TestAVendorsMistakesAreFoundOneByOne(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		mistake, fails, warns string // ids of checks
		exit                  int
		told                  string // of what is observed
	}{
		{mistake: "", told: "VoiceChannel: "},
		{mistake: "expiry", fails: "TOK-15", exit: 1},
		{mistake: "codes", fails: "API-01", exit: 1},
		{mistake: "roles", told: "GET /api/v1/account/{account}/trunk 200"},
		{mistake: "tenancy", fails: "TRK-10 HOK-10 DEV-10", exit: 1},
		{mistake: "html", told: "refusals are answered 400 text/html"},
		{mistake: "json", fails: "API-05 VOI-13"},
		{mistake: "ids", told: "and the id of the path is answered 404 from then on"},
		{mistake: "address", fails: "ADR-02", exit: 1},
		{mistake: "port", fails: "TRK-03", exit: 1},
		{mistake: "open", fails: "API-03 API-04", exit: 1},
		{mistake: "client", fails: "VOI-07 VOI-08", exit: 1},
	} {
		if os.Getenv("WHOLE") == "" && row.mistake != "" && !matrix.InSample(row.mistake, 6) {
			continue
		}
		t.Run(row.mistake, func(t *testing.T) {
			t.Parallel()
			rep := startVendor(t, row.mistake).judge(t)
			require.ElementsMatch(t, strings.Fields(row.fails), having(rep, conformance.Fail), counts(rep))
			require.ElementsMatch(t, strings.Fields(row.warns), having(rep, conformance.Warn), counts(rep))
			require.Equal(t, row.exit, rep.ExitCode(), rep.Verdict())
			require.Contains(t, said(rep), row.told)
		})
	}
}

// said returns everything that a report prints.
func said(rep *conformance.Report) string {
	var text strings.Builder
	(&report.Terminal{W: &text, Quiet: true, Verbose: true}).Report(rep)
	return text.String()
}

// TestAllMistakesAtOnceAreEachNamed checks that a server with all mistakes at once fails the checks of each of
// them, and that the terminal says how to correct them.
func TestAllMistakesAtOnceAreEachNamed(t *testing.T) {
	t.Parallel()
	rep := startVendor(t, "expiry,codes,roles,tenancy,html,json,ids,address,port,open,client").judge(t)
	require.ElementsMatch(t, strings.Fields("TOK-15 API-01 TRK-10 HOK-10 DEV-10 API-05 VOI-13 ADR-02 TRK-03 API-03 API-04 VOI-07 VOI-08"), having(rep, conformance.Fail), counts(rep))
	text := said(rep)
	for _, says := range []string{
		"Compare exp with the clock on every call.", "Look it up by account and id.", `got       "5060"`, "Answer after storing it, and store all six fields.",
		"Refuse a call without a token, with 401.", "Compare the Client ID of the same account.",
		"FAIL  API-03  must       GET /api/v1/account/{account}/hook a call without a token was served",
	} {
		require.Contains(t, text, says)
	}
	require.Equal(t, conformance.ExitFail, rep.ExitCode())
}
