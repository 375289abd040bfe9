package live

import (
	"cmp"
	"slices"
)

// mostNearest is how many calls are told that nearly fit.
const mostNearest = 3

// nearMiss is a call that nearly fits, and what keeps it from that.
type nearMiss struct {
	Request     document     `json:"request"`
	Differences []difference `json:"differences"`
}

// difference is a condition that a call does not meet.
type difference struct {
	Pointer  string `json:"pointer"` // JSON Pointer into the body of the question
	Term     string `json:"term"`    // what is compared, such as "op" or "body /name"
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// nearest returns the calls that come nearest to fitting, leaving some out. The newest
// of those that are equally near come first.
func (l *Journal) nearest(s *selection, without []*kept) []nearMiss {
	l.mu.Lock()
	all := make([]kept, 0, len(l.kept))
	for _, k := range l.after(s.after) {
		if !slices.Contains(without, k) {
			all = append(all, *k)
		}
	}
	l.mu.Unlock()
	type scored struct {
		nearMiss
		far int
	}
	var found []scored
	for i := range all {
		c := &candidate{kept: &all[i]}
		miss := scored{}
		for _, t := range s.match.terms {
			if !t.fits(c) {
				miss.far += t.weight
				miss.Differences = append(miss.Differences, difference{t.pointer, t.name, t.want, t.got(c)})
			}
		}
		if len(miss.Differences) > 0 {
			miss.Request = all[i].document(true)
			found = append(found, miss)
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(b.Request.ID, a.Request.ID))
	})
	var out []nearMiss
	for _, miss := range found[:min(mostNearest, len(found))] {
		out = append(out, miss.nearMiss)
	}
	return out
}
