package control_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// TestASandboxIsAWorldOfItsOwn books in two sandboxes and in the main world, moves the
// clock of one, resets another and ends it.
func TestASandboxIsAWorldOfItsOwn(t *testing.T) {
	main := newRig(t, still(), host.Deps{})
	made := do[control.Sandbox](main, "POST", "/sandboxes", `{"name":"pr-4711","seed":7,"cars":3,"clock":{"now":"2030-01-01T12:00:00Z"},"ttl":"10m"}`)
	require.Equal(t, main.http.URL+"/s/pr-4711", made.ThirdPartyURL)
	require.Equal(t, main.http.URL+"/s/pr-4711/_control/v1", made.ControlURL)
	require.Equal(t, uint64(7), made.Seed)
	require.Equal(t, 3, made.Cars)
	require.Equal(t, control.Manual, made.Clock.Mode)
	require.Equal(t, simulator.CallersByWorld, made.Clock.Callers)
	require.Equal(t, monday.Add(10*time.Minute), made.Expires)
	other := do[control.Sandbox](main, "POST", "/sandboxes", `{}`)
	require.Equal(t, "box-1", other.Name)

	one, two := main.at("/s/pr-4711"), main.at("/s/box-1")
	newYear := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, r := range []*rig{one, two, main} {
		at := monday
		if r == one {
			at = newYear
		}
		j, err := r.desk.Book(t.Context(), r.request(at))
		require.NoError(t, err)
		require.Equal(t, taxi.Waiting, j.Status)
	}
	do[control.Advanced](one, "POST", "/clock/advance", `{"until":{"journey":"latest","status":"COMPLETE"}}`)
	require.True(t, do[control.Clock](one, "GET", "/clock", "").Now.After(newYear))
	require.Equal(t, monday, do[control.Clock](two, "GET", "/clock", "").Now)
	require.Equal(t, monday, do[control.Clock](main, "GET", "/clock", "").Now)
	before := do[control.Overview](main, "GET", "/", "").Live
	do[control.Overview](two, "POST", "/reset", `{"to":"empty"}`)
	require.Equal(t, before, do[control.Overview](main, "GET", "/", "").Live)
	require.Equal(t, "box-1", do[control.Overview](two, "GET", "/", "").Sandbox)

	all := do[struct{ Sandboxes []control.Sandbox }](main, "GET", "/sandboxes", "").Sandboxes
	require.Len(t, all, 2)
	status, _ := main.send("DELETE", "/sandboxes/box-1", "")
	require.Equal(t, http.StatusNoContent, status)
	require.Equal(t, taxi.Code("sandbox-not-found"), two.refused("GET", "/clock", "", 404).Code)
	_, err := two.desk.Config(t.Context(), taxi.ConfigRequest{})
	require.ErrorIs(t, err, &taxi.Problem{Code: "sandbox-not-found"})
	require.Equal(t, "pr-4711", do[control.Sandbox](main, "GET", "/sandboxes/pr-4711", "").Name)
	main.refused("GET", "/sandboxes/box-1", "", 404)
	main.refused("DELETE", "/sandboxes/box-1", "", 404)
	one.refused("GET", "/sandboxes", "", 404)
}

