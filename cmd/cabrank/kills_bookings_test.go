//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// callersAtOnce is how many callers a server has.
const callersAtOnce = 8

// bookings is the [observer] of a server, whose worlds are the main one and a sandbox that it keeps.
type bookings struct {
	t       *testing.T
	program string
	path    string // of the database
	known   map[string]*ledger
	added   bool // the sandbox
}

func newBookings(t *testing.T, program, dir string, seed uint64) *bookings {
	b := &bookings{t: t, program: program, path: filepath.Join(dir, "taxis.db"), known: map[string]*ledger{"": newLedger(), "ann": newLedger()}}
	for i := range callersAtOnce {
		world := ""
		if i%4 == 3 {
			world = "ann"
		}
		b.known[world].add(i, seed)
	}
	return b
}

// start starts a server whose world runs ahead of the wall and has cars that drive, so that there
// is something to commit besides the callers' own.
func (b *bookings) start() *process {
	return begin(b.t, b.program, "--db", b.path, "--keep-sandboxes", "--control-token", teamToken, "--town", "none", "--speed", "20")
}

func (b *bookings) compare(p *process) {
	b.t.Helper()
	if !b.added {
		require.Equal(b.t, http.StatusCreated, p.addSandbox("ann").Status)
		b.added = true
	}
	for world, known := range b.known {
		f := &front{world: world, choose: func() *process { return p }}
		now, answers := f.now()
		require.True(b.t, answers)
		require.False(b.t, now.Before(known.clock), "the clock of the world %q goes back behind a booking that was acknowledged: %s, %s", world, now, known.clock)
		all(b.t, known.callers, func(c *caller) error {
			c.now, c.client = f.now, f.client(b.t)
			return c.settle(b.t.Context())
		})
	}
}

func (b *bookings) use(_ *process, before func()) {
	var worlds sync.WaitGroup
	for _, known := range b.known {
		worlds.Go(func() {
			all(b.t, known.callers, func(c *caller) error { return c.useUntilGone(before) })
		})
	}
	worlds.Wait()
}

func (b *bookings) end(p *process) {
	require.Contains(b.t, p.Stop(), "what was booked is on disk")
	for world, path := range map[string]string{"": b.path, "ann": filepath.Join(b.path+".sandboxes", "ann.db")} {
		records, err := store.Open(b.t.Context(), path, store.Options{})
		require.NoError(b.t, err)
		b.known[world].compare(b.t, records)
		require.NoError(b.t, records.Close())
	}
}

func (b *bookings) String() string { return sum(b.known) }

// all has the callers do something at once.
func all(t *testing.T, callers []*caller, do func(*caller) error) {
	t.Helper()
	failed := make([]error, len(callers))
	var wg sync.WaitGroup
	for i, caller := range callers {
		wg.Go(func() { failed[i] = do(caller) })
	}
	wg.Wait()
	for i, err := range failed {
		require.NoError(t, err, "caller %d", i)
	}
}

// ledger is what all callers of a world know of what was acknowledged.
type ledger struct {
	callers []*caller

	mu         sync.Mutex
	names      map[taxi.JourneyID]string // whose booking an id names
	clock      time.Time                 // of the world, before the last booking that was acknowledged
	booked     int
	cancelled  int
	askedAgain int
	refused    int
}

func newLedger() *ledger { return &ledger{names: make(map[taxi.JourneyID]string)} }

// add adds a caller, who has a number of its own in all worlds.
func (l *ledger) add(n int, seed uint64) *caller {
	c := &caller{number: n, chance: rand.New(rand.NewPCG(seed, uint64(n)+1)), known: l}
	l.callers = append(l.callers, c)
	return c
}

// acknowledged notes a booking. Its id must be nobody else's.
func (l *ledger) acknowledged(name string, j taxi.Journey, notBefore time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if other, given := l.names[j.JourneyID]; given {
		return fmt.Errorf("%s has the id %s of %s", name, j.JourneyID, other)
	}
	l.names[j.JourneyID] = name
	l.booked++
	if notBefore.After(l.clock) {
		l.clock = notBefore
	}
	return nil
}

func (l *ledger) count(what *int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*what++
}

// compare compares every record of the world with what its callers know.
func (l *ledger) compare(t *testing.T, records *store.Store) {
	t.Helper()
	all, err := records.Journeys(t.Context(), 0)
	require.NoError(t, err)
	there := make(map[string]taxi.JourneyID, len(all))
	serials := make(map[uint64]bool, len(all))
	for _, j := range all {
		if !strings.HasPrefix(j.Passenger.Name, passenger) { // one of the fixtures' own
			continue
		}
		require.Empty(t, there[j.Passenger.Name], "%s was booked twice", j.Passenger.Name)
		require.False(t, serials[j.Serial])
		there[j.Passenger.Name], serials[j.Serial] = j.JourneyID, true
	}
	require.Len(t, l.names, l.booked, "an id was given twice")
	for id, name := range l.names {
		require.Equal(t, id, there[name], name)
	}
	require.Len(t, there, l.booked, "a booking that was refused is there")
	for _, caller := range l.callers {
		for _, b := range caller.cancelled {
			j, err := records.Journey(t.Context(), b.id)
			require.NoError(t, err)
			require.Equal(t, taxi.Cancelled, j.Status, b.request.Name)
		}
	}
}

// sum says what was acknowledged in all worlds.
func sum(known map[string]*ledger) string {
	var all ledger
	for _, l := range known {
		all.booked += l.booked
		all.cancelled += l.cancelled
		all.askedAgain += l.askedAgain
		all.refused += l.refused
	}
	return fmt.Sprintf("%d bookings and %d cancellations acknowledged, none lost or doubled; %d requests repeated, %d refused", all.booked, all.cancelled, all.askedAgain, all.refused)
}
