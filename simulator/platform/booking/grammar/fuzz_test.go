package grammar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
)

// FuzzUnderstand hears anything: nothing panics, places and times that come back
// exist, and long texts are no slower than a caller can bear.
func FuzzUnderstand(f *testing.F) {
	for _, text := range []string{
		"", "book a taxi from the station to home at ten to four", "halb vier", "null", "\xff\xfe", "a.m. p.m.",
		"hundred and", "14a 14a", "from to from to", "quarter to", "in in in", strings.Repeat("one hundred ", 800),
		strings.Repeat("ß", 5000), "twenty to twenty to twenty", "25:99", "0 to 0", "half past 24",
	} {
		f.Add(text, "12", uint(grammar.WantPlace|grammar.WantTime), "de-DE")
	}
	f.Fuzz(func(t *testing.T, text, digits string, want uint, language string) {
		text = text[:min(len(text), 10_000)]
		ctx := grammar.Context{Language: language, Menu: known, Want: grammar.Want(want), Places: places, Listed: 4, Now: noon}
		for _, in := range []grammar.Input{{Speech: text, Confidence: 1}, {Digits: digits}} {
			got := grammar.Understand(in, ctx)
			for _, spot := range []grammar.Spot{got.Place, got.From, got.To} {
				for _, i := range spot.Index {
					require.Less(t, i, len(places))
				}
			}
			if !got.When.At.IsZero() {
				require.WithinRange(t, got.When.At, noon.Add(-time.Minute), noon.Add(370*24*time.Hour), text)
			}
			require.Equal(t, got.Kind == grammar.Timed, got.Kind == grammar.Timed && !got.When.IsZero())
			require.Equal(t, got, grammar.Understand(in, ctx), "the same words mean the same")
		}
	})
}

func BenchmarkUnderstand(b *testing.B) {
	many := make([]grammar.Place, 0, 400)
	for range 28 {
		many = append(many, places...)
	}
	ctx := grammar.Context{Want: grammar.WantPlace, Places: many, Now: noon}
	for b.Loop() {
		grammar.Understand(grammar.Input{Speech: "fourteen mill lane please", Confidence: 1}, ctx)
	}
}
