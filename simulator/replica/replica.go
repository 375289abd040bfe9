package replica

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/leases"
)

// Table is the table of worlds in the database that all replicas share; [leases.Table]
// implements it.
type Table interface {
	Create(ctx context.Context, name string, facts []byte, by leases.Holder) (leases.World, error)
	Take(ctx context.Context, name string, by leases.Holder) (leases.World, error)
	Beat(ctx context.Context, by leases.Holder, ttl time.Duration, worlds int) (term int64, err error)
	Lost(ctx context.Context, by leases.Holder, held []leases.Held) (lost []string, err error)
	Give(ctx context.Context, by leases.Holder, held leases.Held) error
	Leave(ctx context.Context, by leases.Holder) error
	Remove(ctx context.Context, name string, epoch int64) error
	SetFacts(ctx context.Context, name string, epoch int64, facts []byte) error
	Find(ctx context.Context, name string) (leases.World, error)
	List(ctx context.Context) ([]leases.World, error)
	Replicas(ctx context.Context) ([]leases.Replica, error)
	Free(ctx context.Context, most int) (names []string, all int, err error)
	Setting(ctx context.Context, key string) (string, error)
	ChangeSetting(ctx context.Context, key string, change func(old string) (string, error)) error
}

// Options configures a [Replica]. Table, Place, ID, Address and Now are required.
type Options struct {
	Table Table

	// Place returns the place of the records of a world, or of a snapshot of it, whose name
	// is that of the world, @ and a number, under the epoch of the world.
	Place func(name string, epoch int64) store.Place

	ID      string           // of this process; no other process has ever had it
	Address string           // at which other replicas reach it, such as http://10.0.0.5:8080
	Now     func() time.Time // the wall clock, with the monotonic one

	Lease time.Duration // length of a lease; 0: 3 s
	Every time.Duration // between two beats; 0: a third of Lease
	Quiet time.Duration // how long a world must be unused before it moves to another replica; 0: 10 s

	Transport http.RoundTripper // for requests that are passed on; nil: a new one
	Log       *slog.Logger      // nil: silent
}

const (
	usualLease = 3 * time.Second
	usualQuiet = 10 * time.Second
)

func (o Options) withDefaults() Options {
	o.Lease = cmp.Or(o.Lease, usualLease)
	o.Every = cmp.Or(o.Every, o.Lease/3)
	o.Quiet = cmp.Or(o.Quiet, usualQuiet)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Replica is a process that shares worlds with others. It is the [worlds.Directory] of its
// worlds; its methods may be called from any goroutine.
type Replica struct {
	options Options
	secret  string               // which all replicas know
	trusted atomic.Pointer[span] // of the lease
	counts  *counts
	proxy   *proxy
	worlds  atomic.Pointer[worlds.Worlds] // nil: not attended yet
	leaving atomic.Bool
	local   atomic.Pointer[http.Handler] // of all requests to worlds of this replica; nil: not served yet
	bodies  *inbound.Bodies              // of requests that are being passed on
	sleep   sleep

	stop     context.CancelFunc // of the beats
	working  sync.WaitGroup
	unopened map[string]time.Time // worlds that balance could not open, and when; only for balance
	beating  chan struct{}        // of length one: held during a beat, and while leaving
	doubts   bool                 // worlds may be lost that are in the list; only for the beat
	left     bool                 // the lease was given back; only for the beat, and while leaving

	mu     sync.Mutex
	me     leases.Holder     // the id and the address never change
	claims map[string]*claim // the worlds that this replica has, or may have
	routes map[string]route  // where other worlds were last
	failed error             // of the latest beat
}

var _ worlds.Directory = (*Replica)(nil)

// secretKey is the key of the setting with the secret by which replicas recognise each other.
const secretKey = "replica-secret"

// New joins the replicas of a database, and renews its lease until [Replica.Close].
func New(ctx context.Context, o Options) (*Replica, error) {
	if o.Table == nil || o.Place == nil || o.ID == "" || o.Address == "" || o.Now == nil {
		return nil, errors.New("replica: Table, Place, ID, Address and Now must be given")
	}
	r := &Replica{options: o.withDefaults(), me: leases.Holder{ID: o.ID, Address: o.Address}, claims: make(map[string]*claim), routes: make(map[string]route), beating: make(chan struct{}, 1), unopened: make(map[string]time.Time), bodies: inbound.NewBodies(mostBodies)}
	r.trusted.Store(&span{})
	r.counts = newCounts(r)
	r.proxy = newProxy(r)
	err := o.Table.ChangeSetting(ctx, secretKey, func(old string) (string, error) {
		r.secret = cmp.Or(old, rand.Text())
		return r.secret, nil
	})
	if err == nil {
		err = r.join(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("join the replicas: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	r.working.Go(func() { r.repeat(ctx, r.options.Every, func() { _ = r.beat(ctx) }) }) // a failed beat is logged, and tried again
	r.working.Go(func() { r.repeat(ctx, r.options.Every, func() { r.balance(ctx) }) })
	r.working.Go(func() { r.repeat(ctx, r.options.Every/3, func() { r.settle(ctx) }) })
	return r, nil
}

// joinWithin is how long a replica that starts waits for a database that is slow.
const joinWithin = 30 * time.Second

// join sends the first beat. While the database is slow, it tries again, since the replica has
// no worlds yet that it could lose.
func (r *Replica) join(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, joinWithin)
	defer cancel()
	for {
		if err = r.beat(ctx); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
	}
}

// SetWorlds sets the worlds that later beats balance between replicas: they take worlds that nobody runs, and give up those above
// this replica's share.
func (r *Replica) SetWorlds(all *worlds.Worlds) { r.worlds.Store(all) }

// Close ends the renewal of the lease.
func (r *Replica) Close() {
	r.stop()
	r.working.Wait()
}

// repeat calls do at an interval until ctx ends.
func (r *Replica) repeat(ctx context.Context, every time.Duration, do func()) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			do()
		case <-ctx.Done():
			return
		}
	}
}

// Leave gives all worlds to the other replicas. From then on this one is not ready, and
// claims nothing; it passes requests on.
func (r *Replica) Leave(ctx context.Context) error {
	r.leaving.Store(true)
	var err error
	if all := r.worlds.Load(); all != nil {
		err = all.GiveAll(ctx)
	}
	select {
	case r.beating <- struct{}{}: // a beat would list this replica again
		defer func() { <-r.beating }()
		r.left = true
		r.trusted.Store(&span{}) // a world that is opened so late is anybody's
		return errors.Join(err, r.options.Table.Leave(ctx, r.holder()))
	case <-ctx.Done():
		return errors.Join(err, ctx.Err())
	}
}

// Ready returns nil if the replica should get requests, and otherwise the reason why not.
func (r *Replica) Ready() error {
	if r.leaving.Load() {
		return errors.New("this replica is stopping")
	}
	if !r.awake() {
		return errors.New(slept)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed != nil {
		return errors.New("the database does not renew the lease")
	}
	return nil
}
