package trial_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/trial"
	"github.com/cabrank/cabrank/store"
)

// TestTheSeedChoosesTheDay looks at what the first seeds bring: every way to
// choose a car, streets and none, people who book, and each temper.
func TestTheSeedChoosesTheDay(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(100) {
		o, err := trial.World(trial.Options{Seed: seed, Faults: trial.SeededFaults})
		require.NoError(t, err)
		size := 0
		if o.Town != nil {
			size = o.Town.Size
		}
		seen[fmt.Sprintf("%T", o.Assigner)] = true
		seen[fmt.Sprintf("town %d", size)] = true
		seen[fmt.Sprintf("demand %d", o.Demand.PerHour)] = true
		drawn := recipe(t, o)
		require.Equal(t, seed, drawn.Seed)
		seen[drawn.Behaviour] = true
		seen["all faults "+fmt.Sprint(drawn.Faults == trial.AllFaults)] = true
	}
	for _, want := range []string{
		"simulator.Nearest", "simulator.Soonest", "simulator.Batch", "simulator.RankQueue", "simulator.NextToClear",
		"town 0", "town 4000", "demand 0", "demand 5", "calm", "typical", "stormy", "all faults true", "all faults false",
	} {
		require.True(t, seen[want], want)
	}
	one, err := trial.World(trial.Options{Seed: 1, Town: "otterbridge"})
	require.NoError(t, err)
	two, err := trial.World(trial.Options{Seed: 2, Town: "otterbridge"})
	require.NoError(t, err)
	require.Same(t, one.Town, two.Town, "one town for all days")
}

func TestWhatIsChosenIsChosen(t *testing.T) {
	for name, o := range map[string]trial.Options{
		"a rank on streets":      {Town: "otterbridge", Assigner: "rank", Demand: "6", Rides: 40, Faults: trial.AllFaults},
		"batches on more":        {Town: "otterbridge", Assigner: "batch", Demand: "none", Rides: 40, Faults: trial.AllFaults},
		"the next to clear":      {Town: "otterbridge", Assigner: "clear", Cars: 4, Rides: 60, Faults: trial.AllFaults},
		"an open plane, by name": {Town: "none", Assigner: "nearest", Demand: "quiet", Cars: 30, Rides: 10},
	} {
		t.Run(name, func(t *testing.T) {
			require.Positive(t, run(t, o).Journeys)
			w, err := trial.World(o)
			require.NoError(t, err)
			require.Equal(t, o.Town == "none", w.Town == nil)
			require.Equal(t, o.Assigner, recipe(t, w).Assigner)
		})
	}
	for want, o := range map[string]trial.Options{
		"town":      {Town: "1999"},
		"otley":     {Town: "otley.geojson"},
		"assigner":  {Assigner: "best"},
		"demand":    {Demand: "-1"},
		"riots":     {Demand: "riots"},
		"behaviour": {Behaviour: "weird"},
	} {
		require.ErrorContains(t, o.Check(), want)
	}
}

// TestTheLineSaysWhatWasChosen looks at the line of a failure: it has what its seed would
// not bring anyway, and the same run is made from it.
func TestTheLineSaysWhatWasChosen(t *testing.T) {
	const command = "go test ./simulator/trial -run TestOneDay -day '"
	f := trial.Failure{Options: trial.Options{Seed: 7, Faults: trial.SeededFaults}, Event: 12}
	require.Equal(t, command+`{"seed":7,"event":12}'`, f.Line())
	o, err := trial.World(f.Options)
	require.NoError(t, err)
	drawn := recipe(t, o)
	f.Options.Town, f.Options.Behaviour = drawn.Town, drawn.Behaviour
	require.Equal(t, command+`{"seed":7,"event":12}'`, f.Line())
	chosen := trial.Options{Seed: 7, Town: "otterbridge", Assigner: "clear", Demand: "3", Behaviour: "calm", Faults: trial.Lost, Days: 2, Cars: 2, Rides: 9, Only: []int{}}
	f.Options = chosen
	again, err := trial.ReadOptions([]byte(strings.TrimSuffix(strings.TrimPrefix(f.Line(), command), "'")))
	require.NoError(t, err)
	chosen.Event = 12
	require.Equal(t, chosen.Only, again.Only)
	one, err := trial.World(chosen)
	require.NoError(t, err)
	two, err := trial.World(again)
	require.NoError(t, err)
	require.JSONEq(t, string(one.Recipe), string(two.Recipe))
}

// TestACrashedRunsRecording reads the recordings of a run whose process died: one for
// each time that it started.
func TestACrashedRunsRecording(t *testing.T) {
	text, out := aDay(t, trial.Options{Seed: 4, Rides: 60, Faults: trial.AllFaults})
	require.Positive(t, out.Crashes)
	const header = `{"version":`
	parts := strings.Split("\n"+string(text), "\n"+header)[1:]
	require.Len(t, parts, out.Crashes+1)
	for i, part := range parts {
		w, err := simulator.ReadRecording(strings.NewReader(strings.TrimSuffix(header+part, "\n") + "\n"))
		require.NoError(t, err)
		o, err := trial.ReadOptions(w.Recipe)
		require.NoError(t, err)
		require.Equal(t, uint64(4), o.Seed)
		require.Equal(t, 60, o.Rides)
		_, err = w.Replay(t.Context(), store.Memory(), world(t, 4), nil)
		if i == 0 {
			require.NoError(t, err, "the first began with nothing")
		} else {
			require.ErrorIs(t, err, simulator.ErrResumed)
		}
	}
}

// recipe reads back what a world's recording would say it was made from.
func recipe(t *testing.T, w simulator.Options) trial.Options {
	t.Helper()
	o, err := trial.ReadOptions(w.Recipe)
	require.NoError(t, err)
	return o
}

func TestOptionsThatAreNone(t *testing.T) {
	for text, says := range map[string]string{
		``:                            "what the day is made from",
		`{"seed":1,"tram":"none"}`:    `"tram"`,
		`{"seed":1,"assign":"best"}`:  "assigner",
		`{"seed":1,"faults":"riots"}`: "is no fault",
	} {
		_, err := trial.ReadOptions([]byte(text))
		require.ErrorContains(t, err, says, text)
	}
}

func world(t *testing.T, seed uint64) simulator.Options {
	t.Helper()
	o, err := trial.World(trial.Options{Seed: seed})
	require.NoError(t, err)
	return o
}

// waiting records count what is taken and then cannot be written.
type waiting struct {
	simulator.Records
	t       *testing.T
	refused *int
	lost    *int
}

func (w waiting) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	ticket, err := w.Records.Apply(fn)
	switch {
	case errors.Is(err, store.ErrUnavailable):
		*w.refused++
	case err == nil && errors.Is(ticket.Wait(w.t.Context()), store.ErrUnavailable):
		*w.lost++
	}
	return ticket, err
}

// TestTheDiskFillsUpUnderChangesMade looks for both ways in which a full disk is
// found out: before a change, and after it was made.
func TestTheDiskFillsUpUnderChangesMade(t *testing.T) {
	var refused, lost int
	o := trial.Options{Seed: 20, Faults: trial.Disk, Records: func(r simulator.Records) simulator.Records {
		return waiting{r, t, &refused, &lost}
	}}
	sum, err := trial.Series(t.Context(), o, 6, 1)
	require.NoError(t, err)
	require.Nil(t, sum.Failure)
	require.Positive(t, refused)
	require.Positive(t, lost)
	require.Positive(t, sum.Coverage.Codes[taxi.CodeStorageUnavailable])
}
