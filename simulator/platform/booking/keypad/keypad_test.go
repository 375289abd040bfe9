package keypad_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// present is the time of all tests: a Monday, half past two.
var present = time.Date(2026, 3, 2, 14, 30, 0, 0, time.UTC)

func TestKeyPressesHaveTheirMeaning(t *testing.T) {
	menu := map[spoken.Choice]string{spoken.ChooseBook: "1", spoken.ChooseOther: "2"}
	for _, row := range []struct {
		digits string
		pad    keypad.Pad
		want   keypad.Meaning
	}{
		{"", keypad.Pad{Menu: menu}, keypad.Meaning{Kind: keypad.Nothing}},
		{"1", keypad.Pad{Menu: menu}, keypad.Meaning{Kind: keypad.Chosen, Choice: spoken.ChooseBook}},
		{"0", keypad.Pad{}, keypad.Meaning{Kind: keypad.Chosen, Choice: spoken.ChoosePerson}},
		{"*", keypad.Pad{Menu: menu}, keypad.Meaning{Kind: keypad.Repeat}},
		{"9", keypad.Pad{Menu: menu}, keypad.Meaning{Kind: keypad.NoMatch}},
		{"2", keypad.Pad{Want: keypad.WantPlace, Listed: 3}, keypad.Meaning{Kind: keypad.Listed, Entry: 1}},
		{"4", keypad.Pad{Want: keypad.WantPlace, Listed: 3}, keypad.Meaning{Kind: keypad.NoMatch}},
		{"2", keypad.Pad{Entries: 2}, keypad.Meaning{Kind: keypad.Listed, Entry: 1}},
		{"1530", keypad.Pad{Want: keypad.WantTime, Now: present}, keypad.Meaning{Kind: keypad.Timed, When: keypad.Moment{At: time.Date(2026, 3, 2, 15, 30, 0, 0, time.UTC)}}},
		{"0930", keypad.Pad{Want: keypad.WantTime, Now: present}, keypad.Meaning{Kind: keypad.Timed, When: keypad.Moment{At: time.Date(2026, 3, 3, 9, 30, 0, 0, time.UTC), Ask: true}}},
		{"2570", keypad.Pad{Want: keypad.WantTime, Now: present}, keypad.Meaning{Kind: keypad.NoMatch}},
		{"14", keypad.Pad{Want: keypad.WantNumber}, keypad.Meaning{Kind: keypad.Numbered, Text: "14"}},
		{"14444", keypad.Pad{Want: keypad.WantNumber}, keypad.Meaning{Kind: keypad.NoMatch}},
	} {
		require.Equal(t, row.want, keypad.Press(row.digits, row.pad), row.digits)
	}
}

// FuzzPress checks that no key input panics.
func FuzzPress(f *testing.F) {
	f.Add("1530")
	f.Fuzz(func(_ *testing.T, digits string) {
		keypad.Press(digits, keypad.Pad{Want: keypad.WantPlace | keypad.WantTime | keypad.WantNumber, Listed: 4, Now: present})
	})
}
