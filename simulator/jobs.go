package simulator

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/store"
)

// job is a live journey and what the world plans for it.
type job struct {
	journey *store.Journey // as last changed; belongs to the store, not to be written to
	key     uint64         // its streams' entity
	born    uint32         // stamp of events that stand until the journey ends
	stamp   uint32         // stamp of events that stand until its plan changes
	kinds   kind           // the cars that may take it
	pickup  Spot

	car     int32   // that has it
	asked   int32   // whose driver looks at it
	tries   uint32  // offers made
	refused []int32 // cars not to be asked (again)

	setOff           moment      // when the car sets off for the pickup
	due              moment      // when the car will be at the pickup; on board, at the last drop-off
	edited           moment      // when it was last edited
	stop             int         // the drop-off that comes next
	meter            fare.Meter  // the meter's reading before the current drive
	asDirected       bool        // the passenger says on the way where to go
	fault            bookedFault // what goes wrong because the booking asked for it
	dropped          bool        // a driver has given it back because of fault
	noShow           bool        // the passenger will not come
	passengerDecided bool        // noShow is decided

	aside         *aside // it does not go on by itself; nil: it does
	scriptStopped string // why its script ended early
}

// jobs holds the live journeys. A job's slot is used again after its end. No stamp is
// used twice, so events of the old job are void for the new one.
type jobs struct {
	all      []job
	idle     []int32
	bySerial map[uint64]int32 // of their journeys: ids take half as much again, and longer to find
	stamp    uint32
	space    job // for draft
}

// nextStamp returns a new stamp. Zero is no stamp.
func (js *jobs) nextStamp() uint32 {
	js.stamp++
	if js.stamp == 0 {
		js.stamp++
	}
	return js.stamp
}

// expect makes space for so many jobs at first, and for a few that come soon: without
// them the first would copy all.
func (js *jobs) expect(n int) {
	js.all = slices.Grow(js.all, n+soon(n))
	js.bySerial = make(map[uint64]int32, n)
}

// soon is how many more are expected where there are n.
func soon(n int) int { return n/32 + 256 }

// open makes a job for a journey.
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
		key:        hash(string(j.JourneyID)),
		fault:      faultOf(j),
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

// draft returns a copy of a job for a step to change, good until the next one: the step
// may fail, and then nothing of the world has changed.
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

// of finds the job of a journey.
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

// aside is what is kept of a journey that does not go on by itself: it is held, or its
// driver follows a script. It ends with the journey, and when the world is made again over
// its records.
type aside struct {
	held   bool
	lapses bool         // the hold ends as soon as an order moves the journey
	script []ScriptStep // what is still to come
	next   moment       // when the first of it happens, if the journey is not held
	since  moment       // up to when the times of what is parked have been moved on
	parked []event      // what would happen if the journey went on by itself
}

// parks reports whether an event of the journey has to wait.
func (a *aside) parks(kind eventKind) bool { return a.held || kind != evScript }

// asDirected reports whether the passenger says on the way where to go: the booking
// says so, or its only drop-off is the pickup. Decision.
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

// sameStop reports whether two addresses are one place.
func sameStop(a, b taxi.Address) bool {
	if a.Location == nil || b.Location == nil {
		return a.Location == b.Location && a.Address == b.Address
	}
	return SpotOf(*a.Location) == SpotOf(*b.Location)
}
