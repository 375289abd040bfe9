package booking_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// What people say at the read-back of a trip from the station to the town hall, at eight
// this evening.
var (
	agreements = []string{"yes", "yes please", "that's right", "okay", "go ahead", "correct", "perfect", "ja", "genau", "passt", "spot on", "ja bitte"}
	politeness = []string{"thank you", "love", "mate", "um", "well", "cheers", "bitte", "danke", "äh", "then", "so"}
	repeated   = []string{"at eight", "eight o'clock", "tonight", "the town hall", "from the station", "zum Rathaus", "heute Abend"}

	// Each of these changes something, adds something, or doubts.
	dangers = []string{
		"to the airport", "from the harbour", "the hospital", "zum Flughafen", "vom Hafen", "14 Mill Lane", "actually the university", "from the town hall to the station",
		"at nine", "tomorrow", "in ten minutes", "half past eight", "in the morning", "an hour later", "morgen", "um neun", "yesterday",
		"four people", "for three of us", "zu dritt", "no", "not", "don't", "nein", "nicht", "kein", "never mind", "cancel it", "hold on", "wait", "forget it", "stornieren",
		"how much is it", "how long will it be", "was kostet das", "why", "but", "but yes", "but correct", "if it is cheap", "maybe", "aber", "aber ja", "vielleicht", "instead", "change it", "the other way round", "andersherum",
		"flibbertigibbet", "zxqv", "buckingham palace", "via the airport", "a people carrier", "say that again", "a person", "my name is Gladys",
		"stop", "one question", "may I ask something", "with one alteration", "somewhere else", "take me home", "to work", "only if it is a woman", "I beg your pardon", "I misspoke",
		"noch etwas", "eine Änderung", "noch eine Frage", "nach der Arbeit", "sobald der Zug da ist", "ich habe mich versprochen", "three gentlemen", "drei Herren", "take us there with the dog's cage",
	}
)

// takenBack is a "no" with the words by which it may be taken back.
var takenBack = regexp.MustCompile(`\b(no|nein) (that's right|passt)\b`)

// TestOnlyAgreementBooksTheTrip checks that a trip that is read back is booked only after words of agreement, also with
// politeness or repeated parts of the trip. Anything that changes, adds, doubts or asks, or is not understood,
// prevents it, whatever is said around it.
func TestOnlyAgreementBooksTheTrip(t *testing.T) {
	third := newParty(t, knowing())
	desk := deskOf(third.url)
	defer desk.Close()
	books := func() int { return len(third.bodies("/book")) }
	say := func(words string) int {
		before := books()
		s, _ := rings(t, desk, callerNumber)
		step := s.Hear(t.Context(), booking.Input{Words: "from the station to the town hall at eight tonight", Confidence: 0.9})
		require.Equal(t, booking.Confirm, step.State)
		s.Hear(t.Context(), booking.Input{Words: words, Confidence: 0.9})
		return books() - before
	}
	for _, text := range agreements {
		require.Equal(t, 1, say(text), text)
	}
	for _, text := range repeated {
		require.Zero(t, say(text), "%s: nobody has agreed", text)
		require.Equal(t, 1, say("yes "+text), text)
	}
	require.Equal(t, 1, say("yeah no that's right"), "it takes the no back")
	require.Zero(t, say("no that's right"), "or not: thank you, no")
	for _, text := range dangers {
		require.Zero(t, say(text), text)
		require.Zero(t, say("yes please "+text), text)
		require.Zero(t, say(text+" yes"), text)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := []string{rapid.SampledFrom(dangers).Draw(t, "danger")}
		for _, list := range [][]string{agreements, politeness, repeated, agreements} {
			if rapid.Bool().Draw(t, "has") {
				word := rapid.SampledFrom(list).Draw(t, "word")
				if rapid.Bool().Draw(t, "before") {
					words = append([]string{word}, words...)
				} else {
					words = append(words, word)
				}
			}
		}
		text := strings.Join(words, " ")
		yeses := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !slices.Contains(agreements, w) })
		if len(yeses) > 1 && takenBack.MatchString(text) {
			t.Skip("a no that is taken back, and a yes")
		}
		if say(text) != 0 {
			t.Fatalf("%q has booked", text)
		}
	})
}

