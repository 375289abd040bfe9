package control

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// Change is one change of a journey, as it happened.
type Change struct {
	Seq       uint64         `json:"seq"` // 1, 2, 3, … without gaps in one world
	At        time.Time      `json:"at"`  // by the world's clock
	JourneyID taxi.JourneyID `json:"journeyId"`
	Event     dispatch.Event `json:"event"`          // what made it, such as arrive; force: an order did
	From      taxi.Status    `json:"from,omitempty"` // left out: it was booked just now
	To        taxi.Status    `json:"to"`
	VehicleID string         `json:"vehicleId,omitempty"` // the car that has the journey, or just lost it
	Asked     string         `json:"asked,omitempty"`     // the fault that the booking asked for, as data.simulate.behaviour names it
}

func changeOf(t simulator.Transition) Change {
	return Change{t.Seq, t.At, t.Journey, t.Event, t.From, t.To, t.VehicleID, t.Fault}
}

// diary writes down what happens while a clock is moved.
type diary struct {
	stop    func()
	mu      sync.Mutex
	most    int      // how many are listed
	list    []Change // the first of them
	changes int
}

// keepDiary begins a diary of a world.
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

// close ends the diary, and returns how many changes there were and the first of them.
func (d *diary) close() (changes int, list []Change) {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changes, d.list
}
