package control

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// Intervals of positions, in real time.
const (
	tellUsually = time.Second
	tellLeast   = 200 * time.Millisecond
	tellMost    = 10 * time.Second
	tellStep    = 100 * time.Millisecond // intervals are rounded to it, so that many clients share them
)

// Positions are the positions of the cars.
type Positions struct {
	At       time.Time  `json:"at"` // by the world's clock
	Vehicles []Position `json:"vehicles"`
}

// Position is the position of a car.
type Position struct {
	ID        string         `json:"id"`
	Location  taxi.Point     `json:"location"`
	State     string         `json:"state"`
	JourneyID taxi.JourneyID `json:"journeyId,omitempty"` // the car's job
}

func positionsOf(w *simulator.World) Positions {
	at, all := w.Vehicles()
	p := Positions{at, make([]Position, len(all))}
	for i, v := range all {
		at := taxi.Point{Longitude: sixDecimals(v.Location.Longitude), Latitude: sixDecimals(v.Location.Latitude)}
		p.Vehicles[i] = Position{v.ID, at, string(v.State), v.Journey}
	}
	return p
}

// every returns the interval of positions that a request asks for, or the usual one.
func (q query) every() (time.Duration, error) {
	text := q.get("every")
	if text == "" {
		return tellUsually, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < tellLeast || d > tellMost {
		return 0, refuseParameter("every", "is %.20q, want %v to %v", text, tellLeast, tellMost)
	}
	return d.Round(tellStep), nil
}

// positionFeeds holds a feed of positions for each interval.
type positionFeeds struct {
	mu  sync.Mutex
	all map[time.Duration]*positionFeed
}

// every returns the feed with an interval.
func (l *positionFeeds) every(d time.Duration) *positionFeed {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = make(map[time.Duration]*positionFeed)
	}
	if l.all[d] == nil {
		l.all[d] = &positionFeed{often: d}
	}
	return l.all[d]
}

// positionFeed reads the positions of the cars at an interval, once for all its watchers.
type positionFeed struct {
	often    time.Duration
	mu       sync.Mutex
	watchers map[*watcher]bool
	stop     func()
}

// watcher receives the positions; an unread older event is replaced by the latest.
type watcher struct{ events chan *worlds.Event }

// watch adds a watcher, and starts the feed if it is the first. leave removes the
// watcher.
func (l *positionFeed) watch(look func() Positions) (w *watcher, leave func()) {
	w = &watcher{events: make(chan *worlds.Event, 1)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watchers == nil {
		l.watchers = make(map[*watcher]bool)
	}
	l.watchers[w] = true
	if l.stop == nil {
		l.stop = l.begin(look)
	}
	return w, func() { l.leave(w) }
}

// begin sends positions to the watchers at the interval until stop is called.
func (l *positionFeed) begin(look func() Positions) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() { // ends with stop
		defer close(ended)
		tick := time.NewTicker(l.often)
		defer tick.Stop()
		for {
			l.tell(&worlds.Event{Name: EventVehicles, Value: look()})
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// tell sends the latest positions to each watcher, in place of an unread older event.
func (l *positionFeed) tell(e *worlds.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.watchers {
		select {
		case <-w.events:
		default:
		}
		w.events <- e
	}
}

func (l *positionFeed) leave(w *watcher) {
	l.mu.Lock()
	delete(l.watchers, w)
	var stop func()
	if len(l.watchers) == 0 {
		stop, l.stop = l.stop, nil
	}
	l.mu.Unlock()
	if stop != nil {
		stop()
	}
}
