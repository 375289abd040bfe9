package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// wordList joins words for a sentence: "a, b and c".
func wordList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// count puts a number before a word, and the word in the plural when it should be.
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// headline says in a sentence how a check came off.
func headline(r Result, c Check) string {
	if len(r.Findings) > 0 {
		return r.Findings[0].Message
	}
	return c.Requirement
}

// headlineOf returns the first finding's message.
func headlineOf(r Result) string { return headline(r, Check{}) }

// byWeight orders verdicts by their level: MUST, SHOULD, robustness, observed.
func byWeight(all []Result) []Result {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Result) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
}
