package conformance_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

var leeds = taxi.Point{Longitude: -1.5491, Latitude: 53.7997}

// reference is the dispatch system of this project with a town around it, whose
// clock is moved by hand.
type reference struct {
	http.Handler
	world *simulator.World
}

func newReference(t *testing.T) reference {
	records := store.Memory()
	world, err := simulator.New(t.Context(), records, simulator.Options{
		Seed: 1, Start: time.Now().UTC().Truncate(time.Second), Centre: leeds, Cars: 10,
	})
	require.NoError(t, err)
	return reference{world.Service().Handler(time.Now, dispatch.HTTPOptions{}), world}
}

func (r reference) advance(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
	return r.world.Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
}

// run runs the suite against a handler.
func run(t *testing.T, h http.Handler, change func(*conformance.Target)) (*conformance.Report, error) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	target := conformance.Target{URL: server.URL, Now: time.Now, Seed: 1, Timeout: 5 * time.Second}
	if change != nil {
		change(&target)
	}
	return conformance.Run(t.Context(), target)
}

// check runs the suite against a handler that it can test.
func check(t *testing.T, h http.Handler, change func(*conformance.Target)) *conformance.Report {
	t.Helper()
	report, err := run(t, h, change)
	require.NoError(t, err)
	return report
}

// outcomes maps "id@operation" to the verdict.
func outcomes(r *conformance.Report) map[string]conformance.Result {
	m := map[string]conformance.Result{}
	for _, c := range r.Checks {
		m[c.ID+"@"+string(c.Operation)] = c
	}
	return m
}
