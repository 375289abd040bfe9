package booking

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Frame is what is understood of a trip so far, for programs that follow a conversation.
// What is not known is left out.
type Frame struct {
	Journey    taxi.JourneyID `json:"journeyId,omitempty"` // the booking that is changed
	Pickup     *FramePlace    `json:"pickup,omitempty"`
	Dropoffs   []FramePlace   `json:"dropoffs,omitempty"`   // the last one is where the trip ends
	PickupTime string         `json:"pickupTime,omitempty"` // RFC 3339, in the firm's zone
	Now        bool           `json:"now,omitempty"`        // as soon as possible
	Name       string         `json:"name,omitempty"`
	People     int            `json:"people,omitempty"`
	Category   string         `json:"category,omitempty"`
}

// FramePlace is a place in a frame.
type FramePlace struct {
	Name      string      `json:"name"`      // what people call it
	Formatted string      `json:"formatted"` // the whole address
	Location  *taxi.Point `json:"location,omitempty"`
}

// frame returns what is understood so far.
func (s *Session) frame() Frame {
	t := s.trip
	f := Frame{Name: t.Name, People: t.People, Category: t.Category}
	if t.Edit != nil {
		f.Journey = t.Edit.JourneyID
	}
	place := func(a taxi.Address) FramePlace {
		return FramePlace{Name: saysAs(a, s.visit.settings.Places), Formatted: a.Address, Location: a.Location}
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

// asks is what the platform waits for in a state.
func (s *Session) asks() []Question {
	switch s.state {
	case AskName:
		return []Question{AsksName}
	case AskPickup, WherePick, AskStreet:
		return []Question{AsksPickup}
	case When, WhichTime, WhichDay:
		return []Question{AsksTime}
	case WhereTo, Elsewhere:
		return []Question{AsksDropoff}
	case WhichPlace, IsTime:
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
