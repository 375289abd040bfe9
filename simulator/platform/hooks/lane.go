package hooks

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/records"
)

// enter adds a delivery after the others of its call. The deliverer is locked.
func (d *Deliverer) enter(p *parcel) {
	key := laneKey{p.Hook, p.Call}
	l := d.lanes[key]
	if l == nil {
		l = &lane{key: key}
		d.lanes[key] = l
	}
	p.lane = l
	l.queue = append(l.queue, p)
	d.advance(l)
}

// advance schedules the first delivery of a lane unless one is in progress, and removes an empty lane.
func (d *Deliverer) advance(l *lane) {
	switch {
	case l.busy:
	case len(l.queue) == 0:
		delete(d.lanes, l.key)
	default:
		l.busy = true
		d.await(l.queue[0])
	}
}

// await waits until the next attempt of a delivery is due.
func (d *Deliverer) await(p *parcel) {
	if wait := p.Due.Sub(d.opts.Clock.Now()); wait > 0 {
		d.opts.Clock.AfterFunc(wait, func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.ready(p)
		})
		return
	}
	d.ready(p)
}

// ready queues a delivery whose attempt is due; the attempt starts as soon as the limits allow it.
func (d *Deliverer) ready(p *parcel) {
	d.queues.add(p)
	d.pump()
}

// pump starts the attempts that the limits allow now.
func (d *Deliverer) pump() {
	for !d.closed {
		p := d.queues.next()
		if p == nil {
			return
		}
		d.spawn(func() { d.attempt(p) })
	}
}

// attempt sends a delivery once and handles the result.
func (d *Deliverer) attempt(p *parcel) {
	answer, err := d.send(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queues.count(d.queues.of(p.Account, p.Hook), -1)
	defer d.pump()
	if d.ctx.Err() != nil {
		return // closed meanwhile: this attempt does not count
	}
	d.settle(p, answer, err)
	d.startWriting()
}

// send sends the request.
func (d *Deliverer) send(p *parcel) (Answer, error) {
	row, known := d.opts.Records.Hooks.Get(p.Account, p.Hook)
	if !known || row.Value.Disabled != "" {
		return Answer{}, errOff
	}
	ctx, cancel := context.WithTimeout(d.ctx, attemptWithin)
	defer cancel()
	answer, err := d.opts.Client.post(ctx, row.Value.URL, row.Value.Hook, true, p.ID, []byte(p.Body))
	if answer.Status == http.StatusGone {
		d.disable(p, "it answered 410 Gone")
	}
	return answer, err
}

// disable switches a hook off until its owner changes it.
func (d *Deliverer) disable(p *parcel, why string) {
	if err := d.opts.Records.DisableHook(context.WithoutCancel(d.ctx), p.Account, p.Hook, why); err != nil {
		d.log("a hook could not be switched off", "hook", p.Hook, "error", err)
		return
	}
	d.log("hook switched off", "hook", p.Hook, "why", why)
	if d.opts.Disabled != nil {
		d.opts.Disabled(p.Account, p.Hook, why)
	}
}

// settle stores the result of an attempt and decides what follows.
func (d *Deliverer) settle(p *parcel, answer Answer, err error) {
	p.Attempts++
	p.Status, p.Error = answer.Status, ""
	switch {
	case answer.Status >= 200 && answer.Status < 300 && err == nil:
		p.State = records.Delivered
	case err != nil:
		p.Error = err.Error()
	default:
		p.Error = fmt.Sprintf("it answered %d", answer.Status)
	}
	if p.State != records.Delivered && (err == errOff || answer.Status == http.StatusGone || p.Attempts >= len(d.opts.Schedule)) { //nolint:errorlint // our own unwrapped value
		p.State = records.Dead
	}
	if p.State == records.Pending {
		d.again(p, answer)
	} else {
		d.queues.countWaiting(&p.Delivery, -1)
		d.releaseLane(p)
	}
	d.unkept.changed = append(d.unkept.changed, p.Delivery)
}

// again schedules the next attempt of a delivery: by the schedule, or by the Retry-After of a busy hook.
func (d *Deliverer) again(p *parcel, answer Answer) {
	base := d.opts.Schedule[p.Attempts]
	wait := time.Duration(float64(base) * (1 - jitter + 2*jitter*d.opts.Chance.Fraction()))
	if answer.Status == http.StatusTooManyRequests || answer.Status == http.StatusServiceUnavailable {
		wait = max(wait, answer.RetryAfter)
	}
	p.Due = d.opts.Clock.Now().Add(wait)
	if p.Attempts >= holdsUpFor {
		d.releaseLane(p)
	}
	d.await(p)
}

// releaseLane lets the later deliveries of a call continue.
func (d *Deliverer) releaseLane(p *parcel) {
	l := p.lane
	if l == nil {
		return
	}
	p.lane = nil
	l.queue = l.queue[1:]
	l.busy = false
	d.advance(l)
}
