package spoken

import (
	"strings"
	"time"
)

// SpeakerOptions describes the customer of a [Speaker]. The zero value uses UTC and has
// no secret numbers.
type SpeakerOptions struct {
	Zone  *time.Location   // time zone of spoken times; nil: UTC
	Now   func() time.Time // for "today" and "tomorrow"; nil: each time has a date
	Guard *Guard           // the numbers that must not be said; nil: none
}

// Speaker formats prompts for one customer in one language. It is safe for concurrent use
// if its [Guard] is.
type Speaker struct {
	language *language
	forms    forms
	zone     *time.Location
	clock    func() time.Time
	guard    *Guard
	written  bool
}

// Say returns the sentences of a prompt for the phone. Sentences with an absent slot are
// left out, so there may be none.
func (s *Speaker) Say(id PromptID, slots Slots) []string {
	return s.sentences(id, slots, func(sentence) bool { return true })
}

// Short is [Speaker.Say] for a caller who has heard the prompt before: only its choices,
// or the whole prompt if it has none.
func (s *Speaker) Short(id PromptID, slots Slots) []string {
	if short := s.sentences(id, slots, sentence.offers); len(short) > 0 {
		return short
	}
	return s.Say(id, slots)
}

// Write returns the sentences of a prompt for a chat: with figures instead of words, and
// without keys, since a chat has buttons ([Speaker.Label]).
func (s *Speaker) Write(id PromptID, slots Slots) []string {
	w := *s
	w.written, w.forms = true, s.forms.written()
	return w.Say(id, slots)
}

// Label returns the text of a choice's button.
func (s *Speaker) Label(c Choice) string {
	return strings.Join(s.Write(c.label(), Slots{}), " ")
}

// Booking returns the text of the button of one of several bookings.
func (s *Speaker) Booking(t Taxi) string {
	return strings.Join(s.Write(BookingButton, Slots{When: t.When, Pickup: t.Pickup}), " ")
}

// Place returns an address in the form for the customer, for example for a menu.
func (s *Speaker) Place(address string) string { return s.guard.clean(s.address(address)) }

// Language returns the tag of the speaker's language, such as en-GB.
func (s *Speaker) Language() string { return s.language.tag }

func (s *Speaker) sentences(id PromptID, slots Slots, wanted func(sentence) bool) []string {
	prompt := s.language.prompts[id]
	filled := s.fill(prompt, slots)
	var said []string
	for _, line := range prompt {
		if !wanted(line) {
			continue
		}
		if text, ok := line.say(filled); ok && !s.guard.Caught(text) {
			said = append(said, text)
		}
	}
	return said
}
