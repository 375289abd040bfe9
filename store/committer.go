package store

import (
	"fmt"
	"time"
)

// retryEvery is how long the committer rests after the disk has failed.
const retryEvery = time.Second

// group is the changes that share one commit.
type group struct {
	done chan struct{} // closed when err is known
	err  error
}

func newGroup() *group { return &group{done: make(chan struct{})} }

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

// nudge tells the committer that there is something to commit.
func (s *Store) nudge() {
	select {
	case s.wake <- struct{}{}:
	default: // it knows
	}
}

// commitUntilClosed is the committer: the only goroutine that writes records. A
// group is whatever has come together while the one before it was being synced,
// so the groups grow with the load and a lone booking waits for nobody.
func (s *Store) commitUntilClosed() {
	defer close(s.stopped)
	retry := time.NewTimer(retryEvery)
	retry.Stop()
	defer retry.Stop()
	for closing := false; ; {
		select {
		case <-s.wake:
		case <-retry.C:
		case <-s.closing:
			closing = true
		}
		retry.Stop()
		if !s.commit() && !closing {
			retry.Reset(retryEvery)
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
