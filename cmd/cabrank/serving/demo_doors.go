package serving

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
)

// doors makes the taxi of somebody who booked by phone wait at the door as long as a person needs, since the world's
// clock is faster than people. A journey is held from the taxi's arrival until the patience is over and no call is up.
type doors struct {
	system   *system
	patience time.Duration

	mu     sync.Mutex
	booked map[taxi.JourneyID]bool // by phone, while the taxi has not arrived
	held   []taxi.JourneyID        // whose patience is over, while somebody is on the phone
	up     int                     // calls
}

// atTheDoor is how long a taxi waits at the door: enough to hear that it is there, find the phone and call.
const atTheDoor = 15 * time.Second

// called notes the journey that a request of the voice platform has booked. It does not block.
func (d *doors) called(e exchange) {
	var answer struct{ JourneyID taxi.JourneyID }
	if e.path != taxi.PathBook || e.status != http.StatusOK || json.Unmarshal(e.answer, &answer) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.booked[answer.JourneyID] = true
}

// live sets the number of calls that are up, and releases the held journeys if there is none. It does not block.
func (d *doors) live(calls int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.up = calls; calls > 0 {
		return
	}
	for _, journey := range d.held {
		go d.release(journey) // it ends soon
	}
	d.held = nil
}

// keep listens to the world until ctx ends, and holds the journeys of taxis that arrive.
func (d *doors) keep(ctx context.Context) {
	events := d.system.control.Worlds().Main().Events
	heard, _, _, err := events.Listen(0, false)
	if err != nil {
		return // five hundred listen already
	}
	go func() { // ends with ctx
		defer events.Leave(heard)
		for {
			select {
			case e, ok := <-heard.Events:
				if !ok {
					return
				}
				if c, changed := e.Value.(control.Change); changed {
					d.changed(ctx, c)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
}

// changed holds a journey that was booked by phone and whose taxi has arrived.
func (d *doors) changed(ctx context.Context, c control.Change) {
	d.mu.Lock()
	mine := d.booked[c.JourneyID]
	if c.To == taxi.Arrived || c.To == taxi.Complete || c.To == taxi.Cancelled {
		delete(d.booked, c.JourneyID)
	}
	d.mu.Unlock()
	if !mine || c.To != taxi.Arrived {
		return
	}
	if _, err := d.system.host().World().Hold(ctx, c.JourneyID); err == nil { // it may be over already
		time.AfterFunc(d.patience, func() { d.impatient(c.JourneyID) })
	}
}

// impatient releases a held journey, at once or when no call is up any more.
func (d *doors) impatient(journey taxi.JourneyID) {
	d.mu.Lock()
	waits := d.up > 0
	if waits {
		d.held = append(d.held, journey)
	}
	d.mu.Unlock()
	if !waits {
		d.release(journey)
	}
}

func (d *doors) release(journey taxi.JourneyID) {
	_, _ = d.system.host().World().Release(context.Background(), journey) // of a world that was reset there is none
}

// robot excludes the journey of a simulated passenger, so that it is not held.
func (d *doors) robot(journey taxi.JourneyID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.booked, journey)
}
