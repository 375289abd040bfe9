package trial_test

import (
	"context"
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/simulator/trial"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	seeds = flag.Int("seeds", 10, "how many days TestStormyDaysBreakNoRule tries")
	day   = flag.String("day", "", "the day that TestOneDay tries, as the line of a failure has it")
)

// run lets a run happen that breaks no rule.
func run(t *testing.T, o trial.Options) trial.Outcome {
	t.Helper()
	out, err := trial.Run(t.Context(), o)
	require.NoError(t, err)
	noFailure(t, out.Failure)
	return out
}

// noFailure fails with the smallest run that breaks the rule, and the line that shows it again.
func noFailure(t *testing.T, f *trial.Failure) {
	t.Helper()
	if f == nil {
		return
	}
	small := trial.Shrink(t.Context(), f)
	t.Fatalf("%s\na smaller run:\n%s\n%s", f, small, small.Line())
}

// TestOneDay tries the day of -day, as it is.
func TestOneDay(t *testing.T) {
	if *day == "" {
		t.Skip("no -day is given")
	}
	o, err := trial.ReadOptions([]byte(*day))
	require.NoError(t, err)
	o.Scratch = t.TempDir()
	out, err := trial.Run(t.Context(), o)
	require.NoError(t, err)
	require.Nil(t, out.Failure)
}

// TestStormyDaysBreakNoRule tries days with all faults, and with -seeds more of them.
func TestStormyDaysBreakNoRule(t *testing.T) {
	seeds := *seeds
	if raced {
		seeds = 2
	}
	sum, err := trial.Series(t.Context(), trial.Options{Seed: 1, Faults: trial.AllFaults, Scratch: t.TempDir()}, seeds, 2)
	require.NoError(t, err)
	noFailure(t, sum.Failure)
	require.Equal(t, seeds, sum.Days)
	require.Greater(t, sum.Journeys, 100*seeds)
	require.GreaterOrEqual(t, sum.Crashes, seeds)
}

func TestOtherDays(t *testing.T) {
	for name, o := range map[string]trial.Options{
		"calm, nothing goes wrong": {Behaviour: "calm"},
		"a weekend":                {Behaviour: "typical", Days: 2, Rides: 60, Faults: trial.AllFaults},
		"one car":                  {Cars: 1, Rides: 40, Faults: trial.AllFaults},
		"many cars":                {Cars: 60, Rides: 60, Faults: trial.AllFaults},
		"a database file":          {Seed: 33, Rides: 60, Faults: trial.AllFaults, Scratch: t.TempDir()},
		"nobody rings":             {Only: []int{}, Faults: trial.AllFaults},
	} {
		t.Run(name, func(t *testing.T) {
			out := run(t, o)
			require.Equal(t, o.Only != nil, out.Journeys == 0)
		})
	}
	_, err := trial.Run(t.Context(), trial.Options{Behaviour: "weird"})
	require.ErrorContains(t, err, "weird")
}

func TestFaultsByName(t *testing.T) {
	for text, want := range map[string]trial.Faults{
		"all": trial.AllFaults, "none": trial.NoFaults, "lost": trial.Lost, "lost,crash": trial.Lost | trial.Crash,
		"disk": trial.Disk, "duplicate,reorder,garbled": trial.Duplicate | trial.Reorder | trial.Garbled,
	} {
		got, err := trial.ParseFaults(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, text, got.String())
	}
	_, err := trial.ParseFaults("lost,found")
	require.ErrorContains(t, err, `"found" is no fault`)
}

func TestASeriesIsTheSameOnMoreGoroutines(t *testing.T) {
	o := trial.Options{Seed: 8, Rides: 5, Faults: trial.AllFaults}
	sum, err := trial.Series(t.Context(), o, 4, 2)
	require.NoError(t, err)
	require.Equal(t, 4, sum.Runs)
	alone, err := trial.Series(t.Context(), o, 4, 1)
	require.NoError(t, err)
	require.Equal(t, alone, sum)
}

func TestARunCanBeStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := trial.Series(ctx, trial.Options{Rides: 5_000, Days: 31}, 2, 2)
	require.ErrorIs(t, err, context.Canceled)
}
