package speech

import (
	"regexp"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// rulesOf returns the rules of a grammar, made of its hints if it has none.
func rulesOf(grammar voice.Grammar) string {
	if grammar.Rules != "" {
		return grammar.Rules
	}
	return "<answer> = " + strings.Join(append(phrases(grammar.Hints), "yes", "no", "help"), " | ") + ";\n"
}

// grammarFile returns the content of a JSGF file with rules.
func grammarFile(rules string) string {
	return "#JSGF V1.0;\ngrammar answers;\npublic <heard> = <answer>;\n" + rules
}

// phrases returns hints as words of a grammar.
func phrases(hints []string) []string {
	var all []string
	for _, hint := range hints {
		if words := voice.Phrase(hint); words != "" {
			all = append(all, words)
		}
	}
	return all
}

var (
	ruleNames = regexp.MustCompile(`(?m)<[^>]*>|/[^/]*/|^#.*$|^grammar .*$|\bpublic\b`)
	ruleWords = regexp.MustCompile(`[\p{L}\p{N}'_+-]+`)
)

// wordsOf returns the words in rules.
func wordsOf(rules string) []string {
	return ruleWords.FindAllString(ruleNames.ReplaceAllString(rules, " "), -1)
}
