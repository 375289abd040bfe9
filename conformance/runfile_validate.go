package conformance

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// validate reports references in a run file to missing parts, and values that no run
// writes. All readers of run files rely on it, since files may be untrusted.
func (f *RunFile) validate() error {
	if !datable(f.Started) {
		return errors.New("its start is outside of the years 0 to 9999")
	}
	for i, x := range f.Calls {
		if err := x.validate(f.Suite); err != nil {
			return fmt.Errorf("exchange %d: %w", i+1, err)
		}
	}
	if len(f.CallsByID()) != len(f.Calls) {
		return errors.New("two calls have the same id")
	}
	if len(f.ObservationsByID()) != len(f.Observations) {
		return errors.New("two observations have the same id")
	}
	for _, c := range f.Catalogue {
		if err := c.validate(f.Suite); err != nil {
			return fmt.Errorf("catalogue: %s: %w", c.ID, err)
		}
	}
	if err := f.validateSummary(); err != nil {
		return err
	}
	return f.validateResults()
}

func (f *RunFile) validateResults() error {
	calls, checks, seen := f.CallsByID(), f.ChecksByID(), map[VerdictKey]bool{}
	heard := f.ObservationsByID()
	for _, r := range f.Checks {
		at := VerdictKey{r.ID, r.Operation}
		if _, ok := checks[r.ID]; !ok {
			return fmt.Errorf("its catalogue has no %s", r.ID)
		}
		if seen[at] {
			return fmt.Errorf("it has two verdicts on %s@%s", r.ID, r.Operation)
		}
		seen[at] = true
		if err := r.validate(f.Suite, calls, heard); err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
	}
	return nil
}

// validateSummary checks the statements about the run as a whole.
func (f *RunFile) validateSummary() error {
	for _, c := range f.Causes {
		if c.Message == "" {
			return errors.New("it names a cause without saying which")
		}
		if c.Operation != "" && !slices.Contains(f.Suite.Operations, c.Operation) {
			return unknown("operation", c.Operation)
		}
	}
	for _, g := range f.Unshown {
		if !slices.Contains(f.Suite.Subjects(), g.Operation) {
			return unknown("operation", g.Operation)
		}
	}
	if f.FailOn != "" && f.FailOn != Harmful && !slices.Contains(levels, f.FailOn) {
		return unknown("level", f.FailOn)
	}
	if a := f.Repeated; a != nil {
		switch {
		case !slices.Contains(outcomes, a.Is):
			return unknown("outcome", a.Is)
		case a.Was != "" && !slices.Contains(outcomes, a.Was):
			return unknown("outcome", a.Was)
		}
	}
	return nil
}

// validate checks one call.
func (x *Exchange) validate(s *Suite) error {
	switch {
	case x == nil:
		return errors.New("there is nothing")
	case !datable(x.Started):
		return errors.New("its time is outside of the years 0 to 9999")
	case x.Request.Cut < 0 || x.Response != nil && x.Response.Cut < 0:
		return errors.New("the number of bytes cut from a body is negative")
	case x.ID < 1:
		return fmt.Errorf("its id is %d", x.ID)
	case !slices.Contains(s.Operations, x.Operation):
		return unknown("operation", x.Operation)
	case x.Direction != Made && x.Direction != Received:
		return unknown("direction", x.Direction)
	}
	return nil
}

// validate checks one entry of the catalogue.
func (c Check) validate(s *Suite) error {
	if !slices.Contains(levels, c.Level) {
		return unknown("level", c.Level)
	}
	for _, op := range c.Operations {
		if !slices.Contains(s.Subjects(), op) {
			return unknown("operation", op)
		}
	}
	return nil
}

// validate checks one verdict.
func (r Result) validate(s *Suite, calls map[int]*Exchange, heard map[int]Observation) error {
	switch {
	case !slices.Contains(levels, r.Level):
		return unknown("level", r.Level)
	case !slices.Contains(s.Subjects(), r.Operation):
		return unknown("operation", r.Operation)
	case !slices.Contains(outcomes, r.Outcome):
		return unknown("outcome", r.Outcome)
	case r.Outcome != Pass && len(r.Findings) == 0:
		return fmt.Errorf("it is %s without a finding", r.Outcome)
	}
	rests := slices.Clone(r.ShownBy)
	for _, finding := range r.Findings {
		if !slices.Contains(outcomes, finding.Outcome) {
			return unknown("outcome", finding.Outcome)
		}
		rests = append(rests, finding.Exchanges...)
		for _, id := range finding.Observations {
			if _, there := heard[id]; !there {
				return fmt.Errorf("it refers to observation %d, which is missing", id)
			}
		}
	}
	for _, id := range rests {
		if calls[id] == nil {
			return fmt.Errorf("it refers to call %d, which is missing", id)
		}
	}
	return nil
}

// datable reports whether a time, in UTC, is in the years 0 to 9999, which every report format can write.
func datable(t time.Time) bool {
	year := t.UTC().Year()
	return year >= 0 && year <= 9999
}

func unknown[S ~string](what string, word S) error {
	return fmt.Errorf("%q is no %s", string(word), what)
}
