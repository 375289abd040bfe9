package control_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// roomFor serves sandboxes that may take so many bytes, by a wall that the test moves.
func roomFor(t *testing.T, bytes int64) (r *rig, s *control.Server, passed *atomic.Int64) {
	passed = new(atomic.Int64)
	wall := func() time.Time { return monday.Add(time.Duration(passed.Load())) }
	towns := &host.Towns{}
	s, err := control.New(t.Context(), control.Options{
		Config: still(), Now: wall, SandboxBytes: bytes,
		Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			return host.Open(ctx, o.Config, host.Deps{Now: wall, Streets: towns.Streets})
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return serveRig(t, s), s, passed
}

// TestSandboxesShareTheirMemory has a wall that the test moves, and room for a few sandboxes.
func TestSandboxesShareTheirMemory(t *testing.T) {
	const each = 900_000 // of one with a thousand cars, about
	r, _, passed := roomFor(t, 3*each+each/2)
	order := func(name string) string { return `{"name":"` + name + `","cars":1000,"ttl":"24h"}` }
	for _, name := range []string{"a", "b", "c"} {
		made := do[control.Sandbox](r, "POST", "/sandboxes", order(name))
		require.InDelta(t, each, made.Memory, each/10)
	}
	p := r.refused("POST", "/sandboxes", order("d"), http.StatusConflict)
	require.Equal(t, taxi.Code("too-many-sandboxes"), p.Code)
	require.Contains(t, p.Detail, "take about 2 of 3 MiB of memory")

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
	r, _, passed := roomFor(t, 860_000)
	for _, name := range []string{"a", "b"} {
		do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"`+name+`","cars":150,"town":"none","ttl":"24h"}`)
	}
	passed.Store(int64(11 * time.Minute))
	r.refused("POST", "/sandboxes", `{"cars":1000}`, http.StatusConflict)
	p := r.refused("POST", "/sandboxes", `{"name":"b","cars":1000,"town":"none"}`, http.StatusConflict)
	require.Equal(t, taxi.Code("sandbox-exists"), p.Code)
	require.Len(t, do[control.SandboxList](r, "GET", "/sandboxes", "").Sandboxes, 2)
}

// TestSandboxesBeingOpenedTakeMemory orders a second one while the first is opened.
func TestSandboxesBeingOpenedTakeMemory(t *testing.T) {
	opening, goOn := make(chan string), make(chan struct{})
	s, err := control.New(t.Context(), control.Options{
		Config: still(), Now: func() time.Time { return monday }, SandboxBytes: 1_500_000,
		Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			if o.Name == "first" {
				opening <- o.Name
				<-goOn
			}
			return host.Open(ctx, o.Config, host.Deps{Now: func() time.Time { return monday }})
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
	r, s, passed := roomFor(t, 1_200_000)
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

// TestWhatCallersSendIsWeighed fills a sandbox with user data, with bookings of long texts whose
// answers are kept for their Idempotency-Key, and with snapshots of all that.
func TestWhatCallersSendIsWeighed(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	memory := func() int64 { return do[control.Sandbox](r, "GET", "/sandboxes/a", "").Memory }
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a","cars":5,"town":"none"}`)
	a, long := r.at("/s/a"), strings.Repeat("x", 10_000)

	before := memory()
	for i := range 10 {
		do[control.User](a, "PUT", fmt.Sprintf("/users/44207946%04d", 5000+i), `{"name":"Ada","data":{"note":"`+long+`"}}`)
	}
	users := memory() - before
	require.InDelta(t, 100_000, users, 5_000)
	do[control.User](a, "PUT", "/users/442079465000", `{"data":{"note":"short"}}`)
	require.InDelta(t, 90_000, memory()-before, 5_000, "what is replaced counts no more")

	before = memory()
	for i := range 10 {
		place := `{"address":"` + long[:1000] + `","location":{"longitude":2.1,"latitude":54.7}}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.url+taxi.PathBook, strings.NewReader(
			`{"name":"Ada","phoneNumber":"442079460001","pickup":`+place+`,"dropoffs":[`+place+`],"pickupTime":"2026-06-01T08:00:00Z","data":{"note":"`+long+`"}}`))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set(taxi.IdempotencyHeader, fmt.Sprint(i))
		resp, err := r.http.Client().Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode)
	}
	require.InDelta(t, 10*(10_000+4*1000+2400), memory()-before, 20_000, "data, texts with their JSON, and the answers that are kept")

	before = memory()
	do[control.Snapshot](a, "PUT", "/snapshots/one", "")
	one := memory() - before
	require.Greater(t, one, int64(200_000))
	do[control.Snapshot](a, "PUT", "/snapshots/other", "")
	require.Equal(t, 2*one, memory()-before)
	for _, name := range []string{"one", "other"} {
		a.send("DELETE", "/snapshots/"+name, "")
	}
	require.Equal(t, before, memory())
}
