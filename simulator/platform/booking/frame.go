package booking

import (
	"strconv"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// frame returns the parts of the trip that are known so far.
func (s *form) frame() Frame {
	t := s.trip
	f := Frame{Name: t.Name, People: t.People, Category: t.Category, Unsure: s.ear.unsure}
	if t.Edit != nil {
		f.Journey = t.Edit.JourneyID
	}
	place := func(a taxi.Address) FramePlace {
		return FramePlace{Name: placeNameAt(a, s.visit.settings.Places), Formatted: a.Address, Location: a.Location}
	}
	if t.Pickup.Address != "" {
		p := place(t.Pickup)
		f.Pickup = &p
	}
	for _, a := range t.Dropoffs {
		f.Dropoffs = append(f.Dropoffs, place(a))
	}
	if s.timed {
		at := t.At
		if f.Now = at.IsZero(); f.Now {
			at = s.desk.opts.Callers()
		}
		f.PickupTime = at.In(s.visit.zone).Format(time.RFC3339)
	}
	return f
}

// asks returns the questions that the current state asks.
func (s *Session) asks() []Question {
	switch s.state {
	case AskName:
		return []Question{AsksName}
	case AskPickup, WherePick, AskStreet:
		return []Question{AsksPickup}
	case When, WhichTime, WhichDay:
		return []Question{AsksTime}
	case HowMany:
		return []Question{AsksPeople}
	case WhereTo, Elsewhere:
		return []Question{AsksDropoff}
	case IsTime:
		if !s.arrive.IsZero() {
			return []Question{AsksTime, AsksWhich}
		}
		return []Question{AsksWhich}
	case WhichPlace:
		end := AsksPickup
		if s.doubts[0].dropoff {
			end = AsksDropoff
		}
		if len(s.doubts[0].index) == 1 {
			return []Question{end, AsksWhich}
		}
		return []Question{AsksWhich}
	case SomeBooked:
		return []Question{AsksWhich, AsksMenu}
	case Confirm, Reconfirm, AskCancel:
		return []Question{AsksConfirm}
	}
	if s.more {
		return []Question{AsksConfirm, AsksMenu}
	}
	return []Question{AsksMenu}
}

// Prompt returns the possible answers to a step, first the places and bookings that were
// read out. Other spoken answers are in the hints of the step.
func (s *Session) Prompt(step Step) Prompt {
	p := step.Prompt()
	if step.Then != ThenListen {
		return p
	}
	p.Asks, p.Frame = step.Asks, step.Frame
	for i, place := range step.Places {
		p.Answers = append(p.Answers, Answer{strconv.Itoa(i + 1), s.Place(place)})
	}
	for i, j := range step.Bookings {
		p.Answers = append(p.Answers, Answer{strconv.Itoa(i + 1), s.Booking(j)})
	}
	for _, choice := range step.Offered {
		p.Answers = append(p.Answers, Answer{step.Keys[choice], s.Label(choice)})
	}
	return p
}
