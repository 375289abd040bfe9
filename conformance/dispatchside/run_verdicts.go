package dispatchside

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// verdicts turns findings into verdicts, adds the reasons why probes did not finish, and hides
// telephone numbers and credentials.
func (r *run) verdicts(found []conformance.FiledFinding) []conformance.Result {
	results := r.suite.Conclude(found, r.absent)
	for i := range results {
		r.addReason(&results[i])
	}
	return r.Redactor().Results(results)
}

// addReason adds, to a verdict that a check was not verified, the reason why a probe for it did not
// finish.
func (r *run) addReason(res *conformance.Result) {
	why := r.blockedBy(res.ID)
	if res.Outcome != conformance.NotVerified || why == nil || why.Kind == conformance.NeedsAid || r.Silent.Cause() != nil {
		return
	}
	f := &res.Findings[0]
	if f.Reason != nil && f.Reason.Probe != "" {
		return // it has its own reason
	}
	f.Reason = why
	f.Message += ": " + why.Brief()
}

// blockedBy returns the reason why a probe on which a check depends did not finish, or
// nil if all finished.
func (r *run) blockedBy(id string) *conformance.Reason {
	for _, p := range r.probes {
		if why := p.blockedBy(); why != nil && p.depends(id) {
			return why
		}
	}
	return nil
}

// absent returns why no rule judged a check, or nil if nothing explains it.
func (r *run) absent(c conformance.Check, op conformance.Operation) *conformance.Reason {
	blocked := r.blockedBy(c.ID)
	switch {
	case len(r.target.Only) > 0 && !slices.Contains(r.target.Only, c.ID):
		return new(conformance.Because(conformance.NotAsked, "the run was limited to %s", strings.Join(r.target.Only, ", ")))
	case r.Silent.Cause() != nil:
		return new(conformance.Because(conformance.ServerGone, "%s", r.Silent.Cause().Message))
	case blocked != nil && (c.Needs == "" || blocked.Kind != conformance.NeedsAid || blocked.Aid == c.Aid):
		return blocked
	case c.Needs != "":
		why := conformance.Because(conformance.NotSeen, "%s", c.Needs)
		why.Aid = r.missingAid(c)
		return &why
	}
	return r.tooLittle(c, op)
}

// tooLittle returns why a check without special needs has no verdict: the server answered
// too few calls. It returns nil if it answered enough.
func (r *run) tooLittle(c conformance.Check, op conformance.Operation) *conformance.Reason {
	const little = "too few calls were answered: "
	if c.AnyReply {
		for _, p := range r.probes {
			if why := p.blockedBy(); why != nil && why.ServerOwn() {
				return new(conformance.Because(why.Kind, little+"%s", why.Text))
			}
		}
		if !r.speaksJSON(op) {
			return new(conformance.Because(conformance.NotServed, little+"no reply of %s is one JSON object (see W-01)", op.Path()))
		}
	}
	if op := r.neverServed(); op != "" {
		return new(conformance.Because(conformance.NotServed, little+"%s was always refused", op.Path()))
	}
	if r.RateLimited.Load() {
		return new(conformance.Because(conformance.RateLimited, little+"the server kept answering that calls are too frequent (429)"))
	}
	return nil
}

// excuseStrangers sets the reason of the gaps if the server books only for its customers: the run
// had no customer's number.
func excuseStrangers(gaps []conformance.Gap, results []conformance.Result) []conformance.Gap {
	if !slices.ContainsFunc(results, booksForCustomers) {
		return gaps
	}
	for i := range gaps {
		gaps[i].Reason, gaps[i].Why = conformance.NeedsAid, rules.NameCustomers
	}
	return gaps
}

// booksForCustomers reports whether a verdict says that the server books only for its customers.
func booksForCustomers(res conformance.Result) bool {
	if res.ID != "W-01" || res.Operation != rules.OpBook || res.Outcome != conformance.NotVerified || len(res.Findings) == 0 {
		return false
	}
	why := res.Findings[0].Reason
	return why != nil && why.Aid == conformance.AidNumbers
}
