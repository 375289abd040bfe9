package grammar_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
)

// unread are words that no list has, and that are like none.
var unread = rapid.Custom(func(t *rapid.T) string {
	return "xq" + rapid.StringMatching(`[aeiou][bdgkv][aeiou][bdgkv]?`).Draw(t, "syllables") + "x"
})

// TestDoubts says what leaves a part of a trip in doubt, with any unread word: that part is never
// filled. -rapid.checks draws more often.
func TestDoubts(t *testing.T) {
	kinds := rapid.SampledFrom([]string{"airport", "station", "hospital", "school", "football ground"})
	names := rapid.SampledFrom([]string{"the otter hotel", "the drowned bell", "the town hall", "the station", "the hospital"})
	number := rapid.IntRange(1, 12)
	for name, says := range map[string]struct {
		said   func(t *rapid.T) string
		filled func(u grammar.Utterance) bool
	}{
		"between the word that leads to a place and its name": {
			func(t *rapid.T) string { return fmt.Sprintf("to %s %s", unread.Draw(t, "word"), kinds.Draw(t, "kind")) },
			func(u grammar.Utterance) bool {
				return u.Dropoff.Known() || u.Pickup.Known() || len(u.Bare) > 0 && u.Bare[0].Known()
			},
		},
		"a town behind a place": {
			func(t *rapid.T) string {
				return fmt.Sprintf("from %s in %s", names.Draw(t, "place"), unread.Draw(t, "word"))
			},
			func(u grammar.Utterance) bool { return u.Pickup.Known() },
		},
		"a noun behind a place": {
			func(t *rapid.T) string {
				return fmt.Sprintf("to %s %s", names.Draw(t, "place"), unread.Draw(t, "word"))
			},
			func(u grammar.Utterance) bool { return u.Dropoff.Known() },
		},
		"a number and an unread word": {
			func(t *rapid.T) string {
				return fmt.Sprintf("from %d %s road to the station now", number.Draw(t, "number"), unread.Draw(t, "word"))
			},
			func(u grammar.Utterance) bool { return u.When.Clock || u.Pickup.Known() },
		},
		"an unread day": {
			func(t *rapid.T) string {
				return fmt.Sprintf("to the station on %s at %d am", unread.Draw(t, "word"), number.Draw(t, "number"))
			},
			func(u grammar.Utterance) bool { return !u.When.Undated },
		},
		"a thing that is counted": {
			func(t *rapid.T) string {
				thing := rapid.SampledFrom([]string{"percent", "quid", "miles", "stops", "years", "pounds"}).Draw(t, "thing")
				return fmt.Sprintf("it is on %d %s to the station", number.Draw(t, "number"), thing)
			},
			func(u grammar.Utterance) bool { return u.When.Clock || u.People > 0 },
		},
		"an arrival": {
			func(t *rapid.T) string {
				must := rapid.SampledFrom([]string{"I have to be", "we need to be", "I've got to be", "she must be", "he has to be"}).Draw(t, "must")
				by := rapid.SampledFrom([]string{"by", "at", "for", "before"}).Draw(t, "by")
				return fmt.Sprintf("%s at %s %s half past %d", must, names.Draw(t, "place"), by, number.Draw(t, "number"))
			},
			func(u grammar.Utterance) bool { return u.When.Clock },
		},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				said := says.said(t)
				if u := hear(said, grammar.Context{Language: "en"}); says.filled(u) {
					t.Fatalf("%q: %s", said, read(u))
				}
			})
		})
	}
}
