package town

import "fmt"

// Lengths are kept in 32 bits of millimetres and times in 32 bits of
// milliseconds. What a map may ask of them stays well below that, for sums of
// three are formed.
const (
	longestLink   = 500_000_000   // mm: 500 km between two junctions
	longestStreet = 2_000_000_000 // mm under one name
	longestTown   = 500_000       // km in all
	farthest      = 1 << 29       // ms there and back: six days
)

// checkLengths checks the lengths of pieces and of the streets they make.
func checkLengths(pieces []piece, streets []Street) error {
	length := make([]int64, len(streets))
	total := int64(0)
	for i := range pieces {
		p := &pieces[i]
		run := int64(0)
		for k := 1; k < len(p.shape); k++ {
			run += distance(p.shape[k-1], p.shape[k])
		}
		length[p.street] += run
		total += run / 1_000_000
		switch name := clip(streets[p.street].Name); {
		case run > longestLink:
			return fmt.Errorf("%w: a road %q of %d km without a junction, at most %d", ErrTooLarge, name, run/1e6, longestLink/1_000_000)
		case length[p.street] > longestStreet:
			return fmt.Errorf("%w: more than %d km of road are called %q", ErrTooLarge, longestStreet/1_000_000, name)
		case total > longestTown:
			return fmt.Errorf("%w: more than %d km of road", ErrTooLarge, longestTown)
		}
	}
	return nil
}

// checkReach checks that the quickest way between any two nodes fits into the limits. It
// is no longer than the way through a node in the middle.
func (t builder) checkReach() error {
	middle := int32(0)
	for i, p := range t.Nodes {
		if distance2(p, XY{}) < distance2(t.Nodes[middle], XY{}) {
			middle = int32(i)
		}
	}
	const most = 1<<31 - 1
	limit := int32(min(farthest, most*1_000/t.arcs.fastest))
	there, back := t.farthest(middle, false, limit), t.farthest(middle, true, limit)
	if there > limit-back {
		return fmt.Errorf("%w: more than %d hours to the farthest street and back", ErrTooLarge, limit/3_600_000)
	}
	return nil
}

// farthest returns the milliseconds from a node to the one that takes longest
// to reach, or to reach it from; at least limit where that takes longer.
func (t builder) farthest(node int32, back bool, limit int32) int32 {
	cost := make([]int32, len(t.Nodes))
	for i := range cost {
		cost[i] = unreached
	}
	first, arcs := t.arcs.first, t.arcs.out
	if back {
		first, arcs = t.arcsInto()
	}
	var q queue
	cost[node] = 0
	q.push(0, node)
	last := int32(0)
	for len(q) > 0 {
		c, v := q.pop()
		if c > cost[v] {
			continue
		}
		if last = c; last >= limit {
			return limit
		}
		for _, arc := range arcs[first[v]:first[v+1]] {
			w := t.head(arc)
			if back {
				w = t.head(arc ^ 1)
			}
			if next := c + t.arcs.cost[arc].ms; next < cost[w] {
				cost[w] = next
				q.push(next, w)
			}
		}
	}
	return last
}

// arcsInto lists the arcs that end at each node, as arcTable lists those that
// leave.
func (t *Town) arcsInto() (first, into []int32) {
	first = make([]int32, len(t.Nodes)+1)
	for _, arc := range t.arcs.out {
		first[t.head(arc)+1]++
	}
	for i := range t.Nodes {
		first[i+1] += first[i]
	}
	into = make([]int32, len(t.arcs.out))
	fill := append([]int32(nil), first...)
	for _, arc := range t.arcs.out {
		w := t.head(arc)
		into[fill[w]] = arc
		fill[w]++
	}
	return first, into
}
