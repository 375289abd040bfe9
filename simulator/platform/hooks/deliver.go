package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// The delays of the attempts at a delivery, each since the previous one. Decision: the
// interface shows no delivery rules; these are the first seven of the schedule that
// Standard Webhooks suggests.
var (
	Normal = []time.Duration{0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour}
	Fast   = []time.Duration{0, 50 * time.Millisecond, 200 * time.Millisecond} // for tests
)

// Limits of delivering.
const (
	holdsUpFor    = 3 // number of failed attempts during which a delivery delays later ones of its call
	attemptWithin = 15 * time.Second
	jitter        = 0.1 // of each delay, in both directions
	keepAgain     = time.Second
)

// DeliveryOptions configures a Deliverer; all but Log and Disabled are required.
type DeliveryOptions struct {
	Records  *records.Records
	Client   *Client
	Clock    voice.Clock // due times
	Chance   *access.Chance
	Schedule []time.Duration
	Disabled func(account, hook, why string) // called for a hook that was switched off
	Log      *slog.Logger
}

// Deliverer delivers events to the event hooks of accounts: at least once, those of a
// call in order, and each only after it is stored on disk.
type Deliverer struct {
	opts   DeliveryOptions
	ctx    context.Context //nolint:containedctx // cancelled when the deliverer is closed
	cancel context.CancelFunc
	work   sync.WaitGroup

	redelivering sync.Mutex // one at a time, since reading and storing a delivery are separate steps

	mu      sync.Mutex
	closed  bool
	keeping bool  // a goroutine is writing
	failed  error // of the last write; nil: it succeeded
	unkept  unkept
	lanes   map[laneKey]*lane
	queues  queues
}

// parcel is a delivery in memory.
type parcel struct {
	records.Delivery
	lane *lane // nil once later ones need not wait
}

type laneKey struct{ hook, call string }

// lane contains the deliveries of one call to one hook; the first is being sent or waits
// for its next attempt.
type lane struct {
	key   laneKey
	queue []*parcel
	busy  bool
}

// NewDeliverer returns a deliverer. It delivers newly published events; Start adds those
// that were pending before.
func NewDeliverer(opts DeliveryOptions) *Deliverer {
	d := &Deliverer{opts: opts, lanes: map[laneKey]*lane{}, queues: newQueues()}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	return d
}

// Start continues with deliveries that were pending when the records were last closed.
func (d *Deliverer) Start(ctx context.Context) error {
	pending, err := d.opts.Records.PendingDeliveries(ctx)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range pending {
		d.queues.countWaiting(&p, 1)
		d.enter(&parcel{Delivery: p})
	}
	return nil
}

// Event is an event for event hooks.
type Event struct {
	Account, Call, Type string
	Body                []byte

	// Began is set if the call must be stored, so that it is known after a restart, and
	// Over says that this is its last event. Both are stored in one commit with the
	// event.
	Began *records.LiveCall
	Over  bool
}

// HasEventHook reports whether an account has an event hook that receives events.
func (d *Deliverer) HasEventHook(account string) bool { return len(d.hooksOf(account)) > 0 }

func (d *Deliverer) hooksOf(account string) (hooks []records.Hook) {
	for _, row := range d.opts.Records.Hooks.List(account) {
		if row.Value.App == api.AppEvent && row.Value.Disabled == "" {
			hooks = append(hooks, row.Value)
		}
	}
	return hooks
}

// Publish sends an event of a call to the account's event hooks, in the order of their
// priority. It does not block.
func (d *Deliverer) Publish(e Event) {
	hooks := d.hooksOf(e.Account)
	if len(hooks) == 0 && e.Began == nil && !e.Over {
		return
	}
	slices.SortStableFunc(hooks, func(a, b records.Hook) int { return cmp.Compare(a.Priority, b.Priority) })
	now := d.opts.Clock.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, h := range hooks {
		d.unkept.fresh = append(d.unkept.fresh, d.parcel(h.ID, e, now))
	}
	if e.Began != nil {
		d.unkept.began = append(d.unkept.began, *e.Began)
	}
	if e.Over {
		d.unkept.over = append(d.unkept.over, e.Call)
	}
	d.startWriting()
}

// parcel returns the delivery of an event to one hook.
func (d *Deliverer) parcel(hook string, e Event, now time.Time) *parcel {
	p := &parcel{Delivery: records.Delivery{
		ID: "msg_" + d.opts.Chance.Hex(12), Hook: hook, Account: e.Account, Call: e.Call, Type: e.Type, Body: string(e.Body),
		State: records.Pending, Made: now, Due: now,
	}}
	if err := d.queues.reserve(&p.Delivery); err != nil {
		p.State, p.Error, p.Body = records.Dead, err.Error(), ""
	}
	return p
}

// Redeliver sends a finished delivery again, beginning with the first attempt.
func (d *Deliverer) Redeliver(ctx context.Context, id string) error {
	d.redelivering.Lock()
	defer d.redelivering.Unlock()
	found, known, err := d.opts.Records.Delivery(ctx, id)
	switch {
	case err != nil:
		return err
	case !known:
		return api.Refuse(api.CodeNotFound, "no such delivery")
	case found.State == records.Pending:
		return api.Refuse(api.CodeDeliveryPending, "its next attempt is due at %s", found.Due.Format(time.RFC3339))
	case found.Body == "":
		return api.Refuse(api.CodeConflict, "%s", found.Error)
	}
	if err := d.reserve(&found); err != nil {
		return err
	}
	found.State, found.Attempts, found.Due = records.Pending, 0, d.opts.Clock.Now()
	err = d.opts.Records.KeepDeliveries(ctx, records.Batch{Changed: []records.Delivery{found}})
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.queues.countWaiting(&found, -1)
		return err
	}
	d.enter(&parcel{Delivery: found})
	return nil
}

// reserve reserves space for a delivery that is sent again.
func (d *Deliverer) reserve(again *records.Delivery) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.queues.reserve(again) != nil {
		return api.Refuse(api.CodeUnavailable, "too much waits for the account's hooks already")
	}
	return nil
}

// Close stops current attempts, which the next deliverer repeats.
func (d *Deliverer) Close() error {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.cancel()
	d.work.Wait()
	d.opts.Client.Close()
	d.mu.Lock()
	left := d.unkept
	d.unkept = unkept{}
	d.mu.Unlock()
	if left.empty() {
		return nil
	}
	if err := d.write(context.Background(), left); err != nil {
		return fmt.Errorf("%d events are lost: %w", len(left.fresh), err)
	}
	return nil
}

// spawn runs f in a goroutine until the deliverer is closed. Close only waits for
// functions that have begun by then.
func (d *Deliverer) spawn(f func()) {
	d.opts.Clock.Go(func() {
		d.mu.Lock()
		if d.closed {
			d.mu.Unlock()
			return
		}
		d.work.Add(1)
		d.mu.Unlock()
		defer d.work.Done()
		f()
	})
}

func (d *Deliverer) log(message string, args ...any) {
	if d.opts.Log != nil {
		d.opts.Log.WarnContext(d.ctx, message, args...)
	}
}

var errOff = errors.New("the hook is switched off")
