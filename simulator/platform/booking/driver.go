package booking

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// tellAgain is the time after "Coming Now" during which the driver is not called again.
const tellAgain = time.Minute

// Telling is a call in which a driver is told that the passenger is coming.
type Telling struct {
	at   time.Time // when the call began
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

// Done is closed when the driver has heard the message, or cannot be reached.
func (t *Telling) Done() <-chan struct{} { return t.done }

// Told reports whether the driver has heard the message. It is false until Done is
// closed.
func (t *Telling) Told() bool {
	select {
	case <-t.done:
		return t.told
	default:
		return false
	}
}

// failed reports whether the driver could not be reached.
func (t *Telling) failed() bool {
	select {
	case <-t.done:
		return !t.told
	default:
		return false
	}
}

// told is the result of a request to tell the driver that the passenger is coming.
type told string

// The results.
const (
	toldNow     told = "telling"  // the driver is being called
	toldJustNow told = "just now" // called less than a minute ago: not again
	toldNoMore  told = "no more"  // no longer offered, or no line
)

// comingNow calls the driver of a journey and says that the passenger is coming, in a separate call, so that neither
// sees the other's number. It first reads the journey, which it returns, since the driver may have changed or left.
func (v *Visit) comingNow(ctx context.Context, known operations.Journey) (operations.Journey, *Telling, told) {
	j, err := v.Status(ctx, known)
	if err != nil || !v.mayComeNow(j) || v.desk.opts.Ring == nil {
		return j, nil, toldNoMore
	}
	t, begun := v.desk.tell(v.Account, j)
	switch {
	case t.Told():
		return j, nil, toldJustNow
	case !begun:
		return j, t, toldNow
	}
	say := v.speaker.Say(spoken.ComingNow, spoken.Slots{Pickup: v.details(j).Pickup})
	if err := v.desk.opts.Ring(Ring{Account: v.Account, Parent: v.Call, Driver: j.Driver.PhoneNumber, Say: say, Done: t.end}); err != nil {
		t.end(false)
	}
	return j, t, toldNow
}

// Connect calls a customer who is not on the phone, and connects them to the driver of a
// journey. Neither sees the other's number.
func (d *Desk) Connect(c Customer, j operations.Journey) error {
	if d.opts.Ring == nil || c.Number == "" || !reachable(j) {
		return errors.New("nobody can be rung")
	}
	return d.opts.Ring(Ring{
		Account: c.Account, Parent: c.Call, Driver: j.Driver.PhoneNumber, Customer: c.Number, Done: func(bool) {},
	})
}

// tell returns the call to a journey's driver that began less than [tellAgain] ago, or
// creates a new one, which the caller must then place (begun). A call that did not reach
// the driver does not count.
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
