package grammar_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
)

// unread generates words that are in no list and similar to none.
var unread = rapid.Custom(func(t *rapid.T) string {
	return "xq" + rapid.StringMatching(`[aeiou][bdgkv][aeiou][bdgkv]?`).Draw(t, "syllables") + "x"
})

// TestDoubtfulPartsAreLeftEmpty checks that a part of a trip is left empty if the sentence makes it doubtful, with random unknown words.
// -rapid.checks sets the number of draws.
func TestDoubtfulPartsAreLeftEmpty(t *testing.T) {
	figure := rapid.Custom(func(t *rapid.T) string { return fmt.Sprint(rapid.IntRange(1, 12).Draw(t, "figure")) })
	parts := map[string]*rapid.Generator[string]{
		"WORD": unread, "NUMBER": figure,
		"KIND":  rapid.SampledFrom([]string{"airport", "station", "hospital", "school", "football ground"}),
		"PLACE": rapid.SampledFrom([]string{"the otter hotel", "the drowned bell", "the town hall", "the station", "the hospital"}),
		"THING": rapid.SampledFrom([]string{"percent", "quid", "miles", "stops", "years", "pounds"}),
		"MUST":  rapid.SampledFrom([]string{"I have to be", "we need to be", "I've got to be", "she must be", "he has to be"}),
		"BY":    rapid.SampledFrom([]string{"by", "at", "for", "before"}),
	}
	part := regexp.MustCompile("[A-Z]{2,}")
	for text, filled := range map[string]func(u grammar.Utterance) bool{
		"to WORD KIND": func(u grammar.Utterance) bool {
			return u.Dropoff.Known() || u.Pickup.Known() || len(u.Bare) > 0 && u.Bare[0].Known()
		},
		"from PLACE in WORD":                                       func(u grammar.Utterance) bool { return u.Pickup.Known() },
		"to PLACE WORD":                                            func(u grammar.Utterance) bool { return u.Dropoff.Known() },
		"from NUMBER WORD road to the station now":                 func(u grammar.Utterance) bool { return u.When.Clock || u.Pickup.Known() },
		"to the station on WORD at NUMBER am":                      func(u grammar.Utterance) bool { return u.When.Clock && !u.When.Undated },
		"it is on NUMBER THING to the station":                     func(u grammar.Utterance) bool { return u.When.Clock || u.People > 0 },
		"MUST at PLACE BY half past NUMBER":                        func(u grammar.Utterance) bool { return u.When.Clock },
		"my WORD starts at half past NUMBER":                       func(u grammar.Utterance) bool { return u.When.Clock },
		"two of us and a WORD to PLACE now":                        func(u grammar.Utterance) bool { return !u.Company },
		"NUMBER WORD and me to PLACE now":                          func(u grammar.Utterance) bool { return !u.Company },
		"the WORD says half past NUMBER so a taxi to PLACE please": func(u grammar.Utterance) bool { return u.When.Clock },
		"the WORD is NUMBER minutes late take me to PLACE":         func(u grammar.Utterance) bool { return u.When.In != 0 || u.When.Clock },
		"its the museum i want and its PLACE we WORD":              func(u grammar.Utterance) bool { return u.Pickup.Known() && u.Dropoff.Known() && !u.Guessed },
	} {
		t.Run(strings.ReplaceAll(text, " ", "_"), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				said := part.ReplaceAllStringFunc(text, func(name string) string { return parts[name].Draw(t, name) })
				if u := hear(said, grammar.Context{Language: "en"}); filled(u) {
					t.Fatalf("%q: %s", said, read(u))
				}
			})
		})
	}
}

// TestHouseNumberCorrections checks which numbers count as a correction of a house number that was read back.
func TestHouseNumberCorrections(t *testing.T) {
	rows(t, "numbers", func(t *testing.T, want, said string) {
		require.Equal(t, want, fmt.Sprint(hear(said, grammar.Context{Language: "en", ReadBack: true, Houses: []int{13}}).Only))
	})
}
