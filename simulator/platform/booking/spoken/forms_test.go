package spoken_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// TestTimes says times as from noon on Wednesday the fourth of March 2026.
func TestTimes(t *testing.T) {
	for _, row := range []struct {
		at, en, de, text string
	}{
		{"2026-03-04T15:50:00Z", "today at three fifty p.m.", "heute um fünfzehn Uhr fünfzig", "today at 15:50"},
		{"2026-03-04T15:00:00Z", "today at three p.m.", "heute um fünfzehn Uhr", "today at 15:00"},
		{"2026-03-04T15:05:00Z", "today at three oh five p.m.", "heute um fünfzehn Uhr fünf", "today at 15:05"},
		{"2026-03-05T09:30:00Z", "tomorrow at nine thirty a.m.", "morgen um neun Uhr dreißig", "tomorrow at 09:30"},
		{"2026-03-05T12:00:00Z", "tomorrow at twelve noon", "morgen um zwölf Uhr", "tomorrow at 12:00"},
		{"2026-03-05T01:01:00Z", "tomorrow at one oh one a.m.", "morgen um ein Uhr eins", "tomorrow at 01:01"},
		{"2026-03-05T00:00:00Z", "tonight at midnight", "morgen um null Uhr", "tomorrow at 00:00"},
		{"2026-03-06T00:00:00Z", "tomorrow night at midnight", "übermorgen um null Uhr", "Friday at 00:00"},
		{"2026-03-07T18:00:00Z", "Saturday at six p.m.", "Samstag um achtzehn Uhr", "Saturday at 18:00"},
		{"2026-03-11T18:00:00Z", "Wednesday the eleventh of March at six p.m.", "Mittwoch, den elften März, um achtzehn Uhr", "Wednesday 11 of March at 18:00"},
		{"2026-03-23T00:00:00Z", "midnight at the end of Sunday the twenty-second of March", "Montag, den dreiundzwanzigsten März, um null Uhr", "Monday 23 of March at 00:00"},
		{"2026-03-03T18:00:00Z", "yesterday at six p.m.", "gestern um achtzehn Uhr", "yesterday at 18:00"},
		{"2026-06-01T11:00:00Z", "Monday the first of June at twelve noon", "Montag, den ersten Juni, um zwölf Uhr", "Monday 1 of June at 12:00"}, // summer time
	} {
		at, err := time.Parse(time.RFC3339, row.at)
		require.NoError(t, err)
		slots := spoken.Slots{When: at}
		require.Equal(t, "You have a taxi booked for "+strings.TrimSuffix(row.en, ".")+".", join(speaker(t, "en-GB").Say(spoken.StatusOther, slots)))
		require.Equal(t, "Sie haben für "+row.de+" ein Taxi bestellt.", join(speaker(t, "de-DE").Say(spoken.StatusOther, slots)))
		require.Equal(t, "You have a taxi booked for "+row.text+".", join(speaker(t, "en-GB").Write(spoken.StatusOther, slots)))
	}
}

func join(said []string) string { return strings.Join(said, " ") }

func TestFares(t *testing.T) {
	for _, row := range []struct {
		price    taxi.Price
		en, de   string
		en2, de2 string // as it is written
	}{
		{taxi.Price{Value: 12.4, Currency: "GBP", Type: taxi.Estimated}, "about twelve pounds forty", "etwa zwölf Pfund vierzig", "about £12.40", "etwa 12,40 £"},
		{taxi.Price{Value: 12.4, Currency: "GBP", Type: "ESTIMATE"}, "about twelve pounds forty", "etwa zwölf Pfund vierzig", "about £12.40", "etwa 12,40 £"},
		{taxi.Price{Value: 12, Currency: "gbp", Type: "fixed"}, "fixed at twelve pounds", "pauschal zwölf Pfund", "fixed at £12.00", "pauschal 12,00 £"},
		{taxi.Price{Value: 12.05, Currency: "GBP", Type: taxi.Minimum}, "at least twelve pounds and five pence", "mindestens zwölf Pfund fünf", "at least £12.05", "mindestens 12,05 £"},
		{taxi.Price{Value: 0.5, Currency: "GBP", Type: taxi.Maximum}, "at most fifty pence", "höchstens fünfzig Pence", "at most £0.50", "höchstens 0,50 £"},
		{taxi.Price{Value: 1.01, Currency: "GBP"}, "one pound and one penny", "ein Pfund eins", "£1.01", "1,01 £"},
		{taxi.Price{Value: 21.9, Currency: "EUR", Type: "GUESSED"}, "twenty-one euros and ninety cents", "einundzwanzig Euro neunzig", "21.90 EUR", "21,90 €"},
		{taxi.Price{Value: 1, Currency: "USD"}, "one dollar", "ein Dollar", "1.00 USD", "1,00 USD"},
		{taxi.Price{Value: 1250.4, Currency: "JPY"}, "one thousand two hundred and fifty yen", "eintausendzweihundertfünfzig Yen", "1250 JPY", "1250 JPY"},
		{taxi.Price{Value: 7.25, Currency: "XTS"}, "seven point two five X T S", "sieben Komma zwei fünf X T S", "7.25 XTS", "7,25 XTS"},
		{taxi.Price{Value: 7.5, Currency: "€"}, "seven euros and fifty cents", "sieben Euro fünfzig", "7.50 EUR", "7,50 €"},
		{taxi.Price{Value: 7.5, Currency: "shells"}, "seven point five shells", "sieben Komma fünf shells", "7.50 shells", "7,50 shells"},
		{taxi.Price{Value: 19.999, Currency: "GBP"}, "twenty pounds", "zwanzig Pfund", "£20.00", "20,00 £"},
	} {
		slots := spoken.Slots{Fare: &row.price}
		for language, want := range map[string][2]string{"en": {row.en, row.en2}, "de": {row.de, row.de2}} {
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

func TestWaits(t *testing.T) {
	for _, row := range []struct {
		eta    taxi.ETA
		en, de string
	}{
		{taxi.ETA{Value: 4, Unit: "minutes"}, "four minutes", "vier Minuten"},
		{taxi.ETA{Value: 4, Unit: "mins"}, "four minutes", "vier Minuten"},
		{taxi.ETA{Value: 4, Unit: "Min."}, "four minutes", "vier Minuten"},
		{taxi.ETA{Value: 3.2, Unit: "minute"}, "four minutes", "vier Minuten"},
		{taxi.ETA{Value: 1, Unit: "minutes"}, "one minute", "einer Minute"},
		{taxi.ETA{Value: 0, Unit: "minutes"}, "one minute", "einer Minute"},
		{taxi.ETA{Value: 30, Unit: "seconds"}, "one minute", "einer Minute"},
		{taxi.ETA{Value: 240, Unit: "s"}, "four minutes", "vier Minuten"},
		{taxi.ETA{Value: 1.5, Unit: "hours"}, "one hour and thirty minutes", "einer Stunde und dreißig Minuten"},
		{taxi.ETA{Value: 120, Unit: "minutes"}, "two hours", "zwei Stunden"},
		{taxi.ETA{Value: 2, Unit: "fortnights"}, "two fortnights", "zwei fortnights"},
		{taxi.ETA{Value: 2.5, Unit: "songs"}, "two point five songs", "zwei Komma fünf songs"},
	} {
		slots := spoken.Slots{ETA: &row.eta}
		require.Equal(t, "It should be with you in about "+row.en+".", speaker(t, "en").Say(spoken.Booked, slots)[1])
		require.Equal(t, "Es ist in etwa "+row.de+" bei Ihnen.", speaker(t, "de").Say(spoken.Booked, slots)[1])
	}
	for _, nonsense := range []taxi.ETA{{Value: 5}, {Value: -1, Unit: "minutes"}, {Value: math.NaN(), Unit: "minutes"}, {Value: 1e12, Unit: "minutes"}, {Value: 5, Unit: "null"}, {Value: 5, Unit: "07700900123"}, {Value: 60 * 48, Unit: "min"}} {
		require.Len(t, speaker(t, "en").Say(spoken.Booked, spoken.Slots{ETA: &nonsense}), 1, "%+v", nonsense)
	}
}

func TestDistances(t *testing.T) {
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

func TestSpelling(t *testing.T) {
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

func TestAddresses(t *testing.T) {
	for address, want := range map[string][2]string{
		"14 Mill Lane, Otterbridge, ZT1 4BD":          {"fourteen Mill Lane", "vierzehn Mill Lane"},
		"14a Mill Lane ZT1 4BD":                       {"fourteen A Mill Lane", "vierzehn A Mill Lane"},
		"112 Mill Lane":                               {"one one two Mill Lane", "einhundertzwölf Mill Lane"},
		"12-14 Mill Lane":                             {"twelve to fourteen Mill Lane", "zwölf bis vierzehn Mill Lane"},
		"Flat 2, 3 Coopers Close, Otterbridge":        {"Flat two, three Coopers Close", "Flat zwei, drei Coopers Close"},
		"14, Mill Lane, Otterbridge":                  {"fourteen, Mill Lane", "vierzehn, Mill Lane"},
		"Eel & Anchor, Net Loft Yard":                 {"Eel and Anchor", "Eel und Anchor"},
		"Hauptstraße 46, 80331 München":               {"Hauptstraße forty-six", "Hauptstraße sechsundvierzig"},
		"The <b>Otter</b> Hotel":                      {"The Otter Hotel", "The Otter Hotel"},
		"1984 Mill Lane":                              {"one nine eight four Mill Lane", "eintausendneunhundertvierundachtzig Mill Lane"},
		"2100007 Long Road":                           {"2100007 Long Road", "2100007 Long Road"},
		"100 Mill Lane":                               {"one hundred Mill Lane", "einhundert Mill Lane"},
		"  ":                                          {"", ""},
		"undefined":                                   {"", ""},
		strings.Repeat("Very Long Name ", 40) + "Inn": {strings.Repeat("Very Long Name ", 5) + "Very", strings.Repeat("Very Long Name ", 5) + "Very"},
	} {
		require.Equal(t, want[0], speaker(t, "en").Place(address), address)
		require.Equal(t, want[1], speaker(t, "de").Place(address), address)
	}
}

// TestOtherLanguages says figures as figures, for a voice that can read them.
func TestOtherLanguages(t *testing.T) {
	for _, language := range []string{"en-US", "en", "fr-FR", "", "??", "EN_gb"} {
		require.Equal(t, "en-GB", speaker(t, language).Language(), language)
	}
	require.Equal(t, "de-DE", speaker(t, "de-AT").Language())
	require.Equal(t, "forty-six", spoken.Number("en-GB", 46))
	require.Equal(t, "sechsundvierzig", spoken.Number("de", 46))
	require.Equal(t, "46", spoken.Number("cy-GB", 46))
}
