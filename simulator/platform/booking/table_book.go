package booking

import (
	"context"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// bookingRows are the states in which a booking is made.
func bookingRows() []row {
	return []row{
		{
			state: Confirm, about: "the trip is read back; nothing is booked before key 1", slots: readBack,
			pass: func(_ context.Context, s *Session) State {
				if s.trip.Edit != nil {
					return Reconfirm
				}
				return Confirm
			},
			passes: []State{Reconfirm},
			says:   []spoken.PromptID{spoken.Confirm},
			ways: []way{
				{choice: spoken.ChooseYes, key: "1", take: book, next: []State{Booked, NotBooked}},
				{choice: spoken.ChooseChange, key: "2", take: again, next: []State{WherePick}},
			},
		},
		{
			state: Reconfirm, about: "the booking is read back as it would be; nothing is changed before key 1", slots: readBack,
			says: []spoken.PromptID{spoken.Reconfirm},
			ways: []way{
				{choice: spoken.ChooseYes, key: "1", take: book, next: []State{Booked, NotBooked}},
				{choice: spoken.ChooseNo, key: "2", take: leave, next: []State{OneBooked}},
			},
		},
		{
			state: Booked, about: "only after an answer that names a journey; HELD is told as booked for later", then: ThenEnd,
		},
		{
			state: NotBooked, about: "refused, or nobody knows: a person has to look",
			pass: func(context.Context, *Session) State { return Person }, passes: []State{Person},
		},
	}
}

// wheelchair is the category of a car that takes one.
const wheelchair = "WHEELCHAIR"

// readBack sets the slots of the prompt that reads the trip back.
func readBack(s *Session, slots *spoken.Slots) {
	places := s.visit.settings.Places
	slots.Pickup = placeNameAt(s.trip.Pickup, places)
	slots.ForNow, slots.When, slots.People = s.trip.At.IsZero(), s.trip.At, s.trip.People
	if slots.Needs = s.trip.Needs; s.trip.Category == wheelchair {
		slots.Needs = append([]spoken.Need{spoken.NeedWheelchair}, slots.Needs...)
	}
	for i, a := range s.visit.ends(s.trip) {
		if i > 0 {
			slots.Stops = append(slots.Stops, slots.Dropoff)
		}
		slots.Dropoff = placeNameAt(a, places)
	}
	slots.Unsure = len(s.ear.unsure) > 0 && slots.Pickup != "" && slots.Dropoff != ""
	if e := s.trip.Edit; e != nil {
		slots.Fare = e.Price
	}
}

// again clears both ends and the time of the trip, and asks for the pickup.
func again(_ context.Context, s *Session) State {
	s.trip.Pickup, s.trip.Dropoffs = taxi.Address{}, nil
	s.timed, s.where = false, false
	return WherePick
}

// leave ends an edit without changing the booking.
func leave(ctx context.Context, s *Session) State {
	s.trip = Trip{}
	return keep(ctx, s)
}

// book books the trip that was read back.
func book(ctx context.Context, s *Session) State {
	j, result := s.visit.Book(ctx, s.trip)
	s.done = true
	switch result {
	case ResultBooked:
		s.journey = &j
		s.event(Event{Kind: EventBooked, Status: string(j.Status), Journey: j.Ref.Text()})
		s.say(bookedPrompt(s.trip, j.Status), s.visit.details(j))
		if s.trip.Back {
			s.say(spoken.WayBack, spoken.Slots{})
		}
		s.say(spoken.Goodbye, spoken.Slots{})
		return Booked
	case ResultRefused:
		s.event(Event{Kind: EventRefused})
		s.say(spoken.NotBooked, spoken.Slots{})
	default:
		s.event(Event{Kind: EventUnsure})
		s.say(spoken.Unsure, spoken.Slots{})
	}
	s.menu = "" // a person must check the booking
	return NotBooked
}

func bookedPrompt(t Trip, status taxi.Status) spoken.PromptID {
	switch {
	case t.Edit != nil:
		return spoken.Changed
	case status == taxi.Held:
		return spoken.BookedHeld
	}
	return spoken.Booked
}
