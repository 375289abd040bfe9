//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
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

// TestNothingIsLostByKills kills a server under load, at moments that a seed draws, and
// starts it again on what it has left: after each kill everything that was acknowledged
// is there, once, and what was asked without an answer is there after it has been asked
// again, once. TIMES=200 makes a campaign of it with a binary of its own, SEED=7 another
// one.
func TestNothingIsLostByKills(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	kills, campaign := number(t, "TIMES", 2)
	seed, _ := number(t, "SEED", 1)
	c := newCampaign(t, program(t, campaign), uint64(seed))
	for range kills {
		if c.chance.IntN(4) == 0 {
			c.killWhileItStarts()
		}
		c.killUnderLoad()
	}
	c.end()
	t.Logf("%d kills and %d at the start, seed %d: %d bookings and %d cancellations acknowledged, of which %d had been asked again, %d refused",
		kills, c.early, seed, c.known.booked, c.known.cancelled, c.known.askedAgain, c.known.refused)
}

// number reads a whole number from the environment.
func number(t *testing.T, name string, otherwise int) (n int, given bool) {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise, false
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	return n, true
}

// campaign is one database and the processes that served it, one after another.
type campaign struct {
	t       *testing.T
	program string
	path    string
	chance  *rand.Rand
	callers []*caller
	known   ledger
	early   int // kills before a server served
}

const callersAtOnce = 8

func newCampaign(t *testing.T, program string, seed uint64) *campaign {
	c := &campaign{
		t: t, program: program, path: filepath.Join(t.TempDir(), "taxis.db"),
		chance: rand.New(rand.NewPCG(seed, 0)), known: ledger{names: make(map[taxi.JourneyID]string)},
	}
	for i := range callersAtOnce {
		c.callers = append(c.callers, &caller{number: i, chance: rand.New(rand.NewPCG(seed, uint64(i)+1)), known: &c.known})
	}
	return c
}

// args are those of every server: its world runs ahead of the wall and has cars that
// drive, so that there is something to commit besides the callers' own.
func (c *campaign) args() []string {
	return []string{"--db", c.path, "--town", "none", "--speed", "20"}
}

// killWhileItStarts kills a server that has the database to recover, or to make.
func (c *campaign) killWhileItStarts() {
	p := begin(c.t, c.program, c.args()...)
	soon := time.AfterFunc(time.Duration(c.chance.IntN(200))*time.Millisecond, func() { _ = p.Cmd.Process.Kill() })
	defer soon.Stop()
	<-p.Ended
	c.early++
}

// killUnderLoad has a server looked at, loaded, and killed.
func (c *campaign) killUnderLoad() {
	p := c.lookAtWhatIsLeft()
	var left atomic.Int64
	left.Store(int64(20 + c.chance.IntN(300)))
	all(c.t, c.callers, func(caller *caller) error {
		return caller.useUntilGone(func() {
			if left.Add(-1) == 0 {
				_ = p.Cmd.Process.Kill()
			}
		})
	})
	p.Kill()
}

// lookAtWhatIsLeft starts a server and has each caller compare.
func (c *campaign) lookAtWhatIsLeft() *process {
	c.t.Helper()
	p := serve(c.t, c.program, c.args()...)
	now, answers := p.now()
	require.True(c.t, answers)
	require.False(c.t, now.Before(c.known.clock), "the clock goes back behind a booking that was acknowledged: %s, %s", now, c.known.clock)
	all(c.t, c.callers, func(caller *caller) error {
		caller.now, caller.client = p.now, p.client()
		return caller.settle(c.t.Context())
	})
	return p
}

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

// end ends the last server in good order, and compares every record with what the
// callers know.
func (c *campaign) end() {
	p := c.lookAtWhatIsLeft()
	require.Contains(c.t, p.Stop(), "what was booked is on disk")
	records, err := store.Open(c.t.Context(), c.path, store.Options{})
	require.NoError(c.t, err)
	defer records.Close()
	compareRecords(c.t, records, &c.known, c.callers)
}

// compareRecords compares every record of a world with what its callers know.
func compareRecords(t *testing.T, records *store.Store, known *ledger, callers []*caller) {
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
	require.Len(t, known.names, known.booked, "an id was given twice")
	for id, name := range known.names {
		require.Equal(t, id, there[name], name)
	}
	require.Len(t, there, known.booked, "a booking that was refused is there")
	for _, caller := range callers {
		for _, b := range caller.cancelled {
			j, err := records.Journey(t.Context(), b.id)
			require.NoError(t, err)
			require.Equal(t, taxi.Cancelled, j.Status, b.request.Name)
		}
	}
}

// ledger is what all callers know of what was acknowledged.
type ledger struct {
	mu         sync.Mutex
	names      map[taxi.JourneyID]string // whose booking an id names
	clock      time.Time                 // of the world, before the last booking that was acknowledged
	booked     int
	cancelled  int
	askedAgain int
	refused    int
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
