package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSimulate(t *testing.T) {
	s := newShell(t)
	require.Regexp(t, `^3 days, \d+ events, \d+ calls, \d+ journeys, \d+ crashes in .* days/s, \d+ events/s, \d+ journeys/s\n$`,
		s.ok("simulate", "--seeds", "3", "--rides", "20"))
	var sum simulated
	require.NoError(t, json.Unmarshal([]byte(s.ok("simulate", "--days", "2", "--rides", "20", "--seed", "33", "--json")), &sum))
	require.Equal(t, 2, sum.Days)
	require.Positive(t, sum.Journeys)
	require.Positive(t, sum.DaysPerS)
	require.Nil(t, sum.Failure)

	events := func(args ...string) (n simulated) {
		require.NoError(t, json.Unmarshal([]byte(s.ok(append([]string{"simulate", "--json", "--rides", "20"}, args...)...)), &n))
		return n
	}
	whole := events()
	require.Less(t, events("--event", "50").Events, 55)
	require.Zero(t, events("--only", "none").Journeys)
	require.Positive(t, events("--faults", "lost", "--journal", "day.jsonl").Journeys)
	j, err := readJournal("day.jsonl")
	require.NoError(t, err)
	require.Greater(t, j.Commands, 20)
	require.LessOrEqual(t, events("--only", "3, 7").Journeys, 4)
	require.Zero(t, events("--faults", "lost,disk").Crashes)
	require.Positive(t, whole.Crashes)
	require.NotEqual(t, whole.Events, events("--cars", "2").Events)
	require.NotEqual(t, whole.Events, events("--behaviour", "calm").Events)
	require.Equal(t, whole.Events, events("--workers", "1").Events)
}

func TestSimulateRefusesNonsense(t *testing.T) {
	s := newShell(t)
	for _, args := range [][]string{
		{"--seeds", "0"}, {"--faults", "plague"}, {"--only", "x"}, {"--event", "-1"}, {"--journal", "x", "--seeds", "2"}, {"--journal", "no/such/folder"}, {"--behaviour", "weird"}, {"more"},
	} {
		require.NotEmpty(t, s.fails(exitUsage, append([]string{"simulate"}, args...)...))
	}
}
