package speech

import (
	"regexp"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// rulesOf are the rules of a gather.
func rulesOf(grammar voice.Grammar) string {
	if grammar.Rules != "" {
		return grammar.Rules
	}
	return "<answer> = " + strings.Join(append(phrases(grammar.Hints), "yes", "no", "help"), " | ") + ";\n"
}

// grammarFile is rules as a file.
func grammarFile(rules string) string {
	return "#JSGF V1.0;\ngrammar answers;\npublic <heard> = <answer>;\n" + rules
}

// phrases are hints as words of a grammar.
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

// wordsOf are the words of rules.
func wordsOf(rules string) []string {
	return ruleWords.FindAllString(ruleNames.ReplaceAllString(rules, " "), -1)
}
