package town

import (
	"strconv"
	"strings"
	"unicode"
)

// query contains the parts of a spoken or written address.
type query struct {
	words    []string // of the street or place, lower case
	lead     []string // the same, up to the first comma or word that joins
	number   int32    // house number, 0 if none
	postcode postcode
	coded    bool // a postcode was said
}

// parseSpoken splits an address, as people say or write it, into its parts.
func (t *Town) parseSpoken(text string) query {
	var q query
	q.words = q.parse(t, text)
	q.lead = q.words
	if lead, _, ok := strings.Cut(text, ","); ok {
		var same query
		q.lead = same.parse(t, lead)
	}
	for i, w := range q.lead {
		if i > 0 && prepositions[w] {
			q.lead = q.lead[:i]
			break
		}
	}
	return q
}

// prepositions are the words that put a place somewhere: "the rank at the station".
var prepositions = map[string]bool{"at": true, "in": true, "on": true, "by": true, "near": true, "opposite": true}

// parse stores the postcode and the number of a text, and returns its other words, without the
// town at their end and fillers at their start.
func (q *query) parse(t *Town, text string) []string {
	words := trimFillers(q.takePostcode(split(text)))
	words = trimFillers(q.takeNumbers(words))
	town := split(t.Name)
	for len(words) > len(town) && hasSuffix(words, town) && words[len(words)-len(town)-1] != "of" {
		words = words[:len(words)-len(town)]
	}
	for i, w := range words {
		if long, ok := abbreviations[w]; ok && (i > 0 || w != "st") {
			words[i] = long
		}
	}
	return words
}

// split returns the words of a text in lower case. An apostrophe is removed; any other mark
// separates words.
func split(text string) []string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r == '’':
			return -1
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		default:
			return ' '
		}
	}, text)
	const most = 16 // longer is no address
	words := strings.Fields(clean)
	return words[:min(len(words), most)]
}

func hasSuffix(words, end []string) bool {
	if len(words) < len(end) {
		return false
	}
	for i, w := range end {
		if words[len(words)-len(end)+i] != w {
			return false
		}
	}
	return true
}

// takePostcode stores the first postcode, written as one word or two, and returns the other words.
func (q *query) takePostcode(words []string) []string {
	for i := range words {
		for n := 1; n <= 2 && i+n <= len(words); n++ {
			code, ok := parsePostcode(strings.ToUpper(strings.Join(words[i:i+n], "")))
			if ok {
				q.postcode, q.coded = code, true
				return append(words[:i:i], words[i+n:]...)
			}
		}
	}
	return words
}

var fillers = map[string]bool{
	"the": true, "at": true, "to": true, "from": true, "please": true, "number": true, "a": true,
	"um": true, "er": true, "its": true, "outside": true, "near": true, "flat": true, "house": true,
}

func trimFillers(words []string) []string {
	for len(words) > 1 && fillers[words[0]] {
		words = words[1:]
	}
	for len(words) > 1 && words[len(words)-1] == "please" {
		words = words[:len(words)-1]
	}
	return words
}

var abbreviations = map[string]string{
	"st": "street", "rd": "road", "ave": "avenue", "av": "avenue", "ln": "lane", "cl": "close", "dr": "drive",
	"gdns": "gardens", "terr": "terrace", "cres": "crescent", "ct": "court", "emb": "embankment", "pde": "parade",
	"stn": "station", "uni": "university", "pk": "park", "&": "and",
}

// takeNumbers stores the house number at the front, in figures or words, and returns the other
// words. In "flat 2 14 mill lane" the last one counts.
func (q *query) takeNumbers(words []string) []string {
	for len(words) > 0 {
		number, n := leadingNumber(words)
		if n == 0 || n == len(words) {
			return words
		}
		q.number, words = number, words[n:]
	}
	return words
}

// leadingNumber returns the number at the front of words, and the count of words that it
// takes; 0: there is none.
func leadingNumber(words []string) (number int32, n int) {
	digits := strings.TrimRightFunc(words[0], unicode.IsLetter) // 14a is at 14
	if v, err := strconv.Atoi(digits); err == nil && v > 0 && v < 10_000 && len(words[0])-len(digits) <= 1 {
		return int32(v), 1
	}
	total := int32(0)
	for ; n < len(words); n++ {
		v, ok := numberWords[words[n]]
		switch {
		case words[n] == "and" && n > 0:
		case !ok:
			return total, afterNumber(words, n)
		case v == 100:
			total = max(total, 1) * 100
		case v < 10 && total%10 == 0 && total%100 != 10, total%100 == 0:
			total += v
		default: // "one four" is 14
			total = total*map[bool]int32{true: 10, false: 100}[v < 10] + v
		}
		if total >= 10_000 {
			return 0, 0
		}
	}
	return total, n
}

// afterNumber returns the number of words before n without an "and" at their end that did not
// join two numbers.
func afterNumber(words []string, n int) int {
	if n > 0 && words[n-1] == "and" {
		n--
	}
	return n
}

var numberWords = map[string]int32{
	"oh": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, //nolint:misspell // as people write it
	"fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
}
