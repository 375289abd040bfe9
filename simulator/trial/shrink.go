package trial

import (
	"context"
	"slices"
)

// mostTrials limits the number of smaller runs, to about a minute.
const mostTrials = 300

// Shrink looks for a smaller run that breaks the same rule: fewer rides, cars and faults,
// calmer people, no residents who book, the simplest assigner, no streets. Each step is
// run, so the returned failure really occurred. The last event of its run breaks the
// rule. When ctx ends, Shrink returns the smallest run so far.
func Shrink(ctx context.Context, f *Failure) *Failure {
	s := &shrinking{ctx: ctx, best: f, left: mostTrials}
	for smaller := true; smaller && s.left > 0; {
		smaller = s.choices() // first of all, since they make the others fast
		smaller = s.rides() || smaller
		smaller = s.cars() || smaller
		smaller = s.faults() || smaller
	}
	return s.best
}

type shrinking struct {
	ctx  context.Context
	best *Failure
	left int
}

// try runs a smaller run, and keeps it if it breaks the same rule.
func (s *shrinking) try(change func(*Options)) bool {
	if s.left == 0 || s.ctx.Err() != nil {
		return false
	}
	s.left--
	o := s.best.Options
	o.Event = 0
	change(&o)
	out, err := Run(s.ctx, o)
	if err != nil || out.Failure == nil || out.Failure.Rule != s.best.Rule {
		return false
	}
	s.best = out.Failure
	return true
}

// rides removes rides, first half of them at a time, then fewer, down to one.
func (s *shrinking) rides() (smaller bool) {
	if s.best.Options.Only == nil {
		asked := append([]int{}, s.best.rides...) // none is not all
		smaller = s.try(func(o *Options) { o.Only = asked })
	}
	for part := (len(s.best.Options.Only) + 1) / 2; part > 0; part /= 2 {
		for from := 0; from < len(s.best.Options.Only); {
			without := slices.Delete(slices.Clone(s.best.Options.Only), from, min(from+part, len(s.best.Options.Only)))
			if s.try(func(o *Options) { o.Only = without }) {
				smaller = true
			} else {
				from += part
			}
		}
	}
	return smaller
}

func (s *shrinking) cars() bool {
	for n := 1; n < s.best.Options.Cars; n += 1 + n/4 {
		if s.try(func(o *Options) { o.Cars = n }) {
			return true
		}
	}
	return false
}

func (s *shrinking) faults() (smaller bool) {
	for one := Lost; one <= Crash; one <<= 1 {
		if s.best.Options.Faults.has(one) && s.try(func(o *Options) { o.Faults &^= one }) {
			smaller = true
		}
	}
	return smaller
}

// choices simplifies options that are chosen by name.
func (s *shrinking) choices() (smaller bool) {
	for _, choice := range []struct {
		of      func(*Options) *string
		simpler []string // the simplest first
	}{
		{func(o *Options) *string { return &o.Demand }, []string{"none"}},
		{func(o *Options) *string { return &o.Town }, []string{"none"}},
		{func(o *Options) *string { return &o.Assigner }, []string{"nearest", "eta"}},
		{func(o *Options) *string { return &o.Behaviour }, []string{"calm", "typical"}},
	} {
		for _, simpler := range choice.simpler {
			if *choice.of(&s.best.Options) == simpler {
				break
			}
			if s.try(func(o *Options) { *choice.of(o) = simpler }) {
				smaller = true
				break
			}
		}
	}
	return smaller
}
