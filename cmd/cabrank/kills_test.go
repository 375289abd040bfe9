//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// observer starts the processes of one command on the same files, one after another, uses them,
// and compares.
type observer interface {
	start() *process               // does not wait until it serves
	compare(p *process)            // what a new process has with what earlier ones acknowledged
	use(p *process, before func()) // until it does not answer; before is called before each request
	end(p *process)                // ends the last process in good order, and compares everything
	fmt.Stringer                   // what was acknowledged
}

// TestNothingIsLostByKills kills servers and platforms, under load and while they start, at moments
// that a seed draws, and starts them again on what they have left. Afterwards
//   - each booking that was acknowledged, in the main world and in a sandbox that is kept, is there, once,
//     and so is what was asked without an answer, after it has been asked again;
//   - an event hook that answers each request with 204 has received each call that was acknowledged, from
//     its first event to its last, without a gap, and none ends twice. (After the last attempt at a hook
//     that fails, a delivery is a dead letter.)
//   - the credentials of a platform are all in its file, also if it was killed at its first start.
//
// TIMES=200 makes a campaign of it with a binary of its own, SEED=7 another one.
func TestNothingIsLostByKills(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	t.Parallel()
	kills, campaign := number(t, "TIMES")
	seed, _ := number(t, "SEED")
	binary := program(t, campaign)
	for what, observe := range map[string]func(t *testing.T, dir string) observer{
		"bookings": func(t *testing.T, dir string) observer { return newBookings(t, binary, dir, uint64(seed)) },
		"events":   func(t *testing.T, dir string) observer { return newEvents(t, binary, dir) },
	} {
		t.Run(what, func(t *testing.T) {
			c := &killing{t: t, chance: rand.New(rand.NewPCG(uint64(seed), uint64(len(what))))}
			all := observe(t, t.TempDir())
			for range kills {
				c.atFirstStart(observe)
				if c.chance.IntN(4) == 0 {
					c.atStart(all)
				}
				c.underLoad(all)
			}
			p := all.start().serving()
			all.compare(p)
			all.end(p)
			t.Logf("%d kills and %d at the start, of which %d left a draft, seed %d: %s", kills, c.early, c.drafts, seed, all)
		})
	}
}

// killing chooses the moments of the kills.
type killing struct {
	t      *testing.T
	chance *rand.Rand
	early  int // kills before a process served
	drafts int // of them, those that left a file that was being written
}

// atFirstStart kills a process that makes its files, and starts it again.
func (c *killing) atFirstStart(observe func(*testing.T, string) observer) {
	dir := c.t.TempDir()
	first := observe(c.t, dir)
	c.atStart(first)
	if drafts, _ := filepath.Glob(filepath.Join(dir, ".*.draft")); len(drafts) > 0 {
		c.drafts++
	}
	p := first.start().serving()
	first.compare(p)
	p.Kill()
}

// atStart kills a process that makes or reads its files.
func (c *killing) atStart(o observer) {
	p := o.start()
	soon := time.AfterFunc(time.Duration(c.chance.IntN(350))*time.Millisecond, func() { _ = p.Cmd.Process.Kill() })
	defer soon.Stop()
	<-p.Ended
	c.early++
}

// underLoad kills a process that is used.
func (c *killing) underLoad(o observer) {
	p := o.start().serving()
	o.compare(p)
	var left atomic.Int64
	left.Store(int64(20 + c.chance.IntN(300)))
	o.use(p, func() {
		if left.Add(-1) == 0 {
			_ = p.Cmd.Process.Kill()
		}
	})
	p.Kill()
}

// number reads a whole number from the environment; 1 if it is not given.
func number(t *testing.T, name string) (n int, given bool) {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return 1, false
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	return n, true
}

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
