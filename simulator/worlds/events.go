package worlds

import (
	"encoding/json"
	"slices"
	"sync"
)

// Limits of what is listened to.
const (
	eventsKept    = 1024 // of a world, for listeners who come back
	listenerTakes = 1024 // events that may wait for one listener
	mostListeners = 500  // of one world
)

// Event is something that happened in a world. It is encoded when somebody listens,
// and then once.
type Event struct {
	ID    uint64 // 1, 2, 3, … of one world; 0: it is not kept
	Name  string
	Value any

	once sync.Once
	text []byte
}

// Data is the event's value as JSON.
func (e *Event) Data() []byte {
	e.once.Do(func() {
		var err error
		if e.text, err = json.Marshal(e.Value); err != nil {
			e.text = []byte("null") // values are plain structs
		}
	})
	return e.text
}

// Broker tells the events of one world to those who listen. It never waits for them.
type Broker struct {
	mu        sync.Mutex
	last      uint64
	world     *Event   // with which the world began that is told of
	kept      []*Event // the latest, oldest first from next on, once it is full
	next      int
	listeners map[*Listener]bool
	closed    bool
}

// Listener is somebody who listens.
type Listener struct {
	Events chan *Event // closed at the end
	Why    string      // … which is this; set before
}

func newBroker() *Broker { return &Broker{listeners: make(map[*Listener]bool)} }

// Publish tells an event, whose value does not change any more. It may be called within
// a turn of the world.
func (b *Broker) Publish(name string, value any) { b.publish(name, value, false) }

// Begin tells an event with which another world begins: what was before is not told any more, since
// journeys may have the same ids.
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
		b.tell(l, e)
	}
}

// tell gives an event to a listener, who is dropped if they cannot take it; mu is held.
func (b *Broker) tell(l *Listener, e *Event) {
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

// Listen begins to listen, with what has happened since an event, if that is asked for.
// It reports whether some of that is not kept any more. The error says that nobody else
// may listen.
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

// past is what has happened since an event, in the world that there is; 0: since it
// began. Whoever heard the last of another world is told first that this one has begun.
// It reports whether something is not kept any more; mu is held.
func (b *Broker) past(since uint64) (past []*Event, missed bool) {
	if since > b.last {
		return nil, true // of another server: none of its events is known here
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

// Leave ends a listener who does not want to listen any more.
func (b *Broker) Leave(l *Listener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(l, "")
}

// end ends all listeners, and those who come later.
func (b *Broker) end(why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for l := range b.listeners {
		b.drop(l, why)
	}
}
