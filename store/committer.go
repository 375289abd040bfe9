package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
)

const (
	// retryEvery is how long the committer waits after the disk has failed.
	retryEvery = time.Second
	// lingerFor is how long changes that nobody waits for may collect. In a world a
	// thousand times as fast, a journey changes several times meanwhile and is
	// written once.
	lingerFor = 100 * time.Millisecond
	// closeTime is how long Close waits for a database that hangs, for the commit under way
	// and the last one together.
	closeTime = 10 * time.Second
)

// errHangs means that Close gave up waiting for the database.
var errHangs = errors.New("the database does not answer, and the store is being closed")

// group contains the changes that share one commit.
type group struct {
	store *Store
	done  chan struct{} // closed when err is known
	err   error
}

func newGroup(s *Store) *group { return &group{store: s, done: make(chan struct{})} }

// commitBatch is a batch being committed: the records, their slots, and the waiting
// group.
type commitBatch struct {
	batch
	source   Log           // of the entries; nil: there is none
	group    *group        // nil: a retry that nobody waits for
	took     time.Duration // to write it
	timed    bool          // took is known
	journeys []*journeySlot
	users    []*userSlot
	replies  []*slot[string, Reply]
	meta     []*slot[string, metaEntry]
}

// wakeCommitter makes the committer commit now, because somebody waits.
func (s *Store) wakeCommitter() { signal(s.wake) }

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // a signal is already pending
	}
}

// commitUntilClosed is the committer: the only goroutine that writes records. A group holds
// the changes made while the previous group was being synced, so groups grow with the load,
// and a single booking does not wait for others. Changes that nobody waits for collect a
// little longer.
func (s *Store) commitUntilClosed(ctx context.Context) {
	defer close(s.stopped)
	later := time.NewTimer(lingerFor)
	later.Stop()
	defer later.Stop()
	for closing, lingering := false, false; ; {
		select {
		case <-s.changed:
			if !lingering {
				later.Reset(lingerFor)
				lingering = true
			}
			continue
		case <-s.wake:
			s.gather()
		case <-later.C:
		case <-s.closing:
			closing = true
		}
		later.Stop()
		lingering = false
		if closing {
			s.commitLast(ctx)
			return
		}
		if _, ok := s.commit(ctx); !ok && s.fence() == nil {
			later.Reset(retryEvery)
			lingering = true
		}
	}
}

// gather yields to goroutines that are about to make changes, before the group is closed.
// With few processors, the first of many waiting changes would otherwise get a commit
// almost alone, and a commit costs as much as a dozen bookings. If no other goroutine is
// runnable, it takes no time.
func (s *Store) gather() {
	for waiting := 0; waiting < s.maxQueued/2; {
		runtime.Gosched()
		s.mu.RLock()
		now := s.queued()
		s.mu.RUnlock()
		if now <= waiting {
			return
		}
		waiting = now
	}
}

// commit writes the queued records as one batch, and reports whether all of them are written.
func (s *Store) commit(ctx context.Context) (t *commitBatch, ok bool) {
	t = s.takeQueues()
	s.takeLog(t)
	if t.len() == 0 {
		return t, true
	}
	err := s.fence()
	if err == nil {
		err = s.flush(ctx, t)
	}
	s.finishCommit(t, err)
	if err == nil {
		s.logStored(t)
	}
	return t, err == nil
}

func (s *Store) takeQueues() *commitBatch {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &commitBatch{group: s.open, source: s.entries}
	s.open = nil
	t.journeys, t.batch.journeys = s.journeys.takeQueue()
	t.users, t.batch.users = s.users.takeQueue()
	t.replies, t.batch.replies = s.replies.takeQueue()
	t.meta, t.batch.meta = s.meta.takeQueue()
	t.serial, t.latest = s.serial, s.latest
	s.writing = t.len()
	return t
}

// finishCommit marks a batch durable, or puts it back into the queue, and releases the
// waiting goroutines.
func (s *Store) finishCommit(t *commitBatch, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := err == nil
	s.noteDisk(err)
	s.commits.note(t, err)
	s.journeys.written(t.journeys, ok)
	s.users.written(t.users, ok)
	s.replies.written(t.replies, ok)
	s.meta.written(t.meta, ok)
	if ok {
		s.recent.kept()
	} else {
		s.recent.hold(t.batch.journeys)
	}
	s.writing = 0
	s.epoch++
	if s.last == t.group {
		s.last = nil
	}
	if t.group == nil {
		return
	}
	if !ok {
		t.group.err = fmt.Errorf("%w: %w: %w", ErrUnknown, ErrUnavailable, err)
	}
	close(t.group.done)
}

// noteDisk records whether the disk works, and logs changes.
func (s *Store) noteDisk(err error) {
	switch {
	case errors.Is(err, ErrFenced):
		if s.fence() == nil {
			s.log.Warn("another process has taken the world over, changes are refused", "error", err)
			close(s.fenced)
		}
	case err != nil && s.failing == nil:
		s.log.Error("the database cannot be written, changes are refused", "error", err)
	case err == nil && s.failing != nil:
		s.log.Info("the database can be written again")
	}
	s.failing = err
}
