package trial_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/trial"
	"github.com/cabrank/cabrank/store"
)

func TestWhatIsChosenIsChosen(t *testing.T) {
	for name, o := range map[string]trial.Options{
		"a rank on streets":      {Town: "otterbridge", Assigner: "rank", Demand: "6", Rides: 40, Faults: trial.AllFaults},
		"batches on more":        {Town: "otterbridge", Assigner: "batch", Demand: "none", Rides: 40, Faults: trial.AllFaults},
		"the next to clear":      {Town: "otterbridge", Assigner: "clear", Cars: 4, Rides: 60, Faults: trial.AllFaults},
		"an open plane, by name": {Town: "none", Assigner: "nearest", Demand: "quiet", Cars: 30, Rides: 10},
	} {
		t.Run(name, func(t *testing.T) {
			require.Positive(t, run(t, o).Journeys)
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
