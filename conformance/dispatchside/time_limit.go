package dispatchside

import (
	"context"
	"math"
	"time"
)

// planProbes measures the pace of the server and announces the plan of the run.
func (r *run) planProbes(ctx context.Context) {
	r.latency = r.meanTook()
	r.Step(ctx, r.plan())
}

// meanTook returns the mean response time of the calls so far.
func (r *run) meanTook() time.Duration {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	var all time.Duration
	for _, x := range r.History {
		all += x.Took
	}
	return all / time.Duration(max(len(r.History), 1))
}

// estimate returns about how long probes and their clean-up take.
func (r *run) estimate(probes []*probeRun) time.Duration {
	var apart, together Cost
	for _, p := range probes {
		c := r.target.costOf([]*probeRun{p})
		if p.phase == parallel {
			together.Bookings, together.Calls = together.Bookings+c.Bookings, together.Calls+c.Calls
		} else {
			apart.Bookings, apart.Calls = apart.Bookings+c.Bookings, apart.Calls+c.Calls
		}
	}
	aside := together.Calls + apart.Bookings + together.Bookings
	took := time.Duration(apart.Calls+aside/r.target.Width) * r.latency
	if rate := r.target.Rate; rate > 0 {
		took = max(took, time.Duration(float64(apart.Calls+aside)/rate*float64(time.Second)))
	}
	return took
}

// timeIsUp reports whether only the time that the clean-up needs is left.
func (r *run) timeIsUp() bool { return r.timeLeft() <= 0 }

// timeLeft returns the time until the clean-up has to begin.
func (r *run) timeLeft() time.Duration {
	if r.target.MaxTime == 0 {
		return math.MaxInt64
	}
	return r.target.MaxTime - r.target.since(r.started) - r.cancelling()
}

// cancelling returns about how long the clean-up takes, at the pace of the calls so far.
func (r *run) cancelling() time.Duration {
	const spare = 4 // rounds of calls: those in progress, and repetitions
	_, calls := r.open.count()
	rounds := calls/r.target.Width + spare
	return max(time.Duration(rounds)*r.latency, time.Duration(calls)*r.interval())
}

// interval returns the minimum time between two calls.
func (r *run) interval() time.Duration {
	if r.target.Rate == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / r.target.Rate)
}

// left returns an estimate of the time that the rest of the run takes, at the pace so far.
func (r *run) left() time.Duration {
	r.Mu.Lock()
	made := len(r.History)
	r.Mu.Unlock()
	cost := r.target.costOf(r.probes)
	if made == 0 || cost.Calls == 0 {
		return 0
	}
	spent := r.target.since(r.started)
	rest := spent * time.Duration(max(cost.Calls+cost.Bookings-made, 0)) / time.Duration(made)
	if most := r.target.MaxTime; most > 0 {
		rest = min(rest, max(most-spent, 0))
	}
	return rest
}

// rounded returns a duration rounded for people: to seconds or, below a minute, to tenths.
func rounded(d time.Duration) time.Duration {
	if d >= time.Minute {
		return d.Round(time.Second)
	}
	return d.Round(time.Second / 10)
}
