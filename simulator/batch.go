package simulator

import "time"

// usualBeat is how often a batch is assigned unless it says otherwise.
const usualBeat = 10 * time.Second

// Batch lets the jobs of some seconds come together and assigns them at once, so
// that all passengers together wait least: the car next door to one job may be
// worth more to another.
type Batch struct{ Every time.Duration } // 0: ten seconds

// Beat implements [Assigner].
func (b Batch) Beat() time.Duration {
	if b.Every > 0 {
		return b.Every
	}
	return usualBeat
}

// Looks implements [Assigner].
func (Batch) Looks() Look { return LookAround }

// Assign implements [Assigner].
func (Batch) Assign(jobs []Opening, roads Roads) {
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
		for n, took := range times(&jobs[i], roads) {
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
