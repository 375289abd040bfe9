package judging

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

func TestExplainDescribesChecks(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.OK("explain", "W-07@user"), "W-07 (robustness)")
	out := s.OK("explain", "bok-29")
	for _, says := range []string{"BOK-29 (should)", "clause", "why", "hint", `A8: dropoffs has at least one entry`, "requests to the reference, and its responses:", `"dropoffs":[]`, "→ 422"} {
		require.Contains(t, out, says)
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "explain", "BOK-99"), "did you mean BOK-09, BOK-19")
	require.Contains(t, s.OK("explain", "dropoffs", "order"), "BOK-07")
	require.Len(t, strings.Split(strings.TrimSpace(s.OK("explain")), "\n"), len(allChecks()))
	require.True(t, json.Valid([]byte(s.OK("explain", "--json"))))
	require.Contains(t, s.OK("explain", "CAN-01", "--json"), `"id": "CAN-01"`)
	require.Contains(t, s.OK("__complete", "explain", ""), "CAN-01\t")
	require.Regexp(t, `(?s)^SEQ-01 \(should\).*cabrank requests --rule SEQ-01\n$`, s.OK("explain", "seq-01"))
}

// TestExplainCoversPlatformChecks explains a check that needs an expired token, and one that needs
// https.
func TestExplainCoversPlatformChecks(t *testing.T) {
	s := newParallelShell(t)
	out := s.OK("explain", "tok-15")
	for _, says := range []string{"TOK-15 (must)", "the customer", "→ 401", "cabrank check platform URL --credentials-file FILE --only TOK-15"} {
		require.Contains(t, out, says)
	}
	require.Contains(t, s.OK("explain", "VOI-14"), "POST /channels/voice")
	require.Contains(t, s.OK("explain", "delete", "operations"), "TRK-14")
	require.Contains(t, s.Fails(cli.ExitUsage, "explain", "TOK-99"), "did you mean TOK-09")
}

// TestEveryCheckIsCompleteAndFrozen checks that each check of every suite has a unique id and all its texts, and is
// in the frozen set of its suite. No release has shipped a set yet; from the first release on, a set must not change.
func TestEveryCheckIsCompleteAndFrozen(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range suites() {
		var ids []string
		for _, c := range s.suite.Checks {
			ids = append(ids, c.ID)
			require.Contains(t, []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness, conformance.Observed}, c.Level, c.ID)
			require.False(t, c.Level == conformance.Must && strings.Contains(c.Requirement, "not shown"), c.ID)
			require.True(t, slices.ContainsFunc(s.suite.Tiers, func(i conformance.TierInfo) bool { return i.Tier == c.Tier }), c.ID)
			found, ok := s.suite.Lookup(strings.ToLower(c.ID))
			require.True(t, ok)
			require.Equal(t, c, found)
		}
		frozen, err := s.suite.Required("1")
		require.NoError(t, err)
		require.NotEmpty(t, ids)
		require.ElementsMatch(t, ids, frozen)
		if s.suite != &dispatchside.Suite { // whose set has at its end what came later
			require.Equal(t, ids, frozen)
		}
		_, ok := s.suite.Lookup("NONE-1")
		require.False(t, ok)
	}
	for i, c := range callingside.Suite.Checks {
		require.Equal(t, fmt.Sprintf("P-%02d", i+1), c.ID, "no number is left out")
	}
	for _, c := range allChecks() {
		require.False(t, seen[c.ID], c.ID)
		seen[c.ID] = true
		require.Regexp(t, `^[A-Z]{1,3}-\d\d$`, c.ID)
		require.NotEmpty(t, c.Operations, c.ID)
		for _, text := range []string{c.Clause, c.Requirement, c.Why, c.Hint} {
			require.NotEmpty(t, text, c.ID)
		}
	}
}

// TestCheckSelfVerifiesEveryCheck checks that a run against the reference, over TLS and with every aid,
// verifies all checks.
func TestCheckSelfVerifiesEveryCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("TestCheckSelf of the program is the same with the race detector")
	}
	s := newShell(t)
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "self", "http://127.0.0.1:1"), "got 1 argument\n")
	out := s.OK("check", "self", "--quiet", "--out", "run.json")
	require.Contains(t, out, " 0 failed, 0 warnings, 9 observed, 0 not verified")
	text := clitest.Read(t, "run.json")
	run, err := conformance.ReadRunFile(strings.NewReader(text))
	require.NoError(t, err)
	for _, c := range run.Checks {
		if c.Level != conformance.Observed {
			require.Equal(t, conformance.Pass, c.Outcome, "%s %s: %+v", c.ID, c.Operation, c.Findings)
		}
	}
	require.Empty(t, run.Leftovers)
}
