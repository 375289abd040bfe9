package spoken

import (
	"strings"
	"unicode"
)

// digitRun is a run of digits in a text, as figures or as words, with its position.
type digitRun struct {
	digits   string
	from, to int // offsets in bytes
}

// digitRuns finds the runs of digits in a text. Punctuation, spaces, and words that
// people say between digits do not end a run; any other word does.
func digitRuns(text string) []digitRun {
	f := &runFinder{}
	start := -1 // start of the current word
	for i, r := range text {
		v, digit := digitValue(r)
		switch {
		case !digit && unicode.IsLetter(r):
			if start < 0 {
				start = i
			}
			continue
		case start >= 0:
			f.word(text[start:i], start, i)
			start = -1
		}
		if digit {
			f.add(string('0'+rune(v)), i, i+len(string(r)))
		}
	}
	if start >= 0 {
		f.word(text[start:], start, len(text))
	}
	f.end()
	return f.runs
}

type runFinder struct {
	runs   []digitRun
	open   digitRun
	repeat int  // repetitions of the next digit
	said   int  // position of that word
	tens   bool // the last word was a multiple of ten, such as forty
}

// digitValue returns the value of a digit of any script.
func digitValue(r rune) (int, bool) {
	if '0' <= r && r <= '9' {
		return int(r - '0'), true
	}
	if r < 0x80 || !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	for _, block := range unicode.Nd.R16 { // each block of digits begins with a zero
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return int(r-rune(block.Lo)) % 10, true
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return int(r-rune(block.Lo)) % 10, true
		}
	}
	return 0, false
}

func (f *runFinder) add(digits string, from, to int) {
	if f.open.digits == "" {
		f.open.from = from
		if f.repeat > 0 { // the run begins at "double" in "double seven"
			f.open.from = f.said
		}
	}
	f.open.digits += strings.Repeat(digits, max(f.repeat, 1))
	f.open.to, f.repeat, f.tens = to, 0, false
}

func (f *runFinder) end() {
	if f.open.digits != "" {
		f.runs = append(f.runs, f.open)
	}
	f.open, f.repeat, f.tens = digitRun{}, 0, false
}

func (f *runFinder) word(word string, from, to int) {
	word = strings.ToLower(word)
	digits, known := digitWords[word]
	if strings.Trim(word, "o") == "" { // 77oo is 7700
		digits, known = strings.Repeat("0", len(word)), true
	}
	switch {
	case known && f.tens && len(digits) == 1 && digits != "0": // forty six is 46
		f.open.digits = strings.TrimSuffix(f.open.digits, "0")
		f.add(digits, from, to)
	case known:
		f.add(digits, from, to)
		f.tens = len(digits) == 2 && digits[1] == '0'
	case repeats[word] > 0:
		f.repeat, f.said = repeats[word], from
	case (word == "hundred" || word == "hundert") && f.open.digits != "":
		f.add("00", from, to)
	case between[word]:
	default:
		f.end()
	}
}

// repeats are the words that repeat the next digit.
var repeats = map[string]int{"double": 2, "doppel": 2, "doppelt": 2, "zweimal": 2, "twice": 2, "treble": 3, "triple": 3, "dreimal": 3}

// between are words that do not end a run of digits.
var between = map[string]bool{
	"and": true, "then": true, "plus": true, "dash": true, "space": true, "comma": true, "dot": true, "hyphen": true, "slash": true,
	"und": true, "dann": true, "strich": true, "bindestrich": true, "komma": true, "punkt": true,
}

// digitWords are the words for single digits and pairs of digits.
var digitWords = func() map[string]string {
	words := map[string]string{"oh": "0", "nought": "0", "naught": "0", "nil": "0", "zwo": "2", "ein": "1", "fuenf": "5", "zwoelf": "12"}
	for n := range 100 {
		figures := string([]byte{'0' + byte(n/10), '0' + byte(n%10)})
		if n < 10 {
			figures = figures[1:]
		}
		words[englishNumber(n)] = figures
		words[germanNumber(n)] = figures
	}
	return words
}()
