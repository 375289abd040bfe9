package hooks

import (
	"context"
	"slices"

	"github.com/cabrank/cabrank/simulator/platform/records"
)

// unkept contains the events and results that the next commit will store.
type unkept struct {
	fresh   []*parcel
	changed []records.Delivery
	began   []records.LiveCall
	over    []string
}

func (u unkept) empty() bool { return len(u.fresh)+len(u.changed)+len(u.began)+len(u.over) == 0 }

// then returns u followed by later.
func (u unkept) then(later unkept) unkept {
	return unkept{
		fresh: slices.Concat(u.fresh, later.fresh), changed: slices.Concat(u.changed, later.changed),
		began: slices.Concat(u.began, later.began), over: slices.Concat(u.over, later.over),
	}
}

// Trouble returns how many new events are not stored yet, and the error of the last attempt to store them; nil if it
// succeeded.
func (d *Deliverer) Trouble() (waiting int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.unkept.fresh), d.failed
}

// startWriting starts the writing goroutine, unless it is running.
func (d *Deliverer) startWriting() {
	if d.keeping || d.closed || d.unkept.empty() {
		return
	}
	d.keeping = true
	d.spawn(func() { d.writeAll(d.ctx) })
}

// writeAll writes until nothing is left: events that arrive meanwhile go into the next
// commit.
func (d *Deliverer) writeAll(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.unkept.empty() {
		now := d.unkept
		d.unkept = unkept{}
		d.mu.Unlock()
		err := d.write(ctx, now)
		d.mu.Lock()
		if d.failed = err; err != nil {
			d.unkept = now.then(d.unkept)
			d.log("events cannot be kept; trying again", "error", err)
			d.opts.Clock.AfterFunc(keepAgain, func() {
				d.mu.Lock()
				defer d.mu.Unlock()
				d.keeping = false
				d.startWriting()
			})
			return
		}
		for _, p := range now.fresh {
			if p.State == records.Pending {
				d.enter(p)
			}
		}
	}
	d.keeping = false
}

func (d *Deliverer) write(ctx context.Context, u unkept) error {
	batch := records.Batch{Fresh: make([]*records.Delivery, len(u.fresh)), Changed: u.changed, Began: u.began, Over: u.over}
	for i, p := range u.fresh {
		batch.Fresh[i] = &p.Delivery
	}
	return d.opts.Records.KeepDeliveries(context.WithoutCancel(ctx), batch)
}
