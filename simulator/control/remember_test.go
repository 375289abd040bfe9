package control_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
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
