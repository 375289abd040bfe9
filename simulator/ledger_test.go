package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/demand"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// TestLedger counts what a journey takes in a day of a town of 150 cars, with everything that
// happens beside it: drivers who come and go, cars that wait, jobs that are turned down.
func TestLedger(t *testing.T) {
	ledger.Countable(t)
	const day = 24 * time.Hour
	streets := streetmap.Default()
	var journeys, events int
	rows := ledger.Work("a journey of a town's day", 1, func() {
		records := store.Memory()
		w, err := simulator.New(t.Context(), records, simulator.Options{
			Seed: 1, Town: streets, Cars: 150, Start: simulator.Epoch.Truncate(day),
			Demand: demand.Demand{PerHour: 125, Prebooked: 20}, Sweep: "0 * * * *",
		})
		require.NoError(t, err)
		require.NoError(t, w.Clock().Advance(t.Context(), day))
		all, err := records.Journeys(t.Context(), 0)
		require.NoError(t, err)
		journeys, events = len(all), int(w.Stats().Events)
	})
	for i := range rows {
		rows[i].Count /= float64(journeys)
	}
	ledger.Compare(t, "simulator", append(rows, ledger.Row{What: rows[0].What, Count: float64(events) / float64(journeys), Unit: "events"})...)
}
