package control

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

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

// close ends that, and returns the number of changes and the first of them.
func (d *diary) close() (changes int, list []Change) {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changes, d.list
}
