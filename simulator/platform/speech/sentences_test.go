package speech_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

var update = flag.Bool("update", false, "write sentences.txt")

// TestSentencesFileIsUpToDate checks that sentences.txt, from which the language models are made, is up to date with the callers in
// fixtures/callers.
func TestSentencesFileIsUpToDate(t *testing.T) {
	classes, err := os.ReadFile("testdata/classes.txt")
	require.NoError(t, err)
	asides, err := os.ReadFile("testdata/asides.txt")
	require.NoError(t, err)
	classOf := map[string]string{}
	for line := range strings.Lines(string(classes)) {
		f := strings.Fields(line)
		for _, word := range f[1:] {
			if f[0][0] == '[' {
				classOf[word] = f[0]
			}
		}
	}
	names := townNames()
	longestFirst := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return len(b) - len(a) })
	for i, name := range longestFirst {
		longestFirst[i] = regexp.QuoteMeta(name)
	}
	named := regexp.MustCompile(`(^| )(` + strings.Join(longestFirst, "|") + `)( |$)`)
	times := map[string]int{}
	add := func(question, text string) {
		text = voice.Phrase(strings.ReplaceAll(text, "’", "'"))
		for at := named.FindStringSubmatchIndex(text); at != nil; at = named.FindStringSubmatchIndex(text) {
			text = text[:at[4]] + names[text[at[4]:at[5]]] + text[at[5]:]
		}
		words := strings.Fields(text)
		for i, word := range words {
			if class := classOf[word]; class != "" {
				words[i] = class
			}
		}
		if len(words) > 0 {
			times[question+" %d "+strings.Join(words, " ")]++
		}
	}
	files, err := filepath.Glob("../../../fixtures/callers/*.json")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var callers []struct {
			Language, Opening string
			Answers           map[string][]string
		}
		require.NoError(t, json.Unmarshal(data, &callers), file)
		for _, c := range callers {
			if c.Language != "en" {
				continue
			}
			add("opening", c.Opening)
			for question, answers := range c.Answers {
				for _, answer := range answers {
					add(question, answer)
				}
			}
		}
	}
	for line := range strings.Lines(string(asides)) {
		add("aside", line)
	}
	for _, agreement := range agreements(t) {
		add("confirm", agreement)
	}
	var b strings.Builder
	b.Write(classes)
	for _, line := range slices.Sorted(maps.Keys(times)) {
		fmt.Fprintf(&b, line+"\n", times[line])
	}
	if *update {
		require.NoError(t, os.WriteFile("sentences.txt", []byte(b.String()), 0o644))
	}
	kept, err := os.ReadFile("sentences.txt")
	require.NoError(t, err)
	require.Equal(t, b.String(), string(kept), "write it: go generate ./simulator/platform/speech")
}

// agreements returns the phrases of agreement in the grammar's lexicon that consist of frequent words.
func agreements(t *testing.T) (all []string) {
	lexicon, err := os.ReadFile("../booking/grammar/lexicon/en.txt")
	require.NoError(t, err)
	frequent, err := os.ReadFile("frequent.txt")
	require.NoError(t, err)
	known, marked := lex.Set(string(frequent)), map[string]string{} // the grammar's words have no apostrophe
	for _, word := range []string{"that's", "that'll", "can't", "couldn't", "i'm", "i'll", "i've", "it's", "it'll", "let's", "you've"} {
		marked[strings.ReplaceAll(word, "'", "")] = word
	}
	_, section, found := strings.Cut(string(lexicon), "[agrees]\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n\n")
	for phrase := range strings.SplitSeq(strings.ReplaceAll(section, "\n", " "), ",") {
		words := strings.Fields(phrase)
		for i, word := range words {
			words[i] = cmp.Or(marked[word], word)
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !known[w] }) {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}

// townNames returns the names of the places in the fixture's town, with their class.
func townNames() map[string]string {
	places := platform.PlacesOf(fixtures.Places())
	var known []grammar.Place
	for _, p := range places {
		known = append(known, grammar.Place{Name: p.Name, Kind: p.Kind, Street: p.Street, Address: p.Address.Address})
	}
	gazetteer := grammar.NewGazetteer(known)
	names := map[string]string{"home": "[P]", "work": "[P]"}
	for _, p := range places {
		class := "[P]"
		if p.Street {
			class = "[S]"
		}
		for _, name := range append([]string{p.Name}, gazetteer.Short(p.Name, p.Kind)...) {
			names[strings.TrimPrefix(voice.Phrase(name), "the ")] = class
		}
	}
	return names
}
