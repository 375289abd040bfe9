package simulator

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// job is a live journey with the world's plans for it.
type job struct {
	journey *store.Journey // as last changed; owned by the store, read-only
	key     uint64         // the entity of its random streams
	born    uint32         // stamp of events that are valid until the journey ends
	stamp   uint32         // stamp of events that are valid until the plan changes
	kinds   crew.Kind      // kinds of cars that may take it
	pickup  road.Spot

	car     int32   // the assigned car
	asked   int32   // the car whose driver is deciding on the offer
	tries   uint32  // number of offers
	refused []int32 // cars that are not asked (again)

	setOff           moment     // when the car sets off to the pickup
	due              moment     // when the car reaches the pickup; on board, the last drop-off
	edited           moment     // when it was last edited
	stop             int        // index of the next drop-off
	meter            fare.Meter // reading of the meter before the current drive
	asDirected       bool       // the passenger gives directions during the journey
	noShow           bool       // the passenger will not come
	passengerDecided bool       // noShow is decided

	aside         *aside // nil: the job progresses by itself
	scriptStopped string // why its script ended early
}

// jobs holds the live journeys. The slot of a job is reused after its end. Stamps are
// never reused, so events of the old job are void for the new one.
type jobs struct {
	all      []job
	idle     []int32
	bySerial map[uint64]int32 // by the journey's serial number: ids would take half as much memory again, and longer to find
	stamp    uint32
	space    job // for draft
}

// nextStamp returns a new stamp; 0 is not used.
func (js *jobs) nextStamp() uint32 {
	js.stamp++
	if js.stamp == 0 {
		js.stamp++
	}
	return js.stamp
}

// expect allocates space for n jobs, and for a few more: without those, the first new job
// would copy all.
func (js *jobs) expect(n int) {
	js.all = slices.Grow(js.all, n+soon(n))
	js.bySerial = make(map[uint64]int32, n)
}

// soon returns for how many further jobs to allocate memory when there are n.
func soon(n int) int { return n/32 + min(n, 240) + 16 }

// open creates the job of a journey.
func (js *jobs) open(j *store.Journey) int32 {
	var n int32
	if last := len(js.idle) - 1; last >= 0 {
		n, js.idle = js.idle[last], js.idle[:last]
	} else {
		n = int32(len(js.all))
		js.all = append(js.all, job{})
	}
	old := &js.all[n]
	*old = job{
		journey:    j,
		key:        chance.Hash(string(j.JourneyID)),
		asDirected: asDirected(j),
		born:       js.nextStamp(),
		stamp:      js.nextStamp(),
		car:        none,
		asked:      none,
		refused:    old.refused[:0],
	}
	js.bySerial[j.Serial] = n
	return n
}

// draft returns a copy of a job for a step to change, valid until the next call: if the
// step fails, the world must be unchanged.
func (js *jobs) draft(n int32) *job {
	js.space = js.all[n]
	return &js.space
}

// close removes a job.
func (js *jobs) close(n int32) {
	j := &js.all[n]
	delete(js.bySerial, j.journey.Serial)
	j.born, j.stamp, j.aside = 0, js.nextStamp(), nil
	js.idle = append(js.idle, n)
}

// of returns the job of a journey; false: the journey is not live.
func (js *jobs) of(j *store.Journey) (int32, bool) {
	n, ok := js.bySerial[j.Serial]
	return n, ok
}

// current reports whether an event is still valid: its journey has not ended, and its
// plan has not changed.
func (js *jobs) current(e *event) bool {
	if e.stamp == 0 {
		return true
	}
	j := &js.all[e.job]
	return e.stamp == j.stamp || e.stamp == j.born
}

// aside is the state of a journey that does not progress by itself: it is held, or its
// driver follows a script. It is lost when the journey ends; for a world that is reopened,
// see [Keeper].
type aside struct {
	held   bool
	lapses bool         // the next order that moves the journey ends the hold
	script []ScriptStep // the remaining steps
	next   moment       // when the next step is due, unless the journey is held
	since  moment       // time up to which the parked events have been postponed
	parked []event      // the events that wait
}

// parks reports whether an event of the journey must wait.
func (a *aside) parks(kind eventKind) bool { return a.held || kind != evScript }

// asDirected reports whether the passenger gives directions during the journey: the
// booking says so, or its only drop-off is the pickup. Decision.
func asDirected(j *store.Journey) bool {
	if bytes.Contains(j.PluginData, []byte(`"dropOffUnknown"`)) {
		var data struct{ DropOffUnknown bool }
		if json.Unmarshal(j.PluginData, &data) == nil && data.DropOffUnknown {
			return true
		}
	}
	return len(j.Dropoffs) == 1 && sameStop(*j.Pickup, j.Dropoffs[0])
}

const none = -1 // no car, no job

// sameStop reports whether two addresses are the same place.
func sameStop(a, b taxi.Address) bool {
	if a.Location == nil || b.Location == nil {
		return a.Location == b.Location && a.Address == b.Address
	}
	return road.SpotOf(*a.Location) == road.SpotOf(*b.Location)
}
