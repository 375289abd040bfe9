package booking

import (
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Prompt is what a caller may answer to a step, for a telephone that shows it.
type Prompt struct {
	State   State
	Journey taxi.JourneyID // the one that is spoken of; "": none
	Answers []Answer
	Asks    []Question // what the platform waits for
	Frame   Frame      // what is understood so far
}

// Answer is something that a caller may press.
type Answer struct {
	Key   string `json:"key"`   // or keys
	Label string `json:"label"` // what it means, in the caller's language
}

// Prompt returns what a step is about, without answers: a chat has buttons.
func (s Step) Prompt() Prompt {
	p := Prompt{State: s.State}
	if s.Journey != nil {
		p.Journey = s.Journey.JourneyID
	}
	return p
}

// Prompt returns what may be answered to a step, the places and bookings that were read
// out first. Whatever is understood in words besides is in the hints of the step.
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
