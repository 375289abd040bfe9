package control_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// rememberingRig has a main world in a file that remembers, on Monday or later.
func rememberingRig(t *testing.T, path string, later time.Duration) *rig {
	t.Helper()
	wall := func() time.Time { return monday.Add(later) }
	s, err := control.New(t.Context(), control.Options{
		Config: still(), Now: wall, Remember: true,
		Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			return host.Open(ctx, o.Config, host.Deps{Now: wall, Place: store.File(path), Remember: true, People: []fixtures.Person{}})
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return serveRig(t, s)
}

// killed copies a database that is in use, as a kill would leave it.
func killed(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "cabs.db")
	for _, ending := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + ending)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to+ending, content, 0o600))
	}
	return to
}

// remembered is what a server answers of everything that it remembers.
func (r *rig) remembered() map[string]string {
	r.Helper()
	all := map[string]string{}
	for _, path := range []string{"/journeys", "/vehicles", "/faults", "/magic", "/clock", "/system"} {
		status, text := r.send("GET", path, "")
		require.Equal(r, http.StatusOK, status, path)
		all[path] = text
	}
	return all
}

// reopen opens what a kill would leave, and what an orderly end leaves, and runs a test of
// each.
func reopen(t *testing.T, r *rig, path string, test func(*testing.T, *rig)) {
	t.Helper()
	rest := killed(t, path)
	r.shut()
	for name, file := range map[string]string{"killed": rest, "closed": path} {
		t.Run(name, func(t *testing.T) { test(t, rememberingRig(t, file, 48*time.Hour)) })
	}
}

// TestARestartKeepsWhatWasOrdered sets everything that a server remembers.
func TestARestartKeepsWhatWasOrdered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	r := rememberingRig(t, path, 0)
	held, scripted, waits := r.book(1).JourneyID, r.book(2).JourneyID, r.book(3).JourneyID
	do[simulator.JourneyView](r, "POST", "/journeys/"+string(waits)+"/hold", "")
	do[control.Outcome](r, "POST", "/advance", order(held, taxi.EnRoute))
	do[control.Advanced](r, "POST", "/clock/advance", `{"by":"20s"}`)
	do[simulator.JourneyView](r, "POST", "/journeys/"+string(held)+"/hold", "")
	do[simulator.JourneyView](r, "POST", "/journeys/"+string(scripted)+"/script", `{"steps":[{"after":"1m","to":"ARRIVED"},{"after":"2m","to":"POB"},{"after":"1h","to":"COMPLETE"}]}`)
	status, text := r.send("POST", "/journeys/next/script", `{"phone":"442079460007","steps":[{"to":"ACCEPTED"},{"hold":true}]}`)
	require.Less(t, status, 300, text)
	do[control.Vehicle](r, "PUT", "/vehicles/car-4", `{"onDuty":false}`)
	do[control.Vehicle](r, "POST", "/vehicles/car-5/breakdown", `{"for":"30m"}`)
	do[fault.Listed](r, "POST", "/faults", `{"match":{"op":"config"},"window":{"times":3},"do":{"kind":"status"}}`)
	do[fault.Listed](r, "POST", "/faults", `{"id":"long","match":{"phone":"442079460001","probability":0.5},"window":{"ttl":"2h"},"do":{"kind":"delay","for":"1ms"}}`)
	do[fault.Magic](r, "PUT", "/magic/901", `{"kind":"status","status":503,"retryAfter":"30s"}`)
	for range 4 {
		_, err := r.desk.Config(t.Context(), taxi.ConfigRequest{})
		if err == nil {
			break
		}
	}
	do[taxi.ConfigResponse](r, "PUT", "/system", `{"status":"BUSY","eta":{"value":11,"unit":"minutes"}}`)
	do[control.Clock](r, "PUT", "/clock", `{"callers":"either"}`)
	do[control.Advanced](r, "POST", "/clock/advance", `{"by":"90s"}`)
	was := r.remembered()
	orders := do[control.Overview](r, "GET", "/", "").Orders
	require.Equal(t, simulator.Standing{Held: 2, Scripted: 1, Scripts: 1, OffDuty: 1}, orders)

	reopen(t, r, path, func(t *testing.T, r *rig) {
		require.Equal(t, was, r.remembered())
		require.Equal(t, orders, do[control.Overview](r, "GET", "/", "").Orders)
		status := func(id taxi.JourneyID) taxi.Status {
			return do[simulator.JourneyView](r, "GET", "/journeys/"+string(id), "").Status
		}
		do[control.Advanced](r, "POST", "/clock/advance", `{"by":"89s"}`)
		require.Equal(t, taxi.Arrived, status(scripted))
		do[control.Advanced](r, "POST", "/clock/advance", `{"by":"1s"}`)
		require.Equal(t, taxi.POB, status(scripted), "the script goes on when its step is due")
		do[control.Advanced](r, "POST", "/clock/advance", `{"by":"30m"}`)
		require.Equal(t, taxi.EnRoute, status(held))
		require.Equal(t, taxi.Waiting, status(waits))
		require.Equal(t, simulator.CarFree, do[control.Vehicle](r, "GET", "/vehicles/car-5", "").State, "it is repaired")
		next := r.book(7)
		do[control.Advanced](r, "POST", "/clock/advance", `{"by":"30m"}`)
		require.Equal(t, taxi.Accepted, status(next.JourneyID), "the script that waited has held it")
		for _, id := range []taxi.JourneyID{held, waits, next.JourneyID} {
			do[simulator.JourneyView](r, "POST", "/journeys/"+string(id)+"/release", "")
		}
		do[control.Advanced](r, "POST", "/clock/advance", `{"until":"idle"}`)
		require.Equal(t, taxi.Complete, status(held))
		require.Zero(t, do[control.Overview](r, "GET", "/", "").Orders.Held)
		require.Equal(t, "f-2", do[fault.Listed](r, "POST", "/faults", `{"do":{"kind":"status"}}`).ID)
	})
}

