package grammar

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// The files of the folder lexicon have what callers say, by what it does in a sentence. A file has sections:
//
//	[agrees]                   the class of the phrases that follow, parted by commas
//	yes, yeah, (book|send) (it|that) (|now)
//
//	[wishes cancel early]      with the act, question or kind of car; "early": found before places and times
//	cancel it
//
// A group in brackets stands for each of its alternatives: a pattern covers sentences that nobody has written
// down. Other sections are sets and lists of a [language], such as "people nouns", numbers ("number 40") and
// questions, each a word that begins one and those that say what it is about ("how: long soon").
//
//go:embed lexicon
var lexicon embed.FS

var classes = map[string]class{
	"filler": filler, "agrees": agrees, "refuses": refuses, "negates": negates, "corrects": corrects, "doubts": doubts, "from": from, "to": to,
	"goes": goes, "via": via, "at": at, "stands": stands, "collects": collects, "drops": drops, "then": then, "either": either, "usual": usual,
	"swaps": swaps, "sends": sends, "hither": hither, "thither": thither, "wishes": wishes, "asks": asks, "kinds": kinds,
}

// read adds a file of the lexicon.
func (l *language) read(file string) {
	text, err := lexicon.ReadFile("lexicon/" + file)
	if err != nil {
		panic(err)
	}
	for section := range strings.SplitSeq(string(text), "\n[") {
		head, body, found := strings.Cut(section, "]\n")
		if !found {
			continue // the comment in front of the first
		}
		if err := l.section(head, body); err != nil {
			panic(fmt.Sprintf("%s, [%s]: %v", file, head, err))
		}
	}
}

// section adds a section of a file.
func (l *language) section(head, body string) error {
	set := map[string]map[string]bool{
		"glue": l.glue, "things": l.things, "daily": l.daily, "plainly": l.plainly, "people nouns": l.people.Nouns, "people pairs": l.people.Pairs, "names ends": l.names.ends,
	}[head]
	list := map[string]*lex.Phrases{
		"people party": &l.people.Party, "people alone": &l.people.Alone, "people mostly": &l.people.Mostly,
		"names leads": &l.names.leads, "names asked": &l.names.asked, "names loose": &l.names.loose,
	}[head]
	words := strings.Fields(head)
	switch {
	case words[0] == "question":
		begins, about, _ := strings.Cut(body, ":")
		l.askings = append(l.askings, asking{lex.Set(begins), lex.Set(about), Question(words[1]), slices.Contains(words, "first")})
		return nil
	case list != nil:
		*list = lex.PhrasesOf(phrasesOf(body))
		return nil
	case set != nil:
		for _, word := range slices.Concat(phrasesOf(body)...) {
			set[word] = true
		}
		if head == "things" || head == "daily" {
			l.put(sense{class: filler}, phrasesOf(body), false)
		}
		return nil
	case words[0] == "number" || words[0] == "group":
		n, err := strconv.Atoi(words[1])
		for _, word := range slices.Concat(phrasesOf(body)...) {
			map[string]map[string]int{"number": l.Numbers, "group": l.people.Groups}[words[0]][word] = n
		}
		return err
	}
	early := words[len(words)-1] == "early"
	if early {
		words = words[:len(words)-1]
	}
	s := sense{class: classes[words[0]]}
	switch s.class {
	case 0:
		return fmt.Errorf("there is no class %s", words[0])
	case wishes, sends:
		s.act = Act(strings.Join(words[1:], " "))
	case asks:
		s.question = Question(words[1])
	case kinds:
		s.category = words[1]
	}
	l.put(s, phrasesOf(body), early)
	return nil
}

// phrasesOf returns the phrases of a section, in words.
func phrasesOf(body string) (all [][]string) {
	for pattern := range strings.SplitSeq(body, ",") {
		for _, phrase := range expand(pattern) {
			if words := lex.Tokens(phrase); len(words) > 0 {
				all = append(all, words)
			}
		}
	}
	return all
}

// expand returns the phrases for which a pattern stands.
func expand(pattern string) []string {
	before, rest, found := strings.Cut(pattern, "(")
	if !found {
		return []string{pattern}
	}
	group, rest, _ := strings.Cut(rest, ")")
	var all []string
	behind := expand(rest)
	for alternative := range strings.SplitSeq(group, "|") {
		for _, b := range behind {
			all = append(all, before+" "+alternative+" "+b)
		}
	}
	return all
}
