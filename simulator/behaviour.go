package simulator

import (
	"fmt"
	"time"
)

// Behaviour says how often drivers and passengers do not do as agreed. Shares are in
// ten-thousandths. The zero value is [Calm].
type Behaviour struct {
	Reject    int // of offers that a driver turns down
	Silence   int // of offers that a driver does not answer
	Drop      int // of accepted jobs that the driver gives back before arriving; with 10,000 all do in turn, until no car is left
	Breakdown int // of accepted jobs on whose way to the pickup the car breaks down
	Cancel    int // of journeys that the passenger cancels while waiting
	NoShow    int // of passengers who do not come out

	Lateness time.Duration // median by which a passenger is late; 0: nobody is

	Shifts bool // drivers work by the [Roster] and take breaks; otherwise they always work
	Silent int  // of the minutes in which a car drives: it reports no position for up to 20 s of it
}

// Calm returns the behaviour of people who do as agreed.
func Calm() Behaviour { return Behaviour{} }

// Typical returns what a dispatch office sees on an ordinary day.
func Typical() Behaviour {
	return Behaviour{
		Reject: 1200, Silence: 300, Drop: 150, Breakdown: 2,
		Cancel: 400, NoShow: 250, Lateness: time.Minute,
		Shifts: true, Silent: 100,
	}
}

// Stormy returns a day on which much goes wrong.
func Stormy() Behaviour {
	return Behaviour{
		Reject: 3500, Silence: 1000, Drop: 1000, Breakdown: 50,
		Cancel: 1200, NoShow: 800, Lateness: 5 * time.Minute,
		Shifts: true, Silent: 1000,
	}
}

// ParseBehaviour returns the behaviour of a name: calm, typical or stormy.
func ParseBehaviour(name string) (Behaviour, error) {
	switch name {
	case "calm":
		return Calm(), nil
	case "typical":
		return Typical(), nil
	case "stormy":
		return Stormy(), nil
	default:
		return Behaviour{}, fmt.Errorf("%q is none of calm, typical and stormy", name)
	}
}

// How long things take when nothing goes wrong. Decisions, where the interface
// says nothing.
const (
	offerDelay   = 15 * time.Second // from a booking's release to the first offer
	offerTimeout = 20 * time.Second // after this an offer without an answer goes to the next driver
	quickAnswer  = 2 * time.Second  // a driver answers between this …
	slowAnswer   = 8 * time.Second  // … and this
	retryDelay   = 30 * time.Second // until the next search when no car is free
	readyDelay   = 5 * time.Second  // from accepting to setting off
	arriveEarly  = 3 * time.Minute  // how early a driver plans to be for a booked time
	boardingMean = 70 * time.Second // a passenger takes to come out and get in
	boardingMost = 4 * time.Minute  // … at the most, unless late
	contactAfter = time.Minute      // the driver rings a passenger who has not come by then
	mostWait     = 5 * time.Minute  // how much longer than he must a driver waits for a passenger on the way
	dwellLeast   = 10 * time.Second // at a stop on the way
	dwellMost    = 30 * time.Second
	repairTime   = time.Hour // a car that broke down is off duty
)
