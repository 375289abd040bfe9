package grammar_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// TestEntries picks one of a list that was read out, and never one of two.
func TestEntries(t *testing.T) {
	entries := []time.Time{noon.Add(6 * time.Hour), noon.Add(10 * time.Hour), noon.Add(30*time.Hour + 30*time.Minute)}
	menu := map[spoken.Choice]string{spoken.ChooseAnother: "4", spoken.ChoosePerson: "0"}
	for said, want := range map[string]int{
		"one": 1, "1": 1, "number two": 2, "2 please": 2, "the second": 2, "the third one": 3, "first": 1, "cancel the second": 2,
		"the one at ten": 2, "at ten": 2, "ten": 2, "six o'clock": 1, "the one at six thirty": 3, "half past six": 3, "tomorrow": 3, "6pm": 1,
		"the one at six in the morning": 0, "the one today": 0, "four": 0, "one or two": 0, "the one at eleven": 0, "banana": 0,
	} {
		m := hear(said, grammar.Context{Menu: menu, Entries: entries})
		got := 0
		if m.Kind == grammar.Picked {
			got = m.Entry + 1
		}
		require.Equal(t, want, got, said)
	}
	for said, want := range map[string]spoken.Choice{
		"another one": spoken.ChooseAnother, "I need a taxi at ten": spoken.ChooseBook, "a person": spoken.ChoosePerson, "another taxi at ten": spoken.ChooseAnother,
	} {
		require.Equal(t, want, hear(said, grammar.Context{Menu: menu, Entries: entries}).Choice, said)
	}
	for said, want := range map[string]int{"eins": 1, "das zweite": 2, "die dritte bitte": 3, "um zehn": 2} {
		m := hear(said, grammar.Context{Menu: menu, Entries: entries, Language: "de-DE"})
		require.Equal(t, grammar.Picked, m.Kind, said)
		require.Equal(t, want, m.Entry+1, said)
	}
}
