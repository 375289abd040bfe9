package lex

import (
	"iter"
	"strings"
)

// Phrases are phrases, each with a number that it stands for, by their first words.
type Phrases map[string][]phrase

type phrase struct {
	words []string
	value int
}

// NewPhrases are the phrases of a text, parted by commas.
func NewPhrases(text string) Phrases { return PhrasesBy(map[int]string{0: text}) }

// PhrasesBy are phrases, parted by commas, by what they stand for.
func PhrasesBy(texts map[int]string) Phrases {
	all := Phrases{}
	for value, text := range texts {
		all.add(value, List(text))
	}
	return all
}

// PhrasesOf are phrases in words.
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

// Longest is the longest of the phrases that begins what was said: what it stands for, and how many words it has; 0: none.
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

// All are the phrases, in words.
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

// List splits phrases that are parted by commas.
func List(text string) [][]string {
	var phrases [][]string
	for phrase := range strings.SplitSeq(text, ",") {
		if words := Tokens(phrase); len(words) > 0 {
			phrases = append(phrases, words)
		}
	}
	return phrases
}
