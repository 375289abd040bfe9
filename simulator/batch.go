package simulator

import "time"

// defaultInterval is the interval of a Batch that names none.
const defaultInterval = 10 * time.Second

// Batch collects the jobs of some seconds and assigns them together, so that the sum
// of all waits is least. The nearest car of one job may be worth more to another.
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
func (Batch) Assign(jobs []OpenJob, roads Roads) {
	column := map[int32]int{} // of each car; looked up, never ranged over
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
