package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Transition is one change of a journey: a step along the table, or an edit.
type Transition struct {
	Seq       uint64 // 1, 2, 3, … without gaps in one world
	At        time.Time
	Journey   taxi.JourneyID
	Event     dispatch.Event
	From, To  taxi.Status // From is [dispatch.Unbooked] for a new journey
	VehicleID string      // the car that has the journey, or just lost it; "" when none
	Whim      string      // how it goes wrong because the booking asked for it, as data.simulate.behaviour names it; "" when it does not
}

// subscriber is somebody who is told of transitions.
type subscriber struct{ to chan Transition }

// Subscribe returns a channel on which every later transition is told, and the
// function that ends that and closes the channel. The world never waits: what
// finds the channel full is lost to this subscriber, and counted in [Stats].
func (w *World) Subscribe(buffer int) (transitions <-chan Transition, cancel func()) {
	s := &subscriber{to: make(chan Transition, buffer)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subscribers = append(w.subscribers, s)
	return s.to, func() { w.unsubscribe(s) }
}

func (w *World) unsubscribe(s *subscriber) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, o := range w.subscribers {
		if o == s {
			w.subscribers = append(w.subscribers[:i], w.subscribers[i+1:]...)
			close(s.to)
			return
		}
	}
}

// priced is the price that a change made; the last one is made again. Nil: the
// change left the price alone.
func priced(c dispatch.Change) *taxi.Price {
	is := c.After.Price
	if is == nil || c.Before == nil || c.Before.Price == nil || c.After.Status.Terminal() || *is != *c.Before.Price {
		return is
	}
	return nil
}

// tell writes a change into the journal and passes it on.
func (w *World) tell(c dispatch.Change, whim whim) {
	t := Transition{
		At:        c.At,
		Journey:   c.After.JourneyID,
		Event:     c.Event,
		To:        c.After.Status,
		VehicleID: c.After.VehicleID,
		Whim:      whim.String(),
	}
	if c.Before != nil {
		t.From = c.Before.Status
		if t.VehicleID == "" {
			t.VehicleID = c.Before.VehicleID
		}
	}
	w.journal.change(&t, priced(c))
	for _, s := range w.subscribers {
		select {
		case s.to <- t:
		default:
			w.counts.lost++
		}
	}
}
