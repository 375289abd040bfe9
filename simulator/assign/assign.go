// Package assign selects the drivers who are asked to take jobs, by one of several policies.
package assign

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/simulator/road"
)

// Assigner chooses which driver is asked for which job.
type Assigner interface {
	// Interval is the period in which jobs are collected and then assigned together; 0:
	// each job is assigned at once.
	Interval() time.Duration
	// Pool returns the set of candidate cars.
	Pool() Pool
	// Assign chooses a candidate for each job, or none. No car may be chosen for
	// two.
	Assign(jobs []OpenJob, roads road.Roads)
}

// Pool is the set of cars that an assigner chooses from.
type Pool int

// The pools.
const (
	PoolNearby   Pool = iota // free cars around the pickup
	PoolRanks                // the first car at each rank, nearest rank first; without any, those around the pickup
	PoolClearing             // free cars around the pickup, and those about to drop a passenger off there
)

// OpenJob is a job without a driver.
type OpenJob struct {
	Pickup     road.Spot
	Candidates []road.Candidate // at least one, sorted by straight-line distance
	Choice     int              // index of the candidate to ask; negative: wait
}

// Parse returns the assigner with a name: nearest, eta, batch, rank or clear.
func Parse(name string) (Assigner, error) {
	switch name {
	case "nearest":
		return Nearest{}, nil
	case "eta":
		return Soonest{}, nil
	case "batch":
		return Batch{}, nil
	case "rank":
		return RankQueue{}, nil
	case "clear":
		return NextToClear{}, nil
	default:
		return nil, fmt.Errorf("%q is none of nearest, eta, batch, rank and clear", name)
	}
}

// Nearest asks the driver of the car nearest in a straight line.
type Nearest struct{}

// Interval implements [Assigner].
func (Nearest) Interval() time.Duration { return 0 }

// Pool implements [Assigner].
func (Nearest) Pool() Pool { return PoolNearby }

// Assign implements [Assigner].
func (Nearest) Assign(jobs []OpenJob, _ road.Roads) {
	for i := range jobs {
		jobs[i].Choice = 0
	}
}

// Soonest asks the driver who can be at the pickup first.
type Soonest struct{}

// Interval implements [Assigner].
func (Soonest) Interval() time.Duration { return 0 }

// Pool implements [Assigner].
func (Soonest) Pool() Pool { return PoolNearby }

// Assign implements [Assigner].
func (Soonest) Assign(jobs []OpenJob, roads road.Roads) {
	for i := range jobs {
		jobs[i].Choice = soonest(&jobs[i], roads)
	}
}

// soonest returns the candidate who can be at the pickup first.
func soonest(job *OpenJob, roads road.Roads) int {
	best, least := 0, time.Duration(0)
	for i, took := range roads.Times(job.Candidates, job.Pickup) {
		if took += job.Candidates[i].FreeIn; i == 0 || took < least {
			best, least = i, took
		}
	}
	return best
}

// RankQueue keeps the order of the ranks. The job goes to the driver who has waited
// longest at the nearest rank with a suitable car. If there is none, it goes to the
// driver who can be at the pickup first.
type RankQueue struct{}

// Interval implements [Assigner].
func (RankQueue) Interval() time.Duration { return 0 }

// Pool implements [Assigner].
func (RankQueue) Pool() Pool { return PoolRanks }

// Assign implements [Assigner].
func (RankQueue) Assign(jobs []OpenJob, roads road.Roads) {
	for i := range jobs {
		jobs[i].Choice = 0
		if !jobs[i].Candidates[0].First {
			jobs[i].Choice = soonest(&jobs[i], roads)
		}
	}
}

// NextToClear asks the driver who can be at the pickup first, including one who is about
// to drop a passenger off nearby. Decision: such a driver may accept at once, but gets
// the job only when the passenger has left, so that no car ever has two jobs.
type NextToClear struct{}

// Interval implements [Assigner].
func (NextToClear) Interval() time.Duration { return 0 }

// Pool implements [Assigner].
func (NextToClear) Pool() Pool { return PoolClearing }

// Assign implements [Assigner].
func (NextToClear) Assign(jobs []OpenJob, roads road.Roads) { Soonest{}.Assign(jobs, roads) }

// defaultInterval is the interval of a Batch with a zero Every.
const defaultInterval = 10 * time.Second

// Batch collects the jobs of some seconds and assigns them together, so that the sum of
// all waits is least: a car that is nearest to one job may save more time on another.
type Batch struct{ Every time.Duration } // 0: ten seconds

// Interval implements [Assigner].
func (b Batch) Interval() time.Duration {
	if b.Every > 0 {
		return b.Every
	}
	return defaultInterval
}

// Pool implements [Assigner].
func (Batch) Pool() Pool { return PoolNearby }

// Assign implements [Assigner].
func (Batch) Assign(jobs []OpenJob, roads road.Roads) {
	column := map[int32]int{} // by car; only looked up, never ranged over
	for i := range jobs {
		for _, c := range jobs[i].Candidates {
			if _, known := column[c.Car]; !known {
				column[c.Car] = len(column)
			}
		}
	}
	costs := newCosts(len(jobs), len(column))
	for i := range jobs {
		for n, took := range roads.Times(jobs[i].Candidates, jobs[i].Pickup) {
			costs.set(i, column[jobs[i].Candidates[n].Car], int64(took/time.Millisecond))
		}
	}
	for i, chosen := range costs.match() {
		jobs[i].Choice = -1
		for n, c := range jobs[i].Candidates {
			if column[c.Car] == chosen {
				jobs[i].Choice = n
			}
		}
	}
}
