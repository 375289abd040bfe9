package dispatch

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Event is something that happens to a journey and may change its status.
type Event string

// What can happen to a journey.
const (
	EventBook     Event = "book"      // a caller books
	EventRelease  Event = "release"   // a held booking comes up for dispatch
	EventHold     Event = "hold"      // a booking goes back until nearer its time
	EventReoffer  Event = "reoffer"   // a driver turned the job down; the next one is asked
	EventAccept   Event = "accept"    // a driver takes the job
	EventSetOff   Event = "set-off"   // the driver sets off for the pickup
	EventArrive   Event = "arrive"    // the car is at the pickup
	EventContact  Event = "contact"   // the driver tries to reach the passenger
	EventBoard    Event = "board"     // the passenger gets in
	EventStop     Event = "stop"      // an intermediate drop-off is done
	EventFinish   Event = "finish"    // the last drop-off is done
	EventDrop     Event = "drop"      // the driver drops out, breaks down or is taken off the job
	EventCancel   Event = "cancel"    // /cancel, or the dispatch office
	EventNoDriver Event = "no-driver" // nobody could be found in time
	EventNoShow   Event = "no-show"   // the passenger did not come
	EventAbort    Event = "abort"     // the dispatch office ends a journey under way
)

// Unbooked is the status of a journey before it exists: where [EventBook]
// starts from.
const Unbooked taxi.Status = ""

// Facts is what a transition's guard may look at.
type Facts struct {
	Now     time.Time
	Journey *store.Journey
	Policy  *Policy
	Offered int // the journey's revision when the job was offered; for EventAccept
}

// Transition is one row of the journey's state machine.
type Transition struct {
	Row   int // its number in the documentation
	From  taxi.Status
	Event Event
	To    taxi.Status
	When  string // the guard in words; empty: always

	guard func(Facts) bool
}

// Transitions is the state machine of a journey, whole. Decision: the interface
// names the statuses and shows no transitions. For one status and event the
// first row whose guard holds is taken; when there is none, the event is void.
// Nothing else in this project decides what may follow what.
func Transitions() []Transition { return transitions }

var transitions = []Transition{
	{1, Unbooked, EventBook, taxi.Held, "the pickup is further ahead than the lead time, or it is held by hand", tooEarly},
	{2, Unbooked, EventBook, taxi.Waiting, "the pickup is within the lead time", nil},
	{3, taxi.Held, EventRelease, taxi.Waiting, "not held by hand", notHeldByHand},
	{4, taxi.Waiting, EventReoffer, taxi.Waiting, "", nil},
	{5, taxi.Waiting, EventAccept, taxi.Accepted, "the booking has not changed since the job was offered", offerStands},
	{6, taxi.Held, EventCancel, taxi.Cancelled, "", nil},
	{6, taxi.Waiting, EventCancel, taxi.Cancelled, "", nil},
	{6, taxi.Waiting, EventNoDriver, taxi.Cancelled, "the pickup time, or the release if later, is longer ago than the no-car timeout", searchedLongEnough},
	{7, taxi.Waiting, EventHold, taxi.Held, "", nil},
	{8, taxi.Accepted, EventSetOff, taxi.EnRoute, "", nil},
	{9, taxi.Accepted, EventDrop, taxi.Waiting, "", nil},
	{9, taxi.EnRoute, EventDrop, taxi.Waiting, "", nil},
	{9, taxi.Arrived, EventDrop, taxi.Waiting, "", nil},
	{10, taxi.EnRoute, EventArrive, taxi.Arrived, "", nil},
	{11, taxi.Accepted, EventArrive, taxi.Arrived, "the car already stands at the pickup", nil},
	{11, taxi.EnRoute, EventBoard, taxi.POB, "the pickup time has come", pickupTimeCame},
	{12, taxi.Accepted, EventCancel, taxi.Cancelled, "", nil},
	{12, taxi.EnRoute, EventCancel, taxi.Cancelled, "", nil},
	{12, taxi.Arrived, EventCancel, taxi.Cancelled, "", nil},
	{13, taxi.Arrived, EventBoard, taxi.POB, "the pickup time has come", pickupTimeCame},
	{14, taxi.Arrived, EventContact, taxi.Arrived, "", nil},
	{14, taxi.Arrived, EventNoShow, taxi.Cancelled, "the driver waited long enough after arriving and after the pickup time, and tried to reach the passenger", waitedLongEnough},
	{15, taxi.POB, EventStop, taxi.POB, "", nil},
	{16, taxi.POB, EventFinish, taxi.Complete, "", nil},
	{16, taxi.POB, EventAbort, taxi.Complete, "", nil},
}

// next finds the row that an event takes a journey along.
func next(from taxi.Status, ev Event, f Facts) (Transition, bool) {
	for _, t := range transitions {
		if t.From == from && t.Event == ev && (t.guard == nil || t.guard(f)) {
			return t, true
		}
	}
	return Transition{}, false
}

func tooEarly(f Facts) bool {
	return f.Journey.ManualHold || f.Journey.Date.Sub(f.Now) > f.Policy.LeadTime
}

func notHeldByHand(f Facts) bool { return !f.Journey.ManualHold }

func offerStands(f Facts) bool { return f.Offered == f.Journey.Revision }

func searchedLongEnough(f Facts) bool {
	return !f.Now.Before(f.Policy.GiveUpAt(f.Journey))
}

func pickupTimeCame(f Facts) bool { return !f.Now.Before(f.Journey.Date.Time) }

func waitedLongEnough(f Facts) bool {
	return f.Journey.Contacts > 0 && !f.Now.Before(f.Policy.NoShowAt(f.Journey))
}

// Presence says which optional fields a journey has in a status. Decision.
type Presence struct {
	ETA      bool // minutes to the pickup; once on board, to the last drop-off
	Crew     bool // vehicle and driver
	Location bool // where the vehicle is
	Price    bool // in CANCELLED only the charge, if any
}

var presence = map[taxi.Status]Presence{
	taxi.Held:      {Price: true},
	taxi.Waiting:   {Price: true, ETA: true},
	taxi.Accepted:  {Price: true, ETA: true, Crew: true, Location: true},
	taxi.EnRoute:   {Price: true, ETA: true, Crew: true, Location: true},
	taxi.Arrived:   {Price: true, ETA: true, Crew: true, Location: true},
	taxi.POB:       {Price: true, ETA: true, Crew: true, Location: true},
	taxi.Complete:  {Price: true, Crew: true},
	taxi.Cancelled: {},
}

// Fields returns which optional fields a journey has in a status.
func Fields(s taxi.Status) Presence { return presence[s] }

// assume puts a journey into a status and takes away what that status does not
// show, so that a driver who dropped out leaves nothing behind.
func assume(j *store.Journey, to taxi.Status) {
	j.Status = to
	has := presence[to]
	if !has.ETA {
		j.ETA = nil
	}
	if !has.Crew {
		j.Vehicle, j.Driver = nil, nil
		j.VehicleID, j.DriverID = "", ""
		j.ArrivedAt, j.Contacts = time.Time{}, 0
	}
	if !has.Location {
		j.Location, j.Leg = nil, nil
	}
	if !has.Price {
		j.Price = nil
	}
}