// TestRepeatedUnclearYesBooksTheTrip checks that a yes with unknown words books if it is repeated exactly at the next read-back, but
// not with other words or after a change of the trip.
func TestRepeatedUnclearYesBooksTheTrip(t *testing.T) {
	third := newParty(t, knowing())
	desk := deskOf(third.url)
	defer desk.Close()
	for _, row := range []struct {
		says []string
		want int
	}{
		{[]string{"yes that is grandiloquent", "yes that is grandiloquent"}, 1},
		{[]string{"yes that is grandiloquent", "yes that is splendiferous"}, 0},
		{[]string{"yes that is grandiloquent", "to the airport", "yes that is grandiloquent"}, 0},
		{[]string{"no that is grandiloquent", "no that is grandiloquent"}, 0},
		{[]string{"yes to buckingham palace", "yes to buckingham palace"}, 0},
		{[]string{"yes but grandiloquent", "yes but grandiloquent"}, 0},
		{[]string{"yes with a wheelchair ramp", "yes with a wheelchair ramp"}, 0},
		{[]string{"the other way round", "yes the other way round"}, 1},
		{[]string{"the other way round", "from the harbour to the airport", "okay the other way round"}, 0},
		{[]string{"the other way round", "at nine", "okay the other way round"}, 0},
	} {
		before := len(third.bodies("/book"))
		s, _ := rings(t, desk, callerNumber)
		s.Hear(t.Context(), booking.Input{Words: "from the station to the town hall at eight tonight", Confidence: 0.9})
		for _, words := range row.says {
			s.Hear(t.Context(), booking.Input{Words: words, Confidence: 0.9})
		}
		require.Equal(t, row.want, len(third.bodies("/book"))-before, "%q", row.says)
	}
}

// TestMisheardChangeIsNotBooked checks that a caller whose change of the trip was not understood, and who then
// agrees to the old trip, is connected to a person.
func TestMisheardChangeIsNotBooked(t *testing.T) {
	third := newParty(t, knowing())
	desk := deskOf(third.url)
	defer desk.Close()
	for _, row := range []struct {
		says   []string
		booked bool
	}{
		{[]string{"no, we are flibbertigibbet nineteen", "yes", "yes"}, false},
		{[]string{"no, flibbertigibbet", "yes", "yes"}, false},
		{[]string{"seventeen zxqv rather", "yes"}, false},
		{[]string{"no, at nine", "yes"}, true},
		{[]string{"no, flibbertigibbet", "to the museum, I said", "yes"}, true},
		{[]string{"no, at eight", "yes", "yes"}, true},
	} {
		before := len(third.bodies("/book"))
		s, _ := rings(t, desk, callerNumber)
		step := s.Hear(t.Context(), booking.Input{Words: "from the station to the town hall at eight tonight", Confidence: 0.9})
		for _, words := range row.says {
			step = s.Hear(t.Context(), booking.Input{Words: words, Confidence: 0.9})
		}
		require.Equal(t, row.booked, len(third.bodies("/book")) > before, "%q", row.says)
		require.True(t, row.booked || step.State == booking.Person, "%q: %s", row.says, step.State)
	}
}

// TestTimesFollowTheClockOfTheCallers checks that times are understood and read back by the clock of the callers, if that is
// not the wall clock.
func TestTimesFollowTheClockOfTheCallers(t *testing.T) {
	desk := deskOf(newParty(t, knowing()).url, func(o *booking.Options, _ *booking.Settings) {
		o.Callers = func() time.Time { return callersNow.Add(90 * time.Minute) }
	})
	defer desk.Close()
	s, _ := rings(t, desk, callerNumber)
	step := s.Hear(t.Context(), booking.Input{Words: "from the station to the town hall in half an hour", Confidence: 0.9})
	require.Equal(t, booking.Confirm, step.State)
	require.Contains(t, strings.Join(step.Said, " "), "four thirty p.m.", "two thirty, 90 minutes and half an hour")
}
