package grammar_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// present is the time of all tests: a Monday, half past two.
var present = time.Date(2026, 3, 2, 14, 30, 0, 0, time.UTC)

var places = []grammar.Place{
	{Name: "Otterbridge Station"},
	{Name: "Station Rank"},
	{Name: "Market Place Rank"},
	{Name: "Otterbridge General Hospital"},
	{Name: "Otterbridge Airport"},
	{Name: "University of Otterbridge"},
	{Name: "Otterbridge Harbour"},
	{Name: "Town Hall"},
	{Name: "The Otter Hotel"},
	{Name: "Harbour View Hotel"},
	{Name: "The Drowned Bell", Kind: "pub"},
	{Name: "Eel and Anchor", Kind: "pub"},
	{Name: "Otterbridge Town Football Ground"},
	{Name: "Millrace Retail Park"},
	{Name: "St Wilfrid's School"},
	{Name: "Northgate Surgery"},
	{Name: "14 Mill Lane"},
	{Name: "Mill Lane", Street: true},
	{Name: "Coopers Close", Street: true},
	{Name: "High Street", Street: true},
	{Name: "Hauptstraße", Street: true},
}

var gazetteer = grammar.NewGazetteer(places)

func hear(text string, c grammar.Context) grammar.Utterance {
	c.Gazetteer, c.Now = gazetteer, present
	return grammar.Hear(text, c)
}

// read returns what an utterance says of a trip, in one line.
func read(u grammar.Utterance) string {
	var parts []string
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+" "+text)
		}
	}
	add("from", named(u.Pickup))
	add("to", named(u.Dropoff))
	for _, s := range u.Stops {
		add("by", named(s))
	}
	for _, s := range u.Bare {
		add("at", named(s))
	}
	for _, s := range u.Refused {
		add("not", named(s))
	}
	if u.Usual {
		parts = append(parts, "usual")
	}
	if u.Swapped {
		parts = append(parts, "swapped")
	}
	if !u.When.IsZero() {
		at, trouble := u.When.At(present, time.Time{})
		switch {
		case trouble != "":
			add("time", string(trouble))
		case at.IsZero():
			parts = append(parts, "now")
		default:
			parts = append(parts, at.Format("2 15:04"))
		}
	}
	if u.People > 0 {
		parts = append(parts, fmt.Sprintf("for %d", u.People))
	}
	add("name", u.Name)
	add("which", map[bool]string{true: "end?"}[u.Guessed])
	add("what", map[bool]string{true: "time?"}[u.Unsure])
	add("how", map[bool]string{true: "many?"}[u.Company])
	return strings.Join(parts, ", ")
}

func named(s grammar.Spot) string {
	if len(s.Index) == 0 {
		if s.Text != "" {
			return "?" + s.Text
		}
		return ""
	}
	var names []string
	for _, i := range s.Index {
		names = append(names, strings.TrimSpace(s.House+" "+places[i].Name))
	}
	return strings.Join(names, "|")
}

// rows calls a function for each sentence of a section of testdata/hear.txt, with the expected result.
func rows(t *testing.T, section string, each func(t *testing.T, want, said string)) {
	text, err := os.ReadFile("testdata/hear.txt")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "["+section+"]\n")
	require.True(t, found && strings.Contains(rest, "\t"), section)
	body, _, _ := strings.Cut(rest, "\n[")
	want := ""
	for line := range strings.Lines(body) {
		if said, ok := strings.CutPrefix(line, "\t"); ok {
			t.Run(strings.TrimSpace(said), func(t *testing.T) { each(t, want, strings.TrimSuffix(said, "\n")) })
			continue
		}
		want = strings.TrimPrefix(strings.TrimSpace(line), "-")
	}
}

// TestWholeTripsAreUnderstood checks that whole trips are understood in any order, with the phrases that people add.
func TestWholeTripsAreUnderstood(t *testing.T) {
	rows(t, "trips", func(t *testing.T, want, said string) {
		require.Equal(t, want, read(hear(said, grammar.Context{Language: "en"})))
	})
}

// TestTimesAreUnderstood checks that spoken times are understood.
func TestTimesAreUnderstood(t *testing.T) {
	rows(t, "times", func(t *testing.T, want, said string) {
		require.Equal(t, want, read(hear(said, grammar.Context{Language: "en", Asked: grammar.AskedTime})))
	})
}

