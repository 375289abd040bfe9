package serving

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
)

// TestDemoTripsDiffer checks that the bookings of a demo's town are the same in every run, and have different users,
// none of them a fixture, and different routes.
func TestDemoTripsDiffer(t *testing.T) {
	streets := town.Default()
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)
	names, ways := map[string]bool{}, map[string]bool{}
	for n := range lifeTrips {
		r := lifeTrip(streets, n, now)
		require.Equal(t, r, lifeTrip(streets, n, now), "the same in every run")
		require.NotEqual(t, r.Pickup.Address, r.Dropoffs[0].Address)
		names[r.Name], ways[r.Pickup.Address+" → "+r.Dropoffs[0].Address] = true, true
	}
	require.Len(t, names, lifeTrips)
	require.Len(t, ways, lifeTrips)
	for _, p := range fixtures.People() {
		require.NotContains(t, names, p.Name)
	}
	for _, p := range newcomers() {
		require.Zero(t, p.Bookings, p.Name)
	}
}

// TestTheWorldSlowsDownForCalls checks that a demo's world runs at the speed of speech during calls and at its former
// speed afterwards, unless somebody has set another meanwhile.
func TestTheWorldSlowsDownForCalls(t *testing.T) {
	speed := 20
	p := newPace(1, func() int { return speed }, func(to int) error { speed = to; return nil })
	for _, step := range []struct {
		calls, set int // set: somebody sets this speed, before the call; 0: nobody does
		want       int
	}{
		{calls: 1, want: 1},
		{calls: 2, want: 1},
		{calls: 1, want: 1},
		{calls: 0, want: 20}, // two calls
		{calls: 1, want: 1},
		{calls: 0, set: 60, want: 60}, // somebody else has set it
		{calls: 1, want: 1},
		{calls: 0, want: 60},
		{calls: 1, set: 1, want: 1},
		{calls: 0, want: 1}, // it is slow anyway
	} {
		if step.set > 0 {
			speed = step.set
		}
		p.live(step.calls)
		<-p.news
		p.adjust()
		require.Equal(t, step.want, speed, "%+v", step)
	}
	p.live(1)
	p.live(2) // waits for nobody
}

// TestATaxiWaitsAtTheDoor expects the journey of somebody who booked by phone to be held when the taxi is there, until
// the patience is over and nobody is on the phone, and no other journey.
func TestATaxiWaitsAtTheDoor(t *testing.T) {
	t.Parallel()
	d := &demonstration{out: cli.Outside{Stdout: io.Discard, Stderr: io.Discard}}
	cmd := d.command()
	require.NoError(t, cmd.ParseFlags([]string{"--listen", "127.0.0.1:0", "--no-open", "--speed", "1", "--demand", "none"}))
	cmd.SetContext(t.Context())
	require.NoError(t, d.begin(t.Context(), cmd))
	defer func() { require.NoError(t, d.system.stop()) }()
	d.doors.patience = 0
	d.keep(t.Context())
	d.live(1)
	world := d.system.host().World()
	held := func(journey taxi.JourneyID) bool {
		v, err := world.Journey(t.Context(), journey)
		require.NoError(t, err)
		return v.Held
	}
	arrives := func(told bool) taxi.JourneyID {
		j, err := d.inside().Book(t.Context(), lifeTrip(d.system.town(), 3, world.Clock().Now()))
		require.NoError(t, err)
		if told {
			d.overheard(exchange{path: taxi.PathBook, status: http.StatusOK, answer: []byte(`{"journeyId":"` + j.JourneyID + `"}`)})
		}
		_, err = world.Transition(t.Context(), simulator.TransitionOrder{Journey: j.JourneyID, To: taxi.Arrived, Force: true})
		require.NoError(t, err)
		return j.JourneyID
	}
	somebody, other := arrives(true), arrives(false)
	require.Eventually(t, func() bool { return held(somebody) }, time.Minute, 5*time.Millisecond)
	require.False(t, held(other))
	d.live(0)
	require.Eventually(t, func() bool { return !held(somebody) }, time.Minute, 5*time.Millisecond)
}

// TestDemoOpensABrowserOnADisplay expects a browser where there is a display, unless --no-open is
// given.
func TestDemoOpensABrowserOnADisplay(t *testing.T) {
	for name, row := range map[string]struct {
		flags, env []string
		system     string
		elsewhere  bool // the output is no terminal
		want       []string
	}{
		"X":               {env: []string{"DISPLAY=:0"}, system: "linux", want: []string{"xdg-open"}},
		"Wayland":         {env: []string{"WAYLAND_DISPLAY=wayland-0"}, system: "freebsd", want: []string{"xdg-open"}},
		"no display":      {system: "linux"},
		"macOS":           {system: "darwin", want: []string{"open"}},
		"Windows":         {system: "windows", want: []string{"rundll32", "url.dll,FileProtocolHandler"}},
		"told not to":     {system: "darwin", flags: []string{"--no-open"}},
		"headless":        {system: "darwin", flags: []string{"--headless"}},
		"CI":              {system: "darwin", env: []string{"CI=true"}},
		"into a file":     {system: "darwin", elsewhere: true},
		"opens otherwise": {system: "darwin", flags: []string{"--speed", "5"}, want: []string{"open"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := &demonstration{out: cli.Outside{Environ: row.env}}
			require.NoError(t, d.command().ParseFlags(row.flags))
			require.Equal(t, row.want, d.opens(row.system, !row.elsewhere))
		})
	}
}

// TestBrowserFailureIsIgnored checks that a browser that cannot be started is no error, and that one that can be
// started gets the address.
func TestBrowserFailureIsIgnored(t *testing.T) {
	openBrowser(t.Context(), nil, "http://127.0.0.1/")
	openBrowser(t.Context(), []string{filepath.Join(t.TempDir(), "none")}, "http://127.0.0.1/")

	opener, seen := filepath.Join(t.TempDir(), "opener"), filepath.Join(t.TempDir(), "seen")
	require.NoError(t, os.WriteFile(opener, []byte("#!/bin/sh\nprintf %s \"$2\" > \"$1\"\n"), 0o700)) //nolint:gosec // it is a program
	ctx, cancel := context.WithCancel(t.Context())
	openBrowser(ctx, []string{opener, seen}, "http://127.0.0.1/console/")
	cancel() // the demo ends; the browser stays
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(seen)
		return err == nil && string(text) == "http://127.0.0.1/console/"
	}, time.Minute, 5*time.Millisecond, "the program is not started")
}