// TestARestartForgetsWhatWasTakenBack ends what was set.
func TestARestartForgetsWhatWasTakenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	r := rememberingRig(t, path, 0)
	id := "/journeys/" + string(r.book(1).JourneyID)
	do[simulator.JourneyView](r, "POST", id+"/hold", "")
	do[simulator.JourneyView](r, "POST", id+"/release", "")
	do[control.Vehicle](r, "PUT", "/vehicles/car-4", `{"onDuty":false}`)
	do[control.Vehicle](r, "PUT", "/vehicles/car-4", `{"onDuty":true}`)
	do[fault.Listed](r, "POST", "/faults", `{"id":"one","do":{"kind":"status"}}`)
	status, _ := r.send("DELETE", "/faults/one", "")
	require.Equal(t, http.StatusNoContent, status)
	reopen(t, r, path, func(t *testing.T, r *rig) {
		require.Zero(t, do[control.Overview](r, "GET", "/", "").Orders)
		require.Empty(t, do[control.Faults](r, "GET", "/faults", "").Faults)
		do[control.Advanced](r, "POST", "/clock/advance", `{"until":"idle"}`)
		require.Equal(t, taxi.Complete, do[simulator.JourneyView](r, "GET", id, "").Status)
	})
}

// TestAScenarioEndsWithTheProcess, but not what it has set.
func TestAScenarioEndsWithTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	r := rememberingRig(t, path, 0)
	do[control.Run](r, "POST", "/scenarios/minimal-vendor/start", "")
	require.NotContains(t, r.bodyOfBook(1), `"eta"`)
	reopen(t, r, path, func(t *testing.T, r *rig) {
		require.NotContains(t, r.bodyOfBook(2), `"eta"`)
		require.Empty(t, do[control.RunList](r, "GET", "/scenarios/runs", "").Runs)
		do[control.Overview](r, "POST", "/reset", "")
		require.Contains(t, r.bodyOfBook(3), `"eta"`)
	})
}

// bodyOfBook is what /status answers of a new booking.
func (r *rig) bodyOfBook(caller int) string {
	r.Helper()
	b := r.request(r.Host().World().Clock().Now())
	b.PhoneNumber = taxi.E164(fmt.Sprintf("+4420794600%02d", caller))
	j, err := r.desk.Book(r.Context(), b)
	require.NoError(r, err)
	u, err := r.desk.User(r.Context(), taxi.UserRequest{PhoneNumber: b.PhoneNumber})
	require.NoError(r, err)
	is, err := r.desk.Status(r.Context(), taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID})
	require.NoError(r, err)
	text, err := json.Marshal(is)
	require.NoError(r, err)
	return string(text)
}

// TestAResetKeepsFaultsOnDisk resets a world in each way.
func TestAResetKeepsFaultsOnDisk(t *testing.T) {
	for name, test := range map[string]struct {
		path, body string
		faults     []string
	}{
		"all":     {"/reset", "{}", nil},
		"kept":    {"/reset", `{"keep":["faults"]}`, []string{"before", "since"}},
		"restore": {"/snapshots/then/restore", "", []string{"before", "since"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "cabs.db")
			r := rememberingRig(t, path, 0)
			do[fault.Listed](r, "POST", "/faults", `{"id":"before","do":{"kind":"status"}}`)
			do[control.Vehicle](r, "PUT", "/vehicles/car-4", `{"onDuty":false}`)
			do[control.Snapshot](r, "PUT", "/snapshots/then", "")
			do[fault.Listed](r, "POST", "/faults", `{"id":"since","do":{"kind":"status"}}`)
			do[control.Vehicle](r, "PUT", "/vehicles/car-4", `{"onDuty":true}`)
			is := do[control.Overview](r, "POST", test.path, test.body)
			reopen(t, r, path, func(t *testing.T, r *rig) {
				var ids []string
				for _, f := range do[control.Faults](r, "GET", "/faults", "").Faults {
					ids = append(ids, f.ID)
				}
				require.Equal(t, test.faults, ids)
				require.Equal(t, is.Orders, do[control.Overview](r, "GET", "/", "").Orders)
				require.Equal(t, is.Clock, do[control.Overview](r, "GET", "/", "").Clock)
			})
		})
	}
}
