package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// WordList joins words for a sentence: "a, b and c".
func WordList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// Count puts a number before a word, and the word in the plural when it should be.
func Count(n int, word string) string {
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

// HeadlineOf returns the first finding's message.
func HeadlineOf(r Result) string { return headline(r, Check{}) }

// ByWeight orders verdicts by their level: MUST, SHOULD, robustness, observed.
func ByWeight(all []Result) []Result {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Result) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
}
