package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// mostNearest is how many calls are told that nearly fit.
const mostNearest = 3

// NearMiss is a call that nearly fits, and what keeps it from that.
type NearMiss struct {
	Request     live.Document `json:"request"`
	Differences []Difference  `json:"differences"`
}

// Difference is a condition that a call does not meet.
type Difference struct {
	Pointer  string `json:"pointer"` // JSON Pointer into the body of the question
	Term     string `json:"term"`    // what is compared, such as "op" or "body /name"
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// measured are calls, with how far each is from fitting some matches; 0: it fits.
type measured struct {
	calls []*live.Call
	far   [][]uint16         // by match, then by call; weights are small
	told  map[int]*candidate // by place: those that are told of, whose bodies are read again once

	differ map[[2]int][]Change // by place: what one call sent that came too often, and another
}

// measure compares the calls after an id with matches. Each body is read once, however
// many matches there are, and no further one when whoever asks has gone.
func (l *Journal) measure(ctx context.Context, after int, matches []*match) (*measured, error) {
	m := &measured{far: make([][]uint16, len(matches)), told: map[int]*candidate{}, differ: map[[2]int][]Change{}}
	all, judged := l.After(after)
	for _, k := range all {
		if k.X.ID <= judged {
			m.calls = append(m.calls, l.Copy(k))
		}
	}
	for i := range m.calls {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("journal: whoever asked has gone: %w", err)
		}
		c := &candidate{Call: m.calls[i]}
		for j, match := range matches {
			m.far[j] = append(m.far[j], match.far(c))
		}
	}
	return m, nil
}

// far is how far a call is from fitting.
func (m *match) far(c *candidate) (far uint16) {
	for i := range m.terms {
		if !m.terms[i].fits(c) {
			far += uint16(m.terms[i].weight) //nolint:gosec // at most 50 of at most 8
		}
	}
	return far
}

// fitting returns the ids of the calls after an id that fit a match.
func (m *measured) fitting(match, after int) []int {
	ids := []int{}
	for i := range m.calls {
		if id := m.calls[i].X.ID; id > after && m.far[match][i] == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// nearest returns the calls after an id that come nearest to fitting a match. The newest
// of those that are equally near come first.
func (m *measured) nearest(at int, match *match, after int) []NearMiss {
	far := m.far[at]
	var missed []int // places of calls
	for i := range m.calls {
		if far[i] > 0 && m.calls[i].X.ID > after {
			missed = append(missed, i)
		}
	}
	slices.SortFunc(missed, func(a, b int) int {
		return cmp.Or(cmp.Compare(far[a], far[b]), cmp.Compare(m.calls[b].X.ID, m.calls[a].X.ID))
	})
	var out []NearMiss
	for _, i := range missed[:min(mostNearest, len(missed))] {
		c := m.candidate(i)
		miss := NearMiss{Request: c.Document(true)}
		for _, t := range match.terms {
			if !t.fits(c) {
				miss.Differences = append(miss.Differences, Difference{t.pointer, t.name, t.want, t.got(c)})
			}
		}
		out = append(out, miss)
	}
	return out
}

// surplus returns the first calls beyond so many of those that fit, and how what they sent differs
// from what the first one did. pointer is where the question says how many.
func (m *measured) surplus(ids []int, most int, pointer string) []NearMiss {
	first := m.place(ids[0])
	var out []NearMiss
	for _, id := range ids[most:min(most+mostNearest, len(ids))] {
		i := m.place(id)
		miss := NearMiss{Request: m.candidate(i).Document(true)}
		for _, d := range m.differences(first, i) {
			term := fmt.Sprintf("body %s, as in call %d", d.Pointer, ids[0])
			miss.Differences = append(miss.Differences, Difference{pointer, term, d.Was, d.Now})
		}
		out = append(out, miss)
	}
	return out
}

// place is where the call with an id is among the measured.
func (m *measured) place(id int) int {
	i, _ := slices.BinarySearchFunc(m.calls, id, func(k *live.Call, id int) int { return cmp.Compare(k.X.ID, id) })
	return i
}

// candidate is a call that is told of.
func (m *measured) candidate(i int) *candidate {
	c := m.told[i]
	if c == nil {
		c = &candidate{Call: m.calls[i]}
		m.told[i] = c
	}
	return c
}

// differences are those between what two calls sent, which are compared once.
func (m *measured) differences(one, other int) []Change {
	both := [2]int{one, other}
	all, known := m.differ[both]
	if !known {
		all = differences(m.sent(one), m.sent(other))
		m.differ[both] = all
	}
	return all
}

// sent is the body that a call sent.
func (m *measured) sent(i int) jsonvalue.Value {
	x := m.calls[i].Plain()
	x.Read()
	return x.Sent()
}
