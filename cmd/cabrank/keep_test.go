package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestKeepSandboxesSurvivesRestart checks that --keep-sandboxes keeps sandboxes, faults, snapshots and other settings over a
// restart. TestRestartKeepsOnlyDocumentedState checks what is lost without it.
func TestKeepSandboxesSurvivesRestart(t *testing.T) {
	s := newShell(t)
	start := func() (at func(args ...string) string, stop func() string) {
		url, stop := s.Serve("--town", "none", "--db", "taxis.db", "--keep-sandboxes")
		return func(args ...string) string { return s.OK(append(args, "--url", url)...) }, stop
	}
	do, stop := start()
	setUpWorlds(do)
	require.NotContains(t, stop(), "is not", "nothing is lost")

	do, stop = start()
	compareWorlds(t, do)
	do("sandbox", "rm", "ann")
	stop()
	do, stop = start()
	require.Equal(t, "no sandboxes\n", do("sandbox", "list"))
	stop()

	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--keep-sandboxes"), "--keep-sandboxes needs --db FILE")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--replica-url", "http://10.0.0.5:8080"), "--replica-url needs --db postgres://")
}

// setUpWorlds gives the main world, and a sandbox, settings for later.
func setUpWorlds(do func(args ...string) string) {
	do("sandbox", "add", "ann", "--town", "none", "--cars", "3", "--label", "team=checkout", "--now", "2026-06-01T08:00:00Z")
	for _, world := range [][]string{nil, {"--sandbox", "ann"}} {
		in := func(args ...string) { do(append(args, world...)...) }
		in("clock", "pause")
		in("system", "BUSY")
		in("fault", "add", "delay", "for=1s", "--op", "cancel", "--times", "3")
		in("journeys", "script", "next", "5s:ACCEPTED")
		in("snapshot", "save", "before")
	}
	do("clock", "advance", "--by", "90m", "--sandbox", "ann")
}

// compareWorlds expects the settings of setUpWorlds.
func compareWorlds(t *testing.T, do func(args ...string) string) {
	t.Helper()
	require.Contains(t, do("sandbox", "list"), "ann")
	require.Contains(t, do("clock", "--sandbox", "ann"), "2026-06-01T09:30:00Z")
	for _, world := range [][]string{nil, {"--sandbox", "ann"}} {
		in := func(args ...string) string { return do(append(args, world...)...) }
		require.Contains(t, in("system"), "BUSY")
		require.Contains(t, in("fault", "list"), "delay")
		require.Contains(t, in("snapshot", "list"), "before")
		require.Equal(t, "scripts that wait for a booking: 2\n", in("journeys", "script", "next", "5s:ACCEPTED"))
	}
	require.Contains(t, do("clock"), "stand")
	do("snapshot", "restore", "before", "--sandbox", "ann")
	require.Contains(t, do("clock", "--sandbox", "ann"), "2026-06-01T08:00:00Z")
}

// TestTwoReplicas starts two servers on one PostgreSQL database, and stops the one that runs
// the worlds: the other continues with them.
func TestTwoReplicas(t *testing.T) {
	s, db := newParallelShell(t), postgrestest.URL(t)
	start := func(flags ...string) (url string, at func(args ...string) string, stop func() string) {
		url, stop = s.Serve(append([]string{"--town", "none", "--db", db}, flags...)...)
		return url, func(args ...string) string { return s.OK(append(args, "--url", url)...) }, stop
	}
	_, one, stopOne := start("--replica-url", "")
	two, other, stopTwo := start()
	id, _, _ := strings.Cut(other("book", "--phone", "442079460020", "--at", time.Now().Add(time.Hour).UTC().Format(time.RFC3339)), " ")
	require.Contains(t, one("journeys", id), id)
	setUpWorlds(one)
	answered := answeredBy(t, two)

	require.Contains(t, stopOne(), "stopped")
	compareWorlds(t, other)
	require.Contains(t, other("journeys", id), id)
	require.NotEqual(t, answered, answeredBy(t, two), "another replica runs the main world")
	stopTwo()

	for flag, says := range map[string]string{
		"--faults=flaky": "--faults: with PostgreSQL", "--tls=self-signed": "SSL_CERT_FILE",
		"--replica-url=ftp://x": "--replica-url is", "--listen=0.0.0.0:0": "--control-token is missing",
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--db", db, flag), says)
	}
}

// answeredBy is the id of the replica that answers for the main world.
func answeredBy(t *testing.T, url string) string {
	t.Helper()
	answer := clitest.Post(t, url+"/config", "{}")
	require.Equal(t, "BUSY", clitest.Decode[struct{ Status string }](t, answer.Body).Status)
	return answer.Header.Get(replica.ReplicaHeader)
}

// TestRestartKeepsOnlyDocumentedState checks what docs/testing.md says about a restart: what is kept, and what
// is lost.
func TestRestartKeepsOnlyDocumentedState(t *testing.T) {
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
