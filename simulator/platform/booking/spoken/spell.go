package spoken

import (
	"strings"
	"unicode"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Limits of what is spelt out.
const (
	longestSpelt = 12 // characters of a job number; only the end of a longer one is spelt
	speltEnd     = 6
	longestBadge = 20
	longestPlate = 12
	longestJob   = 200 // in a chat
)

// job returns a job number in full, or its end if it is too long.
func (s *Speaker) job(id taxi.JourneyID) (whole, end string) {
	text := Plain(string(id), longestJob)
	if s.written {
		return text, ""
	}
	var marks []rune
	for _, r := range text {
		if speakable(r) || unicode.IsMark(r) {
			marks = append(marks, r)
		}
	}
	if len(marks) > longestSpelt {
		return "", s.forms.spell(string(marks[len(marks)-speltEnd:]))
	}
	return s.forms.spell(text), ""
}

// registration spells a number plate.
func (s *Speaker) registration(plate string) string {
	plate = strings.ToUpper(Plain(plate, longestPlate))
	if s.written {
		return plate
	}
	return s.forms.spell(plate)
}

// badge formats a driver's badge number.
func (s *Speaker) badge(number string) string {
	number = Plain(number, longestBadge)
	if s.written {
		return number
	}
	return s.forms.spell(number)
}

// speller spells in one language.
type speller struct {
	digits [10]string
	twice  string          // "double", before two equal digits; "" for none
	marks  map[rune]string // punctuation that is spoken
}

// spell spells a text, with commas (short pauses) between letters and digits and at
// punctuation.
func (sp speller) spell(text string) string {
	var groups []string
	for _, group := range splitKinds(text) {
		var said []string
		switch first := []rune(group)[0]; {
		case isFigure(first):
			said = sp.figures(group)
		case speakable(first):
			said = letters(group)
		default:
			if word := sp.marks[first]; word != "" {
				said = []string{word}
			}
		}
		if len(said) > 0 {
			groups = append(groups, strings.Join(said, " "))
		}
	}
	return strings.Join(groups, ", ")
}

func isFigure(r rune) bool { _, ok := digitValue(r); return ok }

// splitKinds splits a text between letters, digits and punctuation.
func splitKinds(text string) []string {
	kind := func(r rune) int {
		switch {
		case isFigure(r):
			return 1
		case unicode.IsLetter(r), unicode.IsMark(r):
			return 2
		}
		return 3
	}
	var groups []string
	last := 0
	for _, r := range text {
		k := kind(r)
		if k != last || k == 3 {
			groups = append(groups, "")
		}
		groups[len(groups)-1] += string(r)
		last = k
	}
	return groups
}

// letters splits a text into letters, with their accents.
func letters(group string) []string {
	var said []string
	for _, r := range strings.ToUpper(group) {
		if unicode.IsMark(r) && len(said) > 0 {
			said[len(said)-1] += string(r)
			continue
		}
		said = append(said, string(r))
	}
	return said
}

func (sp speller) figures(group string) []string {
	values := []int{}
	for _, r := range group {
		v, _ := digitValue(r)
		values = append(values, v)
	}
	var said []string
	for i := 0; i < len(values); {
		n := 1
		for i+n < len(values) && values[i+n] == values[i] {
			n++
		}
		word := sp.digits[values[i]]
		switch {
		case n == 2 && sp.twice != "":
			said = append(said, sp.twice+" "+word)
		default:
			for range n {
				said = append(said, word)
			}
		}
		i += n
	}
	return said
}
