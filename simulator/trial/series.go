package trial

import (
	"context"
	"sync"
)

// Summary is the result of a series of runs.
type Summary struct {
	Runs, Days    int
	Events, Calls int // see [Outcome]
	Journeys      int
	Crashes       int
	Coverage      Coverage
	Failure       *Failure // of the lowest seed that has one; nil: no rule was broken
}

// Series runs a number of seeds, beginning with that of the options, on several
// goroutines, each with its own worlds. After a failure no further run begins. The result
// does not depend on the number of goroutines.
func Series(ctx context.Context, o Options, seeds, workers int) (Summary, error) {
	s := &series{options: o, seeds: seeds}
	var all sync.WaitGroup
	for range max(1, min(workers, seeds)) {
		all.Go(func() { s.work(ctx) })
	}
	all.Wait()
	return s.sum, s.err
}

// series is the state of a series.
type series struct {
	options Options
	seeds   int

	mu    sync.Mutex
	given int // number of seeds handed out
	sum   Summary
	err   error
}

func (s *series) work(ctx context.Context) {
	for {
		o, ok := s.next()
		if !ok {
			return
		}
		out, err := Run(ctx, o)
		s.add(o, out, err)
	}
}

// next returns the next seed. All lower ones were returned before it, so the lowest
// failure is always the same.
func (s *series) next() (Options, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.given == s.seeds || s.err != nil || s.sum.Failure != nil {
		return Options{}, false
	}
	o := s.options
	o.Seed += uint64(s.given)
	s.given++
	return o, true
}

func (s *series) add(o Options, out Outcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if s.err == nil {
			s.err = err
		}
		return
	}
	sum := &s.sum
	sum.Runs++
	sum.Days += max(o.Days, 1)
	sum.Events += out.Events
	sum.Calls += out.Calls
	sum.Journeys += out.Journeys
	sum.Crashes += out.Crashes
	sum.Coverage.Add(out.Coverage)
	if f := out.Failure; f != nil && (sum.Failure == nil || f.Options.Seed < sum.Failure.Options.Seed) {
		sum.Failure = f
	}
}
