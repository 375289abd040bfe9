package trial_test

import (
	"bytes"
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
		"town 0", "town 2000", "town 4000", "demand 0", "demand 5", "calm", "typical", "stormy", "all faults true", "all faults false",
	} {
		require.True(t, seen[want], want)
	}
	one, err := trial.World(trial.Options{Seed: 1, Town: "2000"})
	require.NoError(t, err)
	two, err := trial.World(trial.Options{Seed: 2, Town: "2000"})
	require.NoError(t, err)
	require.Same(t, one.Town, two.Town, "one town for all days")
}

func TestWhatIsChosenIsChosen(t *testing.T) {
	for name, o := range map[string]trial.Options{
		"a rank on streets":      {Town: "2000", Assigner: "rank", Demand: "6", Rides: 40, Faults: trial.AllFaults},
		"batches on more":        {Town: "4000", Assigner: "batch", Demand: "none", Rides: 40, Faults: trial.AllFaults},
		"the next to clear":      {Town: "2000", Assigner: "clear", Cars: 4, Rides: 60, Faults: trial.AllFaults},
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

// TestTheLineSaysWhatWasChosen holds the line of a failure against what its seed
// would bring anyway.
func TestTheLineSaysWhatWasChosen(t *testing.T) {
	f := trial.Failure{Options: trial.Options{Seed: 7, Faults: trial.SeededFaults}, Event: 12}
	require.Equal(t, "cabrank simulate --seed 7 --event 12", f.Line())
	o, err := trial.World(f.Options)
	require.NoError(t, err)
	drawn := recipe(t, o)
	f.Options.Town, f.Options.Behaviour = drawn.Town, drawn.Behaviour
	require.Equal(t, "cabrank simulate --seed 7 --event 12", f.Line())
	f.Options = trial.Options{Seed: 7, Town: "3000", Assigner: "clear", Demand: "3", Behaviour: "calm", Faults: trial.Lost, Cars: 2, Only: []int{1, 4}}
	for _, want := range []string{"--town 3000", "--demand 3", "--faults lost", "--cars 2", "--only 1,4"} {
		require.Contains(t, f.Line(), want)
	}
}

// TestACrashedRunsRecordingIsRead reads the recordings of a run whose process died:
// one for each time that it started.
func TestACrashedRunsRecordingIsRead(t *testing.T) {
	text, out := aDay(t, trial.Options{Seed: 4, Rides: 60, Faults: trial.AllFaults})
	require.Positive(t, out.Crashes)
	worlds, err := trial.ReadRecording(bytes.NewReader(text))
	require.NoError(t, err)
	require.Len(t, worlds, out.Crashes+1)
	changes := 0
	for _, w := range worlds {
		o, ok, err := trial.ReadRecipe(w.Recipe)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, uint64(4), o.Seed)
		require.Equal(t, 60, o.Rides)
		changes += w.Transitions
	}
	require.Equal(t, strings.Count(string(text), `"seq":`), changes)
	_, err = worlds[0].Replay(t.Context(), store.Memory(), world(t, 4), nil)
	require.NoError(t, err, "the first began with nothing")
	if len(worlds) > 1 {
		_, err = worlds[1].Replay(t.Context(), store.Memory(), world(t, 4), nil)
		require.ErrorIs(t, err, simulator.ErrResumed)
	}
	_, err = trial.ReadRecording(bytes.NewReader(text[:len(text)-1]))
	require.ErrorContains(t, err, fmt.Sprintf("world %d: recording: line", len(worlds)))
}

// recipe reads back what a world's recording would say it was made from.
func recipe(t *testing.T, w simulator.Options) trial.Options {
	t.Helper()
	o, ok, err := trial.ReadRecipe(w.Recipe)
	require.NoError(t, err)
	require.True(t, ok)
	return o
}

func TestRecipesThatAreNone(t *testing.T) {
	for _, text := range []string{"", "{}", `{"host":{"seed":1}}`, `{"trial":null}`, `{"seed":"1"}`} {
		_, ok, err := trial.ReadRecipe([]byte(text))
		require.NoError(t, err, text)
		require.False(t, ok, text)
	}
	good := `{"trial":{"seed":1,"days":1,"cars":2,"rides":9,"town":"none","assign":"eta","demand":"none","behaviour":"calm","faults":"lost","only":[8],"event":0}}`
	o, ok, err := trial.ReadRecipe([]byte(good))
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, trial.Options{
		Seed: 1, Days: 1, Cars: 2, Rides: 9, Town: "none", Assigner: "eta", Demand: "none", Behaviour: "calm", Faults: trial.Lost, Only: []int{8},
	}, o)
	for was, change := range map[string]struct{ is, says string }{
		`"days":1`:       {`"days":99`, "days is 99, want 1 to 31"},
		`"cars":2`:       {`"cars":0`, "cars is 0"},
		`"rides":9`:      {`"rides":5`, "there is no ride 8"},
		`"town":"none"`:  {`"tram":"none"`, `unknown field "tram"`},
		`"assign":"eta"`: {`"assign":"best"`, "assigner"},
		`"lost"`:         {`"riots"`, "is no fault"},
	} {
		_, _, err := trial.ReadRecipe([]byte(strings.Replace(good, was, change.is, 1)))
		require.ErrorContains(t, err, change.says)
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
	sum, err := trial.Series(t.Context(), o, 6, 1, nil)
	require.NoError(t, err)
	require.Nil(t, sum.Failure)
	require.Positive(t, refused)
	require.Positive(t, lost)
	require.Positive(t, sum.Coverage.Codes[taxi.CodeStorageUnavailable])
}
