package trial

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// fastest is more than any car drives, in metres a second, and near is how exact a
// place must be, in metres.
const (
	fastest = 40
	near    = 30
)

// carSeen is where a car was last seen.
type carSeen struct {
	at   taxi.Point
	when time.Time
	busy bool // it has a journey
}

// checkSpeed compares a car's place with its last one.
func (w *watch) checkSpeed(v simulator.Vehicle) {
	was, seen := w.cars[v.ID]
	now := carSeen{v.Location, w.day.now, v.Journey != ""}
	w.cars[v.ID] = now
	if !seen {
		return
	}
	far, most := metres(was.at, now.at), near+fastest*now.when.Sub(was.when).Seconds()
	if far > most {
		w.day.fail(rulePlace, fmt.Sprintf("%s, %s, went %.0f m within %v", v.ID, v.State, far, now.when.Sub(was.when)))
	}
}

// keepCars keeps where the cars with a journey are, since they go on from there after a
// restart. The others may then be anywhere, and so may those of partner firms.
func (w *watch) keepCars() {
	w.keptCars = make(map[string]carSeen, len(w.cars))
	for id, s := range w.cars {
		if s.busy && !partner(id) {
			w.keptCars[id] = s
		}
	}
}

// partner reports whether a car is another firm's.
func partner(id string) bool { return strings.HasPrefix(id, "partner-") }

// checkPlace checks that a car is at the pickup when it arrives, and at the last drop-off
// when the journey ends.
func (w *watch) checkPlace(t simulator.Transition) {
	j, err := w.day.records.Journey(w.day.ctx, t.Journey)
	if err != nil {
		w.day.fail(rulePlace, err.Error())
		return
	}
	if t.VehicleID == "" || partner(t.VehicleID) {
		return // it has left for home
	}
	to, what := j.Pickup, "pickup"
	if t.Event == dispatch.EventFinish {
		to, what = &j.Dropoffs[len(j.Dropoffs)-1], "last drop-off"
		if len(j.Dropoffs) == 1 && metres(*j.Pickup.Location, *to.Location) < near {
			return // the passenger said on the way where to
		}
	}
	if far := metres(w.cars[t.VehicleID].at, *to.Location); far > near {
		w.day.fail(rulePlace, fmt.Sprintf("%s: %s by %s, %.0f m from its %s", t.Journey, t.Event, t.VehicleID, far, what))
	}
}

// metres is how far apart two points are, for distances within a county.
func metres(a, b taxi.Point) float64 {
	const perDegree = 111_319.491
	x := (a.Longitude - b.Longitude) * perDegree * math.Cos((a.Latitude+b.Latitude)/2*math.Pi/180)
	y := (a.Latitude - b.Latitude) * perDegree
	return math.Hypot(x, y)
}
