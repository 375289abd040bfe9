package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

func putUser(id int) func(*Tx) error {
	return func(tx *Tx) error {
		name := fmt.Sprintf("%04d", id)
		tx.PutUser(&User{EndUser: taxi.EndUser{UserID: taxi.UserID("u" + name), PhoneNumber: taxi.E164("44" + name)}})
		return nil
	}
}

var errDisk = errors.New("no space left on device")

func TestManyChangesShareACommit(t *testing.T) { OnEachKind(t, manyChangesShareACommit) }

func manyChangesShareACommit(t *testing.T, k Kind) {
	s, d := openMoody(t, k.Places(t)(), Options{})
	defer s.Close()
	resume := d.stop()
	var tickets []Ticket
	for i := range 100 {
		ticket, err := s.Apply(putUser(i))
		require.NoError(t, err)
		tickets = append(tickets, ticket)
	}
	for range 50 { // one user again and again is one row
		ticket, err := s.Apply(putUser(7))
		require.NoError(t, err)
		tickets = append(tickets, ticket)
	}
	resume()
	for _, ticket := range tickets {
		require.NoError(t, ticket.Wait(t.Context()))
	}
	commits, _ := d.counts()
	require.LessOrEqual(t, commits, 2, "those of before the hold and those of during it")
}

func TestNothingIsDurableBeforeItsCommit(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, d := openMoody(t, k.Places(t)(), Options{})
		defer s.Close()
		resume := d.stop()
		ticket, err := s.Apply(putUser(1))
		require.NoError(t, err)
		again, err := s.Apply(func(tx *Tx) error { _, err := tx.User("u0001"); return err })
		require.NoError(t, err)
		s.wakeCommitter()
		synctest.Wait() // the committer is at the disk
		during, err := s.Apply(func(tx *Tx) error { _, err := tx.User("u0001"); return err })
		require.NoError(t, err)
		short, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		for _, early := range []Ticket{ticket, again, during} {
			require.ErrorIs(t, early.Wait(short), context.DeadlineExceeded, "an answer that repeats one waits for it")
		}
		_, err = s.User(t.Context(), "u0001")
		require.NoError(t, err, "but readers see it")
		resume()
		for _, early := range []Ticket{ticket, again, during} {
			require.NoError(t, early.Wait(t.Context()))
		}
	})
}

// A caller whose booking the disk refused is told to send it again, and may do so
// long after the window for duplicates.
func TestABookingThatWaitsForTheDiskIsNotMadeTwice(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, d := openMoody(t, k.Places(t)(), Options{RecentWindow: time.Minute})
		defer s.Close()
		began, asked := time.Now(), [32]byte{1}
		known := func() (found bool) {
			require.NoError(t, s.Update(t.Context(), func(tx *Tx) error {
				_, found = tx.RecentByFingerprint("u1", asked, time.Now(), time.Minute)
				return nil
			}))
			return found
		}
		d.set(errDisk)
		err := s.Update(t.Context(), func(tx *Tx) error {
			tx.PutJourney(&Journey{
				Journey: taxi.Journey{JourneyID: "j1", Status: taxi.Waiting}, UserID: "u1",
				Serial: tx.NextSerial(), CreatedAt: began, Fingerprint: asked,
			})
			return nil
		})
		require.ErrorIs(t, err, ErrUnknown)
		require.ErrorIs(t, err, ErrUnavailable)
		err = s.Update(t.Context(), putUser(9))
		require.ErrorIs(t, err, ErrUnavailable)
		require.NotErrorIs(t, err, ErrUnknown, "what is refused for good never comes alive")

		time.Sleep(5 * time.Minute)
		d.set(nil)
		time.Sleep(2 * retryEvery)
		require.True(t, known(), "its age counts from when it was kept")
		time.Sleep(59 * time.Second)
		require.True(t, known())
		time.Sleep(2 * time.Second)
		require.False(t, known())
		_, err = s.User(t.Context(), "u0009")
		require.ErrorIs(t, err, ErrNotFound)
	})
}

func TestAFailingDiskRefusesChangesUntilItRecovers(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		place := k.Places(t)()
		s, d := openMoody(t, place, Options{})
		require.NoError(t, s.Update(t.Context(), putUser(1)))

		d.set(errDisk)
		resume := d.stop()
		first, err := s.Apply(putUser(2))
		require.NoError(t, err)
		s.wakeCommitter()
		synctest.Wait() // the committer has taken it
		second, err := s.Apply(putUser(3))
		require.NoError(t, err)
		_, err = s.Apply(putUser(2))
		require.NoError(t, err)
		resume()
		for _, ticket := range []Ticket{first, second} {
			err := ticket.Wait(t.Context())
			require.ErrorIs(t, err, ErrUnavailable)
			require.ErrorIs(t, err, errDisk)
		}
		require.ErrorIs(t, s.Healthy(), errDisk)
		_, err = s.Apply(func(*Tx) error { t.Error("must not run"); return nil })
		require.ErrorIs(t, err, ErrUnavailable)
		_, err = s.User(t.Context(), "u0003")
		require.NoError(t, err, "reading goes on")

		_, before := d.counts()
		pass(5 * retryEvery)
		_, after := d.counts()
		require.InDelta(t, 5, after-before, 1, "tried again every second, no more often")
		d.set(nil)
		pass(retryEvery)
		require.NoError(t, s.Healthy())
		require.NoError(t, s.Update(t.Context(), func(*Tx) error { return nil }), "all is durable now")
		require.NoError(t, s.Update(t.Context(), putUser(4)))
		require.NoError(t, s.Close())

		s, _ = openMoody(t, place, Options{})
		defer s.Close()
		users, err := s.Users(t.Context())
		require.NoError(t, err)
		require.Len(t, users, 4, "what failed at first has been kept")
	})
}

