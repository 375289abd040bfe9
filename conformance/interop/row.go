package interop

import (
	"cmp"
	"slices"
)

// row is one line of the table of predictions: what it is about, what it rests on, and
// what is said of it. The sentences of what does not work end in the reason.
type row struct {
	id, about string
	needs     []need
	works     string
	breaks    string // also the beginning of what is said of what is not offered, unless without says it
	without   string
}

// predict makes the prediction of a row.
func (r row) predict(p *pair) Prediction {
	a := all(r.needs...)(p)
	one := Prediction{ID: r.id, About: r.about, Vendor: []Evidence{}, Platform: []Evidence{}}
	for _, e := range a.seen {
		one.add(e)
	}
	switch {
	case a.is == no:
		one.Verdict, one.Sentence, one.Reason = Breaks, r.breaks+": "+a.why, a.why
	case a.is == lacks:
		one.Verdict, one.Sentence, one.Reason = Without, cmp.Or(r.without, r.breaks)+": "+a.why, a.why
	case a.is == yes && one.bothShown():
		one.Verdict, one.Sentence = Works, r.works
	case a.is == yes || a.is == mute:
		one.unknown(r.about, "only one of the runs shows it")
	default:
		one.unknown(r.about, a.why)
	}
	return one
}

// unknown says that nothing is predicted, and why.
func (p *Prediction) unknown(about, why string) {
	p.Verdict, p.Sentence, p.Reason = Unknown, "nothing is predicted of "+about+": "+why, why
}

// add adds evidence, each piece once.
func (p *Prediction) add(e Evidence) {
	into := &p.Vendor
	if e.Side == Platform {
		into = &p.Platform
	}
	if !slices.Contains(*into, e) && len(*into) < mostEvidence {
		*into = append(*into, e)
	}
}

// bothShown reports evidence of both runs, which something that works needs.
func (p *Prediction) bothShown() bool { return len(p.Vendor) > 0 && len(p.Platform) > 0 }
