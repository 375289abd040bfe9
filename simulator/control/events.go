package control

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// Listen is the call that streams the events of a world.
var Listen = Call[url.Values, io.ReadCloser]{get("listen", "/events", "Events of the world as they happen (text/event-stream)", listen).free().answers("Events").more(
	"Events are `journey`, `clock`, `world` and `fault`, `vehicles` if requested, `missed` if earlier events are no longer "+
		"stored, and `end`, the last one. A client that reconnects sends `Last-Event-ID`, and receives the events since then. "+
		"Each world begins with `world`; events before a reset are no longer sent. A client that reconnects after a reset receives "+
		"`missed` if there were such events, and then `world`. `since=0` returns all events since the world began.").
	takes(
		parameter{name: "vehicles", means: "1: include the positions of the cars", schema: object{"enum": []string{"0", "1"}}},
		parameter{name: "every", means: "interval of positions in real time, 200ms to 10s", schema: object{"type": "string", "default": "1s"}},
		parameter{name: "types", means: "journey, clock, world or fault; several with commas"},
		parameter{name: "since", means: "alternative to Last-Event-ID"},
		parameter{name: "Last-Event-ID", in: "header"},
	).refuses(http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable)}

// The events of a world.
const (
	EventJourney  = "journey"  // a [Change]
	EventClock    = "clock"    // a [Clock]: it was set, or moved by hand
	EventWorld    = "world"    // a [Clock]: the world was reset
	EventFault    = "fault"    // a [fault.Event]
	EventVehicles = "vehicles" // [Positions], if the client requests them
	EventMissed   = "missed"   // earlier events are no longer stored
	EventEnd      = "end"      // the last event, with the reason
)

// changed publishes the changes of each world of the sandbox.
func (b *sandbox) changed(w *simulator.World) {
	b.Events.Begin(EventWorld, clockOf(w))
	w.Watch(func(t simulator.Transition) {
		change := changeOf(t)
		b.Events.Publish(EventJourney, change)
		b.metrics.Moved(t)
		if !t.Resident {
			b.scenarios.see(change)
		}
	})
}

// listen streams the events of a world until the client disconnects (text/event-stream).
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
		watcher, leave := c.box.positionFeeds.every(l.every).watch(func() Positions { return positionsOf(c.box.Gate.Latest().World()) })
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

// listening holds the parameters of an event stream.
type listening struct {
	since    uint64   // id of the last event that the client has received
	again    bool     // since is given
	types    []string // nil: all
	vehicles bool
	every    time.Duration // real time between two positions
}

// listener reads the parameters of an event stream from a request.
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
	name, since := "Last-Event-ID", c.r.Header.Get("Last-Event-ID") // a browser sends it when it reconnects
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

// stream sends events of the requested types.
type stream struct {
	*inbound.Stream
	types []string // nil: all
}

func newStream(c *call, types []string) *stream {
	c.takeLong()
	s := &stream{inbound.NewStream(c.w), types}
	_ = errors.Join(s.Retry(2*time.Second), s.Flush()) // follow notices a client that has disconnected
	return s
}

// follow sends events until the client disconnects or the sandbox ends. Events that are
// available at the same time are sent together.
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
			_ = s.Comment("nothing has happened") // Flush returns the error
		case <-ctx.Done():
			return
		}
	}
}

// finish sends the event that ends a stream, with the reason.
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

// Change is one change of a journey.
type Change struct {
	Seq       uint64         `json:"seq"` // 1, 2, 3, … without gaps in one world
	At        time.Time      `json:"at"`  // by the world's clock
	JourneyID taxi.JourneyID `json:"journeyId"`
	Event     dispatch.Event `json:"event"`          // the event that caused it, such as arrive; force: a forced transition
	From      taxi.Status    `json:"from,omitempty"` // left out: the journey was just booked
	To        taxi.Status    `json:"to"`
	VehicleID string         `json:"vehicleId,omitempty"` // the car that has the journey, or has just lost it
}

func changeOf(t simulator.Transition) Change {
	return Change{t.Seq, t.At, t.Journey, t.Event, t.From, t.To, t.VehicleID}
}

// diary records changes while a clock is moved.
type diary struct {
	stop    func()
	mu      sync.Mutex
	most    int      // length limit of list
	list    []Change // the first changes
	changes int
}

// keepDiary collects the changes of a world.
func keepDiary(w *simulator.World, most int) *diary {
	d := &diary{most: most, list: []Change{}}
	d.stop = w.Watch(func(t simulator.Transition) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.changes++
		if len(d.list) < d.most {
			d.list = append(d.list, changeOf(t))
		}
	})
	return d
}

// close ends the diary, and returns the number of changes and the first of them.
func (d *diary) close() (changes int, list []Change) {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changes, d.list
}