func TestCloseReportsLostRecords(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, d := openMoody(t, k.Places(t)(), Options{})
		d.set(errDisk)
		ticket, err := s.Apply(putUser(1))
		require.NoError(t, err)
		require.ErrorIs(t, ticket.Wait(t.Context()), errDisk)
		err = s.Close()
		require.ErrorIs(t, err, ErrUnavailable)
		require.ErrorContains(t, err, "changed records lost: 1")
		require.Equal(t, err, s.Close())
	})
}

func TestFullQueueRefusesChanges(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, d := openMoody(t, k.Places(t)(), Options{Queue: 10})
		defer s.Close()
		resume := d.stop()
		for i := range 10 {
			_, err := s.Apply(putUser(i))
			require.NoError(t, err)
			s.wakeCommitter()
			synctest.Wait() // some are in the committer's hands, and count
		}
		_, err := s.Apply(putUser(10))
		require.ErrorIs(t, err, ErrUnavailable)
		require.ErrorIs(t, s.Healthy(), ErrUnavailable)
		resume()
		synctest.Wait()
		require.NoError(t, s.Update(t.Context(), putUser(10)))
	})
}

func TestUncommittedRecordsAreNotEvicted(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, d := openMoody(t, k.Places(t)(), Options{Cached: 1})
		defer s.Close()
		require.NoError(t, s.Update(t.Context(), putUser(998)))
		require.NoError(t, s.Update(t.Context(), putUser(999))) // which pushes the other out
		resume := d.stop()
		for i := range 100 {
			_, err := s.Apply(putUser(i))
			require.NoError(t, err)
			synctest.Wait() // the first is in the committer's hands
		}
		_, err := s.Apply(func(tx *Tx) error { return errors.Join(putUser(0)(tx), errDisk) })
		require.ErrorIs(t, err, errDisk)
		for _, other := range []taxi.UserID{"u0999", "u0998"} { // each takes the one idle place
			_, err := s.User(t.Context(), other)
			require.NoError(t, err)
		}
		for i := range 100 { // the disk has none of them
			_, err := s.User(t.Context(), taxi.UserID(fmt.Sprintf("u%04d", i)))
			require.NoError(t, err)
		}
		resume()
		require.NoError(t, s.Update(t.Context(), func(*Tx) error { return nil }))
		require.Empty(t, s.users.held, "durable, they may be")
		require.Equal(t, 1, s.users.idle.Len())
		require.Len(t, s.phones, 1)
	})
}

func TestPruneIncludesUncommittedJourneys(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, d := openMoody(t, k.Places(t)(), Options{})
		defer s.Close()
		resume := d.stop()
		ended := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		_, err := s.Apply(func(tx *Tx) error {
			tx.PutJourney(&Journey{
				Journey: taxi.Journey{JourneyID: "j1", Status: taxi.Complete}, Serial: tx.NextSerial(), UpdatedAt: ended,
			})
			return nil
		})
		require.NoError(t, err)
		pruned := make(chan int)
		go func() {
			n, err := s.Prune(t.Context(), Before{Journeys: ended.Add(time.Hour), Replies: ended.Add(-24 * time.Hour)})
			if err != nil {
				t.Error(err)
			}
			pruned <- n
		}()
		synctest.Wait() // it waits for the disk
		resume()
		require.Equal(t, 1, <-pruned)
		_, err = s.Journey(t.Context(), "j1")
		require.ErrorIs(t, err, ErrNotFound)
	})
}

// TestAFullDisk checks that a store refuses changes while its SQLite file is full, and recovers when there is room
// again.
func TestAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sqlite, err := openSQLite(t.Context(), filepath.Join(t.TempDir(), "a.db"), sqlitedb.Full)
		require.NoError(t, err)
		s, err := openOn(t.Context(), sqlite, Options{})
		require.NoError(t, err)
		defer s.Close()
		allowPages(t, sqlite, 1) // SQLite makes that what the file has now
		n := 0
		for ; err == nil; n++ {
			require.Less(t, n, 1000)
			err = s.Update(t.Context(), putUser(n))
		}
		require.ErrorIs(t, err, ErrUnavailable)
		require.ErrorContains(t, err, "full")
		allowPages(t, sqlite, 1<<20)
		pass(retryEvery)
		require.NoError(t, s.Healthy())
		require.NoError(t, s.Update(t.Context(), putUser(n)))
		stored, err := sqlite.usersAfter(t.Context(), "", n+10)
		require.NoError(t, err)
		require.Len(t, stored.rows, n+1)
	})
}

func allowPages(t *testing.T, d *sqliteDisk, pages int) {
	t.Helper()
	limit, err := d.db.Prepare(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	require.NoError(t, err)
	defer limit.Close()
	_, err = limit.ExecContext(t.Context())
	require.NoError(t, err)
}

// pass lets a bubble's time pass, and what is due then be done.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}
