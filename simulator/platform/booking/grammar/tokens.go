package grammar

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Bounds of what is listened to; the rest of a longer speech is not.
const (
	longestSpeech = 1000 // bytes
	mostTokens    = 80
)

// tokens are the words of a text as the grammar compares them: lower case, without
// accents and apostrophes. A time such as 15:30 or 3.50 is one word, 15:30 or 3:50,
// and so are a house number such as 14a, and p.m.
func tokens(text string) []string {
	if len(text) > longestSpeech {
		text = strings.ToValidUTF8(text[:longestSpeech], "")
	}
	var words []string
	for rest := []rune(fold(text)); len(rest) > 0 && len(words) < mostTokens; {
		n := wordLength(rest)
		if n == 0 {
			rest = rest[1:]
			continue
		}
		word := strings.Replace(string(rest[:n]), ".", ":", 1)
		if last := len(words) - 1; word == "clock" && last >= 0 && words[last] == "o" {
			words[last] = "oclock"
		} else if word == "m" && last >= 0 && (words[last] == "a" || words[last] == "p") {
			words[last] += word
		} else {
			words = append(words, dayAndPart(word)...)
		}
		rest = rest[n:]
	}
	return words
}

// standards writes words of dialects as the vocabulary has them, in place.
func standards(words []string) []string {
	for i, w := range words {
		words[i] = standard(w)
	}
	return words
}

// standard writes one word so.
func standard(word string) string {
	if minutes, shall := strings.CutSuffix(word, "ll"); shall && (minutes == "minutes" || minutes == "mins" || minutes == "hour") {
		return minutes // fifteen minutes'll do
	}
	if s, dialect := dialects[word]; dialect {
		return s
	}
	return word
}

var dialects = map[string]string{
	"tae": "to", "fae": "from", "frae": "from", "jist": "just", "oot": "out", "doon": "down", "meself": "myself", "gies": "give",
	"ick": "ich", "ik": "ich", "isch": "ich", "dat": "das", "dit": "das", "nich": "nicht", "nisch": "nicht", "ooch": "auch", "taxe": "taxi", "stund": "stunde", "denn": "dann", "sischer": "sicher",
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

// wordLength is how many characters from the front are one word.
func wordLength(text []rune) int {
	if letters := run(text, unicode.IsLetter); letters > 0 {
		return letters
	}
	digits := run(text, unicode.IsDigit)
	after := text[digits:]
	switch {
	case digits == 0:
		return 0
	case digits <= 2 && len(after) >= 3 && (after[0] == ':' || after[0] == '.') && run(after[1:], unicode.IsDigit) == 2:
		return digits + 3
	case run(after, unicode.IsLetter) == 1 && after[0] >= 'a' && after[0] <= 'h':
		return digits + 1
	}
	return digits
}

// run is how many characters from the front are of a kind.
func run(text []rune, of func(rune) bool) int {
	if end := slices.IndexFunc(text, func(r rune) bool { return !of(r) }); end >= 0 {
		return end
	}
	return len(text)
}

// fold takes accents, apostrophes and capital letters from a text.
func fold(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' || unicode.IsMark(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	return strings.ReplaceAll(text, "ß", "ss")
}

// contains finds a phrase in what was said, and returns where; -1 for nowhere.
func contains(said, phrase []string) int {
	for i := 0; i+len(phrase) <= len(said); i++ {
		if hasPrefix(said[i:], phrase) {
			return i
		}
	}
	return -1
}

func hasPrefix(said, phrase []string) bool {
	return len(phrase) > 0 && len(said) >= len(phrase) && slices.Equal(said[:len(phrase)], phrase)
}

func isFigure(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }
