// Package keypad interprets the keys of a telephone, which are accepted in every state of a conversation.
package keypad

import (
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Want is the set of entries that keys may make in a state, besides a choice of the menu.
type Want uint

// The answers.
const (
	WantPlace  Want = 1 << iota // an entry of the list that was read out
	WantTime                    // four digits
	WantNumber                  // a house number
)

// Pad describes the keys that are valid in a state.
type Pad struct {
	Menu    map[spoken.Choice]string // the open choices and their keys
	Want    Want
	Listed  int // number of places that were read out, with the keys 1, 2, 3 …
	Entries int // number of entries of another list
	Now     time.Time
}

// Kind is the kind of a [Meaning].
type Kind int

// The kinds.
const (
	Nothing  Kind = iota // no key
	NoMatch              // keys without a meaning here
	Chosen               // a choice of the menu
	Listed               // an entry of a list that was read out
	Timed                // a time
	Numbered             // a house number
	Repeat               // repeat the prompt
)

// Meaning is the meaning of keys.
type Meaning struct {
	Kind   Kind
	Choice spoken.Choice // with Chosen
	Entry  int           // with Listed, from 0
	When   Moment        // with Timed
	Text   string        // with Numbered
}

// Moment is a time that was entered with keys.
type Moment struct {
	At  time.Time
	Ask bool // it was moved to the next day: confirm it
}

// The keys that mean the same everywhere.
const (
	keyPerson = "0"
	keyRepeat = "*"
)

// IsKey reports whether what was written in a chat, where nothing can be pressed, is
// one of the keys that mean the same everywhere.
func IsKey(text string) bool { return text == keyPerson || text == keyRepeat }

// Press returns the meaning of the pressed keys.
func Press(digits string, p Pad) Meaning {
	if digits == "" {
		return Meaning{Kind: Nothing}
	}
	for choice, key := range p.Menu {
		if key == digits {
			return Meaning{Kind: Chosen, Choice: choice}
		}
	}
	switch {
	case digits == keyRepeat:
		return Meaning{Kind: Repeat}
	case digits == keyPerson:
		return Meaning{Kind: Chosen, Choice: spoken.ChoosePerson}
	case strings.Trim(digits, "0123456789") != "":
		return Meaning{Kind: NoMatch}
	}
	if n := listEntry(digits); n > 0 && (p.Want&WantPlace != 0 && n <= p.Listed || n <= p.Entries) {
		return Meaning{Kind: Listed, Entry: n - 1}
	}
	if p.Want&WantTime != 0 {
		if m, ok := fourDigits(digits, p.Now); ok {
			return Meaning{Kind: Timed, When: m}
		}
	}
	const longestHouse = 4
	if p.Want&WantNumber != 0 && len(digits) <= longestHouse {
		return Meaning{Kind: Numbered, Text: digits}
	}
	return Meaning{Kind: NoMatch}
}

// listEntry returns the number of the list entry that was chosen, from 1; 0 if the keys are not one digit.
func listEntry(digits string) int {
	if len(digits) != 1 {
		return 0
	}
	return int(digits[0] - '0')
}

// fourDigits reads a time of day on the clock of 24 hours: 1530, or 930. One of today
// that is over means tomorrow, and is asked back.
func fourDigits(digits string, now time.Time) (Moment, bool) {
	if len(digits) != 3 && len(digits) != 4 {
		return Moment{}, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n/100 > 23 || n%100 > 59 {
		return Moment{}, false
	}
	at := times.OnDay(now, 0, n/100, n%100)
	if at.Before(now.Truncate(time.Minute)) {
		return Moment{At: times.OnDay(now, 1, n/100, n%100), Ask: true}, true
	}
	return Moment{At: at}, true
}
