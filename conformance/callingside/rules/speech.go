package rules

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// speech is the text that a caller heard or read, in forms for searching.
type speech struct {
	plain    string // in lower case
	run      string // only letters and digits, number words as digits
	initials string // the first letter of each word, number words as digits: "kilo x-ray seven" is kx7
}

func speechOf(texts []string) speech {
	plain := strings.ToLower(strings.Join(texts, " "))
	var run, initials strings.Builder
	for _, t := range tokensOf(strings.ReplaceAll(plain, "x-ray", "xray")) {
		if t.digits != "" {
			run.WriteString(t.digits)
			initials.WriteString(t.digits)
			continue
		}
		run.WriteString(t.word)
		first, _ := utf8.DecodeRuneInString(t.word)
		initials.WriteRune(first)
	}
	return speech{plain, run.String(), initials.String()}
}

// spells reports whether an id or a registration was spoken: in one piece, letter by letter,
// or by words that start with its letters, with numbers as digits or as words.
func (s speech) spells(id string) bool {
	const least = 4
	bare := lettersOf(strings.ToLower(id))
	if len(bare) < least {
		return false
	}
	return strings.Contains(s.run, bare) || strings.Contains(lettersOf(s.plain), bare) || strings.Contains(s.initials, bare)
}

// lettersOf returns the letters and digits of a text.
func lettersOf(plain string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, plain)
}

// names reports whether any word of more than three letters of a name or description was spoken.
func (s speech) names(name string) bool {
	const short = 3
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > short && containsWord(s.plain, w) {
			return true
		}
	}
	return false
}

// counts reports whether a number was spoken, in digits or in words.
func (s speech) counts(v jsonvalue.Value) bool {
	return v.IsNumber() && s.tells(int(v.Number()))
}

// tells reports whether a number other than 0 was spoken.
func (s speech) tells(n int) bool {
	if n == 0 {
		return false
	}
	if containsWord(s.plain, strconv.Itoa(n)) {
		return true
	}
	for _, words := range numberWords[n] {
		if strings.Contains(s.plain, words) {
			return true
		}
	}
	return false
}

// numberWords are the words for the times of arrival in scenes.
var numberWords = map[int][]string{
	240: {"two hundred and forty", "two hundred forty", "zweihundertvierzig", "deux cent quarante", "doscientos cuarenta", "tweehonderdveertig", "duecentoquaranta"},
	4:   {"four", "vier", "quatre", "cuatro", "quattro"},
	37:  {"thirty-seven", "thirty seven", "siebenunddreißig", "siebenunddreissig", "trente-sept", "treinta y siete", "zevenendertig", "trentasette"},
}

// containsWord reports whether a text contains a word that is not part of a longer one.
func containsWord(text, word string) bool {
	for at := 0; ; {
		next := strings.Index(text[at:], word)
		if next < 0 {
			return false
		}
		at += next
		before, after := text[:at], text[at+len(word):]
		if !endsInLetter(before) && !beginsWithLetter(after) {
			return true
		}
		at += len(word)
	}
}

func endsInLetter(s string) bool {
	r := []rune(s)
	return len(r) > 0 && (unicode.IsLetter(r[len(r)-1]) || unicode.IsDigit(r[len(r)-1]))
}

func beginsWithLetter(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return false
}

// token is a word of a text, or a run of digits.
type token struct {
	word       string
	digits     string // its digits in a telephone number; "": none
	repeat     int    // "double", "triple": how often the next digit counts
	tens       bool   // "forty": a unit may follow
	filler     bool   // "plus", "and": it may stand between digits
	start, end int    // in the text
}

// digitWords are the words for digits in the languages that the rules know. A word shared by
// two languages means the same in both.
var digitWords = map[string]string{
	"zero": "0", "oh": "0", "o": "0", "nought": "0", "naught": "0", "nil": "0", "null": "0", "zéro": "0", "cero": "0", "nul": "0",
	"one": "1", "eins": "1", "ein": "1", "un": "1", "une": "1", "uno": "1", "een": "1", "één": "1",
	"two": "2", "zwei": "2", "zwo": "2", "deux": "2", "dos": "2", "due": "2", "twee": "2",
	"three": "3", "drei": "3", "trois": "3", "tres": "3", "tre": "3", "drie": "3",
	"four": "4", "vier": "4", "quatre": "4", "cuatro": "4", "quattro": "4",
	"five": "5", "fünf": "5", "fuenf": "5", "cinq": "5", "cinco": "5", "cinque": "5", "vijf": "5",
	"six": "6", "sechs": "6", "seis": "6", "sei": "6", "zes": "6",
	"seven": "7", "sieben": "7", "sept": "7", "siete": "7", "sette": "7", "zeven": "7",
	"eight": "8", "acht": "8", "huit": "8", "ocho": "8", "otto": "8",
	"nine": "9", "neun": "9", "neuf": "9", "nueve": "9", "nove": "9", "negen": "9", "niner": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
	"seventeen": "17", "eighteen": "18", "nineteen": "19", "hundred": "00", "hundert": "00",
}

