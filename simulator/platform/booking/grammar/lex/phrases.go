package lex

import (
	"iter"
	"strings"
)

// Phrases are phrases by their first words, each with a number for its meaning.
type Phrases map[string][]phrase

type phrase struct {
	words []string
	value int
}

// NewPhrases returns the phrases of a text, separated by commas.
func NewPhrases(text string) Phrases { return PhrasesBy(map[int]string{0: text}) }

// PhrasesBy returns phrases, separated by commas, with the keys of texts as their values.
func PhrasesBy(texts map[int]string) Phrases {
	all := Phrases{}
	for value, text := range texts {
		all.add(value, List(text))
	}
	return all
}

// PhrasesOf returns phrases that are already split into words.
func PhrasesOf(list [][]string) Phrases {
	all := Phrases{}
	all.add(0, list)
	return all
}

func (p Phrases) add(value int, list [][]string) {
	for _, words := range list {
		p[words[0]] = append(p[words[0]], phrase{words, value})
	}
}

// Longest returns the value and word count of the longest phrase that begins said; n is 0 if none does.
func (p Phrases) Longest(said []string) (value, n int) {
	if len(said) == 0 {
		return 0, 0
	}
	for _, one := range p[said[0]] {
		if len(one.words) > n && HasPrefix(said, one.words) {
			value, n = one.value, len(one.words)
		}
	}
	return value, n
}

// All iterates over the phrases, each as its words.
func (p Phrases) All() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, same := range p {
			for _, one := range same {
				if !yield(one.words) {
					return
				}
			}
		}
	}
}

// List splits a text of phrases at the commas, and each phrase into words.
func List(text string) [][]string {
	var phrases [][]string
	for phrase := range strings.SplitSeq(text, ",") {
		if words := Tokens(phrase); len(words) > 0 {
			phrases = append(phrases, words)
		}
	}
	return phrases
}
