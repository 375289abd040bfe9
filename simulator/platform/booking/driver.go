package booking

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// tellAgain is how long a driver is left alone after "Coming Now".
const tellAgain = time.Minute

// Telling is a driver being told that the passenger is coming.
type Telling struct {
	at   time.Time // it was begun
	once sync.Once
	done chan struct{}
	told bool
}

func newTelling(at time.Time) *Telling { return &Telling{at: at, done: make(chan struct{})} }

func (t *Telling) end(heard bool) {
	t.once.Do(func() {
		t.told = heard
		close(t.done)
	})
}

// Done is closed when the driver has been told, or cannot be reached.
func (t *Telling) Done() <-chan struct{} { return t.done }

// Told reports whether the driver has heard it. It is false until Done.
func (t *Telling) Told() bool {
	select {
	case <-t.done:
		return t.told
	default:
		return false
	}
}

// failed reports whether the driver was rung in vain.
func (t *Telling) failed() bool {
	select {
	case <-t.done:
		return !t.told
	default:
		return false
	}
}

// Told is what became of the wish to tell a driver.
type Told string

// What becomes of it.
const (
	ToldNow     Told = "telling"  // the driver is being rung
	ToldJustNow Told = "just now" // less than a minute ago: not again
	ToldNoMore  Told = "no more"  // it is not offered any more, or there is no line
)

// ComingNow tells the driver of a journey that the passenger is coming, on a call
// of the platform's own, so that neither sees the other's number. The journey is
// read first: the driver may have changed, or have left. It returns the journey as
// it is now.
func (v *Visit) ComingNow(ctx context.Context, known operations.Journey) (operations.Journey, *Telling, Told) {
	j, err := v.Status(ctx, known)
	if err != nil || !v.MayComeNow(j) || v.desk.opts.Ring == nil {
		return j, nil, ToldNoMore
	}
	t, begun := v.desk.tell(v.Account, j)
	switch {
	case t.Told():
		return j, nil, ToldJustNow
	case !begun:
		return j, t, ToldNow
	}
	say := v.speaker.Say(spoken.ComingNow, spoken.Slots{Pickup: v.Details(j).Pickup})
	if err := v.desk.opts.Ring(Ring{Account: v.Account, Parent: v.Call, Driver: j.Driver.PhoneNumber, Say: say, Done: t.end}); err != nil {
		t.end(false)
	}
	return j, t, ToldNow
}

// Connect rings a customer who is not on the phone, and connects them with the
// driver of a journey. Neither sees the other's number.
func (d *Desk) Connect(c Customer, j operations.Journey) error {
	if d.opts.Ring == nil || c.Number == "" || !reachable(j) {
		return errors.New("nobody can be rung")
	}
	return d.opts.Ring(Ring{
		Account: c.Account, Parent: c.Call, Driver: j.Driver.PhoneNumber, Customer: c.Number, Done: func(bool) {},
	})
}

// tell returns the telling of a journey's driver that was begun less than
// [tellAgain] ago, be it under way or done, or begins another, which the caller then
// has to ring for. One that did not reach the driver is no reason to wait.
func (d *Desk) tell(account string, j operations.Journey) (t *Telling, begun bool) {
	key := account + " " + string(j.Ref)
	now := d.opts.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if t, ok := d.told.Get(key); ok && now.Sub(t.at) < tellAgain && !now.Before(t.at) && !t.failed() {
		return t, false
	}
	t = newTelling(now)
	d.told.Add(key, t)
	return t, true
}
