//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/leases"
	"github.com/cabrank/cabrank/store/postgresdb"
)

// TestATeamLosesNothingByKills disturbs three replicas of one PostgreSQL database under load,
// at moments that a seed draws: it kills replicas and the database, stops replicas for longer
// than a lease, and shuts replicas down. Callers send each request to a random replica. After
// each disturbance everything that was acknowledged is there, once; a request that begins
// after an acknowledgement sees it; and each answer is from a replica that owned the world at
// that time. TIMES=200 makes a campaign of 200 kills of replicas and 20 of the database with a
// binary of its own, SEED=7 another one.
func TestATeamLosesNothingByKills(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	t.Parallel()
	kills, campaign := number(t, "TIMES")
	seed, _ := number(t, "SEED")
	c := newTeamCampaign(t, program(t, campaign), uint64(seed))
	for c.kills < kills {
		c.round(c.draw(kills, campaign))
	}
	c.end()
	t.Logf("%d kills of replicas and %d of PostgreSQL, %d stopped, %d left, seed %d: %s; %d answers of owners",
		c.kills, c.databaseKills, c.naps, c.leaves, seed, sum(c.known), c.owners.checked)
}

// teamWorlds are the worlds of a team.
var teamWorlds = []string{"", "ann", "ben"}

// teamCampaign is one database and the replicas that share it.
type teamCampaign struct {
	*replicas
	chance *rand.Rand
	owners *owners
	known  map[string]*ledger // by world

	kills, databaseKills, naps, leaves int
}

const callersOfAWorld = 3

func newTeamCampaign(t *testing.T, program string, seed uint64) *teamCampaign {
	t.Helper()
	c := &teamCampaign{
		replicas: startReplicas(t, program, 3, "--town", "none", "--speed", "2"), chance: rand.New(rand.NewPCG(seed, 0)),
		known: map[string]*ledger{},
	}
	c.owners = watchOwners(t, c.url)
	for w, world := range teamWorlds {
		if world != "" {
			require.Equal(t, http.StatusCreated, c.list()[w].addSandbox(world).Status)
		}
		c.known[world] = newLedger()
		for i := range callersOfAWorld {
			c.call(world, c.known[world].add(w*callersOfAWorld+i, seed))
		}
	}
	return c
}

// call has a caller of a world send each request to another replica.
func (c *teamCampaign) call(world string, by *caller) {
	turn := atomic.Int64{}
	f := &front{world: world, seen: c.owners.saw, choose: func() *process {
		live := c.list()
		if len(live) == 0 {
			return nil
		}
		return live[int(turn.Add(1))%len(live)]
	}}
	by.client, by.now = f.client(c.t), f.now
}

