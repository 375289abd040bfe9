package control_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// TestResetRestoresTheInitialWorld checks that the same booking has the same result before a reset and
// after it, in memory and in a file.
func TestResetRestoresTheInitialWorld(t *testing.T) {
	for name, file := range map[string]string{"in memory": "", "in a file": filepath.Join(t.TempDir(), "cabs.db")} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, still(), host.Deps{Place: store.File(file)})
			story := func() (taxi.Journey, control.Advanced) {
				j, err := r.desk.Book(t.Context(), r.request(monday))
				require.NoError(t, err)
				return j, do[control.Advanced](r, "POST", "/clock/advance", `{"until":{"journey":"latest","status":"COMPLETE"}}`)
			}
			first, moved := story()
			do[control.Clock](r, "PUT", "/clock", `{"mode":"real"}`)

			is := do[control.Overview](r, "POST", "/reset", `{"to":"fixtures"}`)
			require.Equal(t, monday, is.Clock.Now)
			require.Equal(t, control.Manual, is.Clock.Mode)
			_, err := r.Host().Records().Journey(t.Context(), first.JourneyID)
			require.ErrorIs(t, err, store.ErrNotFound)
			again, movedAgain := story()
			require.Equal(t, first, again)
			require.Equal(t, moved, movedAgain)
		})
	}
}

func TestResetOptionsSetSeedPeopleAndTime(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	known := func() error {
		_, err := r.desk.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
		return err
	}
	require.NoError(t, known())
	empty := do[control.Overview](r, "POST", "/reset", `{"to":"empty","seed":7,"now":"2030-01-01T12:00:00Z"}`)
	require.ErrorIs(t, known(), &taxi.Problem{Code: taxi.CodeUserNotFound})
	require.Zero(t, empty.Live)
	require.Equal(t, uint64(7), empty.Config.Seed)
	require.Equal(t, time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC), empty.Clock.Now)
	seeded := do[control.Overview](r, "POST", "/seed", `{"seed":8}`)
	require.NoError(t, known())
	require.Equal(t, uint64(8), seeded.Config.Seed)

	for order, want := range map[string]string{
		`{"to":"nowhere"}`:               "/to",
		`{"keep":["journal","worries"]}`: "/keep/1",
		`{"seed":-1}`:                    "/seed",
		`{"now":"1999-01-01T12:00:00Z"}`: "/now",
	} {
		require.Equal(t, want, r.refused("POST", "/reset", order, 422).Errors[0].Pointer, order)
	}
	require.Equal(t, "/seed", r.refused("POST", "/seed", `{}`, 422).Errors[0].Pointer)
	require.Equal(t, seeded, do[control.Overview](r, "GET", "/", ""), "and nothing has changed")
}

// TestConcurrentRequestsSurviveAReset checks that each request during a reset is answered, by the
// world before or by the one after.
func TestConcurrentRequestsSurviveAReset(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				_, err := r.desk.Config(t.Context(), taxi.ConfigRequest{})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 3 {
		do[control.Overview](r, "POST", "/reset", `{}`)
	}
	all.Wait()
}

// TestResetInterruptsARunningAdvance checks that a caller who advances the clock gets a problem when
// another resets the world.
func TestResetInterruptsARunningAdvance(t *testing.T) {
	config := still()
	config.Demand = "city"
	config.Cars = 200
	r := newRig(t, config, host.Deps{})
	waiting := make(chan int)
	go func() {
		status, _ := r.send("POST", "/clock/advance", `{"by":"2400h"}`)
		waiting <- status
	}()
	for do[control.Clock](r, "GET", "/clock", "").Now.Equal(monday) {
		continue
	}
	do[control.Overview](r, "POST", "/reset", `{}`)
	require.Equal(t, http.StatusServiceUnavailable, <-waiting)
	require.Equal(t, monday, do[control.Clock](r, "GET", "/clock", "").Now)
}

// TestEmptyBodiesAreAcceptedOutsideBrowsers checks that a reset may have an empty body, except
// from a page, and that a body of another type than JSON is refused.
func TestEmptyBodiesAreAcceptedOutsideBrowsers(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	for _, c := range []struct {
		path, origin, body, media string
		want                      int
	}{
		{"/reset", "", "", "", http.StatusOK},
		{"/reset", r.url, "", "", http.StatusUnsupportedMediaType},
		{"/reset", "", "{}", "", http.StatusUnsupportedMediaType},
		{"/reset", "", "{}", "text/plain", http.StatusUnsupportedMediaType},
		{"/reset", r.url, "{}", "application/x-www-form-urlencoded", http.StatusUnsupportedMediaType},
		{"/reset", "", "{}", "application/json; charset=utf-8", http.StatusOK},
		{"/seed", "", "", "", http.StatusUnprocessableEntity},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+control.Prefix+c.path, strings.NewReader(c.body))
		require.NoError(t, err)
		if c.origin != "" {
			req.Header.Set("Origin", c.origin)
		}
		if c.media != "" {
			req.Header.Set("Content-Type", c.media)
		}
		resp, err := r.http.Client().Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, c.want, resp.StatusCode, c)
	}
}

// rememberingRig returns a server whose main world keeps its settings in a file, on Monday or
// later.
func rememberingRig(t *testing.T, path string, later time.Duration) *rig {
	t.Helper()
	o := control.Options{Config: still(), Now: func() time.Time { return monday.Add(later) }, Remember: true}
	return serveRig(t, openServer(t, o, host.Deps{Place: store.File(path), Remember: true, People: []fixtures.Person{}}, host.Deps{}))
}

// reopen runs a test with the file as a kill would leave it, and with the file as an orderly
// end leaves it.
func reopen(t *testing.T, r *rig, path string, test func(*testing.T, *rig)) {
	t.Helper()
	rest := clitest.Killed(t, path)
	r.shut()
	for name, file := range map[string]string{"killed": rest, "closed": path} {
		t.Run(name, func(t *testing.T) { test(t, rememberingRig(t, file, 48*time.Hour)) })
	}
}

// TestScenarioRunEndsButItsSetupSurvivesRestart checks that a scenario does not continue after the process
// has ended, but that its settings stay until a reset.
func TestScenarioRunEndsButItsSetupSurvivesRestart(t *testing.T) {
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

// bodyOfBook returns the answer of /status about a new booking.
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

// TestFaultsAfterAResetSurviveARestart checks that the faults, the orders and the clock after a reset or
// a restore are the same after the process has ended.
func TestFaultsAfterAResetSurviveARestart(t *testing.T) {
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
