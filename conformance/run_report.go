package conformance

import "time"

func (r *run) report(results []Result, left []Leftover, started time.Time) *Report {
	rep := &Report{
		Checks:    results,
		Target:    r.redactor().url(r.target.URL),
		Started:   started,
		Duration:  r.target.since(started),
		Seed:      Seed(r.target.Seed),
		Only:      r.target.Only,
		Leftovers: r.redactor().leftovers(left),
		Preflight: r.steps,
		Exchanges: r.history,
		Hide:      r.redactor().exchange,
		Suite:     r.suite,
	}
	rep.Score(Scoring{}, started)
	return rep
}
