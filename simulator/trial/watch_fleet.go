package trial

import (
	"fmt"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// fleet holds the cars against one another, and returns which car has which
// journey.
func (w *watch) fleet() map[taxi.JourneyID]string {
	_, all := w.day.world.Vehicles()
	has := make(map[taxi.JourneyID]string, len(all))
	own := 0
	for _, v := range all {
		if !partner(v.ID) {
			own++
		}
		w.drove(v)
		if busy(v.State) != (v.Journey != "") {
			w.day.broke(ruleFleet, fmt.Sprintf("%s is %s with journey %q", v.ID, v.State, v.Journey))
		}
		if v.Journey == "" {
			continue
		}
		if other, taken := has[v.Journey]; taken {
			w.day.broke(ruleCar, fmt.Sprintf("%s and %s both have %s", other, v.ID, v.Journey))
		}
		has[v.Journey] = v.ID
		w.suits(v)
	}
	if own != w.day.o.Cars {
		w.day.broke(ruleFleet, fmt.Sprintf("%d cars of %d are there", own, w.day.o.Cars))
	}
	return has
}

// busy reports whether a car in a state has a journey.
func busy(s simulator.CarState) bool {
	switch s {
	case simulator.CarToPickup, simulator.CarAtPickup, simulator.CarOnBoard:
		return true
	default:
		return false
	}
}

// suits holds what a car does against its journey's status.
func (w *watch) suits(v simulator.Vehicle) {
	s := w.sights[v.Journey]
	if s == nil {
		w.day.broke(ruleCar, fmt.Sprintf("%s has %s, of which nothing is known", v.ID, v.Journey))
		return
	}
	ok := false
	switch s.status {
	case taxi.Accepted, taxi.EnRoute:
		ok = v.State == simulator.CarToPickup
	case taxi.Arrived:
		ok = v.State == simulator.CarAtPickup
	case taxi.POB:
		ok = v.State == simulator.CarOnBoard
	}
	if !ok {
		w.day.broke(ruleCar, fmt.Sprintf("%s is %s with %s at %s", v.ID, v.State, v.Journey, s.status))
	}
}
