package spoken_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// spellings are spellings of +44 7700 900123 that people, or careless programs, would understand.
var spellings = []string{
	"+447700900123", "447700900123", "07700900123", "07700 900123", "07700 900 123", "(07700) 900-123", "0044 7700 900123",
	"7700900123", "0 7 7 0 0 9 0 0 1 2 3", "0.7.7.0.0.9.0.0.1.2.3", "900123 is not all of it: 7700900123",
	"oh seven seven double oh nine double oh one two three", "zero seven seven zero zero nine zero zero one two three",
	"nought double seven double zero nine hundred one two three", "plus forty-four seventy-seven double oh nine double oh twelve three",
	"null sieben sieben null null neun null null eins zwei drei", "null sieben sieben null null neun null null zwölf drei",
	"siebenundsiebzig null null neun null null eins zwei drei",
	"０７７００９００１２３", "٠٧٧٠٠٩٠٠١٢٣", "07700\u200b900123", "07<b>700</b>900123", "&#48;7700900123",
	"Zero Seven Seven Zero Zero, then Nine Zero Zero, then One Two Three", "treble seven is no help: oh seven seven oh oh nine oh oh one two three",
	"o77oo9oo123",
}

func TestGuardDetectsNumbersInAnySpelling(t *testing.T) {
	for _, secret := range []taxi.E164{"+447700900123", "447700900123", "+44 7700 900123"} {
		g := spoken.NewGuard(secret)
		for _, text := range spellings {
			plain := spoken.Plain(text, 200)
			require.True(t, g.Caught(plain), "%q", text)
			require.False(t, g.Caught(g.Mask(plain)), "%q", g.Mask(plain))
		}
		for _, other := range []string{
			"", "14 Mill Lane", "B K, double zero one two three", "07700 111222", "twelve pounds forty", "ZT21 KBD", "seven seven zero zero",
			"one two three", "tomorrow at seven seventeen, press 1", "447911", "2026-03-04T15:50:00Z",
		} {
			require.False(t, g.Caught(other), other)
			require.Equal(t, other, g.Mask(other))
		}
	}
	require.False(t, spoken.NewGuard("", "12").Caught("12"), "too short to be a number")
	require.True(t, spoken.NewGuard("12345").Caught("one two three four five"))
	var none *spoken.Guard
	require.False(t, none.Caught("07700900123"))
}

// TestNoNumberIsSaid checks that no prompt contains a secret number, in any spelling, that is in any of its slots.
func TestNoNumberIsSaid(t *testing.T) {
	const secret = "+447700900123"
	for _, language := range spoken.Builtin().Languages() {
		for _, text := range spellings {
			s := speaker(t, language, secret)
			slots := everything()
			dirty := "Sam " + text
			slots.Firm, slots.Name, slots.Pickup, slots.Dropoff, slots.House = dirty, dirty, dirty, dirty, dirty
			slots.Places, slots.Vehicle, slots.Registration, slots.Driver, slots.Badge = []string{dirty, dirty, dirty}, dirty, dirty, dirty, text
			slots.JobID, slots.ETA = taxi.JourneyID(text), &taxi.ETA{Value: 7700900123, Unit: text}
			slots.Fare = &taxi.Price{Value: 770090, Currency: text}
			slots.Taxis = []spoken.Taxi{{When: noon, Pickup: dirty}}
			g := spoken.NewGuard(secret)
			for _, id := range spoken.PromptIDs() {
				for _, said := range append(s.Say(id, slots), s.Write(id, slots)...) {
					require.False(t, g.Caught(said), "%s: %q", id, said)
					require.False(t, g.Caught(strings.ReplaceAll(said, ",", "")), "%s: %q", id, said)
				}
			}
		}
	}
	s := speaker(t, "en", secret)
	require.Contains(t, s.Say(spoken.StatusArrived, spoken.Slots{Driver: "Sam (07700 900123)"}), "Your driver is Sam.")
	require.Len(t, s.Say(spoken.StatusArrived, spoken.Slots{Driver: "07700 900123"}), 1)
	require.Len(t, s.Say(spoken.StatusArrived, spoken.Slots{Driver: "Call me on 07700 900123"}), 1)
	require.Equal(t, "14 Mill Lane, ", spoken.NewGuard(secret).Mask("14 Mill Lane, double seven zero zero nine zero zero one"))
}