// TestLaterPartsOfATimeReplaceEarlierOnes checks that later parts of a time replace earlier ones, that a time can be moved, and which times fit
// another.
func TestLaterPartsOfATimeReplaceEarlierOnes(t *testing.T) {
	part := func(text string) grammar.When { return hear(text, grammar.Context{Asked: grammar.AskedTime}).When }
	is := time.Date(2026, 3, 2, 20, 0, 0, 0, time.UTC)
	told := func(at time.Time, trouble times.Trouble) string { return at.Format("2 15:04") + string(trouble) }
	rows(t, "parts", func(t *testing.T, want, said string) {
		before, text, _ := strings.Cut(said, " > ")
		require.Equal(t, want, told(part(text).Over(part(before)).At(present, time.Time{})))
	})
	rows(t, "moved", func(t *testing.T, want, said string) { require.Equal(t, want, told(part(said).At(present, is))) })
	rows(t, "fits", func(t *testing.T, want, said string) {
		require.Equal(t, want == "true", part(said).Fits(present, is))
	})
}

// TestRequestsAndQuestionsAreRecognised checks that requests and questions other than a trip are recognised.
func TestRequestsAndQuestionsAreRecognised(t *testing.T) {
	rows(t, "acts", func(t *testing.T, want, said string) {
		require.Contains(t, hear(said, grammar.Context{Language: "en"}).Acts, grammar.Act(want))
	})
	rows(t, "questions", func(t *testing.T, want, said string) {
		require.Contains(t, hear(said, grammar.Context{Language: "en"}).Questions, grammar.Question(want))
	})
}

// TestAgreementAloneIsDistinguished checks that agreement alone is distinguished from agreement with anything else.
func TestAgreementAloneIsDistinguished(t *testing.T) {
	rows(t, "agreement", func(t *testing.T, want, said string) {
		u := hear(said, grammar.Context{Language: "en"})
		only := u.Agrees && !u.Doubts && len(u.Rest) == 0 && len(u.Questions) == 0 && !u.Fields() && len(u.Acts) == 0
		require.Equal(t, want == "only", only, "%+v", u)
	})
}

func TestNamesAreExtracted(t *testing.T) {
	rows(t, "names", func(t *testing.T, want, said string) { require.Equal(t, want, grammar.AsName("en", said)) })
	require.Empty(t, grammar.AsName("en", ""))
}

// FuzzHear checks that no text causes a panic, that places and times in the result exist, and that the same words
// always have the same result.
func FuzzHear(f *testing.F) {
	for _, text := range []string{
		"", "book a taxi from the station to home at ten to four", "halb vier", "null", "\xff\xfe", "a.m. p.m.", "hundred and", "14a 14a", "from to from to", "quarter to", "in in in",
		strings.Repeat("one hundred ", 800), strings.Repeat("ß", 5000), "twenty to twenty to twenty", "25:99", "0 to 0", "half past 24", "not not no to the", "two adults and a", "the 31st of", "fünf vor halb",
	} {
		f.Add(text, "time", "de-DE")
	}
	f.Fuzz(func(t *testing.T, text, asked, language string) {
		text = text[:min(len(text), 10_000)]
		c := grammar.Context{Language: language, Asked: grammar.Asked(asked), Is: present.Add(time.Hour), People: 2}
		u := hear(text, c)
		for _, spot := range append(append([]grammar.Spot{u.Pickup, u.Dropoff}, u.Bare...), u.Refused...) {
			for _, i := range spot.Index {
				require.Less(t, i, len(places))
			}
		}
		if at, trouble := u.When.At(present, time.Time{}); trouble == "" && !at.IsZero() {
			require.WithinRange(t, at, present.Add(-3*time.Minute), present.Add(91*24*time.Hour), text)
		}
		require.LessOrEqual(t, u.People, 64)
		require.Equal(t, u, hear(text, c), "the same words mean the same")
		grammar.AsName(language, text)
	})
}

// BenchmarkHear measures an utterance with misheard words, in a town with 500 places. The target is 200 µs.
func BenchmarkHear(b *testing.B) {
	many := append([]grammar.Place{}, places...)
	for i := len(many); i < 500; i++ {
		many = append(many, grammar.Place{Name: fmt.Sprintf("Brook%c%c House", 'a'+i%26, 'a'+i/26)})
	}
	c := grammar.Context{Language: "en", Gazetteer: grammar.NewGazetteer(many), Now: present}
	grammar.Hear("hello", c) // the words of the languages are built once
	for b.Loop() {
		grammar.Hear("could you take me from fourteen mill lane to the train station tomorow at half past eight pleese", c)
	}
}
