package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestWhatARestartKeeps checks what docs/testing.md says about a restart: what is kept, and what
// is lost.
func TestWhatARestartKeeps(t *testing.T) {
	s := newShell(t)
	start := func() (at func(args ...string) string, stop func() string) {
		url, stop := s.Serve("--town", "none", "--db", "taxis.db")
		return func(args ...string) string { return s.OK(append(args, "--url", url)...) }, stop
	}
	tomorrow := time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	do, stop := start()
	do("clock", "pause")
	held, _, _ := strings.Cut(do("book", "--phone", "442079460020"), " ")
	later, _, _ := strings.Cut(do("book", "--phone", "442079460021", "--at", tomorrow, "--idempotency-key", "k"), " ")
	require.Contains(t, do("journeys", "hold", held), "it does not change by itself")
	do("journeys", "script", "next", "5s:ACCEPTED")
	do("users", "442079460022", "--status", "BLACKLISTED")
	do("system", "BUSY")
	do("fault", "add", "delay", "for=1s", "--op", "cancel")
	do("scenario", "start", "no-cars")
	do("snapshot", "save", "before")
	do("sandbox", "add", "ann", "--town", "none", "--cars", "1")
	do("clock", "advance", "--by", "1s")
	seed := seedOf(t, do)
	stop()

	do, stop = start()
	defer stop()
	require.Equal(t, seed, seedOf(t, do))
	require.Contains(t, do("journeys", held), held)
	require.NotContains(t, do("journeys", held), "it does not change by itself")
	require.Contains(t, do("journeys", later), "HELD")
	require.Equal(t, later, strings.Fields(do("book", "--phone", "442079460021", "--at", tomorrow, "--idempotency-key", "k"))[0])
	require.Contains(t, do("users", "442079460022"), "BLACKLISTED")
	require.Contains(t, do("clock"), "×1")
	require.Contains(t, do("system"), "OK")
	require.Equal(t, "no faults\n", do("fault", "list"))
	require.Equal(t, "no snapshots\n", do("snapshot", "list"))
	require.Equal(t, "no sandboxes\n", do("sandbox", "list"))
	require.Contains(t, do("requests"), "1 of 1 requests", "those of this server")
	require.Equal(t, "scripts that wait for a booking: 1\n", do("journeys", "script", "next", "5s:ACCEPTED"), "and none of before")
	require.Regexp(t, `^     1  .*was reset`, do("events", "--since", "0", "--count", "1"))
}

// seedOf is what the chance of a world grows from.
func seedOf(t *testing.T, do func(args ...string) string) uint64 {
	t.Helper()
	s := clitest.Decode[struct{ Seed uint64 }](t, do("snapshot", "save", "seed", "--json"))
	require.NotZero(t, s.Seed)
	do("snapshot", "rm", "seed")
	return s.Seed
}