// TestPhoneNumbersInNamesAreRemoved checks that telephone numbers are removed from the name in a greeting.
func TestPhoneNumbersInNamesAreRemoved(t *testing.T) {
	s := speaker(t, "en")
	for name, want := range map[string]string{
		"07700900999": "Hello.", "+44 7700 900 999": "Hello.", "Guest 07700900999": "Hello Guest.", "Sam (+44 7700 900999)": "Hello Sam.",
		"oh seven seven double oh nine nine": "Hello.", "1234": "Hello.", "Elizabeth 2": "Hello Elizabeth 2.", "Flat 12, Ann": "Hello Flat 12, Ann.",
		"double seven double oh nine double oh nine": "Hello.", "Ann double seven double oh nine double oh nine": "Hello Ann.",
		"Call me on 07700 900999": "Hello.", "O'Neill 07700 900999": "Hello O'Neill.", "call me Ann": "Hello call me Ann.",
	} {
		require.Equal(t, want, s.Say(spoken.Known, spoken.Slots{Name: name})[0], "%q", name)
	}
}

// FuzzGuard checks that no masked text contains the secret number.
func FuzzGuard(f *testing.F) {
	for _, text := range spellings {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := spoken.NewGuard("+447700900123")
		require.False(t, g.Caught(g.Mask(text)), "%q", g.Mask(text))
	})
}

func TestPlainRemovesMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"Bob":                                  "Bob",
		" Bob \n\t Hope ":                      "Bob Hope",
		"<speak>Bob<break time='3s'/></speak>": "Bob",
		"<script>alert(1)</script>Bob":         "alert(1) Bob",
		"&lt;b&gt;Bob&lt;/b&gt;":               "Bob",
		"&amp;lt;b&amp;gt;Bob":                 "Bob",
		"<<b>b>Bob":                            "b Bob",
		"1 < 2 > 0":                            "1 2 0",
		"{{.name}}":                            ".name",
		"B\x00o\x1bb\u202e\u2066\u200b":        "B o b",
		"null":                                 "", "NULL": "", "undefined": "", "<nil>": "", "NaN": "", "None": "", "": "", "...": "", "🚕": "", "[object Object]": "",
		"Nullarbor":                          "Nullarbor",
		"O'Rourke-D'Arcy; DROP TABLE users":  "O'Rourke-D'Arcy; DROP TABLE users",
		"ليلى منصور":                         "ليلى منصور",
		"a\xffb":                             "ab",
		"<!-- Bob -->Ann":                    "Ann",
		"one two three four five six seven":  "one two three four",
		"Donaudampfschifffahrtsgesellschaft": "Donaudampfschifffahr",
	} {
		require.Equal(t, want, spoken.Plain(text, map[bool]int{true: 20, false: 40}[strings.HasPrefix(text, "one two") || strings.HasPrefix(text, "Donau")]), "%q", text)
	}
}

// FuzzPlain checks that a cleaned text has no markup and no invisible characters, is not too long, and does not
// change when it is cleaned again.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{"<b>Bob</b>", "&#x3c;b&#x3e;", "\u202enull", "<", strings.Repeat("&amp;", 99)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := spoken.Plain(text, 30)
		require.LessOrEqual(t, len([]rune(got)), 30)
		require.False(t, strings.ContainsAny(got, "<>{}\n\t\x00\u202e\u200b"), "%q", got)
		require.Equal(t, got, spoken.Plain(got, 30), "cleaning twice changes nothing")
	})
}
