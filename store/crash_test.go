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
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// crashFile names, in the environment of a child process, the database that it
// is to book in until it is killed.
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
	s, err := store.Open(ctx, path, store.Options{})
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
	const enough = 2000
	path := file(t)
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), crashFile+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	acknowledged := readAcks(t, out, enough, child.Process.Kill)
	require.Error(t, child.Wait(), "it was killed")
	require.GreaterOrEqual(t, len(acknowledged), enough)

	s := open(t, path, store.Options{})
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
	require.NoError(t, s.Close())
	require.Equal(t, "ok", integrity(t, path))
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
