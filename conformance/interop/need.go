package interop

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// is says whether a need is met.
type is int

const (
	unclear is = iota // a run did not show it
	yes
	no
	lacks // one of the two lacks it, which is allowed
	mute  // it does not matter here
)

// answer reports whether a need is met, with the evidence.
type answer struct {
	is   is
	why  string // for no, lacks and unclear: the end of a sentence
	seen []Evidence
}

// need is a requirement of a prediction.
type need func(*pair) answer

// on returns the run of a side.
func (p *pair) on(s Side) *run {
	if s == Vendor {
		return p.vendor
	}
	return p.platform
}

// check requires verdicts to be green on every operation. Warnings count as
// met.
func check(s Side, names string) need {
	return func(p *pair) answer {
		all := answer{is: yes}
		for name := range strings.FieldsSeq(names) {
			found := p.on(s).verdicts(name)
			if len(found) == 0 {
				all.worse(answer{is: unclear, why: name + " is not in the " + string(s) + "'s run"})
			}
			for _, v := range found {
				all.worse(p.on(s).judge(v))
			}
		}
		return all
	}
}

func vendor(names string) need   { return check(Vendor, names) }
func platform(names string) need { return check(Platform, names) }

// judge converts a verdict to an answer.
func (r *run) judge(v conformance.Result) answer {
	e := r.evidence(v)
	a := answer{is: unclear, seen: []Evidence{e}, why: v.Name() + " was not verified of the " + string(r.side)}
	switch v.Outcome {
	case conformance.Pass, conformance.Warn, conformance.Seen:
		a.is = yes
	case conformance.Fail:
		a.is, a.why = no, e.Says
	case conformance.Flaky:
		a.why = v.Name() + " comes and goes"
	}
	return a
}

// weight orders answers: the one with the highest weight decides.
var weight = map[is]int{mute: 0, yes: 1, unclear: 2, lacks: 3, no: 4}

// mostEvidence is how many pieces of evidence are stored for each side.
const mostEvidence = 6

// worse combines the answer with another one that must also be met.
func (a *answer) worse(b answer) {
	if weight[b.is] > weight[a.is] {
		a.is, a.why = b.is, b.why
		a.seen = append(b.seen, a.seen...) // what decides comes first
		return
	}
	a.seen = append(a.seen, b.seen...)
}

// all requires every need to be met.
func all(needs ...need) need {
	return func(p *pair) answer {
		sum := answer{is: mute}
		for _, n := range needs {
			sum.worse(n(p))
		}
		return sum
	}
}

// either requires one of the needs to be met.
func either(needs ...need) need {
	return func(p *pair) answer {
		var sum answer
		for i, n := range needs {
			a := n(p)
			switch {
			case a.is == yes:
				return a
			case i == 0 || weight[a.is] < weight[sum.is]:
				a.seen = append(a.seen, sum.seen...)
				sum = a
			default:
				sum.seen = append(sum.seen, a.seen...)
			}
		}
		return sum
	}
}

// soft is a need whose failure has an unknown effect: the prediction is then unknown.
func soft(n need) need {
	return func(p *pair) answer {
		a := n(p)
		if a.is == no || a.is == lacks {
			a.is, a.why = unclear, a.why+", and what the other makes of that was not seen"
		}
		return a
	}
}

// unsure is a need that says nothing when it is met, for a reason.
func unsure(why string, n need) need {
	return func(p *pair) answer {
		a := n(p)
		if a.is == yes {
			a.is, a.why = unclear, why
		}
		return a
	}
}

// failing is met if a check fails: the system accepts what it should refuse.
func failing(n need) need {
	return func(p *pair) answer {
		a := n(p)
		switch a.is {
		case yes:
			a.is, a.why = no, "the other refuses it"
		case no:
			a.is = yes
		}
		return a
	}
}

// clash is a need that is unmet only if two others are both unmet.
func clash(why string, one, other need) need {
	return func(p *pair) answer {
		a, b := one(p), other(p)
		met := func(x answer) bool { return x.is != no && x.is != lacks }
		if met(a) || met(b) {
			return answer{is: mute}
		}
		return answer{is: no, why: why, seen: append(a.seen, b.seen...)}
	}
}

// option wants an option of the interface to be kept on, and the check of it: what is
// not told when it is on is lacking, and of what is told although it is off nothing is
// known but that.
func option(name, id string) need {
	heard := func(p *pair) answer {
		a := soft(platform(id))(p)
		for _, v := range p.platform.verdicts(id) {
			if v.Outcome == conformance.Warn {
				a.is, a.why = lacks, p.platform.evidence(v).Says
			}
		}
		return a
	}
	return all(keepsOn("options", name), heard)
}
