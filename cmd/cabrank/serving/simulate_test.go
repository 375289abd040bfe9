package serving

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/trial"
)

func TestSimulate(t *testing.T) {
	s := newShell(t)
	require.Regexp(t, `^3 days, \d+ events, \d+ calls, \d+ journeys, \d+ crashes in .* days/s, \d+ events/s, \d+ journeys/s\n$`,
		s.OK("simulate", "--seeds", "3", "--rides", "20"))
	var sum simulated
	require.NoError(t, json.Unmarshal([]byte(s.OK("simulate", "--days", "2", "--rides", "20", "--seed", "33", "--json")), &sum))
	require.Equal(t, 2, sum.Days)
	require.Positive(t, sum.Journeys)
	require.Positive(t, sum.DaysPerS)
	require.Nil(t, sum.Failure)

	events := func(args ...string) (n simulated) {
		require.NoError(t, json.Unmarshal([]byte(s.OK(append([]string{"simulate", "--json", "--rides", "20"}, args...)...)), &n))
		return n
	}
	whole := events("--faults", "all")
	require.Less(t, events("--event", "50").Events, 55)
	require.Zero(t, events("--only", "none").Journeys)
	require.Positive(t, events("--faults", "lost", "--record", "day.jsonl").Journeys)
	require.Regexp(t, `^identical: \d\d+ commands, \d+ transitions, 1 starts`, s.OK("replay", "day.jsonl"))
	require.LessOrEqual(t, events("--only", "3, 7").Journeys, 4)
	require.Zero(t, events("--faults", "lost,disk").Crashes)
	require.Positive(t, whole.Crashes)
	require.NotEqual(t, whole.Events, events("--faults", "all", "--cars", "2").Events)
	require.NotEqual(t, whole.Events, events("--faults", "all", "--behaviour", "calm").Events)
	require.Equal(t, whole.Events, events("--faults", "all", "--workers", "1").Events)
	require.Equal(t, whole.Events, events("--faults", "all", "--no-shrink").Events)
	for _, other := range [][]string{{"--town", "2000"}, {"--assign", "clear"}, {"--demand", "7"}} {
		require.NotEqual(t, whole.Events, events(append(other, "--faults", "all")...).Events, other)
	}
}

func TestSimulateRefusesNonsense(t *testing.T) {
	s := newShell(t)
	for _, args := range [][]string{
		{"--seeds", "0"},
		{"--faults", "plague"},
		{"--only", "x"},
		{"--event", "-1"},
		{"--record", "x", "--seeds", "2"},
		{"--record", "no/such/folder"},
		{"--behaviour", "weird"},
		{"more"},
		{"--rides", "100000000"},
		{"--cars", "151"},
		{"--days", "32"},
		{"--seeds", "1000001"},
		{"--workers", "257"},
		{"--only", "150"},
		{"--only", "-3"},
		{"--town", "9000"},
		{"--town", "otley.geojson"},
		{"--assign", "best"},
		{"--demand", "1001"},
	} {
		require.NotEmpty(t, s.Fails(cli.ExitUsage, append([]string{"simulate"}, args...)...))
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "simulate", "--only", "9999"), "there is no ride 9999, they are 0 to 149")
	require.Contains(t, s.Fails(cli.ExitUsage, "simulate", "--rides", "5001"), "--rides is 5001, want 1 to 5000")
}

func TestSimulateCanBeStopped(t *testing.T) {
	s := newShell(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, errs bytes.Buffer
	code := s.Exec(ctx, cli.Outside{Stdout: &out, Stderr: &errs}, "simulate", "--rides", "5000", "--days", "31")
	require.Equal(t, cli.ExitInterrupted, code, errs.String())
	require.Empty(t, out.String())
}

func TestSimulateListsItsRules(t *testing.T) {
	said := newShell(t).OK("simulate", "--help")
	for _, r := range trial.Rules() {
		require.Contains(t, said, r.Name)
		require.Contains(t, said, r.Means)
	}
}

// TestADaysRecordingIsReplayed repeats days from their recordings, also one whose
// process died, and shows where a recording was changed.
func TestADaysRecordingIsReplayed(t *testing.T) {
	s := newShell(t)
	s.OK("simulate", "--seed", "4", "--rides", "30", "--faults", "all", "--town", "2000", "--assign", "batch", "--demand", "2", "--record", "day.jsonl")
	require.Regexp(t, `^identical: \d+ commands, \d+ transitions, [234] starts of the process\n$`, s.OK("replay", "day.jsonl", "--out", "again.jsonl"))
	was, err := os.ReadFile("day.jsonl")
	require.NoError(t, err)
	is, err := os.ReadFile("again.jsonl")
	require.NoError(t, err)
	require.True(t, bytes.Equal(was, is))

	for name, text := range map[string][]byte{
		"other":  bytes.Replace(was, []byte(`"event":"book"`), []byte(`"event":"boot"`), 1),
		"longer": append(bytes.Clone(was), was[bytes.LastIndexByte(was[:len(was)-1], '\n')+1:]...),
	} {
		require.NoError(t, os.WriteFile(name, text, 0o600))
		said, _, code := s.Run("replay", name)
		if name == "longer" { // the numbers do not go on
			require.Equal(t, cli.ExitUsage, code)
			continue
		}
		require.Equal(t, cli.ExitFindings, code)
		require.Regexp(t, `(?s)^different from line \d+ on\n  was  .*"event":"boot".*\n  is   .*"event":"book"`, said)
	}
	shorter := was[:bytes.LastIndexByte(was[:len(was)-1], '\n')+1]
	require.NoError(t, os.WriteFile("shorter", shorter, 0o600))
	require.Contains(t, s.OK("replay", "shorter"), "identical")
	odd := bytes.Replace(was, []byte(`"town":"2000"`), []byte(`"tram":"2000"`), 1)
	require.NoError(t, os.WriteFile("odd", odd, 0o600))
	require.Contains(t, s.Fails(cli.ExitUsage, "replay", "odd"), `unknown field "tram"`)
}