func TestSandboxesThatCannotBe(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	for order, want := range map[string]string{
		`{"name":"PR"}`: "/name", `{"name":"-a"}`: "/name", `{"name":"a/b"}`: "/name", `{"name":".."}`: "/name",
		`{"name":"` + strings.Repeat("a", 41) + `"}`: "/name",
		`{"ttl":"-1s"}`: "/ttl", `{"ttl":"169h"}`: "/ttl", `{"ttl":5}`: "/ttl",
		`{"cars":-1}`: "/cars", `{"cars":1001}`: "/cars",
		`{"town":"/etc/passwd"}`: "/town", `{"town":"map.geojson"}`: "/town", `{"town":"4000"}`: "/town",
		`{"variation":-1}`: "/variation", `{"variation":3}`: "/variation", `{"demand":"much"}`: "/demand", `{"behaviour":"wild"}`: "/behaviour",
		`{"clock":{"mode":"fast"}}`: "/clock/mode", `{"clock":{"speed":-1}}`: "/clock/speed",
		`{"clock":{"now":"1999-01-01T00:00:00Z"}}`: "/clock/now", `{"clock":{"callers":"nobody"}}`: "/clock/callers",
	} {
		p := r.refused("POST", "/sandboxes", order, 422)
		require.Equal(t, want, p.Errors[0].Pointer, order)
		require.NotContains(t, p.Detail, "  ", order)
	}
	require.Empty(t, do[struct{ Sandboxes []control.Sandbox }](r, "GET", "/sandboxes", "").Sandboxes)
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a"}`)
	require.Equal(t, taxi.Code("sandbox-exists"), r.refused("POST", "/sandboxes", `{"name":"a"}`, 409).Code)
}

// TestNoSandboxWithoutMemory: the main world and those that there are go on.
func TestNoSandboxWithoutMemory(t *testing.T) {
	full := false
	s, err := control.New(t.Context(), control.Options{
		Config: still(), Now: func() time.Time { return monday }, Full: func() bool { return full },
		Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			return host.Open(ctx, o.Config, host.Deps{Now: func() time.Time { return monday }})
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	r := serveRig(t, s)
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a","town":"none"}`)
	full = true
	require.Equal(t, taxi.Code("too-many-sandboxes"), r.refused("POST", "/sandboxes", `{"name":"b","town":"none"}`, http.StatusConflict).Code)
	do[control.Clock](r.at("/s/a"), "GET", "/clock", "")
	do[control.Clock](r, "GET", "/clock", "")
}

// TestASandboxIsMadeWithAScenario, which is followed at the address that is told, and not at
// all where the scenario cannot be started.
func TestASandboxIsMadeWithAScenario(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	made := do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a","scenario":"no-cars"}`)
	require.Equal(t, &control.SandboxRun{ID: "run-1", Scenario: "no-cars", URL: made.ControlURL + "/scenarios/runs/run-1"}, made.Run)
	require.Equal(t, made, do[control.Sandbox](r, "GET", "/sandboxes/a", ""))
	run := do[control.Run](r.at("/s/a"), "GET", "/scenarios/runs/"+made.Run.ID, "")
	require.Equal(t, control.RunGoes, run.State)
	require.NotEmpty(t, do[control.Faults](r.at("/s/a"), "GET", "/faults", "").Faults)
	require.Empty(t, do[control.Faults](r, "GET", "/faults", "").Faults, "the main world is as it was")

	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/s/a"+control.Prefix+"/scenarios/happy-asap/start", nil)
	req.Header.Set("Content-Type", "application/json")
	started := httptest.NewRecorder()
	r.ServeHTTP(started, req)
	require.Equal(t, "/s/a"+control.Prefix+"/scenarios/runs/run-2", started.Header().Get("Location"))

	large := do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"b","town":"none","scenario":"rush-hour-200-cars"}`)
	require.Equal(t, 200, large.Cars, "as many as it needs")
	p := r.refused("POST", "/sandboxes", `{"name":"c","cars":3,"scenario":"rush-hour-200-cars"}`, 409)
	require.Contains(t, p.Detail, "needs 200 cars, and this world has 3")
	p = r.refused("POST", "/sandboxes", `{"name":"c","scenario":"rain"}`, 422)
	require.Equal(t, "/scenario", p.Errors[0].Pointer)
	require.Contains(t, p.Detail, "no-cars, no-show")
	require.Len(t, do[control.SandboxList](r, "GET", "/sandboxes", "").Sandboxes, 2)
	require.Nil(t, do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"c","cars":3}`).Run, "the name is free")
}
