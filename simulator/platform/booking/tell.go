package booking

import (
	"context"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// tell answers questions about the current booking, or about the trip that is being
// booked.
func (s *Session) tell(ctx context.Context, questions []grammar.Question) {
	var slots spoken.Slots
	s.answered = questions
	booked := s.journey != nil
	if booked {
		if j, err := s.visit.Status(ctx, *s.journey); err == nil {
			s.journey = &j
		}
		slots = s.visit.details(*s.journey)
	} else {
		slots.ETA = s.visit.ETA
	}
	if slices.Contains(questions, grammar.AsksETA) && slots.ETA == nil {
		slots.ETA = s.untilPickup()
	}
	var said []spoken.PromptID
	for _, q := range questions {
		if q == grammar.AsksOther && len(questions) > 1 {
			continue
		}
		for _, prompt := range s.answerTo(q, slots, booked) {
			if !slices.Contains(said, prompt) {
				said = append(said, prompt)
				s.say(prompt, slots)
			}
		}
	}
}

// answerTo returns the answer to a question.
func (s *form) answerTo(q grammar.Question, known spoken.Slots, booked bool) []spoken.PromptID {
	either := func(is bool, yes, no spoken.PromptID) []spoken.PromptID {
		if is {
			return []spoken.PromptID{yes}
		}
		return []spoken.PromptID{no}
	}
	switch q {
	case grammar.AsksFare:
		return either(known.Fare != nil, spoken.TellFare, spoken.NoFare)
	case grammar.AsksOther:
		return []spoken.PromptID{spoken.CannotTell}
	}
	if !booked {
		if q == grammar.AsksETA {
			return either(known.ETA != nil, spoken.TellETA, spoken.NoETA)
		}
		return []spoken.PromptID{spoken.NoBooking}
	}
	status := s.journey.Status
	switch q {
	case grammar.AsksCar:
		return either(known.Vehicle != "" || known.Registration != "", spoken.TellCar, spoken.NoCar)
	case grammar.AsksDriver:
		return either(known.Driver != "", spoken.TellDriver, spoken.NoCar)
	case grammar.AsksJob:
		return []spoken.PromptID{spoken.TellJob}
	case grammar.AsksTime, grammar.AsksBooking:
		return []spoken.PromptID{spoken.TellBooking}
	}
	switch status { // the car's position and arrival time
	case taxi.Held:
		return []spoken.PromptID{spoken.TellBooking}
	case taxi.EnRoute, taxi.Arrived, taxi.POB:
		return []spoken.PromptID{spoken.TellWhere}
	}
	return []spoken.PromptID{spoken.StatusPrompt(string(status))}
}

// untilPickup returns the time until the pickup of a booking; nil if it is not soon.
func (s *form) untilPickup() *taxi.ETA {
	const soon = 90 * time.Minute
	if s.journey == nil || s.journey.Status != taxi.Held || s.journey.Date.IsZero() {
		return nil
	}
	in := s.journey.Date.Sub(s.now())
	if in < time.Minute || in > soon {
		return nil
	}
	return &taxi.ETA{Value: in.Round(time.Minute).Minutes(), Unit: taxi.UnitMinutes}
}
