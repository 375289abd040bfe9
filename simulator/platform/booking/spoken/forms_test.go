package spoken_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// rows returns the rows of a section of testdata/forms.txt.
func rows(t *testing.T, section string) (list [][]string) {
	text, err := os.ReadFile("testdata/forms.txt")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "["+section+"]\n")
	require.True(t, found, section)
	body, _, _ := strings.Cut(rest, "\n\n")
	for line := range strings.Lines(body) {
		list = append(list, strings.Split(strings.TrimSuffix(line, "\n"), " | "))
	}
	return list
}

// TestTimesInWords checks how times are spoken and written, as seen from noon on Wednesday, 4 March 2026.
func TestTimesInWords(t *testing.T) {
	for _, row := range rows(t, "times") {
		at, err := time.Parse(time.RFC3339, row[0])
		require.NoError(t, err)
		slots := spoken.Slots{When: at}
		require.Equal(t, "You have a taxi booked for "+strings.TrimSuffix(row[1], ".")+".", join(speaker(t, "en-GB").Say(spoken.StatusOther, slots)))
		require.Equal(t, "Sie haben für "+row[2]+" ein Taxi bestellt.", join(speaker(t, "de-DE").Say(spoken.StatusOther, slots)))
		require.Equal(t, "You have a taxi booked for "+row[3]+".", join(speaker(t, "en-GB").Write(spoken.StatusOther, slots)))
	}
}

func join(said []string) string { return strings.Join(said, " ") }

func TestFaresInWords(t *testing.T) {
	for _, row := range rows(t, "fares") {
		price := taxi.Price{}
		_, err := fmt.Sscan(row[0]+" -", &price.Value, &price.Currency, &price.Type)
		require.NoError(t, err)
		price.Type = taxi.PriceType(strings.Trim(string(price.Type), "-"))
		slots := spoken.Slots{Fare: &price}
		for language, want := range map[string][2]string{"en": {row[1], row[3]}, "de": {row[2], row[4]}} {
			s := speaker(t, language)
			lead := map[string]string{"en": "The fare is ", "de": "Der Fahrpreis beträgt "}[language]
			require.Equal(t, lead+want[0]+".", s.Say(spoken.StatusComplete, slots)[1])
			require.Equal(t, lead+want[1]+".", s.Write(spoken.StatusComplete, slots)[1])
		}
	}
	for _, nonsense := range []taxi.Price{{Value: 5}, {Value: math.NaN(), Currency: "GBP"}, {Value: -1, Currency: "GBP"}, {Value: math.Inf(1), Currency: "GBP"}, {Value: 1e9, Currency: "GBP"}} {
		require.Len(t, speaker(t, "en").Say(spoken.StatusComplete, spoken.Slots{Fare: &nonsense}), 1, "%+v", nonsense)
	}
}

func TestWaitingTimesInWords(t *testing.T) {
	for _, row := range rows(t, "waits") {
		eta := taxi.ETA{}
		_, err := fmt.Sscan(row[0], &eta.Value, &eta.Unit)
		require.NoError(t, err)
		slots := spoken.Slots{ETA: &eta}
		require.Equal(t, "It should be with you in about "+row[1]+".", speaker(t, "en").Say(spoken.Booked, slots)[1])
		require.Equal(t, "Es ist in etwa "+row[2]+" bei Ihnen.", speaker(t, "de").Say(spoken.Booked, slots)[1])
	}
	for _, nonsense := range []taxi.ETA{{Value: 5}, {Value: -1, Unit: "minutes"}, {Value: math.NaN(), Unit: "minutes"}, {Value: 1e12, Unit: "minutes"}, {Value: 5, Unit: "null"}, {Value: 5, Unit: "07700900123"}, {Value: 60 * 48, Unit: "min"}} {
		require.Len(t, speaker(t, "en").Say(spoken.Booked, spoken.Slots{ETA: &nonsense}), 1, "%+v", nonsense)
	}
}

func TestDistancesInWords(t *testing.T) {
	for metres, want := range map[float64][2]string{
		10:     {"zero point one miles", "null Komma eins"},
		800:    {"half a mile", "null Komma acht"},
		1609:   {"one mile", "eins Komma sechs"},
		1000:   {"zero point six miles", "einen"},
		3540.5: {"two point two miles", "drei Komma fünf"},
	} {
		require.Contains(t, speaker(t, "en").Say(spoken.StatusEnRoute, spoken.Slots{Distance: metres}), "It is about "+want[0]+" away.")
		require.Contains(t, speaker(t, "de").Say(spoken.StatusEnRoute, spoken.Slots{Distance: metres}), "Es ist etwa "+want[1]+" Kilometer entfernt.") //nolint:misspell // German
	}
	for _, nonsense := range []float64{0, -5, math.NaN(), math.Inf(1), 1e7} {
		require.Len(t, speaker(t, "en").Say(spoken.StatusEnRoute, spoken.Slots{Distance: nonsense}), 1)
	}
}

func TestJobNumbersAreSpelledOut(t *testing.T) {
	for id, want := range map[string]string{
		"BK-00123":                             "Your job number is B K, double zero one two three.",
		"7":                                    "Your job number is seven.",
		"a/77b":                                "Your job number is A, slash, double seven, B.",
		"111":                                  "Your job number is one one one.",
		"é1":                                   "Your job number is É, one.",
		"日本":                                   "Your job number is 日 本.",
		"3f2504e0-4f89-11d3-9a0c-0305e82c3301": "Your job number ends in two, C, double three zero one.",
		strings.Repeat("x", 200):               "Your job number ends in X X X X X X.",
		"--":                                   "",
		"null":                                 "",
	} {
		said := speaker(t, "en").Say(spoken.Booked, spoken.Slots{JobID: taxi.JourneyID(id)})
		require.Equal(t, strings.TrimSpace("Your taxi is booked. "+want), join(said), id)
	}
	require.Contains(t, join(speaker(t, "en").Write(spoken.Booked, spoken.Slots{JobID: "3f2504e0-4f89-11d3-9a0c-0305e82c3301"})), "3f2504e0-4f89-11d3-9a0c-0305e82c3301")
	require.Contains(t, join(speaker(t, "en").Say(spoken.StatusArrived, spoken.Slots{Registration: "ab11 cde"})), "The registration is A B, double one, C D E.")
}

func TestAddressesInWords(t *testing.T) {
	all := [][]string{
		{"  ", "", ""},
		{"undefined", "", ""},
		{strings.Repeat("Very Long Name ", 40) + "Inn", strings.Repeat("Very Long Name ", 5) + "Very", strings.Repeat("Very Long Name ", 5) + "Very"},
	}
	for _, row := range append(all, rows(t, "addresses")...) {
		require.Equal(t, row[1], speaker(t, "en").Place(row[0]), row[0])
		require.Equal(t, row[2], speaker(t, "de").Place(row[0]), row[0])
	}
}

// TestUnknownLanguagesFallBack checks which language is used for an unknown tag, and that numbers are words in English and
// German and figures in other languages.
func TestUnknownLanguagesFallBack(t *testing.T) {
	for _, language := range []string{"en-US", "en", "fr-FR", "", "??", "EN_gb"} {
		require.Equal(t, "en-GB", speaker(t, language).Language(), language)
	}
	require.Equal(t, "de-DE", speaker(t, "de-AT").Language())
	require.Equal(t, "forty-six", spoken.Number("en-GB", 46))
	require.Equal(t, "sechsundvierzig", spoken.Number("de", 46))
	require.Equal(t, "46", spoken.Number("cy-GB", 46))
}
