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

// TestARefusedSandboxEndsNoOther orders what cannot be had: more than there is room for without
// those that nobody has asked for, or a name that is taken.
func TestARefusedSandboxEndsNoOther(t *testing.T) {
	var passed atomic.Int64
	wall := func() time.Time { return monday.Add(time.Duration(passed.Load())) }
	s, err := control.New(t.Context(), control.Options{
		Config: still(), Now: wall, SandboxBytes: 1_000_000,
		Open: func(ctx context.Context, _ string, c host.Config) (*host.Host, error) {
			return host.Open(ctx, c, host.Deps{Now: wall})
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	r := serveRig(t, s)
	for _, name := range []string{"a", "b"} {
		do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"`+name+`","cars":200,"town":"none","ttl":"24h"}`)
	}
	passed.Store(int64(11 * time.Minute))
	r.refused("POST", "/sandboxes", `{"town":"9000","cars":1}`, http.StatusConflict)
	p := r.refused("POST", "/sandboxes", `{"name":"b","cars":1000,"town":"none"}`, http.StatusConflict)
	require.Equal(t, taxi.Code("sandbox-exists"), p.Code)
	require.Len(t, do[control.SandboxList](r, "GET", "/sandboxes", "").Sandboxes, 2)
}

// TestSandboxesBeingOpenedTakeMemory orders a second one while the first is opened.
func TestSandboxesBeingOpenedTakeMemory(t *testing.T) {
	opening, goOn := make(chan string), make(chan struct{})
	s, err := control.New(t.Context(), control.Options{
		Config: still(), Now: func() time.Time { return monday }, SandboxBytes: 1_500_000,
		Open: func(ctx context.Context, name string, c host.Config) (*host.Host, error) {
			if name == "first" {
				opening <- name
				<-goOn
			}
			return host.Open(ctx, c, host.Deps{Now: func() time.Time { return monday }})
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	r := serveRig(t, s)
	made := make(chan int)
	go func() {
		status, _ := r.send("POST", "/sandboxes", `{"name":"first","cars":1000,"town":"none"}`)
		made <- status
	}()
	<-opening
	p := r.refused("POST", "/sandboxes", `{"name":"second","cars":1000,"town":"none"}`, http.StatusConflict)
	close(goOn)
	require.Equal(t, http.StatusCreated, <-made)
	require.Equal(t, taxi.Code("too-many-sandboxes"), p.Code)
	r.send("DELETE", "/sandboxes/first", "")
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"second","cars":1000,"town":"none"}`)
}

// TestSandboxesThatGrowMakeRoom ends what was asked for longest ago once journeys fill the rest,
// unless a test may still be at work in it.
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
	require.Len(t, do[control.SandboxList](r, "GET", "/sandboxes", "").Sandboxes, 2)
	passed.Add(int64(2 * time.Minute))
	do[control.Clock](r.at("/s/new"), "GET", "/clock", "")
	s.TidyUp()
	require.Len(t, do[control.SandboxList](r, "GET", "/sandboxes", "").Sandboxes, 1)
	r.at("/s/old").refused("GET", "/clock", "", http.StatusNotFound)
}
