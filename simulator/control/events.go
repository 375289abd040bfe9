package control

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/worlds"
)

func eventCalls() calls {
	return calls{
		get("listen", "/events", "What happens, as it happens (text/event-stream)", listen).free().answers("Events").more(
			"Events are `journey`, `clock`, `world` and `fault`, `vehicles` where they are asked for, `missed` if some came that are "+
				"not kept any more, and `end`, the last. A listener who comes back sends `Last-Event-ID`, and hears what came meanwhile. "+
				"Each world begins with `world`, and events of the one before are not told any more: who comes back from before a reset "+
				"hears `missed` if there were some, and `world` first of all that is told. `since=0` is what happened since the world began.").
			takes(
				parameter{name: "vehicles", means: "1: where the cars are, again and again", schema: object{"enum": []string{"0", "1"}}},
				parameter{name: "every", means: "between what is told of the cars, by the wall, 200ms to 10s", schema: object{"type": "string", "default": "1s"}},
				parameter{name: "types", means: "some of journey, clock, world and fault, listed with commas"},
				parameter{name: "since", means: "in place of Last-Event-ID"},
				parameter{name: "Last-Event-ID", in: "header"},
			).refuses(http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable),
	}.tagged("World")
}

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

// changed tells of what happens in each world of the sandbox.
func (b *sandbox) changed(w *simulator.World) {
	b.Events.Begin(EventWorld, clockOf(w))
	w.Watch(func(t simulator.Transition) {
		change := changeOf(t)
		b.Events.Publish(EventJourney, change)
		b.metrics.moved(t)
		if !t.Resident {
			b.stage.see(change)
		}
	})
}

// listen answers with the events of a world for as long as somebody listens
// (text/event-stream).
func listen(c *call) (written, error) {
	l, err := c.listener()
	if err != nil {
		return written{}, err
	}
	heard, past, missed, err := c.box.Events.Listen(l.since, l.again)
	if err != nil {
		return written{}, err
	}
	defer c.box.Events.Leave(heard)
	var vehicles chan *worlds.Event // nil: never
	if l.vehicles {
		watcher, leave := c.box.lookouts.every(l.every).watch(func() Positions { return positionsOf(c.box.Gate.Latest().World()) })
		defer leave()
		vehicles = watcher.events
	}
	s := newStream(c, l.types)
	if missed {
		s.send(&worlds.Event{Name: EventMissed, Value: struct {
			Since uint64 `json:"since"`
		}{l.since}})
	}
	for _, e := range past {
		s.send(e)
	}
	s.follow(c, heard, vehicles)
	return written{}, nil
}

// listening is what somebody wants to hear.
type listening struct {
	since    uint64   // the last event that they have heard
	again    bool     // there is one
	types    []string // nil: all
	vehicles bool
	every    time.Duration // between what is told of the cars, by the wall
}

// listener reads what somebody wants to hear.
func (c *call) listener() (l listening, err error) {
	q, err := c.query()
	if err != nil {
		return l, err
	}
	switch v := q.get("vehicles"); v {
	case "", "0":
	case "1":
		l.vehicles = true
	default:
		return l, refuseParameter("vehicles", "is %.20q, want 0 or 1", v)
	}
	if l.every, err = q.every(); err != nil {
		return l, err
	}
	l.types = q.list("types")
	for _, name := range l.types {
		if !slices.Contains([]string{EventJourney, EventClock, EventWorld, EventFault}, name) {
			return l, refuseParameter("types", "has %.20q, want some of journey, clock, world and fault", name)
		}
	}
	name, since := "Last-Event-ID", c.r.Header.Get("Last-Event-ID") // a browser sends it when it comes back
	if since == "" {
		name, since = "since", q.get("since")
	}
	if since == "" {
		return l, nil
	}
	if l.since, err = strconv.ParseUint(since, 10, 64); err != nil {
		return l, refuseParameter(name, "is %.20q, want the id of an event", since)
	}
	l.again = true
	return l, nil
}

// stream sends the events of some types.
type stream struct {
	*inbound.Stream
	types []string // nil: all
}

func newStream(c *call, types []string) *stream {
	c.takeLong()
	s := &stream{inbound.NewStream(c.w), types}
	_ = errors.Join(s.Retry(2*time.Second), s.Flush()) // follow sees that the listener is gone
	return s
}

// follow sends what happens until the listener or the sandbox is gone. What has come
// together is sent together.
func (s *stream) follow(ctx context.Context, heard *worlds.Listener, vehicles <-chan *worlds.Event) {
	idle := time.NewTicker(inbound.Beat)
	defer idle.Stop()
	for s.Flush() == nil {
		select {
		case e, ok := <-heard.Events:
			for n := len(heard.Events); ok && n > 0; n-- {
				s.send(e)
				e, ok = <-heard.Events
			}
			if !ok {
				s.finish(heard.Why)
				return
			}
			s.send(e)
		case e := <-vehicles:
			s.send(e)
		case <-idle.C:
			_ = s.Comment("nothing has happened") // Flush returns the error, here as below
		case <-ctx.Done():
			return
		}
	}
}

// finish says why nothing else comes.
func (s *stream) finish(why string) {
	s.types = nil
	s.send(&worlds.Event{Name: EventEnd, Value: struct {
		Reason string `json:"reason"`
	}{why}})
	_ = s.Flush()
}

func (s *stream) send(e *worlds.Event) {
	if e.ID == 0 {
		_ = s.Event("", e.Name, e.Data())
		return
	}
	if s.types == nil || slices.Contains(s.types, e.Name) {
		_ = s.Event(strconv.FormatUint(e.ID, 10), e.Name, e.Data())
	}
}
