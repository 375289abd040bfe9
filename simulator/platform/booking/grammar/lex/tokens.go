// Package lex splits a text into the words that the grammar compares.
package lex

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Bounds of what is listened to; the rest of a longer speech is not.
const (
	LongestSpeech = 1000 // bytes
	MostTokens    = 80
)

// Token is a word of an utterance. It is never changed.
type Token struct {
	Text  string // as the grammar compares words: lower case, without accents and apostrophes
	Said  string // likewise, with its accents: hätte is not hatte
	Pause bool   // punctuation stands in front
	Upper bool   // it begins with a capital letter
}

// Tokens returns the words of a text in the form that the grammar compares. A time such as 15:30 or 3.50 is one word,
// 15:30 or 3:50, and so are a house number such as 14a, p.m., a date in figures, 24/12/2026, and a decimal, 1,5.
func Tokens(text string) []string {
	list := Tokenised(text)
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = t.Text
	}
	return words
}

// Tokenised splits a text into its words.
func Tokenised(text string) []Token {
	if len(text) > LongestSpeech {
		text = strings.ToValidUTF8(text[:LongestSpeech], "")
	}
	var list []Token
	pause := false
	for rest := []rune(norm.NFC.String(text)); len(rest) > 0 && len(list) < MostTokens; {
		before := ""
		if len(list) > 0 {
			before = list[len(list)-1].Text
		}
		if date, n := writtenDate(rest, before); n > 0 {
			list, rest, pause = append(list, Token{Text: date, Said: date, Pause: pause}), rest[n:], false
			continue
		}
		n := wordLength(rest)
		if n == 0 {
			pause = pause || strings.ContainsRune(",.;:!?–—…\n", rest[0])
			rest = rest[1:]
			continue
		}
		said := strings.Map(lowered, string(rest[:n]))
		word := Fold(said)
		if IsFigure(word) {
			word = strings.Replace(word, ".", ":", 1)
			if _, decimal, ok := strings.Cut(word, ":"); ok && len(decimal) == 1 {
				word = strings.Replace(word, ":", ",", 1) // 1.5 hours
			}
		}
		if word == "" {
			rest = rest[n:]
			continue
		}
		if last := len(list) - 1; word == "clock" && last >= 0 && before == "o" {
			list[last].Text = "oclock"
		} else if word == "m" && last >= 0 && (before == "a" || before == "p") {
			list[last].Text += word
		} else {
			for i, part := range dayAndPart(word) {
				list = append(list, Token{part, said, pause && i == 0, unicode.IsUpper(rest[0])})
			}
		}
		rest, pause = rest[n:], false
	}
	return list
}

// lowered returns a character in lower case, and removes apostrophes.
func lowered(r rune) rune {
	if r == '\'' || r == '’' {
		return -1
	}
	return unicode.ToLower(r)
}

// writtenDate returns a date in figures, 24.12., 24/12/2026 or 2026-12-24, and its number of characters. Without a
// year, dots make a date only after a word before a day.
func writtenDate(text []rune, before string) (date string, n int) {
	if !unicode.IsDigit(text[0]) {
		return "", 0
	}
	var parts []string
	var marks strings.Builder
	for len(parts) < 3 {
		digits := run(text[n:], unicode.IsDigit)
		if digits == 0 || digits > 4 {
			break
		}
		parts = append(parts, string(text[n:n+digits]))
		n += digits
		if n == len(text) || !strings.ContainsRune("./-", text[n]) || len(parts) == 3 {
			break
		}
		marks.WriteString(string(text[n]))
		n++
	}
	switch {
	case len(parts) == 3 && (marks.String() == "--" && len(parts[0]) == 4):
		return parts[2] + "/" + parts[1] + "/" + parts[0], n
	case len(parts) == 3 && (marks.String() == "//" || marks.String() == "..") && len(parts[0]) <= 2 && len(parts[1]) <= 2:
		return parts[0] + "/" + parts[1] + "/" + parts[2], n
	case len(parts) == 2 && marks.String() == "/" && len(parts[0]) <= 2 && len(parts[1]) <= 2:
		return parts[0] + "/" + parts[1], n
	case len(parts) == 2 && marks.String() == ".." && len(parts[0]) <= 2 && len(parts[1]) <= 2 && slices.Contains(leadsToDay[:], before):
		return parts[0] + "/" + parts[1], n
	}
	return "", 0
}

// leadsToDay are words before a day of the month.
var leadsToDay = [...]string{"on", "am", "the", "dem", "den", "vom", "der", "zum"}

// Standards replaces words of dialects by standard ones, in place.
func Standards(words []Token) []Token {
	for i, w := range words {
		words[i].Text = standard(w.Text)
	}
	return words
}

// standard returns the standard form of a word of a dialect.
func standard(word string) string {
	if minutes, shall := strings.CutSuffix(word, "ll"); shall && (minutes == "minutes" || minutes == "mins" || minutes == "hour") {
		return minutes // fifteen minutes'll do
	}
	if s, dialect := dialects[word]; dialect {
		return s
	}
	for _, ending := range [...]string{"zisch", "zich", "ssisch", "ssich"} { // zwanzisch
		if tens, spoken := strings.CutSuffix(word, ending); spoken {
			return strings.Replace(tens, "fuff", "funf", 1) + ending[:strings.IndexByte(ending, 'i')] + "ig"
		}
	}
	return word
}

