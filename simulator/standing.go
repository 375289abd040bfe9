package simulator

import (
	"fmt"
	"strings"
)

// Standing is how much orders have said for later. It is in memory only: a world that is
// made again over its records has what the orders did to journeys and users, and not this.
type Standing struct {
	Held     int `json:"held"`     // journeys that are held
	Scripted int `json:"scripted"` // journeys whose driver follows a script
	Scripts  int `json:"scripts"`  // scripts that wait for a booking
	Supplies int `json:"supplies"` // zones whose supply of cars was said
	OffDuty  int `json:"offDuty"`  // cars that are kept off duty
}

// Standing counts what orders have said for later.
func (w *World) Standing() Standing {
	_, leave := w.Enter()
	defer leave()
	w.dropSupplies(func(*Supply) bool { return false })
	s := Standing{Scripts: len(w.nextScripts), Supplies: len(w.supplies)}
	for i := range w.jobs.all {
		j := &w.jobs.all[i]
		if j.born == 0 || j.aside == nil {
			continue
		}
		if j.aside.held {
			s.Held++
		}
		if len(j.aside.script) > 0 {
			s.Scripted++
		}
	}
	for i := range w.fleet.cars {
		if w.fleet.cars[i].grounded {
			s.OffDuty++
		}
	}
	return s
}

// String says it in words; "" where orders have said nothing for later.
func (s Standing) String() string {
	var all []string
	for _, part := range []struct {
		count     int
		one, many string
	}{
		{s.Held, "journey held", "journeys held"},
		{s.Scripted, "journey with a script", "journeys with a script"},
		{s.Scripts, "script for a booking to come", "scripts for bookings to come"},
		{s.Supplies, "order about the supply of cars", "orders about the supply of cars"},
		{s.OffDuty, "car put off duty", "cars put off duty"},
	} {
		switch part.count {
		case 0:
		case 1:
			all = append(all, "1 "+part.one)
		default:
			all = append(all, fmt.Sprintf("%d %s", part.count, part.many))
		}
	}
	return strings.Join(all, ", ")
}
