package simulator

import "time"

// eventKind is the kind of an event; see [core.happen].
type eventKind uint8

// event is a planned event. Events of the same moment happen in the order in which they
// were planned.
type event struct {
	at    moment
	seq   uint64
	stamp uint32 // the event is void unless its job still has this stamp; 0: always valid
	job   int32
	car   int32
	kind  eventKind
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.seq < o.seq
}

// queue holds the planned events, soonest first. It is a heap with four children per
// node, which touches fewer cache lines than one with two.
type queue struct {
	heap []event
	seq  uint64 // of the last event planned
}

// next returns the time of the soonest event; false: the queue is empty.
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

// take removes the events for which wanted returns true, and returns them in no particular order.
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
	for _, e := range kept { // the write index never overtakes the read index
		q.push(e)
	}
	return taken
}

// sink puts e at the root, which is empty, and moves it down to its place.
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

// The kinds of events.
const (
	evRelease   eventKind = iota // a held booking is released
	evOffer                      // a driver is asked
	evAccept                     // the driver who was asked accepts
	evRefuse                     // … refuses, or does not answer
	evSetOff                     // the driver sets off for the pickup
	evArrive                     // the car is at the pickup
	evContact                    // the driver calls the passenger
	evBoard                      // the passenger is on board
	evStop                       // an intermediate drop-off is done
	evFinish                     // the last drop-off is done
	evNoShow                     // the driver has waited long enough
	evDrop                       // the driver gives the job back
	evBreakdown                  // the car breaks down
	evCancel                     // the passenger cancels
	evOnDuty                     // an off-duty car is available again
	evSweep                      // held and waiting journeys are checked
	evForget                     // old journeys are deleted
	evAssign                     // the jobs of an interval are assigned
	evShift                      // a driver's shift begins
	evShiftEnds                  // … ends
	evBreak                      // … is half over: a break
	evDemand                     // a resident books
	evScript                     // the next step of a journey's script is due
)

// schedule plans an event of a job. The event becomes void when the job's plan changes.
func (w *core) schedule(at moment, kind eventKind, n, car int32) {
	w.plan(event{at: at, stamp: w.jobs.all[n].stamp, kind: kind, job: n, car: car})
}

// plan puts an event into the queue, at the current moment if its time has passed.
func (w *core) plan(e event) {
	w.queue.seq++
	e.seq = w.queue.seq
	e.at = max(e.at, w.now)
	if !w.parkNew(e) {
		w.queue.push(e)
	}
}

// storeRetry is the delay until an event is tried again whose change could not be stored.
const storeRetry = 5 * time.Second

// parkNew parks a newly planned event if it must wait, and reports whether it did.
func (w *core) parkNew(e event) bool {
	if e.stamp == 0 {
		return false
	}
	a := w.jobs.all[e.job].aside
	if a == nil || !a.parks(e.kind) {
		return false
	}
	w.slide(e.job)
	a.parked = append(a.parked, e)
	return true
}

// slide postpones a job's parked events by the time that they have waited, so that new
// events can be planned relative to now.
func (w *core) slide(n int32) {
	j := &w.jobs.all[n]
	a := j.aside
	if a == nil || a.since == w.now {
		return
	}
	by := w.now - a.since
	a.since = w.now
	for i := range a.parked {
		a.parked[i].at += by
	}
	j.due += by
	j.setOff += by
	if !a.held {
		return
	}
	a.next += by
	if j.car != none {
		c := &w.fleet.cars[j.car]
		c.departs += by
		c.frozen = w.now
	}
}
