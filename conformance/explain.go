package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Explain sets the causes of the report's failures: the given causes, which name the verdicts that they
// explain, and one for each group of other failures that have something in common. It also sets the number
// of the cause in each verdict, and changes nothing else.
func (r *Report) Explain(given ...Cause) {
	e := explainer{report: r, place: map[string]int{}, plain: PlainCallsOf(r), sight: Sight{calls: map[int]*Exchange{}, show: r.Shown}}
	for _, x := range r.Exchanges {
		e.sight.calls[x.ID] = x
	}
	for i, c := range r.Checks {
		e.place[c.Name()] = i
	}
	r.Causes = nil
	groups := e.groups(given)
	given = e.moveIntoGroups(given, &groups)
	for i := range given {
		e.completeGiven(&given[i])
	}
	r.Causes = append(r.Causes, given...)
	for _, g := range groups {
		r.Causes = append(r.Causes, e.causeOf(g))
	}
	r.orderCauses()
	r.listHiddenVerdicts()
}

// explainer makes causes of the failures of a report.
type explainer struct {
	report *Report
	place  map[string]int // index of each verdict in the report
	plain  PlainCalls
	sight  Sight
}

// failures is a group of verdicts that fail for one reason.
type failures struct {
	fault   *Fault // nil: not a fault that the suite knows
	results []Result
	given   []Cause // given causes that follow from the same fault
}

// groups returns the failures that no given cause explains, grouped by what they have in common, the most
// severe group first.
func (e explainer) groups(given []Cause) []failures {
	var groups []failures
	for _, r := range e.report.Checks {
		told := slices.ContainsFunc(given, func(c Cause) bool { return c.Explains(r) })
		if r.Outcome != Fail || told || len(r.Findings) == 0 {
			continue
		}
		one := failures{results: []Result{r}}
		groups = slices.DeleteFunc(groups, func(g failures) bool {
			kin := slices.ContainsFunc(g.results, func(other Result) bool { return e.haveSameOrigin(r, other) })
			if kin {
				one.results = append(g.results, one.results...)
			}
			return kin
		})
		groups = append(groups, one)
	}
	for i := range e.report.Suite.Faults {
		groups = e.mergeFollowing(groups, &e.report.Suite.Faults[i])
	}
	for i := range groups {
		e.order(&groups[i])
	}
	slices.SortFunc(groups, func(a, b failures) int {
		return e.compareSeverity(slices.MinFunc(a.results, e.compareSeverity), slices.MinFunc(b.results, e.compareSeverity))
	})
	return groups
}

// mergeFollowing merges, into the first group with a fault, the groups in which all failures follow from that
// fault. It returns the groups that are left.
func (e explainer) mergeFollowing(groups []failures, f *Fault) []failures {
	is := func(r Result) bool { return e.faultOf(r) == f }
	at := slices.IndexFunc(groups, func(g failures) bool { return slices.ContainsFunc(g.results, is) })
	if at < 0 || len(f.Follows) == 0 {
		return groups
	}
	root := groups[at]
	root.fault = cmp.Or(root.fault, f)
	left := slices.DeleteFunc(slices.Delete(groups, at, at+1), func(g failures) bool {
		follows := !slices.ContainsFunc(g.results, func(r Result) bool { return !slices.Contains(f.Follows, r.ID) && !is(r) })
		if follows {
			root.results = append(root.results, g.results...)
		}
		return follows
	})
	return append(left, root)
}

// order sorts the verdicts of a group: the most informative first, then the most severe.
func (e explainer) order(g *failures) {
	g.fault = cmp.Or(g.fault, e.faultOf(slices.MinFunc(g.results, e.compareSeverity)))
	slices.SortFunc(g.results, func(a, b Result) int {
		if g.fault == nil {
			return e.compareSeverity(a, b)
		}
		return cmp.Or(g.fault.rank(a)-g.fault.rank(b), e.compareSeverity(a, b))
	})
}

// compareSeverity compares two failures for sorting: the more severe comes first. Among equals, the order of the
// report decides; the order of the calls varies, since many run at once.
func (e explainer) compareSeverity(a, b Result) int {
	return cmp.Or(a.Level.Rank()-b.Level.Rank(), e.place[a.Name()]-e.place[b.Name()])
}

// faultOf returns the kind of fault of a failure, found by its check or else by the member
// it points at; nil if the suite knows none.
func (e explainer) faultOf(r Result) *Fault {
	faults := e.report.Suite.Faults
	last := e.sight.calls[lastOf(r.Findings[0])]
	i := slices.IndexFunc(faults, func(f Fault) bool { return f.checks(r) && (f.When == nil || last != nil && f.When(last)) })
	if i < 0 {
		i = slices.IndexFunc(faults, func(f Fault) bool { return f.points(r) })
	}
	if i < 0 {
		return nil
	}
	return &faults[i]
}

