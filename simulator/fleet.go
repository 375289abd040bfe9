package simulator

import (
	"time"

	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/road"
)

// CarState is the state of a car.
type CarState string

// The states.
const (
	CarFree     CarState = "free"      // waits for a job, or drives to a rank to wait there
	CarAsked    CarState = "asked"     // stands still while its driver decides on an offer
	CarToPickup CarState = "to-pickup" // has a job and drives, or will drive, to the pickup
	CarAtPickup CarState = "at-pickup" // waits for the passenger
	CarOnBoard  CarState = "on-board"  // drives with the passenger
	CarOffDuty  CarState = "off-duty"  // takes no jobs: off shift, on a break, broken down, or driving back to town
)

// car is one vehicle. Its position is computed from its route and the time since it set
// off; nothing is computed between events.
type car struct {
	crew    *crew.Crew
	route   road.Route
	departs moment
	job     int32
	rank    int32 // the rank in whose queue it is, or none
	next    int32 // the job offered to its driver while on board with another, or none
	state   CarState
	partner bool // a partner firm's car, which does one job

	promised bool   // the driver has accepted the next job
	offShift bool   // the driver's shift is over
	rests    bool   // the driver takes a break as soon as the car is free
	away     moment // off duty until then for another reason
	grounded bool   // an order has put it off duty
	broken   bool   // away because it has broken down
	summoned bool   // an order has put it on duty although its driver's shift is over
	frozen   moment // time since which it stands still because its job is held; 0: it does not
}

func (c *car) at(m moment) road.Spot { return c.route.At(c.driven(m)) }

// driven returns the time that the car has been driving, until it was frozen if it was.
func (c *car) driven(m moment) time.Duration {
	if c.frozen != 0 {
		m = c.frozen
	}
	return m.sub(c.departs)
}

func (c *car) arrives() moment { return c.departs.add(c.route.Took) }

// fleet contains all cars: first the firm's own, then those of partner firms.
type fleet struct {
	cars     []car
	kinds    []crew.Kind // of the firm's cars, in a separate slice because searches read many of them
	spare    []int32     // indices of partner cars that have left
	ranks    []rank
	grid     *road.Grid       // the firm's free cars, by the spot where they wait or will wait
	clearing *road.Grid       // cars with passengers, by their last drop-off; nil: the assigner does not use them
	byID     map[string]int32 // the firm's cars
}

// newFleet parks the cars at the ranks, and when those are full, at doors all over the
// town.
func newFleet(seed uint64, crews []crew.Crew, roads road.Roads, ranks []rank) *fleet {
	f := &fleet{
		cars:  make([]car, len(crews)),
		kinds: make([]crew.Kind, len(crews)),
		grid:  road.NewGrid(roads, len(crews)),
		byID:  make(map[string]int32, len(crews)),
		ranks: ranks,
	}
	for i := range crews {
		draw := chance.New(seed, chance.Parking, uint64(i), 0)
		f.cars[i] = car{crew: &crews[i], job: none, rank: none, next: none, state: CarFree}
		f.kinds[i] = crew.KindOf(crews[i].Category)
		spot := roads.Door(draw.Uint64())
		if n := i % max(len(ranks), 1); len(ranks) > 0 && len(ranks[n].queue) < rankRoom {
			spot = ranks[n].spot
			f.joinRank(int32(i), n, 0)
		}
		f.cars[i].route.Stand(spot)
		f.grid.Put(int32(i), spot)
		f.byID[crews[i].VehicleID] = int32(i)
	}
	return f
}

// setBusy gives a car a job and a state, and removes it from the free cars.
func (f *fleet) setBusy(n int32, job int32, state CarState) {
	c := &f.cars[n]
	if !c.partner {
		f.grid.Take(n)
		f.leaveRank(n)
	}
	c.job, c.state = job, state
}

// setOnBoard gives a car a passenger, and stores where it will become free.
func (f *fleet) setOnBoard(n int32, last road.Spot) {
	c := &f.cars[n]
	c.state = CarOnBoard
	if f.clearing != nil && !c.partner {
		f.clearing.Take(n)
		f.clearing.Put(n, last)
	}
}

// park stops a car where it is.
func (f *fleet) park(n int32, now moment) {
	f.place(n, f.cars[n].at(now), now)
}

// place puts a car at a spot.
func (f *fleet) place(n int32, at road.Spot, now moment) {
	c := &f.cars[n]
	c.route.Stand(at)
	c.departs = now
}

// endJob ends a car's job and parks it; a partner firm's car is removed.
func (f *fleet) endJob(n int32, now moment) {
	f.park(n, now)
	c := &f.cars[n]
	c.job, c.state, c.frozen = none, CarOffDuty, 0
	if c.partner {
		f.spare = append(f.spare, n)
	} else if f.clearing != nil {
		f.clearing.Take(n)
	}
}

// setFree makes a car available at the end of its drive.
func (f *fleet) setFree(n int32) {
	c := &f.cars[n]
	c.job, c.state = none, CarFree
	f.grid.Put(n, c.route.To)
}

// takeOffDuty takes a car off duty where it is.
func (f *fleet) takeOffDuty(n int32, now moment) {
	f.park(n, now)
	f.setBusy(n, none, CarOffDuty)
}

// partner adds a partner firm's car at a spot for one job, and returns its index.
func (f *fleet) partner(of *crew.Crew, spot road.Spot) int32 {
	var slot int32
	if last := len(f.spare) - 1; last >= 0 {
		slot, f.spare = f.spare[last], f.spare[:last]
	} else {
		slot = int32(len(f.cars))
		f.cars = append(f.cars, car{})
	}
	f.cars[slot] = car{
		crew: of, route: road.Route{From: spot, To: spot},
		job: none, rank: none, next: none, state: CarFree, partner: true,
	}
	return slot
}
