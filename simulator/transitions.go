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
	Fault     string      // the fault that the booking asked for, as data.simulate.behaviour names it; "" when none
	Resident  bool        // a resident of the town has just booked it, see [Options].Demand
}

// subscriber receives transitions.
type subscriber struct {
	to chan Transition
	fn func(Transition) // nil: they are sent
}

// Subscribe returns a channel that receives every later transition, and the function
// that ends the subscription and closes the channel. The world never waits: a transition
// that finds the channel full is not sent, and counted in [Stats].
func (w *World) Subscribe(buffer int) (transitions <-chan Transition, cancel func()) {
	s := &subscriber{to: make(chan Transition, buffer)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subscribers = append(w.subscribers, s)
	return s.to, func() { w.unsubscribe(s) }
}

// Watch calls a function with every later transition, within its turn: it must be quick
// and must not ask anything of this world. The function returned ends that.
func (w *World) Watch(fn func(Transition)) (cancel func()) {
	s := &subscriber{fn: fn}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subscribers = append(w.subscribers, s)
	return func() { w.unsubscribe(s) }
}

func (w *World) unsubscribe(s *subscriber) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, o := range w.subscribers {
		if o == s {
			w.subscribers = append(w.subscribers[:i], w.subscribers[i+1:]...)
			if s.to != nil {
				close(s.to)
			}
			return
		}
	}
}

// priced is the price after a change that set one, or that ended the journey; nil if
// the change left the price as it was.
func priced(c dispatch.Change) *taxi.Price {
	is := c.After.Price
	if is == nil || c.Before == nil || c.Before.Price == nil || c.After.Status.Terminal() || *is != *c.Before.Price {
		return is
	}
	return nil
}

// publish writes a change into the recording and sends it to the subscribers.
func (w *World) publish(c dispatch.Change, fault bookedFault) {
	t := Transition{
		At:        c.At,
		Journey:   c.After.JourneyID,
		Event:     c.Event,
		To:        c.After.Status,
		VehicleID: c.After.VehicleID,
		Fault:     fault.String(),
		Resident:  c.Before == nil && w.residentBooks,
	}
	if c.Before != nil {
		t.From = c.Before.Status
		if t.VehicleID == "" {
			t.VehicleID = c.Before.VehicleID
		}
	}
	w.recorder.change(&t, priced(c))
	for _, s := range w.subscribers {
		if s.fn != nil {
			s.fn(t)
			continue
		}
		select {
		case s.to <- t:
		default:
			w.counts.lost++
		}
	}
}
