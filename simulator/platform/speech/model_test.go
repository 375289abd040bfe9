package speech

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// chanceOf returns the probability of a word after other words, as a program that reads the model computes it.
func (m *model) chanceOf(before, word string) float64 {
	n := len(strings.Fields(before))
	if p, ok := m.chance[n][strings.TrimSpace(before+" "+word)]; ok {
		return p
	}
	if n == 0 {
		return 0
	}
	back, ok := m.back[before]
	if !ok {
		back = 1
	}
	_, shorter, _ := strings.Cut(before, " ")
	return back * m.chanceOf(shorter, word)
}

// TestLanguageModelProbabilities checks that the probabilities of all words after any words add up to about one, and that the usual
// answers of callers are likely.
func TestLanguageModelProbabilities(t *testing.T) {
	m := newModel("confirm", nil)
	for _, before := range []string{"<s>", "<s> yes", "yes that's", "from the", "never together"} {
		sum := 0.0
		for word := range m.chance[0] {
			sum += m.chanceOf(before, word)
		}
		require.InDelta(t, 1, sum, 0.02, before) // what no sentence has keeps a share
	}
	require.Greater(t, m.chanceOf("<s> yes", "please"), 3*m.chanceOf("<s> yes", "[P]"))
	require.Greater(t, newModel("opening", nil).chanceOf("to the", "[P]"), 0.3)
	require.Less(t, newModel("time", nil).chanceOf("<s>", "no"), 0.001, "no is no answer to When?")
}

// TestRecogniserFilesHaveTheTownsNames checks the files for the recogniser: each name in the town is a single word, with the pronunciations of
// its parts.
func TestRecogniserFilesHaveTheTownsNames(t *testing.T) {
	tongue := tongueFor(voice.Grammar{Expected: voice.Expected{Question: "pickup"}})
	files, names := tongue.files("x", []string{"town hall", "museum"}, []string{"mill lane"})
	require.Equal(t, []string{"town_hall_", "museum_", "mill_lane__"}, names)
	require.Contains(t, files[".classes"], "LMCLASS [P]\ntown_hall_ 0.500000\nmuseum_ 0.500000\nEND [P]\n")
	require.Contains(t, files[".lmctl"], "x.arpa x { ")
	require.True(t, strings.HasPrefix(files[".arpa"], "\\data\\\nngram 1="))

	file := filepath.Join(t.TempDir(), "words.dict")
	require.NoError(t, os.WriteFile(file, []byte("hall HH AO L\nmill M IH L\ntown T AW N\ntown(2) T AA N\n"), 0o600))
	said, err := (&dictionary{file: file}).pronounce(t.Context(), []string{"town_hall_", "lane"})
	require.NoError(t, err)
	require.Equal(t, "lane L AE N EH\ntown_hall_ T AW N HH AO L\ntown_hall_(2) T AA N HH AO L\n", said)
}

// TestPocketsphinxOutputIsParsed checks that the output of pocketsphinx is parsed, and that the confidence follows from the likeliest
// texts.
func TestPocketsphinxOutputIsParsed(t *testing.T) {
	h := readSegments("speech S 0 T 0 A -900 L 0 0 0 0 <s> 10 0 0 to(2) 30 0 0 town_hall_ 90 0 0 </s> 100")
	require.Equal(t, "to town hall", h.text)
	h.others = readHypotheses("to town_hall_ -900\nto town_hall_(2) now -950\n <sil> two -990\n")
	require.Equal(t, []string{"to town hall", "to town hall now", "two"}, h.others)
	heard := h.heard("to turn")
	require.InDelta(t, leastSure+(mostSure-leastSure)*(1+0.75)/3, heard.Confidence, 0.001)
	require.Equal(t, []Heard{{Text: "to town hall now", Confidence: 0.75}, {Text: "two"}}, heard.Alternatives)
	require.Empty(t, readSegments("speech S 0 T 0 A 0 L 0 0 0 0 <s> 10 0 0 to 300 0 0 </s> 400").heard("").Text, "it is a hum")
}