// haveSameOrigin reports whether two failures have something in common: the check and its effect; the kind of fault;
// the wrong member and its value; the last call, unless they point at different members of its reply; or
// the text with which an operation refused. A sign of another failure is akin to that failure.
func (e explainer) haveSameOrigin(a, b Result) bool {
	x, y := a.Findings[0], b.Findings[0]
	f, g := e.faultOf(a), e.faultOf(b)
	if a.ID == b.ID && alike(a, b) && (f == g || f == nil || g == nil) || x.Of == b.ID || y.Of == a.ID {
		return true
	}
	if f != nil && f == g {
		return true
	}
	same := memberOf(x.Pointer) == memberOf(y.Pointer)
	if (f == nil || g == nil) && same && x.Pointer != "" && x.Got != "" && WithoutDigits(x.Got) == WithoutDigits(y.Got) {
		return true
	}
	last, other := e.sight.calls[lastOf(x)], e.sight.calls[lastOf(y)]
	if last == nil || other == nil {
		return false
	}
	return last == other && (same || x.Pointer == "" || y.Pointer == "") || refusedAlike(last, other)
}

// alike reports whether two operations fail a check with the same effect: in the same member, or in the same words.
func alike(a, b Result) bool {
	words := func(r Result) string {
		return WithoutDigits(strings.ReplaceAll(r.Findings[0].Message, r.Operation.Path(), ""))
	}
	member := memberOf(a.Findings[0].Pointer)
	return words(a) == words(b) || member != "" && member == memberOf(b.Findings[0].Pointer)
}

// refusedAlike reports whether two calls of an operation were refused with the same text, digits aside. A 5xx
// does not count: a server has one text for all its errors.
func refusedAlike(x, y *Exchange) bool {
	return x.Operation == y.Operation && x.RefusedCleanly() && x.Code() == y.Code() &&
		WithoutDigits(string(x.Response.Body)) == WithoutDigits(string(y.Response.Body))
}

// lastOf returns the id of the last call of a finding, 0 if it has none.
func lastOf(f Finding) int {
	if len(f.Exchanges) == 0 {
		return 0
	}
	return f.Exchanges[len(f.Exchanges)-1]
}

// moveIntoGroups moves those given causes that follow from the fault of a group into that group, and returns the
// others.
func (e explainer) moveIntoGroups(given []Cause, groups *[]failures) []Cause {
	for i := range e.report.Suite.Faults {
		f := &e.report.Suite.Faults[i]
		if f.Seen == nil || f.Seen(e.report.Exchanges) == nil {
			continue
		}
		broken := func(c Cause) bool { return !c.Ends && slices.Contains(f.Breaks, c.Operation) }
		at := slices.IndexFunc(*groups, func(g failures) bool { return g.fault == f })
		if at < 0 || !slices.ContainsFunc(given, broken) {
			continue
		}
		g := &(*groups)[at]
		given = slices.DeleteFunc(slices.Clone(given), func(c Cause) bool {
			if broken(c) {
				g.given = append(g.given, c)
			}
			return broken(c)
		})
	}
	return given
}

// completeGiven completes a given cause: it sorts the verdicts that the cause explains and sets the deciding
// call.
func (e explainer) completeGiven(c *Cause) {
	var results []Result
	for _, r := range e.report.Checks {
		if c.Explains(r) {
			results = append(results, r)
		}
	}
	slices.SortFunc(results, e.compareSeverity)
	c.Failed = namesOf(results)
	if x := e.sight.Call(c.Call); x != nil {
		d := e.plain.decidingIn(x)
		c.Deciding = &d
	}
}

func namesOf(results []Result) []string {
	var names []string
	for _, r := range results {
		names = append(names, r.Name())
	}
	return names
}

// causeOf makes the cause of a group of failures.
func (e explainer) causeOf(g failures) Cause {
	first, sight := g.results[0], e.sight
	sight.Failed = g.results
	c := Cause{Cure: first.Findings[0].Hint, Failed: namesOf(g.results)}
	for _, was := range g.given {
		c.Failed = append(c.Failed, was.Failed...)
		sight.Broken = append(sight.Broken, was.Operation)
	}
	c.Call, _ = first.FirstCall()
	if slices.Contains(e.report.Suite.Operations, first.Operation) {
		c.Operation = first.Operation
	}
	var decides *Exchange
	if f := g.fault; f != nil && f.Says != nil {
		c.Message, decides = f.Says(sight)
	}
	if f := g.fault; f != nil && (f.Says == nil || c.Message != "") {
		c.Cure = cmp.Or(f.Cure, c.Cure)
	}
	c.Message = Worded(cmp.Or(c.Message, e.sentence(first)))
	c.Deciding = e.deciding(first.Findings[0])
	if decides == nil && c.Deciding != nil {
		decides = e.made(c.Deciding.Call)
	}
	if decides != nil {
		d := e.plain.decidingIn(decides)
		c.Deciding, c.Call = &d, decides.ID
	}
	return c
}

