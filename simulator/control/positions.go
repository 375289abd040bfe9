package control

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// tellEvery is how often positions are told, by the wall.
const tellEvery = time.Second

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
		p.Vehicles[i] = Position{v.ID, v.Location, string(v.State), v.Journey}
	}
	return p
}

// lookout looks where the cars are for all who want to know, once for all of them.
type lookout struct {
	mu       sync.Mutex
	watchers map[*watcher]bool
	stop     func()
}

// watcher is somebody who wants to know where the cars are: always the latest.
type watcher struct{ events chan *event }

// watch begins to look, if nobody does. The function returned ends it.
func (l *lookout) watch(look func() Positions) (w *watcher, leave func()) {
	w = &watcher{events: make(chan *event, 1)}
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

// begin looks every second until the function returned is called.
func (l *lookout) begin(look func() Positions) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(tellEvery)
		defer tick.Stop()
		for {
			l.tell(&event{name: EventVehicles, value: look()})
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
func (l *lookout) tell(e *event) {
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