var tensWords = map[string]string{
	"twenty": "2", "thirty": "3", "forty": "4", "fifty": "5", "sixty": "6", "seventy": "7", "eighty": "8", "ninety": "9",
}

var repeatWords = map[string]int{"double": 2, "triple": 3, "treble": 3, "quadruple": 4, "doppel": 2}

var fillerWords = map[string]bool{"plus": true, "and": true, "then": true, "dash": true, "hyphen": true, "space": true, "dot": true, "point": true, "comma": true, "und": true, "et": true, "y": true, "again": true}

// tokensOf splits a text into words and runs of digits.
func tokensOf(text string) []token {
	var all []token
	start := -1
	kind := 0
	flush := func(end int) {
		if start >= 0 {
			all = append(all, tokenOf(text[start:end], start, end))
		}
		start = -1
	}
	for i, r := range text {
		k := 0
		switch {
		case unicode.IsDigit(r):
			k = 1
		case unicode.IsLetter(r):
			k = 2
		}
		if k != kind || k == 0 {
			flush(i)
		}
		if k != 0 && start < 0 {
			start = i
		}
		kind = k
	}
	flush(len(text))
	return all
}

func tokenOf(word string, start, end int) token {
	t := token{word: word, start: start, end: end}
	low := strings.ToLower(word)
	switch {
	case asciiDigits(word) != "":
		t.digits = asciiDigits(word)
	case digitWords[low] != "":
		t.digits = digitWords[low]
	case tensWords[low] != "":
		t.digits, t.tens = tensWords[low]+"0", true
	case repeatWords[low] > 0:
		t.repeat = repeatWords[low]
	default:
		t.filler = fillerWords[low]
	}
	return t
}

// asciiDigits converts the decimal digits of any script to ASCII digits. It returns "" if the word has other characters.
func asciiDigits(word string) string {
	var b strings.Builder
	for _, r := range word {
		if !unicode.IsDigit(r) {
			return ""
		}
		zero := r
		for unicode.IsDigit(zero-1) && r-zero < 9 {
			zero--
		}
		b.WriteRune('0' + (r-zero)%10)
	}
	return b.String()
}

// span is a part of a text that expresses digits.
type span struct {
	digits     string
	start, end int
}

// digitSpans finds the parts of a text that express digits: as digits, with spaces, as
// words, "double seven", "oh".
func digitSpans(text string) []span {
	var all []span
	now := span{start: -1}
	repeat, tens := 0, false
	end := func() {
		if now.digits != "" {
			all = append(all, now)
		}
		now, repeat, tens = span{start: -1}, 0, false
	}
	for _, t := range tokensOf(text) {
		switch {
		case t.repeat > 0:
			repeat, tens = t.repeat, false
			if now.start < 0 {
				now.start = t.start
			}
		case t.digits != "":
			told := t.digits
			if tens && len(told) == 1 && !unicode.IsDigit([]rune(t.word)[0]) {
				now.digits = strings.TrimSuffix(now.digits, "0") // "forty two" is 42
			}
			if repeat > 1 {
				told = strings.Repeat(told[:1], repeat) + told[1:]
			}
			if now.start < 0 {
				now.start = t.start
			}
			now.digits, now.end = now.digits+told, t.end
			repeat, tens = 0, t.tens
		case t.filler:
			tens = false
		default:
			end()
		}
	}
	end()
	return all
}

// NumberSpoken returns where a text has a telephone number or the last digits of it, in digits or
// words. is is false if it has none.
func NumberSpoken(text, number string) (start, end int, is bool) {
	digits := jsonvalue.Digits(number)
	if len(digits) < leastNumber {
		return 0, 0, false
	}
	tail := digits[len(digits)-leastNumber:]
	for _, s := range digitSpans(text) {
		if strings.Contains(s.digits, tail) {
			return s.start, s.end, true
		}
	}
	return 0, 0, false
}

// InFigures returns the text with digits in place of each of the telephone numbers that is written
// in another way.
func InFigures(text string, numbers []string) string {
	byTail := map[string]string{}
	for _, n := range numbers {
		if d := jsonvalue.Digits(n); len(d) >= leastNumber {
			byTail[d[len(d)-leastNumber:]] = d
		}
	}
	var out strings.Builder
	done := 0
	for _, s := range digitSpans(text) {
		for at := leastNumber; at <= len(s.digits); at++ {
			if d := byTail[s.digits[at-leastNumber:at]]; d != "" && text[s.start:s.end] != d {
				out.WriteString(text[done:s.start] + d)
				done = s.end
				break
			}
		}
	}
	return out.String() + text[done:]
}
