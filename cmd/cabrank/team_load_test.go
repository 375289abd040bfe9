//go:build unix

package main

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/client"
)

// load is the work of all callers.
type load struct {
	t       *testing.T
	over    atomic.Bool
	asked   atomic.Int64
	failed  chan error
	working sync.WaitGroup
}

// load has all callers work until it is stopped.
func (c *teamCampaign) load() *load {
	l := &load{t: c.t, failed: make(chan error, len(teamWorlds)*callersOfAWorld)}
	for _, world := range teamWorlds {
		for _, caller := range c.known[world].callers {
			l.working.Go(func() {
				if err := l.use(caller); err != nil {
					l.failed <- fmt.Errorf("caller %d of world %q: %w", caller.number, world, err)
				}
			})
		}
	}
	return l
}

// use has a caller work. What gets no response is repeated.
func (l *load) use(c *caller) error {
	for !l.over.Load() {
		err := c.askAgain(l.t.Context())
		if err == nil {
			err = c.next(l.t.Context())
			l.asked.Add(1)
		}
		if errors.Is(err, errGone) {
			client.Pause(l.t.Context(), 20*time.Millisecond)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// after waits until a number of requests have been sent.
func (l *load) after(requests int) {
	l.t.Helper()
	until := l.asked.Load() + int64(requests)
	require.Eventually(l.t, func() bool { return l.asked.Load() >= until || len(l.failed) > 0 }, time.Minute, time.Millisecond)
}

// stop ends the work.
func (l *load) stop() {
	l.t.Helper()
	l.over.Store(true)
	l.working.Wait()
	close(l.failed)
	for err := range l.failed {
		require.NoError(l.t, err)
	}
}
