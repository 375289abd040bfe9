package control

import (
	"encoding/json"
	"slices"
	"sync"
)

// Limits of what is listened to.
const (
	eventsKept    = 1024 // of a sandbox, for listeners who come back
	listenerTakes = 1024 // events that may wait for one listener
	mostListeners = 500  // of one sandbox
)

// The events of a world.
const (
	EventJourney  = "journey"  // a [Change]
	EventClock    = "clock"    // a [Clock]: it was set, or has been moved by hand
	EventWorld    = "world"    // a [Clock]: the world has begun anew
	EventFault    = "fault"    // a [fault.Event]
	EventVehicles = "vehicles" // [Positions], where a listener asks for them
	EventMissed   = "missed"   // events that came meanwhile are not kept any more
	EventEnd      = "end"      // the last one, which says why
)

// event is something that happened in a sandbox. It is encoded when somebody listens,
// and then once.
type event struct {
	id    uint64 // 1, 2, 3, … of one sandbox; 0: it is not kept
	name  string
	value any

	once sync.Once
	text []byte
}

// data is the event's value as JSON.
func (e *event) data() []byte {
	e.once.Do(func() {
		var err error
		if e.text, err = json.Marshal(e.value); err != nil {
			e.text = []byte("null") // values are plain structs
		}
	})
	return e.text
}

// broker tells the events of one sandbox to those who listen. It never waits for them.
type broker struct {
	mu        sync.Mutex
	last      uint64
	world     *event   // with which the world began that is told of
	kept      []*event // the latest, oldest first from next on, once it is full
	next      int
	listeners map[*listener]bool
	closed    bool
}

// listener is somebody who listens.
type listener struct {
	events chan *event // closed at the end
	why    string      // … which is this; set before
}

func newBroker() *broker { return &broker{listeners: make(map[*listener]bool)} }

// publish tells an event, whose value does not change any more. It may be called within
// a turn of the world.
func (b *broker) publish(name string, value any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.last++
	e := &event{id: b.last, name: name, value: value}
	if name == EventWorld { // what was before is of another world, whose journeys may have the same ids
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
func (b *broker) tell(l *listener, e *event) {
	select {
	case l.events <- e:
	default:
		b.drop(l, "more events came than were read")
	}
}

// drop ends a listener; mu is held.
func (b *broker) drop(l *listener, why string) {
	if b.listeners[l] {
		delete(b.listeners, l)
		l.why = why
		close(l.events)
	}
}

// listen begins to listen, with what has happened since an event, if that is asked for.
// It reports whether some of that is not kept any more. The error says that nobody else
// may listen.
func (b *broker) listen(since uint64, asked bool) (l *listener, past []*event, missed bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return nil, nil, false, errEnded
	case len(b.listeners) >= mostListeners:
		return nil, nil, false, errTooManyListeners
	}
	if asked {
		past, missed = b.past(since)
	}
	l = &listener{events: make(chan *event, listenerTakes)}
	b.listeners[l] = true
	return l, past, missed, nil
}

// past is what has happened since an event, in the world that there is; 0: since it
// began. Whoever heard the last of another world is told first that this one has begun.
// It reports whether something is not kept any more; mu is held.
func (b *broker) past(since uint64) (past []*event, missed bool) {
	if since > b.last {
		return nil, true // of another server: none of its events is known here
	}
	for i := range b.kept {
		if e := b.kept[(b.next+i)%len(b.kept)]; e.id > since {
			past = append(past, e)
		}
	}
	from := since
	if b.world != nil && from == 0 {
		from = b.world.id - 1
	}
	missed = from+uint64(len(past)) < b.last
	if b.world != nil && since < b.world.id && past[0] != b.world {
		past = slices.Insert(past, 0, b.world)
	}
	return past, missed
}

// leave ends a listener who does not want to listen any more.
func (b *broker) leave(l *listener) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop(l, "")
}

// end ends all listeners, and those who come later.
func (b *broker) end(why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for l := range b.listeners {
		b.drop(l, why)
	}
}
