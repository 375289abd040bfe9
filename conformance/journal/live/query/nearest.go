package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cabrank/cabrank/conformance/journal/live"
)

// mostNearest is how many near misses are returned.
const mostNearest = 3

// NearMiss is a call that nearly matches, with its differences.
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

// measured holds calls and the distance of each from several matches; 0: it matches.
type measured struct {
	calls     []*live.Call
	distances [][]uint16         // by match, then by call; weights are small
	shown     map[int]*candidate // by index: calls in the answer, whose bodies are parsed again once
}

// measure compares the calls after an id with matches. It parses each body once for all
// matches, and stops when the client has disconnected.
func (l *Journal) measure(ctx context.Context, after int, matches []*match) (*measured, error) {
	m := &measured{distances: make([][]uint16, len(matches)), shown: map[int]*candidate{}}
	all, judged := l.After(after)
	for _, k := range all {
		if k.X.ID <= judged {
			m.calls = append(m.calls, l.Copy(k))
		}
	}
	for i := range m.calls {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("journal: the client has disconnected: %w", err)
		}
		c := &candidate{Call: m.calls[i]}
		for j, match := range matches {
			m.distances[j] = append(m.distances[j], match.distance(c))
		}
	}
	return m, nil
}

// distance returns how far a call is from matching.
func (m *match) distance(c *candidate) (distance uint16) {
	for i := range m.terms {
		if !m.terms[i].fits(c) {
			distance += uint16(m.terms[i].weight) //nolint:gosec // at most 50 of at most 8
		}
	}
	return distance
}

// fitting returns the ids of the calls after an id that fit a match.
func (m *measured) fitting(match, after int) []int {
	ids := []int{}
	for i := range m.calls {
		if id := m.calls[i].X.ID; id > after && m.distances[match][i] == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// nearest returns the calls after an id that are nearest to a match. Among equals, the
// newest come first.
func (m *measured) nearest(at int, match *match, after int) []NearMiss {
	distances := m.distances[at]
	var missed []int // indexes of calls
	for i := range m.calls {
		if distances[i] > 0 && m.calls[i].X.ID > after {
			missed = append(missed, i)
		}
	}
	slices.SortFunc(missed, func(a, b int) int {
		return cmp.Or(cmp.Compare(distances[a], distances[b]), cmp.Compare(m.calls[b].X.ID, m.calls[a].X.ID))
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

// candidate returns a call of the answer.
func (m *measured) candidate(i int) *candidate {
	c := m.shown[i]
	if c == nil {
		c = &candidate{Call: m.calls[i]}
		m.shown[i] = c
	}
	return c
}
