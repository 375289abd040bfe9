package store

import (
	"fmt"
	"time"
)

const (
	// retryEvery is how long the committer rests after the disk has failed.
	retryEvery = time.Second
	// lingerFor is how long changes may collect that nobody waits for. A journey
	// of a world a thousand times as fast changes several times meanwhile, and is
	// written once.
	lingerFor = 100 * time.Millisecond
)

// group is the changes that share one commit.
type group struct {
	store *Store
	done  chan struct{} // closed when err is known
	err   error
}

func newGroup(s *Store) *group { return &group{store: s, done: make(chan struct{})} }

// taken is a batch in the committer's hands: the records as they were, the slots
// they came from and the group that waits for them.
type taken struct {
	batch
	group    *group // nil: a second try that nobody waits for
	journeys []*journeySlot
	users    []*userSlot
	replies  []*slot[string, Reply]
	meta     []*slot[string, metaEntry]
}

// nudge tells the committer that somebody waits.
func (s *Store) nudge() { tell(s.wake) }

func tell(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // it knows
	}
}

// commitUntilClosed is the committer: the only goroutine that writes records. A
// group is whatever has come together while the one before it was being synced,
// so the groups grow with the load and a lone booking waits for nobody. Changes
// that nobody waits for stay together for a little longer.
func (s *Store) commitUntilClosed() {
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
		case <-later.C:
		case <-s.closing:
			closing = true
		}
		later.Stop()
		lingering = false
		if !s.commit() && !closing {
			later.Reset(retryEvery)
			lingering = true
		}
		if closing {
			return
		}
	}
}

// commit writes whatever is queued and reports whether nothing is left over.
func (s *Store) commit() bool {
	t := s.take()
	if t.len() == 0 {
		return true
	}
	err := s.disk.flush(&t.batch)
	s.settle(t, err)
	return err == nil
}

func (s *Store) take() *taken {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &taken{group: s.open}
	s.open = nil
	t.journeys, t.batch.journeys = s.journeys.take()
	t.users, t.batch.users = s.users.take()
	t.replies, t.batch.replies = s.replies.take()
	t.meta, t.batch.meta = s.meta.take()
	t.serial, t.latest = s.serial, s.latest
	s.writing = t.len()
	return t
}

// settle marks a batch durable, or puts it back in the queue, and releases those
// who wait for it.
func (s *Store) settle(t *taken, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := err == nil
	s.note(err)
	s.journeys.written(t.journeys, ok)
	s.users.written(t.users, ok)
	s.replies.written(t.replies, ok)
	s.meta.written(t.meta, ok)
	s.writing = 0
	s.epoch++
	if s.last == t.group {
		s.last = nil
	}
	if t.group == nil {
		return
	}
	if !ok {
		t.group.err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	close(t.group.done)
}

// note remembers whether the disk works, and says so when that changes.
func (s *Store) note(err error) {
	switch {
	case err != nil && s.failing == nil:
		s.log.Error("the database cannot be written, changes are refused", "error", err)
	case err == nil && s.failing != nil:
		s.log.Info("the database can be written again")
	}
	s.failing = err
}
