package host_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// remembering returns the dependencies of a host that keeps its settings in a file, at a time
// of the wall clock.
func remembering(path string, wall time.Time) host.Deps {
	return host.Deps{Place: store.File(path), Remember: true, Now: func() time.Time { return wall }}
}

// TestManualClockIsRestoredAfterAKill checks that a world that is killed continues at the
// time of the last acknowledged change of its clock, two days later by the wall clock.
func TestManualClockIsRestoredAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	h := open(t, calm(), remembering(path, monday))
	clock, later := h.World().Clock(), monday.Add(48*time.Hour)
	reopened := func() time.Time {
		return open(t, calm(), remembering(clitest.Killed(t, path), later)).World().Clock().Now()
	}
	require.Equal(t, monday, reopened(), "it has not been moved")
	for _, move := range []func() error{
		func() error { return clock.Advance(t.Context(), 90*time.Minute+time.Millisecond) },
		func() error { return clock.Step(t.Context()) },
		func() error { return clock.UntilIdle(t.Context(), 100*time.Hour) },
		func() error { return errors.Join(h.SetSpeed(t.Context(), 5), clock.Advance(t.Context(), 72*time.Hour)) },
		func() error { return h.SetSpeed(t.Context(), 0) },
		func() error { return clock.Advance(t.Context(), time.Second) },
	} {
		require.NoError(t, move())
		require.Equal(t, clock.Now(), reopened())
	}
	require.NoError(t, h.Close())
	require.Equal(t, clock.Now(), open(t, calm(), remembering(path, later.Add(1000*time.Hour))).World().Clock().Now())
}

// TestSettingsOutliveTheProcess checks that settings that were changed are restored after a
// kill, also those that the new Config contradicts.
func TestSettingsOutliveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	h := open(t, calm(), remembering(path, monday))
	require.NoError(t, h.SetSpeed(t.Context(), 7))
	require.NoError(t, h.SetCallers(t.Context(), simulator.CallersByEither))
	busy := taxi.ConfigResponse{Status: taxi.SystemBusy, ETA: &taxi.ETA{Value: 9, Unit: taxi.UnitMinutes}}
	require.NoError(t, h.SetSystem(t.Context(), busy))
	_, err := h.World().SetDuty(t.Context(), "car-2", false)
	require.NoError(t, err)

	other := calm()
	other.Callers, other.System.Status = simulator.CallersByWorld, taxi.SystemClosed
	again := open(t, other, remembering(clitest.Killed(t, path), monday))
	requireSettings := func(h *host.Host) {
		t.Helper()
		clock := h.World().Clock().Read()
		require.Equal(t, 7, clock.Speed)
		require.Equal(t, simulator.CallersByEither, clock.Callers)
		require.Equal(t, busy, h.World().Service().System())
		require.Equal(t, simulator.Standing{OffDuty: 1}, h.World().Standing())
	}
	requireSettings(again)
	require.NoError(t, again.Restart(t.Context()))
	requireSettings(again)

	saved, err := again.Save(t.Context(), store.File(filepath.Join(t.TempDir(), "saved.db")))
	require.NoError(t, err)
	require.NoError(t, again.Reset(t.Context(), host.Reset{}))
	require.Equal(t, taxi.SystemClosed, again.World().Service().System().Status, "a new world is as the Config says")
	require.Zero(t, again.World().Standing())
	require.NoError(t, again.Reset(t.Context(), host.Reset{From: saved}))
	requireSettings(again)
	require.NoError(t, again.Close())

	d := remembering(clitest.Killed(t, path), monday)
	d.Remember = false
	forgetful := open(t, other, d)
	require.Zero(t, forgetful.World().Clock().Read().Speed)
	require.Equal(t, taxi.SystemClosed, forgetful.World().Service().System().Status)
	require.Zero(t, forgetful.World().Standing())
}

// TestAcknowledgedTimeIsDurable checks that a world that is killed after any of many
// advances through a script continues with the same journey and the rest of its script.
func TestAcknowledgedTimeIsDurable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	h := open(t, calm(), remembering(path, monday))
	ref := book(t, client(t, h, nil), monday)
	var steps []simulator.ScriptStep
	for _, to := range []taxi.Status{taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete} {
		steps = append(steps, simulator.ScriptStep{After: simulator.Span(time.Minute), To: to})
	}
	_, err := h.World().Script(t.Context(), simulator.ScriptOrder{Journey: ref.JourneyID, Steps: steps})
	require.NoError(t, err)
	for range 12 {
		killed := open(t, calm(), remembering(clitest.Killed(t, path), monday))
		for range 2 {
			was := journey(t, h, ref)
			require.Equal(t, was, journey(t, killed, ref))
			require.Equal(t, h.World().Standing(), killed.World().Standing())
			require.NoError(t, killed.World().Clock().Advance(t.Context(), 30*time.Second))
			require.NoError(t, h.World().Clock().Advance(t.Context(), 30*time.Second))
		}
		require.NoError(t, killed.Close())
	}
}

// journey returns the view of a journey as JSON.
func journey(t *testing.T, h *host.Host, ref taxi.JourneyRef) string {
	t.Helper()
	v, err := h.World().Journey(t.Context(), ref.JourneyID)
	require.NoError(t, err)
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// TestUnreadableSettingsFallBackToDefaults checks that a world is opened with defaults in place of stored
// settings that cannot be read, and that this is logged.
func TestUnreadableSettingsFallBackToDefaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	require.NoError(t, open(t, calm(), remembering(path, monday)).Close())
	records, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	for _, key := range []string{"pace", "system", "orders"} {
		require.NoError(t, records.SetMeta(t.Context(), key, "fast"))
	}
	require.NoError(t, records.Close())
	var log bytes.Buffer
	d := remembering(path, monday)
	d.Log = slog.New(slog.NewTextHandler(&log, nil))
	h := open(t, calm(), d)
	require.Equal(t, taxi.SystemOK, h.World().Service().System().Status)
	require.Contains(t, log.String(), "setting=pace")
	require.Contains(t, log.String(), "setting=system")
	require.Contains(t, log.String(), "without its orders for later")
}
