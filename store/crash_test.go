package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// crashFile names, in the environment of a child process, the database that it
// is to book in until it is killed: a file, or the URL of a shared one, with the
// world "ann" in epoch 1.
const crashFile = "CABRANK_STORE_CRASH_FILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashFile); path != "" {
		fmt.Fprintln(os.Stderr, bookUntilKilled(path))
		os.Exit(1)
	}
	// Every check opens databases; -rapid.checks on the command line asks for more.
	if err := flag.Set("rapid.checks", "15"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// bookUntilKilled books from 32 callers and prints the number of each booking
// once it has been acknowledged.
func bookUntilKilled(path string) error {
	ctx := context.Background()
	var place store.Place = store.File(path)
	if postgresdb.IsURL(path) {
		db, err := postgresdb.Open(ctx, path, postgresdb.Options{})
		if err != nil {
			return err
		}
		place = store.Shared(db, "ann", 1)
	}
	s, err := place.Open(ctx, store.Options{})
	if err != nil {
		return err
	}
	if err := s.Update(ctx, func(tx *store.Tx) error { putUsers(tx); return nil }); err != nil {
		return err
	}
	var next atomic.Int64
	failed := make(chan error)
	for range 32 {
		go func() {
			for {
				i := next.Add(1)
				if err := bookFor(ctx, s, i); err != nil {
					failed <- err
					return
				}
				if _, err := os.Stdout.WriteString(strconv.FormatInt(i, 10) + "\n"); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	return <-failed
}

func TestAcknowledgedBookingsSurviveAKill(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		path := file(t)
		bookingsSurviveAKill(t, path, store.File(path))
		require.Equal(t, "ok", integrity(t, path))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		url := postgrestest.URL(t)
		db := store.OpenShared(t, url)
		bookingsSurviveAKill(t, url, store.Shared(db, "ann", store.TakeWorld(t, db, "ann")))
	})
}

func bookingsSurviveAKill(t *testing.T, path string, place store.Place) {
	const enough = 2000
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), crashFile+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	acknowledged := readAcks(t, out, enough, child.Process.Kill)
	require.Error(t, child.Wait(), "it was killed")
	require.GreaterOrEqual(t, len(acknowledged), enough)

	s := openAt(t, place, store.Options{})
	requireBookings(t, s, acknowledged)
	require.NoError(t, s.Close())
}

// requireBookings requires that all acknowledged bookings are there, and no half ones.
func requireBookings(t *testing.T, s *store.Store, acknowledged []int64) {
	t.Helper()
	for _, i := range acknowledged {
		snap, err := s.Journey(t.Context(), journeyID(i))
		require.NoError(t, err)
		require.Equal(t, taxi.Waiting, snap.Status)
		require.Equal(t, phone(i%customers).International(), snap.Passenger.PhoneNumber)
		require.NotEmpty(t, snap.Dropoffs)
	}
	all, err := s.Journeys(t.Context(), 0)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), len(acknowledged))
	for _, snap := range all {
		require.NotNil(t, snap.Pickup, "no half of a booking")
		_, err := s.User(t.Context(), snap.UserID)
		require.NoError(t, err)
	}
}

// TestAcknowledgedBookingsSurviveDatabaseKill kills all processes of PostgreSQL under load. The
// store goes on with the same records when the server is back.
func TestAcknowledgedBookingsSurviveDatabaseKill(t *testing.T) {
	c := postgrestest.Start(t, postgrestest.Options{})
	db := store.OpenShared(t, c.URL(t))
	place := store.Shared(db, "ann", store.TakeWorld(t, db, "ann"))
	var next atomic.Int64
	var acknowledged []int64
	for range times(t, 2) {
		s := openAt(t, place, store.Options{})
		addUsers(t, s)
		acknowledged = append(acknowledged, bookUntilItFails(t, s, &next, func() { c.Kill(t) })...)
		require.ErrorIs(t, place.Export(t.Context(), t.TempDir()+"/export.db"), store.ErrUnavailable)
		c.Start(t)
		require.NoError(t, s.Close(), "what was not written is written now")
		s = openAt(t, place, store.Options{})
		requireBookings(t, s, acknowledged)
		require.NoError(t, s.Close())
	}
}

// bookUntilItFails books from 32 callers, and calls kill after 500 bookings. It returns those
// that were acknowledged.
func bookUntilItFails(t *testing.T, s *store.Store, next *atomic.Int64, kill func()) (acknowledged []int64) {
	acks := make(chan int64)
	var callers sync.WaitGroup
	for range 32 {
		callers.Go(func() {
			for {
				i := next.Add(1)
				if bookFor(context.WithoutCancel(t.Context()), s, i) != nil {
					return
				}
				acks <- i
			}
		})
	}
	go func() { callers.Wait(); close(acks) }() // ends when all bookings fail
	for i := range acks {
		if acknowledged = append(acknowledged, i); len(acknowledged) == 500 {
			kill()
		}
	}
	return acknowledged
}

// times returns how often a test repeats itself: TIMES, or the usual number.
func times(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("TIMES")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// readAcks reads the numbers acknowledged, kills when there are enough, and reads
// on to the end of what had been written.
func readAcks(t *testing.T, out io.Reader, enough int, kill func() error) []int64 {
	t.Helper()
	var acknowledged []int64
	for lines := bufio.NewScanner(out); lines.Scan(); {
		i, err := strconv.ParseInt(lines.Text(), 10, 64)
		require.NoError(t, err)
		acknowledged = append(acknowledged, i)
		if len(acknowledged) == enough {
			require.NoError(t, kill())
		}
	}
	return acknowledged
}

// integrity asks SQLite what it thinks of a file.
func integrity(t *testing.T, path string) (verdict string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict))
	return verdict
}
