package spoken

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain converts a text of a third party or a caller to plain text: it removes markup
// (HTML, SSML), control characters and marks for the direction of writing, and joins
// spaces. A text that means that there is no value, such as "null", becomes empty. Text
// beyond most characters is cut off after a word.
func Plain(text string, most int) string {
	text = withoutMarkup(limit(text, most))
	text = strings.Join(strings.Fields(strings.Map(plainRune, text)), " ")
	text = cut(text, most)
	if slices.Contains(nothings, strings.ToLower(text)) || !strings.ContainsFunc(text, speakable) {
		return ""
	}
	return text
}

// nothings are texts that programs write for a missing value.
var nothings = []string{"null", "undefined", "<nil>", "nil", "nan", "n/a", "none", "[object object]", "infinity"}

// limit limits the work for a text that is far too long.
func limit(text string, most int) string {
	if bytes := most * 20; len(text) > bytes {
		text = text[:bytes]
	}
	return strings.ToValidUTF8(text, "")
}

var markup = regexp.MustCompile(`(?s)<!--.*?-->|<[/!?]?[A-Za-z][^<>]*>`)

// withoutMarkup removes tags, including those written as entities or hidden inside one
// another.
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

// plainRune removes unprintable characters, and replaces separators by spaces.
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

// speakable reports whether a character is a letter or a digit.
func speakable(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// unspoken removes symbols and pictures, which cannot be spoken.
func unspoken(r rune) rune {
	if unicode.In(r, unicode.So, unicode.Sk, unicode.Variation_Selector) || r == zeroWidthJoiner {
		return -1
	}
	return r
}

// cut shortens a text after a word, or within its first word if that is too long.
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

// plain is [Plain] for the speaker's channel.
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

// person returns a person's name. It removes a run of digits as long as a phone number,
// even an unknown one; the rest must then look like a name. A name without a letter is
// removed.
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

// named reports whether all words of a text begin with a capital letter, unlike those of
// "call me on".
func named(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return !slices.ContainsFunc(words, func(word string) bool {
		first, _ := utf8.DecodeRuneInString(word)
		return unicode.IsLower(first)
	})
}
