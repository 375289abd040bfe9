package dispatch

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Event is something that happens to a journey and may change its status.
type Event string

// The events of journeys.
const (
	EventBook     Event = "book"      // /book makes a journey
	EventRelease  Event = "release"   // a held booking comes up for dispatch
	EventHold     Event = "hold"      // a booking is held again until nearer its time
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
	EventNoDriver Event = "no-driver" // no driver was found in time
	EventNoShow   Event = "no-show"   // the passenger did not come
)

// Unbooked is the status of a journey before it exists. [EventBook] starts from it.
const Unbooked taxi.Status = ""

// facts is the input of a transition's guard.
type facts struct {
	Now     time.Time
	Journey *store.Journey
	Policy  *Policy
	Offered int32 // the journey's revision when the job was offered; for EventAccept
}

// Transition is one row of the journey's state machine.
type Transition struct {
	Row     int // its number in the documentation
	From    taxi.Status
	Event   Event
	To      taxi.Status
	When    string   // the guard as text; empty: always
	Effects []Effect // side effects on the journey, in this order

	guard func(facts) bool
}

// Transitions returns the complete state machine of a journey. Decision: the interface
// names the statuses and shows no transitions. The first row for the status and the event
// whose guard holds applies; without one the event is void. This table alone decides which
// status follows which, and the effects of each transition; effects.go has their code.
func Transitions() []Transition { return transitions }

var transitions = []Transition{
	{
		Row: 1, From: Unbooked, Event: EventBook, To: taxi.Held, Effects: does(price),
		When: "the pickup is further ahead than the lead time", guard: tooEarly,
	},
	{
		Row: 2, From: Unbooked, Event: EventBook, To: taxi.Waiting, Effects: does(startSearch, quote),
		When: "the pickup is within the lead time",
	},
	{Row: 3, From: taxi.Held, Event: EventRelease, To: taxi.Waiting, Effects: does(startSearch, estimateWait)},
	{Row: 4, From: taxi.Waiting, Event: EventReoffer, To: taxi.Waiting},
	{
		Row: 5, From: taxi.Waiting, Event: EventAccept, To: taxi.Accepted,
		When: "the booking has not changed since the job was offered", guard: offerIsCurrent,
	},
	{Row: 6, From: taxi.Held, Event: EventCancel, To: taxi.Cancelled, Effects: does(reasonPassenger)},
	{Row: 6, From: taxi.Waiting, Event: EventCancel, To: taxi.Cancelled, Effects: does(reasonPassenger)},
	{
		Row: 6, From: taxi.Waiting, Event: EventNoDriver, To: taxi.Cancelled, Effects: does(reasonNoDriver),
		When: "the pickup time, or the release if later, is longer ago than the no-car timeout", guard: searchedLongEnough,
	},
	{Row: 7, From: taxi.Waiting, Event: EventHold, To: taxi.Held},
	{Row: 8, From: taxi.Accepted, Event: EventSetOff, To: taxi.EnRoute},
	{Row: 9, From: taxi.Accepted, Event: EventDrop, To: taxi.Waiting, Effects: does(startSearch, estimateWait)},
	{Row: 9, From: taxi.EnRoute, Event: EventDrop, To: taxi.Waiting, Effects: does(startSearch, estimateWait)},
	{Row: 9, From: taxi.Arrived, Event: EventDrop, To: taxi.Waiting, Effects: does(startSearch, estimateWait)},
	{Row: 10, From: taxi.EnRoute, Event: EventArrive, To: taxi.Arrived, Effects: does(noteArrival)},
	{
		Row: 11, From: taxi.Accepted, Event: EventArrive, To: taxi.Arrived, Effects: does(noteArrival),
		When: "the car already stands at the pickup",
	},
	{
		Row: 11, From: taxi.EnRoute, Event: EventBoard, To: taxi.POB,
		When: "the pickup time has come", guard: pickupTimeCame,
	},
	{Row: 12, From: taxi.Accepted, Event: EventCancel, To: taxi.Cancelled, Effects: does(reasonPassenger)},
	{Row: 12, From: taxi.EnRoute, Event: EventCancel, To: taxi.Cancelled, Effects: does(reasonPassenger)},
	{Row: 12, From: taxi.Arrived, Event: EventCancel, To: taxi.Cancelled, Effects: does(reasonPassenger, chargeLateCancel)},
	{
		Row: 13, From: taxi.Arrived, Event: EventBoard, To: taxi.POB,
		When: "the pickup time has come", guard: pickupTimeCame,
	},
	{Row: 14, From: taxi.Arrived, Event: EventContact, To: taxi.Arrived, Effects: does(countContact)},
	{
		Row: 14, From: taxi.Arrived, Event: EventNoShow, To: taxi.Cancelled, Effects: does(reasonNoShow, chargeLateCancel),
		When:  "the driver waited long enough after arriving and after the pickup time, and tried to reach the passenger",
		guard: waitedLongEnough,
	},
	{Row: 15, From: taxi.POB, Event: EventStop, To: taxi.POB},
	{Row: 16, From: taxi.POB, Event: EventFinish, To: taxi.Complete},
}

func does(effects ...Effect) []Effect { return effects }

// next returns the first transition from a status by an event whose guard holds; false: there is none.
func next(from taxi.Status, ev Event, f facts) (Transition, bool) {
	for _, t := range transitions {
		if t.From == from && t.Event == ev && (t.guard == nil || t.guard(f)) {
			return t, true
		}
	}
	return Transition{}, false
}

func tooEarly(f facts) bool {
	return f.Journey.Date.Sub(f.Now) > f.Policy.LeadTime
}

func offerIsCurrent(f facts) bool { return f.Offered == f.Journey.Revision }

func searchedLongEnough(f facts) bool {
	return !f.Now.Before(f.Policy.GiveUpAt(f.Journey))
}

func pickupTimeCame(f facts) bool { return !f.Now.Before(f.Journey.Date.Time) }

func waitedLongEnough(f facts) bool {
	return f.Journey.Contacts > 0 && !f.Now.Before(f.Policy.NoShowAt(f.Journey))
}

// Presence says which optional fields a journey has in a status. Decision.
type Presence struct {
	ETA      bool // minutes to the pickup; once on board, to the last drop-off
	Crew     bool // vehicle and driver
	Location bool // where the vehicle is
	Price    bool // for CANCELLED only the charge, if any
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

// enterStatus sets the status of a journey and clears the fields that the status does not
// show, such as those of a driver who dropped out.
func enterStatus(j *store.Journey, to taxi.Status) {
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
		j.Location, j.Drive = nil, nil
	}
	if !has.Price {
		j.Price = nil
	}
}
