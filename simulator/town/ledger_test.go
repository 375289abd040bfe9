package town_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/simulator/town"
)

// TestLedger counts the work of routes between doors all over the default town.
func TestLedger(t *testing.T) {
	streets := town.Default()
	streets.AwaitRoutes()
	r := streets.NewRouter()
	routes, hubs, steps := 0, 0, 0
	var path []town.Step
	for i := 0; i < streets.Doors(); i += 97 {
		from, to := streets.Door(streets.NthDoor(i)), streets.Door(streets.NthDoor(streets.Doors()-1-i))
		route, ok := r.Route(from.Kerb, to.Kerb, path)
		require.True(t, ok)
		routes, hubs, steps, path = routes+1, hubs+r.Hubs(), steps+len(route.Steps), route.Steps
	}
	ledger.Compare(t, "simulator/town",
		ledger.Row{What: "a route across the default town", Count: float64(hubs) / float64(routes), Unit: "hub-label entries"},
		ledger.Row{What: "a route across the default town", Count: float64(steps) / float64(routes), Unit: "arcs"},
	)
}
