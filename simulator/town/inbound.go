package town

// inbound holds the cost from each rank to one end of routes. It is filled once from the label
// of that end, so that each of several starts reads only its own label.
type inbound struct {
	costs []int32 // by rank; of the core, notYet until it is asked for
	gates []hub   // of the end in the core
	dirty []int32 // ranks whose costs are to be cleared
}

// notYet is the cost of a rank of the core that has not been computed.
const notYet = -1

// prepare sets the costs from the hubs of an end.
func (in *inbound) prepare(h *hierarchy, hubs []hub) {
	if len(in.costs) != len(h.rank) {
		in.costs = make([]int32, len(h.rank))
		for i := range in.costs {
			in.costs[i] = h.empty(int32(i))
		}
	}
	for _, rank := range in.dirty {
		in.costs[rank] = h.empty(rank)
	}
	in.dirty, in.gates = in.dirty[:0], nil
	for i, b := range hubs {
		if b.rank >= h.core {
			in.gates = hubs[i:]
			return
		}
		in.set(b.rank, b.cost)
	}
}

// empty returns the cost of a rank that is not a hub of the end.
func (h *hierarchy) empty(rank int32) int32 {
	if rank >= h.core {
		return notYet
	}
	return unreached
}

func (in *inbound) set(rank, cost int32) {
	in.costs[rank] = cost
	in.dirty = append(in.dirty, rank)
}

// lower returns the cost of the route over a way out of a start if it is less than enough, and
// otherwise enough.
func (in *inbound) lower(h *hierarchy, w exit, enough int32) int32 {
	for _, a := range h.up.hubs.of(w.rank) {
		out := w.cost + a.cost
		if out >= enough {
			continue
		}
		rest := in.costs[a.rank]
		if rest == notYet {
			rest = in.through(h, a.rank)
		}
		if rest < enough-out {
			enough = out + rest
		}
	}
	return enough
}

// through returns the cost from a rank of the core to the end.
func (in *inbound) through(h *hierarchy, rank int32) int32 {
	least, row := int32(unreached), h.row(rank)
	for _, b := range in.gates {
		if across := row[b.rank-h.core]; across < least-b.cost {
			least = across + b.cost
		}
	}
	in.set(rank, least)
	return least
}
