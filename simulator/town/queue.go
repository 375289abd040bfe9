package town

// queue is a heap of costs and nodes in one word each, least first and ties by
// node, so that searches take the same way on every run. Each entry has four
// children, which halves the depth of a binary heap.
type queue []uint64

func (q *queue) push(cost, node int32) {
	key := uint64(cost)<<32 | uint64(uint32(node))
	h := append(*q, key)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if h[parent] <= key {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = key
	*q = h
}

func (q *queue) pop() (cost, node int32) {
	h := *q
	top, key := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	for i := 0; len(h) > 0; {
		first := 4*i + 1
		if first >= len(h) {
			h[i] = key
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(h)); c++ {
			if h[c] < h[least] {
				least = c
			}
		}
		if key <= h[least] {
			h[i] = key
			break
		}
		h[i] = h[least]
		i = least
	}
	return int32(top >> 32), int32(uint32(top))
}

// least returns the lowest cost; the queue must not be empty.
func (q queue) least() int32 { return int32(q[0] >> 32) }
