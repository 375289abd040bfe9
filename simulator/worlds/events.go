package worlds

import (
	"encoding/json"
	"slices"
	"sync"
)

// Limits of events and listeners.
const (
	eventsKept    = 1024 // stored for a world, for listeners that reconnect
	listenerTakes = 1024 // events that may wait for one listener
	mostListeners = 500  // of one world
)

// Event is an event of a world. It is encoded once, when somebody first listens.
type Event struct {
	ID    uint64 // 1, 2, 3, … in one world; 0: it is not stored
	Name  string
	Value any

	once sync.Once
	text []byte
}

// Data returns the event's value as JSON.
func (e *Event) Data() []byte {
	e.once.Do(func() {
		var err error
		if e.text, err = json.Marshal(e.Value); err != nil {
			e.text = []byte("null") // marshalling plain structs never fails
		}
	})
	return e.text
}

// Broker sends the events of one world to its listeners. It never waits for them.
type Broker struct {
	mu        sync.Mutex
	last      uint64
	world     *Event   // the event with which the current world began
	kept      []*Event // a ring of the latest events; when it is full, the oldest is at next
	next      int
	listeners map[*Listener]bool
	closed    bool
}

// Listener receives events.
type Listener struct {
	Events chan *Event // closed at the end
	Why    string      // the reason for the end; set before Events is closed
}

func newBroker() *Broker { return &Broker{listeners: make(map[*Listener]bool)} }

// Publish sends an event, whose value must not change any more. It may be called within a
// turn of the world.
func (b *Broker) Publish(name string, value any) { b.publish(name, value, false) }

// Begin sends the event with which another world begins. Earlier events are no longer sent,
// since the journeys of both may have the same ids.
func (b *Broker) Begin(name string, value any) { b.publish(name, value, true) }

func (b *Broker) publish(name string, value any, begins bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.last++
	e := &Event{ID: b.last, Name: name, Value: value}
	if begins {
		b.world, b.kept, b.next = e, nil, 0
	}
	if len(b.kept) < eventsKept {
		b.kept = append(b.kept, e)
	} else {
		b.kept[b.next] = e
		b.next = (b.next + 1) % eventsKept
	}
	for l := range b.listeners {
		b.send(l, e)
	}
}

// send sends an event to a listener, and drops a listener whose buffer is full; mu is
// held.
func (b *Broker) send(l *Listener, e *Event) {
	select {
	case l.Events <- e:
	default:
		b.drop(l, "more events came than were read")
	}
}

// drop ends a listener; mu is held.
func (b *Broker) drop(l *Listener, why string) {
	if b.listeners[l] {
		delete(b.listeners, l)
		l.Why = why
		close(l.Events)
	}
}

// Listen adds a listener, and returns the stored events after the event since, if asked
// is true. It reports whether some of them are no longer stored. It fails if there are
// too many listeners.
func (b *Broker) Listen(since uint64, asked bool) (l *Listener, past []*Event, missed bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return nil, nil, false, ErrEnded
	case len(b.listeners) >= mostListeners:
		return nil, nil, false, refuse(TooManyListeners, "%d listen already", mostListeners)
	}
	if asked {
		past, missed = b.past(since)
	}
	l = &Listener{Events: make(chan *Event, listenerTakes)}
	b.listeners[l] = true
	return l, past, missed, nil
}

// past returns the events after an event of the current world; 0: all since it began. If
// the event belongs to another world, they start with the beginning of this one. It
// reports whether some are no longer stored; mu is held.
func (b *Broker) past(since uint64) (past []*Event, missed bool) {
	if since > b.last {
		return nil, true // the id is from another server: none of its events is known here
	}
	for i := range b.kept {
		if e := b.kept[(b.next+i)%len(b.kept)]; e.ID > since {
			past = append(past, e)
		}
	}
	from := since
	if b.world != nil && from == 0 {
		from = b.world.ID - 1
	}
	missed = from+uint64(len(past)) < b.last
	if b.world != nil && since < b.world.ID && past[0] != b.world {
		past = slices.Insert(past, 0, b.world)
	}
	return past, missed
}

// Leave removes a listener, whose channel is closed.
func (b *Broker) Leave(l *Listener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(l, "")
}

// listening returns the number of listeners.
func (b *Broker) listening() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int64(len(b.listeners))
}

// dropAll ends the current listeners, with the reason why.
func (b *Broker) dropAll(why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for l := range b.listeners {
		b.drop(l, why)
	}
}

// end ends the current listeners with the reason why, and refuses later ones.
func (b *Broker) end(why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for l := range b.listeners {
		b.drop(l, why)
	}
}
