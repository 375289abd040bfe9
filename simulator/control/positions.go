package control

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// How often positions are told, by the wall.
const (
	tellUsually = time.Second
	tellLeast   = 200 * time.Millisecond
	tellMost    = 10 * time.Second
	tellStep    = 100 * time.Millisecond // to which it is rounded, so that many look together
)

// Positions is where the cars are.
type Positions struct {
	At       time.Time  `json:"at"` // by the world's clock
	Vehicles []Position `json:"vehicles"`
}

// Position is where a car is.
type Position struct {
	ID        string         `json:"id"`
	Location  taxi.Point     `json:"location"`
	State     string         `json:"state"`
	JourneyID taxi.JourneyID `json:"journeyId,omitempty"` // the job it has
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

// every is how often somebody wants to be told where the cars are.
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

// lookouts look where the cars are, each as often as somebody wants to know.
type lookouts struct {
	mu  sync.Mutex
	all map[time.Duration]*lookout
}

// every returns the lookout that looks so often.
func (l *lookouts) every(d time.Duration) *lookout {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = make(map[time.Duration]*lookout)
	}
	if l.all[d] == nil {
		l.all[d] = &lookout{often: d}
	}
	return l.all[d]
}

// lookout looks where the cars are for all who want to know as often, once for all of
// them.
type lookout struct {
	often    time.Duration
	mu       sync.Mutex
	watchers map[*watcher]bool
	stop     func()
}

// watcher is somebody who wants to know where the cars are: always the latest.
type watcher struct{ events chan *worlds.Event }

// watch begins to look, if nobody does. The function returned ends it.
func (l *lookout) watch(look func() Positions) (w *watcher, leave func()) {
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

// begin looks again and again until the function returned is called.
func (l *lookout) begin(look func() Positions) (stop func()) {
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

// tell gives each watcher the latest; who has not taken the one before gets that in its
// place.
func (l *lookout) tell(e *worlds.Event) {
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

func (l *lookout) leave(w *watcher) {
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