var dialects = map[string]string{
	"tae": "to", "fae": "from", "frae": "from", "jist": "just", "oot": "out", "doon": "down", "meself": "myself", "zwoa": "zwei", "oans": "eins", "viere": "vier", "funfe": "funf", "sechse": "sechs", "neune": "neun", "zwolfe": "zwolf", "gies": "give", "neet": "night", "morra": "tomorrow", "mer": "wir",
	"ick": "ich", "ik": "ich", "isch": "ich", "dat": "das", "dit": "das", "nich": "nicht", "nisch": "nicht", "ooch": "auch", "taxe": "taxi", "stund": "stunde", "denn": "dann", "sischer": "sicher",
	"zom": "zum", "zor": "zur", "ens": "ins", "ond": "und", "un": "und", "om": "um", "vo": "von", "fuer": "fur", "friah": "fruh", "morga": "morgen", "morchen": "morgen", "heude": "heute", "heid": "heute", "getz": "jetzt", "jetz": "jetzt", "jetza": "jetzt", "jetze": "jetzt",
	"eens": "eins", "oins": "eins", "zwee": "zwei", "siebene": "sieben", "zehne": "zehn", "elfe": "elf", "zwelfe": "zwolf", "montach": "montag", "dienstach": "dienstag", "donnerstach": "donnerstag", "freitach": "freitag", "samstach": "samstag", "sonntach": "sonntag",
}

// dayAndPart parts "donnerstagmorgen", which is written as one word.
func dayAndPart(word string) []string {
	if part, saturday := strings.CutPrefix(word, "sonnabend"); saturday {
		word = "samstag" + part
	}
	for _, day := range [...]string{"tag", "mittwoch"} {
		if _, part, both := strings.Cut(word, day); both && slices.Contains(partsOfDay[:], part) {
			return []string{strings.TrimSuffix(word, part), part}
		}
	}
	return []string{word}
}

var partsOfDay = [...]string{"morgen", "morgens", "fruh", "vormittag", "vormittags", "mittag", "mittags", "nachmittag", "nachmittags", "abend", "abends", "nacht", "nachts"}

// wordLength returns the number of leading characters that form one word.
func wordLength(text []rune) int {
	if letters := run(text, isLetterOf); letters > 0 {
		return letters
	}
	digits := run(text, unicode.IsDigit)
	after := text[digits:]
	switch {
	case digits == 0:
		return 0
	case digits <= 2 && len(after) >= 3 && (after[0] == ':' || after[0] == '.') && run(after[1:], unicode.IsDigit) == 2:
		return digits + 3
	case digits <= 2 && len(after) >= 2 && (after[0] == ',' || after[0] == '.') && run(after[1:], unicode.IsDigit) == 1:
		return digits + 2
	case run(after, unicode.IsLetter) == 1 && after[0] >= 'a' && after[0] <= 'h':
		return digits + 1
	}
	return digits
}

// isLetterOf reports whether a character is part of a word: a letter, its accent, or an
// apostrophe.
func isLetterOf(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || r == '\'' || r == '’'
}

// run returns the number of leading characters that satisfy of.
func run(text []rune, of func(rune) bool) int {
	if end := slices.IndexFunc(text, func(r rune) bool { return !of(r) }); end >= 0 {
		return end
	}
	return len(text)
}

// Fold returns a text in lower case without accents and apostrophes.
func Fold(text string) string {
	if !slices.ContainsFunc([]byte(text), func(b byte) bool { return b >= 0x80 || b == '\'' || b >= 'A' && b <= 'Z' }) {
		return text
	}
	text = strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' || unicode.IsMark(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	return strings.ReplaceAll(text, "ß", "ss")
}

// Contains returns the index of a phrase in the words of an utterance; -1 if it does not occur.
func Contains(said, phrase []string) int {
	for i := 0; i+len(phrase) <= len(said); i++ {
		if HasPrefix(said[i:], phrase) {
			return i
		}
	}
	return -1
}

func HasPrefix(said, phrase []string) bool {
	return len(phrase) > 0 && len(said) >= len(phrase) && said[0] == phrase[0] && slices.Equal(said[:len(phrase)], phrase)
}

func IsFigure(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

// Set returns the set of the words in a text, which are separated by spaces.
func Set(text string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		for _, w := range Tokens(word) {
			m[w] = true
		}
	}
	return m
}

// Articles tell no place from another.
var Articles = Set("the a an of and der die das den dem ein eine und")

// Possessives stand in front of a noun: my brother, our hotel.
var Possessives = Set("my our his her their your me meine meiner meinem meinen mein unser unsere unserer unserem seine seinen seiner seinem ihre ihren ihrer ihrem")

// Lines iterates over the lines of a word file, without comments and blank lines.
func Lines(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}
