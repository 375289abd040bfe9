package store_test

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestFencedStoreRefusesAllWrites checks that a store whose world another process has taken can no longer write, remove, copy or
// restore, while the other one works.
func TestFencedStoreRefusesAllWrites(t *testing.T) {
	db := store.OpenShared(t, postgrestest.URL(t))
	place := store.Shared(db, "ann", store.TakeWorld(t, db, "ann"))
	slept, err := place.Open(t.Context(), store.Options{})
	require.NoError(t, err)
	addUsers(t, slept)
	require.NoError(t, bookFor(t.Context(), slept, 1))
	saved := store.Shared(db, "ann@saved", 1)
	require.NoError(t, slept.CopyTo(t.Context(), saved))
	put, err := place.Fetch(t.Context(), saved)
	require.NoError(t, err)

	taken := openAt(t, store.Shared(db, "ann", store.TakeWorld(t, db, "ann")), store.Options{})
	require.Len(t, taken.AllLive(), 1)
	waits, err := slept.Apply(func(tx *store.Tx) error { return putBooking(tx, 2, "WAITING") })
	require.NoError(t, err, "it does not know yet")
	err = waits.Wait(t.Context())
	require.ErrorIs(t, err, store.ErrFenced)
	require.ErrorIs(t, err, store.ErrUnknown)
	require.ErrorIs(t, err, store.ErrUnavailable)
	<-slept.Fenced()

	err = bookFor(t.Context(), slept, 3)
	require.ErrorIs(t, err, store.ErrFenced)
	require.NotErrorIs(t, err, store.ErrUnknown)
	require.ErrorIs(t, slept.Healthy(), store.ErrFenced)
	before := slept.Stats().Commits.Failed
	err = slept.Close()
	require.ErrorIs(t, err, store.ErrFenced)
	require.ErrorContains(t, err, "changed records lost: 1")
	require.Equal(t, before+1, slept.Stats().Commits.Failed, "Close fails without asking the database")

	for what, err := range map[string]error{
		"remove":  place.Remove(t.Context()),
		"restore": put(t.Context()),
		"copy":    slept.CopyTo(t.Context(), saved),
	} {
		require.ErrorIs(t, err, store.ErrUnavailable, what)
	}
	_, err = place.Open(t.Context(), store.Options{})
	require.ErrorIs(t, err, store.ErrFenced)
	require.NoError(t, bookFor(t.Context(), taken, 2), "it was not kept by the other")
	require.Len(t, taken.AllLive(), 2)
	select {
	case <-taken.Fenced():
		require.Fail(t, "it has the world")
	default:
	}
}

func TestPruningIsFenced(t *testing.T) {
	db := store.OpenShared(t, postgrestest.URL(t))
	s := openAt(t, store.Shared(db, "ann", store.TakeWorld(t, db, "ann")), store.Options{})
	fill(t, s)
	require.NoError(t, s.Update(t.Context(), func(*store.Tx) error { return nil }))
	store.TakeWorld(t, db, "ann")
	_, err := s.Prune(t.Context(), store.Before{Journeys: noon.AddDate(1, 0, 0)})
	require.ErrorIs(t, err, store.ErrFenced)
	all, err := s.Journeys(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, all, many)
}

// TestTakingAWorldWaitsForItsCommit checks that taking a world waits for a commit that is under way, so that the
// new owner reads its records.
func TestTakingAWorldWaitsForItsCommit(t *testing.T) {
	db := store.OpenShared(t, postgrestest.URL(t))
	s := openAt(t, store.Shared(db, "ann", store.TakeWorld(t, db, "ann")), store.Options{})
	addUsers(t, s)
	slow := postgrestest.Hold(t, db.Pool(), "SELECT FROM progress FOR UPDATE")
	acknowledged, taken := make(chan error), make(chan int64)
	go func() { acknowledged <- bookFor(t.Context(), s, 1) }() // ends when slow does
	waitForLocks(t, db, 1)
	go func() { taken <- store.TakeWorld(t, db, "ann") }() // ends after the commit
	waitForLocks(t, db, 2)
	require.NoError(t, slow.Rollback(t.Context()))
	require.NoError(t, <-acknowledged)
	require.Len(t, openAt(t, store.Shared(db, "ann", <-taken), store.Options{}).AllLive(), 1)
}

// waitForLocks waits until so many sessions wait for a lock.
func waitForLocks(t *testing.T, db *postgresdb.DB, sessions int) {
	t.Helper()
	for waiting := 0; waiting < sessions; {
		row := db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
		require.NoError(t, row.Scan(&waiting))
	}
}

