package grammar

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Understand returns what an input means where it was given.
func Understand(in Input, ctx Context) Meaning {
	switch speech := strings.TrimSpace(in.Speech); {
	case in.Digits != "":
		return ctx.keys(in.Digits)
	case speech == "":
		return Meaning{Kind: Nothing}
	case !(in.Confidence >= LeastConfidence):
		return Meaning{Kind: NoMatch}
	case speech == keyPerson, speech == keyRepeat: // written in a chat, where nothing can be pressed
		return ctx.keys(speech)
	default:
		return ctx.words(speech)
	}
}

// The keys that mean the same everywhere.
const (
	keyPerson = "0"
	keyRepeat = "*"
)

// keys understands what was pressed.
func (c Context) keys(digits string) Meaning {
	for choice, key := range c.Menu {
		if key == digits {
			return chosen(choice)
		}
	}
	switch {
	case digits == keyRepeat:
		return Meaning{Kind: Repeat}
	case digits == keyPerson:
		return chosen(spoken.ChoosePerson)
	case strings.Trim(digits, "0123456789") != "":
		return Meaning{Kind: NoMatch}
	}
	if n := listEntry(digits); c.Want&WantPlace != 0 && n > 0 && n <= min(c.Listed, len(c.Places)) {
		return Meaning{Kind: Placed, Place: Spot{Index: []int{n - 1}, Text: c.Places[n-1].Name}}
	}
	if n := listEntry(digits); n > 0 && n <= len(c.Entries) {
		return Meaning{Kind: Picked, Entry: n - 1}
	}
	if c.Want&WantTime != 0 {
		if m, ok := c.fourDigits(digits); ok {
			return Meaning{Kind: Timed, When: m}
		}
	}
	const longestHouse = 4
	if c.Want&WantNumber != 0 && len(digits) <= longestHouse {
		return Meaning{Kind: Numbered, Text: digits}
	}
	return Meaning{Kind: NoMatch}
}

// listEntry is the number of an entry in a list that was read out; 0 for none.
func listEntry(digits string) int {
	if len(digits) != 1 {
		return 0
	}
	return int(digits[0] - '0')
}

func chosen(choice spoken.Choice) Meaning { return Meaning{Kind: Chosen, Choice: choice} }
