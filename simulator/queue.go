package simulator

// eventKind says what happens; see World.happen.
type eventKind uint8

// event is something that will happen. Events of one moment happen in the order
// in which they were scheduled.
type event struct {
	at    moment
	seq   uint64
	stamp uint32 // void unless its job still has this stamp; 0: always valid
	job   int32
	car   int32
	kind  eventKind
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.seq < o.seq
}

// queue holds what will happen, soonest first: a heap with four children to a
// node, which touches fewer cache lines than one with two.
type queue struct{ heap []event }

// next returns when the soonest event happens.
func (q *queue) next() (moment, bool) {
	if len(q.heap) == 0 {
		return 0, false
	}
	return q.heap[0].at, true
}

func (q *queue) push(e event) {
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// pop removes the soonest event; the queue must not be empty.
func (q *queue) pop() event {
	h := q.heap
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	q.heap = h
	if len(h) > 0 {
		q.sink(last)
	}
	return top
}

// take removes the events that are wanted, and returns them in no order.
func (q *queue) take(wanted func(*event) bool) []event {
	var taken []event
	kept := q.heap[:0]
	for _, e := range q.heap {
		if wanted(&e) {
			taken = append(taken, e)
		} else {
			kept = append(kept, e)
		}
	}
	q.heap = kept[:0]
	for _, e := range kept { // never overtakes what is still to be read
		q.push(e)
	}
	return taken
}

// sink puts e at the top, which is empty, and moves it down to its place.
func (q *queue) sink(e event) {
	h, i := q.heap, 0
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(h)); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
}
