package simulator

import (
	"fmt"
	"time"
)

// Behaviour says how often drivers and passengers do not act as agreed. Shares are in
// ten-thousandths. The zero value is [Calm].
type Behaviour struct {
	Reject    int // of offers that a driver turns down
	Silence   int // of offers that a driver does not answer
	Drop      int // of accepted jobs that the driver gives back before arriving; with 10,000, all drivers in turn, until no car is left
	Breakdown int // of accepted jobs during which the car breaks down on the way to the pickup
	Cancel    int // of journeys that the passenger cancels while waiting
	NoShow    int // of passengers who do not come out

	Lateness time.Duration // median delay of a late passenger; 0: nobody is late

	Shifts bool // drivers follow the [crew.Roster] and take breaks; otherwise they always work
	Silent int  // of the minutes in which a car drives: in such a minute it reports no position for up to 20 s
}

// Calm returns the behaviour of people who act as agreed.
func Calm() Behaviour { return Behaviour{} }

// Typical returns the behaviour of an ordinary day.
func Typical() Behaviour {
	return Behaviour{
		Reject: 1200, Silence: 300, Drop: 150, Breakdown: 2,
		Cancel: 400, NoShow: 250, Lateness: time.Minute,
		Shifts: true, Silent: 100,
	}
}

// Stormy returns the behaviour of a day on which much goes wrong.
func Stormy() Behaviour {
	return Behaviour{
		Reject: 3500, Silence: 1000, Drop: 1000, Breakdown: 50,
		Cancel: 1200, NoShow: 800, Lateness: 5 * time.Minute,
		Shifts: true, Silent: 1000,
	}
}

// ParseBehaviour returns the behaviour with a name: calm, typical or stormy.
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

// Durations when nothing goes wrong. They are decisions, as the interface does not
// specify them.
const (
	offerDelay   = 15 * time.Second // from a booking's release to the first offer
	offerTimeout = 20 * time.Second // after this time an unanswered offer goes to the next driver
	quickAnswer  = 2 * time.Second  // shortest time until a driver answers
	slowAnswer   = 8 * time.Second  // longest time until a driver answers
	retryDelay   = 30 * time.Second // until the next search when no car is free
	readyDelay   = 5 * time.Second  // from accepting to setting off
	arriveEarly  = 3 * time.Minute  // how early a driver plans to be for a booked time
	boardingMean = 70 * time.Second // mean time for a passenger to come out and get in
	boardingMost = 4 * time.Minute  // the maximum, unless the passenger is late
	contactAfter = time.Minute      // then the driver calls a passenger who has not come
	mostWait     = 5 * time.Minute  // how much longer than required a driver waits for a passenger who is coming
	dwellLeast   = 10 * time.Second // time at a stop on the way
	dwellMost    = 30 * time.Second
	repairTime   = time.Hour // off-duty time of a car that broke down
)
