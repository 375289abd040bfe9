package grammar

import (
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// The keys that mean the same everywhere.
const (
	keyPerson = "0"
	keyRepeat = "*"
)

// IsKey reports whether what was written in a chat, where nothing can be pressed, is
// one of the keys that mean the same everywhere.
func IsKey(text string) bool { return text == keyPerson || text == keyRepeat }

// Press understands what was pressed.
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

// listEntry is the number of an entry in a list that was read out; 0 for none.
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
