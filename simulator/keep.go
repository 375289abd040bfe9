package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/store"
)

// Keeper stores what a world has only in memory, so that the next world with its records
// continues with it. The world calls it within its turns, so it must be quick and must not
// call the world. The tickets wait for the disk: an order, and a clock that is moved by
// hand, return after that. A script that a booking has taken is stored after the booking,
// at the latest in the next commit, which the booking does not wait for.
type Keeper interface {
	// KeepOrders stores the orders for later, as JSON for [Options].Standing. It is called
	// in each turn that has changed them.
	KeepOrders(text []byte) (store.Ticket, error)
	// KeepTime stores the time of a clock that was moved by hand, for [Options].Start.
	KeepTime(now time.Time) (store.Ticket, error)
}

// keeping stores the orders and the time of a world with its [Keeper]; nil: it has none. Its
// methods are called within turns.
type keeping struct {
	keeper  Keeper
	collect func() any     // returns the orders for later, for JSON
	due     bool           // the orders may have changed since they were stored
	last    []byte         // the orders as last stored
	jobs    map[int32]bool // numbers of the jobs that orders may have changed
	time    moment         // of the clock, as last stored
	ticket  store.Ticket   // of the latest call of the keeper
}

// newKeeping continues from orders that were stored before. Without a keeper it returns nil.
func newKeeping(keeper Keeper, last []byte, collect func() any) *keeping {
	if keeper == nil {
		return nil
	}
	if len(last) == 0 {
		last = []byte("{}")
	}
	return &keeping{keeper: keeper, collect: collect, due: true, last: last, jobs: map[int32]bool{}}
}

// touch records that the orders for later may have changed.
func (k *keeping) touch() {
	if k != nil {
		k.due = true
	}
}

// touchJob records that an order may have changed a job.
func (k *keeping) touchJob(n int32) {
	if k != nil {
		k.due, k.jobs[n] = true, true
	}
}

// touchChanged records that a journey has changed: orders about it may have ended.
func (k *keeping) touchChanged(n int32) {
	if k != nil && k.jobs[n] {
		k.due = true
	}
}

// orders stores the orders for later if they have changed. After an error the next turn
// tries again.
func (k *keeping) orders() error {
	if k == nil || !k.due {
		return nil
	}
	text, err := json.Marshal(k.collect())
	if err == nil && !bytes.Equal(text, k.last) {
		k.ticket, err = k.keeper.KeepOrders(text)
	}
	if err != nil {
		return fmt.Errorf("keep the orders for later: %w", err)
	}
	k.last, k.due = text, false
	return nil
}

// changes stores the orders if they have changed, where no caller waits for the result. It
// ignores an error: a store that cannot take the orders refuses all other changes, too, and
// reports that itself.
func (k *keeping) changes() {
	if k != nil && k.due {
		_ = k.orders()
	}
}

// latest returns the ticket of the orders or the time that were stored last.
func (k *keeping) latest() store.Ticket {
	if k == nil {
		return store.Ticket{}
	}
	return k.ticket
}

// moved stores the time of a clock that was moved by hand, unless it is stored already.
func (k *keeping) moved(now moment) (store.Ticket, error) {
	if k == nil || k.time == now {
		return k.latest(), nil
	}
	ticket, err := k.keeper.KeepTime(now.time())
	if err != nil {
		return ticket, fmt.Errorf("keep the clock's time: %w", err)
	}
	k.ticket, k.time = ticket, now
	return ticket, nil
}
