package booking

import (
	"context"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// journeyRows are the states about an existing booking.
func journeyRows() []row {
	return []row{
		{
			state: OneBooked, about: "how the booking stands, and what can be done about it", says: []spoken.PromptID{spoken.Arrived, spoken.OneBooked}, menu: true,
			pass: tell, passes: []State{ArrivedMenu, Known, Down},
			ways: []way{
				{choice: spoken.ChooseChange, key: "2", open: mayEdit, when: "HELD, WAITING or ACCEPTED", take: goTo(Edit), next: []State{Edit}},
				{choice: spoken.ChooseCallDriver, key: "2", open: mayCall, when: "EN_ROUTE, with a driver's number, and the option callDriver is on", take: goTo(CallingDriver), next: []State{CallingDriver}},
				another("3"),
				{choice: spoken.ChooseCancel, key: "4", open: mayCancel, when: "the option cancel is on, and nobody is on board", take: goTo(AskCancel), next: []State{AskCancel}},
			},
		},
		{
			state: Edit, about: "what to change; all other fields are sent again", says: []spoken.PromptID{spoken.Edit},
			pass: beginEdit, passes: []State{OneBooked, Person},
			ways: []way{
				{choice: spoken.ChoosePickup, key: "1", next: []State{WherePick}, take: func(_ context.Context, s *Session) State {
					return s.changePickup()
				}},
				{choice: spoken.ChooseDropoff, key: "2", next: []State{WhereTo}, take: func(_ context.Context, s *Session) State {
					s.where = false
					return WhereTo
				}},
				{choice: spoken.ChooseTime, key: "3", next: []State{When}, take: func(_ context.Context, s *Session) State {
					s.timed = false
					return When
				}},
			},
		},
		{
			state: AskCancel, about: "nothing is cancelled before key 4, which means yes nowhere, or a yes in words", says: []spoken.PromptID{spoken.AskCancel},
			slots: func(s *Session, slots *spoken.Slots) { slots.Pickup = s.visit.details(*s.journey).Pickup },
			ways: []way{
				{choice: spoken.ChooseCancel, key: "4", take: cancel, next: []State{Cancellation, Person}},
				{choice: spoken.ChooseKeep, key: "1", take: keep, next: []State{OneBooked}},
			},
		},
		{state: Cancellation, about: "only after an answer whose status is CANCELLED", then: ThenEnd},
	}
}

func goTo(next State) func(context.Context, *Session) State {
	return func(context.Context, *Session) State { return next }
}

func mayCancel(s *Session) bool { return s.visit.mayCancel(*s.journey) }
func mayEdit(s *Session) bool   { return s.visit.mayEdit(*s.journey) }
func mayCall(s *Session) bool   { return s.visit.mayCallDriver(*s.journey) }

// tell reads the journey and says its status.
func tell(ctx context.Context, s *Session) State {
	if !s.read {
		j, err := s.visit.Status(ctx, *s.journey)
		if err != nil {
			s.say(spoken.Down, spoken.Slots{})
			s.menu = ""
			return Down
		}
		s.journey = &j
	}
	s.read = false
	j := *s.journey
	if !s.quiet {
		s.carry = append(s.carry, s.visit.statusLines(j, !s.keyed)...)
	}
	s.quiet = false
	switch {
	case j.Status.Terminal():
		s.journey, s.menu = nil, Known
		return Known
	case s.visit.mayComeNow(j):
		return ArrivedMenu
	case j.Status == taxi.Arrived && s.visit.mayCallDriver(j):
		return ArrivedMenu
	}
	return OneBooked
}

func keep(_ context.Context, s *Session) State {
	s.say(spoken.Kept, spoken.Slots{})
	s.quiet = true
	return OneBooked
}

// cancel cancels the current journey.
func cancel(ctx context.Context, s *Session) State {
	s.done = true
	id := s.journey.Ref.Text()
	switch s.visit.Cancel(ctx, *s.journey) {
	case CancelDone:
		s.event(Event{Kind: EventCancelled, Journey: id})
		s.say(spoken.Cancelled, spoken.Slots{})
		s.say(spoken.Goodbye, spoken.Slots{})
		return Cancellation
	case CancelRefused:
		s.event(Event{Kind: EventRefused, Journey: id})
		s.say(spoken.NotCancel, spoken.Slots{})
	default:
		s.event(Event{Kind: EventUnsure, Journey: id})
		s.say(spoken.UnsureCancel, spoken.Slots{})
	}
	return Person
}

// beginEdit starts with the current booking, since an edit must repeat all members.
func beginEdit(_ context.Context, s *Session) State {
	j := *s.journey
	if !s.visit.mayEdit(j) {
		s.say(spoken.TooLate, spoken.Slots{})
		s.quiet = true
		return OneBooked
	}
	if s.trip.Edit != nil && s.trip.Edit.Ref.Is(j.Ref) {
		return Edit // another change of the same booking
	}
	trip, ok := s.visit.tripOf(j)
	if !ok {
		return Person // the booking lacks members that an edit must repeat
	}
	s.trip, s.timed, s.where = trip, true, true
	return Edit
}
