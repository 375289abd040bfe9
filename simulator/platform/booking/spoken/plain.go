package spoken

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes plain text of what a third party or a caller sent: markup (HTML,
// SSML) goes, as do control characters and the marks that turn the direction of
// writing; spaces are single. A text that only says that there is nothing, such
// as "null", is empty. More than most characters are cut after a word.
func Plain(text string, most int) string {
	text = withoutMarkup(limit(text, most))
	text = strings.Join(strings.Fields(strings.Map(plainRune, text)), " ")
	text = cut(text, most)
	if slices.Contains(nothings, strings.ToLower(text)) || !strings.ContainsFunc(text, speakable) {
		return ""
	}
	return text
}

// nothings are what programs write where they have nothing.
var nothings = []string{"null", "undefined", "<nil>", "nil", "nan", "n/a", "none", "[object object]", "infinity"}

// limit bounds the work on a text that is far too long.
func limit(text string, most int) string {
	if bytes := most * 20; len(text) > bytes {
		text = text[:bytes]
	}
	return strings.ToValidUTF8(text, "")
}

var markup = regexp.MustCompile(`(?s)<!--.*?-->|<[/!?]?[A-Za-z][^<>]*>`)

// withoutMarkup takes tags out, also those that are written as entities, and those
// that were hidden inside of one another.
func withoutMarkup(text string) string {
	const layers = 4
	for range layers {
		next := markup.ReplaceAllString(html.UnescapeString(text), " ")
		if next == text {
			break
		}
		text = next
	}
	return text
}

// plainRune drops what cannot be said or shown, and makes a space of what parts.
func plainRune(r rune) rune {
	switch {
	case r == '<', r == '>', r == '{', r == '}', r == unicode.ReplacementChar:
		return ' '
	case unicode.IsControl(r), unicode.IsSpace(r):
		return ' '
	case r == zeroWidthJoiner: // parts of one picture, or letters of one word
		return r
	case unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs):
		return -1
	}
	return r
}

const zeroWidthJoiner = '\u200d'

// speakable reports whether a character is part of a word or a number.
func speakable(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// unspoken drops the pictures of a text.
func unspoken(r rune) rune {
	if unicode.In(r, unicode.So, unicode.Sk, unicode.Variation_Selector) || r == zeroWidthJoiner {
		return -1
	}
	return r
}

// cut shortens a text after a word, or within one that is longer by itself.
func cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	short := string(runes[:most])
	if i := strings.LastIndexByte(short, ' '); i > 0 && runes[most] != ' ' {
		short = short[:i]
	}
	return strings.TrimRight(short, " ,;:-(")
}

// plain is [Plain] as the speaker says or writes it.
func (s *Speaker) plain(text string, most int) string {
	text = Plain(text, most)
	if s.written {
		return text
	}
	text = strings.ReplaceAll(text, "&", " "+s.forms.and()+" ")
	text = strings.Join(strings.Fields(strings.Map(unspoken, text)), " ")
	if !strings.ContainsFunc(text, speakable) {
		return ""
	}
	return text
}

// person says a person's name. A row of digits as long as a telephone number is no part
// of a name, also when nobody knows whose number it is, and what stood around it is one
// only where it reads as one; nor is a name without a letter.
func (s *Speaker) person(name string) string {
	name = Plain(name, longestName)
	whole := len(name)
	for _, run := range slices.Backward(digitRuns(name)) {
		if len(run.digits) >= window {
			name = name[:run.from] + name[run.to:]
		}
	}
	if !strings.ContainsFunc(name, unicode.IsLetter) || len(name) < whole && !named(name) {
		return ""
	}
	return s.plain(strings.Trim(name, " +()-/.,:;"), longestName)
}

// named reports whether no word of a text begins with a small letter, as those of
// "call me on" do.
func named(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return !slices.ContainsFunc(words, func(word string) bool {
		first, _ := utf8.DecodeRuneInString(word)
		return unicode.IsLower(first)
	})
}