// TestAnAnswerThatIsLost checks that a commit whose answer is lost is written once when it is sent again.
func TestAnAnswerThatIsLost(t *testing.T) {
	url := postgrestest.URL(t)
	direct := store.OpenShared(t, url)
	epoch := store.TakeWorld(t, direct, "ann")
	_, socket, _ := strings.Cut(url, "host=")
	socket, _, _ = strings.Cut(socket, "&")
	line := newLine(t, filepath.Join(socket, ".s.PGSQL.5432"))
	db := store.OpenShared(t, strings.Replace(url, socket, line.folder, 1)+"&pool_max_conns=1")
	s := openAt(t, store.Shared(db, "ann", epoch), store.Options{})
	addUsers(t, s)
	for i := range int64(5) {
		line.loseAnswer()
		require.NoError(t, bookFor(t.Context(), s, i))
		require.True(t, line.lost(), "a connection was cut")
	}
	var rows, serial int
	row := direct.Pool().QueryRow(t.Context(), "SELECT (SELECT count(*) FROM journeys), serial FROM progress")
	require.NoError(t, row.Scan(&rows, &serial))
	require.Equal(t, 5, rows)
	require.Equal(t, 5, serial)
}

// TestLateCommitIsRefused checks that a commit of an abandoned connection is refused if it arrives after the one
// that was sent again, after the records were removed, or after others were restored.
func TestLateCommitIsRefused(t *testing.T) {
	db := store.OpenShared(t, postgrestest.URL(t))
	epoch := store.TakeWorld(t, db, "ann")
	late := db.Number()
	place, saved := store.Shared(db, "ann", epoch), store.Shared(db, "ann@saved", epoch)
	s := openAt(t, place, store.Options{})
	addUsers(t, s)
	arrives := func(number int64) {
		t.Helper()
		b := &pgx.Batch{}
		b.Queue("SELECT begin_commit('ann', $1, $2, 0, 0)", epoch, number)
		b.Queue("DELETE FROM users")
		require.ErrorContains(t, db.Send(context.WithoutCancel(t.Context()), b), "a later commit")
	}
	arrives(late)
	users, err := s.Users(t.Context())
	require.NoError(t, err)
	require.Len(t, users, customers)

	require.NoError(t, s.CopyTo(t.Context(), saved))
	late = db.Number()
	require.NoError(t, s.Close())
	require.NoError(t, place.Remove(t.Context()))
	arrives(late)
	s = openAt(t, place, store.Options{})
	users, err = s.Users(t.Context())
	require.NoError(t, err)
	require.Empty(t, users)
	put, err := place.Fetch(t.Context(), saved)
	require.NoError(t, err)
	late = db.Number()
	require.NoError(t, s.Close())
	require.NoError(t, put(t.Context()))
	arrives(late)
	users, err = openAt(t, place, store.Options{}).Users(t.Context())
	require.NoError(t, err)
	require.Len(t, users, customers)
}

// line is a way to a PostgreSQL server that can lose an answer: the server has done what it was
// asked to, and the connection ends.
type line struct {
	folder string // of its socket
	server string // the server's socket
	ended  sync.WaitGroup

	mu     sync.Mutex
	armed  bool // the next answer is lost
	wasCut bool
	open   []net.Conn
}

func newLine(t *testing.T, server string) *line {
	t.Helper()
	folder, err := os.MkdirTemp("", "line") //nolint:usetesting // t.TempDir is too long for the name of a socket
	require.NoError(t, err)
	l := &line{folder: folder, server: server}
	listener, err := net.Listen("unix", filepath.Join(folder, ".s.PGSQL.5432"))
	require.NoError(t, err)
	l.ended.Go(func() { l.accept(listener) })
	t.Cleanup(func() {
		require.NoError(t, listener.Close())
		l.cut()
		l.ended.Wait()
		require.NoError(t, os.RemoveAll(folder))
	})
	return l
}

func (l *line) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", l.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		l.mu.Lock()
		l.open = append(l.open, client, server)
		l.mu.Unlock()
		l.ended.Go(func() { _, _ = io.Copy(server, client); _ = server.Close() })
		l.ended.Go(func() { l.answer(client, server); _ = client.Close() })
	}
}

// answer passes the server's answers on. A lost one ends the connection.
func (l *line) answer(client, server net.Conn) {
	part := make([]byte, 1<<16)
	for {
		n, err := server.Read(part)
		if err != nil || l.losing() {
			return
		}
		if _, err := client.Write(part[:n]); err != nil {
			return
		}
	}
}

// losing reports whether an answer is to be lost, once.
func (l *line) losing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.armed {
		return false
	}
	l.armed, l.wasCut = false, true
	return true
}

// loseAnswer loses the next answer.
func (l *line) loseAnswer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed, l.wasCut = true, false
}

func (l *line) lost() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wasCut
}

// cut ends all connections.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.open {
		_ = c.Close()
	}
}
