package control_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

// TestSandboxesShareTheirMemory has a wall that the test moves, and room for a few sandboxes.
func TestSandboxesShareTheirMemory(t *testing.T) {
	const each = 900_000 // of one with a thousand cars, about
	var passed atomic.Int64
	wall := func() time.Time { return monday.Add(time.Duration(passed.Load())) }
	towns := &host.Towns{}
	s, err := control.New(t.Context(), control.Options{
		Config: still(), Now: wall, SandboxBytes: 3*each + each/2,
		Open: func(ctx context.Context, _ string, c host.Config) (*host.Host, error) {
			return host.Open(ctx, c, host.Deps{Now: wall, Streets: towns.Streets})
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	r := serveRig(t, s)
	order := func(name string) string { return `{"name":"` + name + `","cars":1000,"ttl":"24h"}` }
	for _, name := range []string{"a", "b", "c"} {
		made := do[control.Sandbox](r, "POST", "/sandboxes", order(name))
		require.InDelta(t, each, made.Memory, each/10)
	}
	p := r.refused("POST", "/sandboxes", order("d"), http.StatusConflict)
	require.Equal(t, taxi.Code("too-many-sandboxes"), p.Code)
	require.Contains(t, p.Detail, "take about 2 of 3 MiB of memory")
	r.refused("POST", "/sandboxes", `{"town":"9000","cars":1}`, http.StatusConflict) // the streets alone are too much

	passed.Store(int64(11 * time.Minute))
	do[control.Clock](r.at("/s/a"), "GET", "/clock", "")
	do[control.Sandbox](r, "POST", "/sandboxes", order("d"))
	r.at("/s/b").refused("GET", "/clock", "", http.StatusNotFound)
	for _, name := range []string{"a", "c", "d"} {
		do[control.Clock](r.at("/s/"+name), "GET", "/clock", "")
	}
	r.refused("POST", "/sandboxes", order("e"), http.StatusConflict)
}

// TestSandboxesThatGrowMakeRoom ends what was asked for longest ago once journeys fill the rest.
func TestSandboxesThatGrowMakeRoom(t *testing.T) {
	var passed atomic.Int64
	wall := func() time.Time { return monday.Add(time.Duration(passed.Load())) }
	s, err := control.New(t.Context(), control.Options{
		Config: still(), Now: wall, SandboxBytes: 1_200_000,
		Open: func(ctx context.Context, _ string, c host.Config) (*host.Host, error) {
			return host.Open(ctx, c, host.Deps{Now: wall})
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	r := serveRig(t, s)
	for _, name := range []string{"old", "new"} {
		do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"`+name+`","demand":"city","cars":300,"town":"none"}`)
		passed.Add(int64(time.Second))
	}
	before := do[control.Sandbox](r, "GET", "/sandboxes/new", "").Memory
	do[control.Advanced](r.at("/s/new"), "POST", "/clock/advance", `{"by":"2h"}`)
	require.Greater(t, do[control.Sandbox](r, "GET", "/sandboxes/new", "").Memory, before+300_000)
	s.TidyUp()
	r.at("/s/old").refused("GET", "/clock", "", http.StatusNotFound)
}