// made returns the call with an id if the judged client made it; nil: the suite made it, or there is none.
func (e explainer) made(call int) *Exchange {
	if x := e.sight.Call(call); x != nil && x.Direction == Received {
		return x
	}
	return nil
}

// deciding describes the call of a finding that differs most from a plain one; of several, the last. Of
// calls by the judged client it takes the first, since the suite did not vary them. It returns nil if the
// finding has no call.
func (e explainer) deciding(f Finding) *DecidingCall {
	var found *DecidingCall
	for _, id := range f.Exchanges {
		x := e.sight.Call(id)
		if x == nil {
			continue
		}
		if found != nil && x.Direction == Received {
			break
		}
		if d := e.plain.decidingIn(x); found == nil || e.plain.countUnusualFields(d) >= e.plain.countUnusualFields(*found) {
			found = &d
		}
	}
	return found
}

// sentence describes a failure: the operation, what is wrong, the value found and the value expected.
func (e explainer) sentence(r Result) string {
	f := r.Findings[0]
	if c, _ := e.report.Suite.Lookup(r.ID); c.Requirement == f.Expected {
		f.Expected = ""
	}
	x := e.sight.Call(lastOf(f))
	text := f.Gist() + nestedElsewhere(f, x)
	switch {
	case x == nil || strings.Contains(f.Message, x.Operation.Path()+" "):
		return text
	case f.Pointer != "" && strings.HasPrefix(text, f.Pointer+" "):
		return "in the reply of " + x.Operation.Path() + ", " + memberPath(f.Pointer) + strings.TrimPrefix(text, f.Pointer)
	}
	return x.Operation.Path() + ": " + text
}

// nestedElsewhere says where a member is nested that a reply lacks at the top level, since a server may wrap its
// replies; "": it is not in the reply either.
func nestedElsewhere(f Finding, x *Exchange) string {
	member := strings.TrimPrefix(f.Pointer, "/")
	if x == nil || f.Got != nothing || member == "" || strings.Contains(member, "/") {
		return ""
	}
	for _, v := range x.Reply().Members() {
		if found := v.At(member); found.Present() {
			return fmt.Sprintf("; there is one at %s", memberPath(found.Pointer()))
		}
	}
	return ""
}

// memberPath writes a pointer as programmers do: items[0].date.
func memberPath(pointer string) string {
	var b strings.Builder
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch {
		case strings.Trim(step, "0123456789") == "":
			b.WriteString("[" + step + "]")
		case b.Len() > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}

// orderCauses sorts the causes: those that end a run come first, then those with a failed MUST, then those
// with a grave harm, then the others by level; causes of only known or unscored failures come last. It also
// sets the cause of each verdict.
func (r *Report) orderCauses() {
	rank := func(c Cause) int {
		best := 2 * len(levels)
		for _, res := range r.Checks {
			if res.Known == nil && !res.Unscored && c.Explains(res) {
				best = min(best, r.rank(res))
			}
		}
		if len(c.Failed) == 0 {
			best = Must.Rank()
		}
		return best
	}
	slices.SortStableFunc(r.Causes, func(a, b Cause) int {
		if a.Ends != b.Ends {
			return orderOf(a.Ends) - orderOf(b.Ends)
		}
		return rank(a) - rank(b)
	})
	for i := range r.Checks {
		r.Checks[i].Cause = 1 + slices.IndexFunc(r.Causes, func(c Cause) bool { return c.Explains(r.Checks[i]) })
	}
}

// rank returns a number to sort failures by: MUSTs come first, then those whose harm is grave, then the
// others, each by level.
func (r *Report) rank(res Result) int {
	if res.Level == Must || r.Suite.grave(res.Harm) {
		return res.Level.Rank()
	}
	return len(levels) + res.Level.Rank()
}

// listHiddenVerdicts adds to the first cause the verdicts that were not reached because the server failed, refused or did
// not answer an earlier call.
func (r *Report) listHiddenVerdicts() {
	if len(r.Causes) == 0 {
		return
	}
	behind := []ReasonKind{NotServed, FailedBefore, CannotCancel, Unanswered, ServerGone}
	for _, res := range r.Checks {
		if slices.Contains(r.Suite.Later, res.ID) {
			continue // the day decides
		}
		if res.Outcome == NotVerified && len(res.Findings) > 0 && res.Findings[0].Reason != nil && slices.Contains(behind, res.Findings[0].Reason.Kind) {
			r.Causes[0].Hidden = append(r.Causes[0].Hidden, res.Name())
		}
	}
}
