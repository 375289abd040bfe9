package store

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// moodyDisk is a database whose commits can be counted, held up and made to fail.
type moodyDisk struct {
	disk

	mu      sync.Mutex
	broken  error // what commits end with
	commits int   // good ones
	tries   int
	hold    chan struct{} // commits wait until it is closed; nil: they do not
}

func (d *moodyDisk) flush(ctx context.Context, b *batch) error {
	d.mu.Lock()
	hold := d.hold
	d.mu.Unlock()
	if hold != nil {
		<-hold
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tries++
	if d.broken != nil {
		return d.broken
	}
	d.commits++
	return d.disk.flush(ctx, b)
}

func (d *moodyDisk) set(broken error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.broken = broken
}

func (d *moodyDisk) counts() (commits, tries int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.commits, d.tries
}

// stop holds commits up until the function it returns is called.
func (d *moodyDisk) stop() (resume func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	hold := make(chan struct{})
	d.hold = hold
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.hold = nil
		close(hold)
	}
}

// inBubble runs a test in a synctest bubble with each kind of database.
func inBubble(t *testing.T, test func(t *testing.T, k Kind)) {
	OnEachKind(t, func(t *testing.T, k Kind) {
		synctest.Test(t, func(t *testing.T) { test(t, k) })
	})
}

func openDisk(t *testing.T, p Place) disk {
	t.Helper()
	if shared, ok := p.(sharedPlace); ok {
		return newSharedDisk(shared)
	}
	d, err := openSQLite(t.Context(), p.String(), sqlitedb.Normal)
	require.NoError(t, err)
	return d
}

// openMoody opens a store on a moody disk. In a synctest bubble it must be closed
// by the test.
func openMoody(t *testing.T, p Place, o Options) (*Store, *moodyDisk) {
	t.Helper()
	d := &moodyDisk{disk: openDisk(t, p)}
	s, err := openOn(t.Context(), d, o)
	require.NoError(t, err)
	return s, d
}

func TestUnawaitedChangesShareACommit(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, disk := openMoody(t, k.Places(t)(), Options{Queue: 40})
		defer func() { require.NoError(t, s.Close()) }()
		commits := func() int {
			synctest.Wait()
			n, _ := disk.counts()
			return n
		}
		change := func(n int) Ticket {
			ticket, err := s.Apply(putUser(n))
			require.NoError(t, err)
			return ticket
		}

		for n := range 5 {
			change(n)
			synctest.Wait()
		}
		require.Zero(t, commits(), "they wait for more")
		<-time.After(lingerFor)
		require.Equal(t, 1, commits(), "and are written together, though nobody asked")

		change(5)
		require.NoError(t, change(6).Wait(t.Context()))
		require.Equal(t, 2, commits(), "somebody waits: at once")
		<-time.After(lingerFor)
		require.Equal(t, 2, commits(), "and nothing is left")

		for n := range 20 {
			change(10 + n)
		}
		require.Equal(t, 3, commits(), "half the queue is enough")
	})
}

func TestCommitsAreCountedAndTimed(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, disk := openMoody(t, k.Places(t)(), Options{Now: time.Now})
		defer func() { require.NoError(t, s.Close()) }()
		resume := disk.stop()
		ticket, err := s.Apply(func(tx *Tx) error {
			for n := range 3 {
				require.NoError(t, putUser(n)(tx))
			}
			return nil
		})
		require.NoError(t, err)
		s.wakeCommitter()
		synctest.Wait()
		require.Equal(t, 3, s.Stats().Queued)
		<-time.After(30 * time.Millisecond) // the disk is slow
		resume()
		require.NoError(t, ticket.Wait(t.Context()))
		before := s.Stats()
		disk.set(errDisk)
		require.ErrorIs(t, s.Update(t.Context(), putUser(9)), ErrUnavailable)
		disk.set(nil)
		<-time.After(2 * retryEvery)

		require.Equal(t, 0, before.Queued)
		require.Equal(t, uint64(1), before.Commits.Took.Count, "what was read does not change")
		require.InDelta(t, 0.03, before.Commits.Took.Sum, 1e-9)
		require.Equal(t, uint64(1), before.Commits.Took.Counts[6], "above 0.02 and up to 0.05 seconds")
		after := s.Stats().Commits
		require.Contains(t, []uint64{1, 2}, after.Failed, "a writer that wakes the committer late has it try once more at once")
		tries := after.Failed + 1 // each with the one record
		require.Equal(t, 1+tries, after.Records.Count)
		require.InDelta(t, 3+float64(tries), after.Records.Sum, 0)
		require.Equal(t, []uint64{tries, 0, 1}, after.Records.Counts[:3])
	})
}

func TestLiveJourneysAreCountedByStatus(t *testing.T) {
	s := Memory()
	for id, status := range map[taxi.JourneyID]taxi.Status{"a": taxi.Waiting, "b": taxi.Waiting, "c": taxi.POB, "d": taxi.Complete} {
		require.NoError(t, s.Update(t.Context(), func(tx *Tx) error {
			tx.PutJourney(&Journey{Journey: taxi.Journey{JourneyID: id, Status: status}, Serial: tx.NextSerial(), UserID: "u1"})
			return nil
		}))
	}
	require.Equal(t, Stats{Live: map[taxi.Status]int{taxi.Waiting: 2, taxi.POB: 1}}, s.Stats())
}
