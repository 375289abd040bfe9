package dispatchside_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// costsOf counts the bookings and the calls of each probe of a run.
func costsOf(rep *conformance.Report) map[conformance.ProbeName]dispatchside.Cost {
	costs, known := map[conformance.ProbeName]dispatchside.Cost{}, map[string]bool{}
	for _, x := range rep.Exchanges {
		c := costs[x.Probe]
		c.Calls++
		if x.Operation == rules.OpBook && x.Request.Method == http.MethodPost {
			c.Sent++
		}
		if id := x.Reply().At("journeyId").Scalar(); x.Operation == rules.OpBook && rules.Served(x) && !known[id] {
			known[id] = true
			c.Bookings++
		}
		costs[x.Probe] = c
	}
	delete(costs, conformance.ProbeCleanUp)
	delete(costs, conformance.ProbePreflight)
	return costs
}

// TestAnnouncedCostsMatchTheRun checks that the bookings and calls that a run announces are within 20 % of those
// that it makes: with a server that has every aid, and with one that knows only users who have booked.
func TestAnnouncedCostsMatchTheRun(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	ref, err := newReference(t.Context())
	require.NoError(t, err)
	aided := check(t, ref, ref.target(1))
	plain := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), dispatchside.Target{Seed: 1})
	costs, of := costsOf(aided), costsOf(plain)
	for name, c := range of {
		costs[name] = dispatchside.Cost{Bookings: max(c.Bookings, costs[name].Bookings), Sent: max(c.Sent, costs[name].Sent), Calls: max(c.Calls, costs[name].Calls)}
	}
	if golden.Update() {
		var text strings.Builder
		for _, name := range slices.Sorted(maps.Keys(costs)) {
			fmt.Fprintf(&text, "%d %d %d %s\n", costs[name].Bookings, costs[name].Sent, costs[name].Calls, name)
		}
		require.NoError(t, os.WriteFile("costs.txt", []byte(text.String()), 0o600))
	}
	for _, row := range []struct {
		planned dispatchside.Cost
		made    map[conformance.ProbeName]dispatchside.Cost
	}{{dispatchside.CostOf(ref.target(1)), costsOf(aided)}, {dispatchside.CostOf(dispatchside.Target{Now: time.Now}), of}} {
		var made dispatchside.Cost
		for _, c := range row.made {
			made.Bookings += c.Bookings
			made.Calls += c.Calls
		}
		t.Logf("planned %+v, made %+v", row.planned, made)
		require.InEpsilon(t, made.Bookings, row.planned.Bookings, 0.2, "go test ./conformance/dispatchside -run Costs -update measures anew")
		require.InEpsilon(t, made.Calls, row.planned.Calls, 0.2)
	}
	plan := plain.Preflight[len(plain.Preflight)-1]
	require.Equal(t, conformance.StepPlan, plan.Name)
	require.Contains(t, plan.Detail, fmt.Sprintf("about %d bookings", dispatchside.CostOf(dispatchside.Target{}).Bookings))
}
