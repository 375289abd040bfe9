package spoken

import (
	"strings"
	"time"
)

// SpeakerOptions says to whom a [Speaker] speaks. The zero value speaks of times
// in UTC and knows no secret number.
type SpeakerOptions struct {
	Zone  *time.Location   // of the times that are spoken; nil: UTC
	Now   func() time.Time // what "today" and "tomorrow" are counted from; nil: each time is said with its date
	Guard *Guard           // the numbers that are never said; nil: none
}

// Speaker says prompts to one customer in one language. It is as safe for
// concurrent use as its [Guard].
type Speaker struct {
	language *language
	forms    forms
	zone     *time.Location
	clock    func() time.Time
	guard    *Guard
	written  bool
}

// Say returns the sentences of a prompt as they are spoken on the phone. A
// sentence that speaks of an absent slot is left out, so there may be none.
func (s *Speaker) Say(id PromptID, slots Slots) []string {
	return s.sentences(id, slots, func(sentence) bool { return true })
}

// Short is [Speaker.Say] for a caller who has heard the prompt before: its choices
// only. It is the whole prompt where that offers none.
func (s *Speaker) Short(id PromptID, slots Slots) []string {
	if short := s.sentences(id, slots, sentence.offers); len(short) > 0 {
		return short
	}
	return s.Say(id, slots)
}

// Write returns the sentences of a prompt as a chat shows them: figures in place of
// words, and no keys, since a chat has buttons ([Speaker.Label]).
func (s *Speaker) Write(id PromptID, slots Slots) []string {
	w := *s
	w.written, w.forms = true, s.forms.written()
	return w.Say(id, slots)
}

// Label returns the words on a choice's button.
func (s *Speaker) Label(c Choice) string {
	return strings.Join(s.Write(c.label(), Slots{}), " ")
}

// Booking returns the words on the button of one of several bookings.
func (s *Speaker) Booking(t Taxi) string {
	return strings.Join(s.Write(BookingButton, Slots{When: t.When, Pickup: t.Pickup}), " ")
}

// Place returns an address as it is said to the customer, such as a menu's entry.
func (s *Speaker) Place(address string) string { return s.guard.clean(s.address(address)) }

// Language is the tag of the speaker's language, such as en-GB.
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