// now is the time on the clock of the world.
func (f *front) now() (time.Time, bool) {
	resp, err := (&http.Client{Transport: f}).Get("http://localhost" + worldPath(f.world) + "/version")
	if err != nil {
		return time.Time{}, false
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err != nil {
		return time.Time{}, false
	}
	return nowIn(string(page))
}

// disturbance is what happens in one round.
type disturbance struct {
	kills                 int // of replicas
	database, nap, leaves bool
}

// draw draws the next disturbance. Without a campaign there is one, of all kinds.
func (c *teamCampaign) draw(kills int, campaign bool) disturbance {
	if !campaign {
		return disturbance{kills: 1, database: true, nap: true, leaves: true}
	}
	d := disturbance{kills: 1, nap: c.chance.IntN(5) == 0, leaves: c.chance.IntN(5) == 0}
	if c.chance.IntN(4) == 0 && c.kills+1 < kills {
		d.kills++
	}
	d.database = (c.kills+d.kills)/10 > c.databaseKills
	return d
}

// round disturbs the replicas under load, and has the callers compare.
func (c *teamCampaign) round(d disturbance) {
	load := c.load()
	load.after(20 + c.chance.IntN(200))
	c.disturb(d)
	c.answering()
	load.after(20 + c.chance.IntN(50))
	load.stop()
	c.settle()
	c.owners.check(c.t, c.url)
}

// disturb does what happens in a round, and starts replicas until there are three again.
func (c *teamCampaign) disturb(d disturbance) {
	nap, awake := func() {}, 3
	if d.nap {
		nap, awake = c.nap(), 2
	}
	for range d.kills {
		c.kills++
		c.kill(c.any())
	}
	if d.database {
		c.databaseKills++
		c.server.Kill(c.t)
		client.Pause(c.t.Context(), time.Duration(c.chance.IntN(1000))*time.Millisecond)
		c.server.Start(c.t)
	}
	for len(c.list()) < awake {
		c.start()
	}
	if d.leaves {
		c.leaves++
		c.leave(c.any())
		c.start()
	}
	nap()
}

// any returns a random replica that runs.
func (c *teamCampaign) any() *process {
	live := c.list()
	return live[c.chance.IntN(len(live))]
}

// nap stops a replica for longer than a lease. The requests that it has wait; clients send it
// no others, while replicas do.
func (c *teamCampaign) nap() (end func()) {
	c.naps++
	p := c.any()
	signal := func(s syscall.Signal) { require.NoError(c.t, p.Cmd.Process.Signal(s)) }
	signal(syscall.SIGSTOP)
	over := time.After(time.Duration(3200+c.chance.IntN(1500)) * time.Millisecond)
	c.remove(p)
	return func() {
		<-over
		signal(syscall.SIGCONT)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.live = append(c.live, p)
	}
}

// answering waits until each replica answers for each world.
func (c *teamCampaign) answering() {
	c.t.Helper()
	for _, p := range c.list() {
		for _, world := range teamWorlds {
			f := &front{world: world, seen: c.owners.saw, choose: func() *process { return p }}
			require.Eventually(c.t, func() bool { return f.answers(c.t) }, 30*time.Second, 10*time.Millisecond, "the world %q", world)
		}
	}
}

// settle has all callers compare, and asks each replica for cancelled journeys.
func (c *teamCampaign) settle() {
	c.t.Helper()
	for _, world := range teamWorlds {
		all(c.t, c.known[world].callers, func(caller *caller) error {
			return c.persist(func(ctx context.Context) error { return caller.settle(ctx) })
		})
		for _, p := range c.list() {
			f := &front{world: world, seen: c.owners.saw, choose: func() *process { return p }}
			all(c.t, c.known[world].callers, func(caller *caller) error {
				return c.persist(func(ctx context.Context) error { return caller.compareCancelled(ctx, f.client(c.t)) })
			})
		}
	}
}

// persist does something until there is a response.
func (c *teamCampaign) persist(do func(context.Context) error) (err error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 30*time.Second)
	defer cancel()
	for {
		if err = do(ctx); !errors.Is(err, errGone) || !client.Pause(ctx, 20*time.Millisecond) {
			return err
		}
	}
}

// compareCancelled asks for the latest journeys that were cancelled.
func (c *caller) compareCancelled(ctx context.Context, of *taxi.Client) error {
	before := c.client
	c.client = of
	defer func() { c.client = before }()
	for _, b := range c.cancelled[max(0, len(c.cancelled)-5):] {
		if err := c.compare(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// end has all replicas leave, and compares the records of each world with what the callers
// know.
func (c *teamCampaign) end() {
	for _, p := range c.list() {
		c.leave(p)
	}
	db, err := postgresdb.Open(c.t.Context(), c.url, postgresdb.Options{})
	require.NoError(c.t, err)
	defer db.Close()
	table, by := leases.New(db), leases.Holder{ID: "test", Address: "none"}
	by.Term, err = table.Beat(c.t.Context(), by, time.Minute, 0)
	require.NoError(c.t, err)
	for _, world := range teamWorlds {
		taken, err := table.Take(c.t.Context(), world, by)
		require.NoError(c.t, err, "a replica that left has not given the world %q back", world)
		records, err := store.Shared(db, world, taken.Epoch).Open(c.t.Context(), store.Options{})
		require.NoError(c.t, err)
		c.known[world].compare(c.t, records)
		require.NoError(c.t, records.Close())
	}
}

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
