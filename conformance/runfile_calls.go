package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// CallsLeadingTo returns the calls of one probe up to the call that what means: the number of a call, or a
// verdict such as "BOK-16" or "W-07@user".
func (f *RunFile) CallsLeadingTo(what string) ([]*Exchange, error) {
	at, err := f.callMeant(what)
	if err != nil {
		return nil, err
	}
	return f.CallsUpTo(at), nil
}

// CallsToRepeat returns the calls to repeat: those of the probe up to the call that what means, or, if what
// is a verdict, all calls of the probe, since the verdict may need a later call for comparison.
func (f *RunFile) CallsToRepeat(what string) ([]*Exchange, error) {
	at, err := f.callMeant(what)
	if err != nil {
		return nil, err
	}
	if _, err := strconv.Atoi(what); err == nil {
		return repeatable(what, f.CallsUpTo(at))
	}
	last := at
	for _, x := range f.Calls {
		if x.Probe == at.Probe && x.ID > last.ID {
			last = x
		}
	}
	return repeatable(what, f.CallsUpTo(last))
}

// repeatable returns the calls, or an error if there are none to repeat.
func repeatable(what string, calls []*Exchange) ([]*Exchange, error) {
	if len(calls) == 0 {
		return nil, fmt.Errorf("only calls that clean up lead to %s, and those are not repeated", what)
	}
	return calls, nil
}

// Failed names the failed verdicts, the most severe first: "W-07@user".
func (f *RunFile) Failed() (names []string) {
	for _, res := range ByWeight(f.Checks) {
		if res.Outcome == Fail {
			names = append(names, res.Name())
		}
	}
	return names
}

// callMeant finds the call that "12", "BOK-16" or "W-07@user" refers to.
func (f *RunFile) callMeant(what string) (*Exchange, error) {
	calls := f.CallsByID()
	if n, err := strconv.Atoi(what); err == nil {
		if x := calls[n]; x != nil {
			return x, nil
		}
		return nil, fmt.Errorf("the run has no call %d; it has %d", n, len(f.Calls))
	}
	id, op, _ := strings.Cut(what, "@")
	meant := WorstOf(f.Checks, strings.ToUpper(id), f.Suite.subject(op))
	switch {
	case id == "" || meant.ID == "":
		return nil, fmt.Errorf("the run has no verdict %q; want a check such as BOK-16 or W-07@user, or the number of a call", what)
	case len(meant.ShownBy) == 0:
		return nil, fmt.Errorf("no call shows %s: it was %s", what, meant.Outcome)
	}
	return calls[meant.ShownBy[len(meant.ShownBy)-1]], nil
}

// CallsUpTo returns the calls of the same probe that ended no later than at, without those that clean up.
func (f *RunFile) CallsUpTo(at *Exchange) []*Exchange {
	var calls []*Exchange
	for _, x := range f.Calls {
		if x.Probe == at.Probe && x.ID <= at.ID && x.Intent != IntentCleanUp {
			calls = append(calls, x)
		}
	}
	return calls
}

// CallsByProbe groups the calls by probe, in the order in which the probes begin.
func (f *RunFile) CallsByProbe() [][]*Exchange {
	var order []ProbeName
	by := map[ProbeName][]*Exchange{}
	for _, x := range f.Calls {
		if x.Intent == IntentCleanUp || x.Probe == ProbePreflight {
			continue
		}
		if by[x.Probe] == nil {
			order = append(order, x.Probe)
		}
		by[x.Probe] = append(by[x.Probe], x)
	}
	var all [][]*Exchange
	for _, name := range order {
		all = append(all, by[name])
	}
	return all
}

// VerdictsByCall returns, for each call, the verdicts it is evidence for.
func (f *RunFile) VerdictsByCall() map[int][]Result {
	found := map[int][]Result{}
	for _, r := range f.Checks {
		ids := slices.Clone(r.ShownBy)
		for _, finding := range r.Findings {
			ids = append(ids, finding.Exchanges...)
		}
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			found[id] = append(found[id], r)
		}
	}
	return found
}

// History returns the calls for [Suite.Verdicts], which reaches the same verdicts on
// them as the run did.
func (f *RunFile) History() []Exchange {
	history := make([]Exchange, len(f.Calls))
	for i, x := range f.Calls {
		history[i] = *x
	}
	return history
}

// CallsByID returns the calls by id.
func (f *RunFile) CallsByID() map[int]*Exchange {
	m := make(map[int]*Exchange, len(f.Calls))
	for _, x := range f.Calls {
		m[x.ID] = x
	}
	return m
}

// ChecksByID returns the checks of the run's catalogue by id.
func (f *RunFile) ChecksByID() map[string]Check {
	m := make(map[string]Check, len(f.Catalogue))
	for _, c := range f.Catalogue {
		m[c.ID] = c
	}
	return m
}
