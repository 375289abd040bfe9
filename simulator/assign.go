package simulator

import (
	"fmt"
	"time"
)

// Assigner is a dispatch policy: it chooses whose driver is asked for which job.
type Assigner interface {
	// Beat is how often jobs are assigned, all that have come up since at once;
	// 0: each as soon as it comes up.
	Beat() time.Duration
	// Looks says which cars are candidates.
	Looks() Look
	// Assign chooses a candidate for each job, or none. No car may be chosen for
	// two.
	Assign(jobs []Opening, roads Roads)
}

// Look is which cars a policy chooses from.
type Look int

// The cars that a policy may choose from.
const (
	LookAround   Look = iota // the free cars around the pickup
	LookAtRanks              // those that are first at their rank, nearest rank first; else those around
	LookClearing             // those around, and those about to drop a passenger off around it
)

// Opening is a job that a driver is sought for.
type Opening struct {
	Pickup     Spot
	Candidates []Candidate // at least one, in the order of their distance as the crow flies
	Choice     int         // index of the candidate to ask; less than zero: wait
}

// Candidate is a car that may take a job.
type Candidate struct {
	Car    int32
	Spot   Spot          // where it is; for one with a passenger, where it drops them off
	First  bool          // it waits at a rank and no other has waited there for longer
	Clears time.Duration // until it drops its passenger off; 0: it is free
}

// ParseAssigner returns the policy of a name: nearest, eta, batch, rank or clear.
func ParseAssigner(name string) (Assigner, error) {
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

// Nearest asks the driver closest as the crow flies.
type Nearest struct{}

// Beat implements [Assigner].
func (Nearest) Beat() time.Duration { return 0 }

// Looks implements [Assigner].
func (Nearest) Looks() Look { return LookAround }

// Assign implements [Assigner].
func (Nearest) Assign(jobs []Opening, _ Roads) {
	for i := range jobs {
		jobs[i].Choice = 0
	}
}

// Soonest asks the driver who would be at the pickup first.
type Soonest struct{}

// Beat implements [Assigner].
func (Soonest) Beat() time.Duration { return 0 }

// Looks implements [Assigner].
func (Soonest) Looks() Look { return LookAround }

// Assign implements [Assigner].
func (Soonest) Assign(jobs []Opening, roads Roads) {
	for i := range jobs {
		jobs[i].Choice = soonest(&jobs[i], roads)
	}
}

// soonest is the candidate who would be there first.
func soonest(job *Opening, roads Roads) int {
	best, least := 0, time.Duration(0)
	for i, took := range times(job, roads) {
		if took += job.Candidates[i].Clears; i == 0 || took < least {
			best, least = i, took
		}
	}
	return best
}

// times is how long each candidate would drive to the pickup.
func times(job *Opening, roads Roads) []time.Duration {
	var spots [mostCandidates]Spot
	from := spots[:0]
	for _, c := range job.Candidates {
		from = append(from, c.Spot)
	}
	return roads.Times(from, job.Pickup)
}

// RankQueue keeps to the order of the ranks: the job goes to whoever has waited
// longest at the rank nearest to the pickup that has a car for it, and only when
// all ranks are empty to whoever would be there first.
type RankQueue struct{}

// Beat implements [Assigner].
func (RankQueue) Beat() time.Duration { return 0 }

// Looks implements [Assigner].
func (RankQueue) Looks() Look { return LookAtRanks }

// Assign implements [Assigner].
func (RankQueue) Assign(jobs []Opening, roads Roads) {
	for i := range jobs {
		jobs[i].Choice = 0
		if !jobs[i].Candidates[0].First {
			jobs[i].Choice = soonest(&jobs[i], roads)
		}
	}
}

// NextToClear asks the driver who would be at the pickup first, also one who has
// to drop somebody off before, around the corner. Decision: such a driver may say
// yes at once, but has the job only when the passenger is out, so that no car
// ever has two.
type NextToClear struct{}

// Beat implements [Assigner].
func (NextToClear) Beat() time.Duration { return 0 }

// Looks implements [Assigner].
func (NextToClear) Looks() Look { return LookClearing }

// Assign implements [Assigner].
func (NextToClear) Assign(jobs []Opening, roads Roads) { Soonest{}.Assign(jobs, roads) }
