package trial

import (
	"fmt"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// checkFleet checks the cars, and returns which car has which journey.
func (w *watch) checkFleet() map[taxi.JourneyID]string {
	_, all := w.day.world.Vehicles()
	has := make(map[taxi.JourneyID]string, len(all))
	own := 0
	for _, v := range all {
		if !partner(v.ID) {
			own++
		}
		w.checkSpeed(v)
		if busy(v.State) != (v.Journey != "") {
			w.day.fail(ruleFleet, fmt.Sprintf("%s is %s with journey %q", v.ID, v.State, v.Journey))
		}
		if v.Journey == "" {
			continue
		}
		if other, taken := has[v.Journey]; taken {
			w.day.fail(ruleCar, fmt.Sprintf("%s and %s both have %s", other, v.ID, v.Journey))
		}
		has[v.Journey] = v.ID
		w.checkCar(v)
	}
	if own != w.day.o.Cars {
		w.day.fail(ruleFleet, fmt.Sprintf("%d cars of %d are there", own, w.day.o.Cars))
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

// checkCar compares what a car does with its journey's status.
func (w *watch) checkCar(v simulator.Vehicle) {
	s := w.journeys[v.Journey]
	if s == nil {
		w.day.fail(ruleCar, fmt.Sprintf("%s has %s, of which nothing is known", v.ID, v.Journey))
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
		w.day.fail(ruleCar, fmt.Sprintf("%s is %s with %s at %s", v.ID, v.State, v.Journey, s.status))
	}
}
