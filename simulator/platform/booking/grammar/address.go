package grammar

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// house parses a house number at word i: "number fourteen a", "one one two". n is the number of words; 0: none.
func (f *finder) house(i int) (house string, n int) {
	start := i
	for i < len(f.said) && (f.said[i] == "number" || f.said[i] == "nummer" || f.said[i] == "no" && i+1 < len(f.said) && lex.IsFigure(f.said[i+1])) {
		i++
	}
	words := f.together(i)
	if words == 0 || words == 1 && i == start && f.said[i] == "one" && i > 0 && !f.tokens[i].Pause && i+1 < len(f.tokens) && f.tokens[i+1].Pause && (thatOne[f.said[i-1]] || i <= len(f.free) && f.free[i-1]) { // the railway one
		return "", 0
	}
	if house = f.figures(f.said[i : i+words]); house == "0" { // oh, Millrace
		return "", 0
	}
	i += words
	if i+1 < len(f.said) && isLetter(f.said[i]) && !f.tokens[i].Pause && !isLetter(f.said[i+1]) {
		house, i = house+f.said[i], i+1
	}
	return house, i - start
}

// housesAgain replaces a house number by a later number that corrects it: "number thirteen, hang on, three".
func (h *hearing) housesAgain() {
	for i, it := range h.items {
		if it.kind != itemPlace || !it.spot.numbered || len(it.spot.Index) == 0 {
			continue
		}
		to := it.to
		if again := h.spelt(h.said[to:]); again > 0 && h.figures(slices.DeleteFunc(slices.Clone(h.said[to:to+again]), func(w string) bool { return lex.Articles[w] })) == it.spot.House {
			journeys{h}.drop(to, to+again) // fifteen Infirmary Lane, a one and a five
			continue
		}
		for k := range h.items { // what corrects, or adds nothing, in between
			if next := h.items[k]; next.from == to && next.kind == itemWords && (next.sense.class == corrects || next.sense.class == refuses || next.sense.class == filler) {
				to = next.to
			}
		}
		n, words := h.reader(h.said).Number(to)
		last := to + words
		if to == it.to || words == 0 || n == 0 || last < len(h.said) && !h.tokens[last].Pause {
			continue
		}
		own := func(rest item) bool {
			return (rest.kind == itemRest || rest.kind == itemTime && rest.when.Plain && h.Is.IsZero()) && rest.from >= to && rest.to <= last
		}
		if !slices.ContainsFunc(h.items, own) {
			continue
		}
		h.items[i].spot.House = strconv.Itoa(n)
		for k := range h.items {
			if own(h.items[k]) {
				h.items[k].kind, h.items[k].sense = itemWords, sense{class: filler}
			}
		}
	}
}

// spelt returns how many leading words are figures, with articles between them.
func (l *language) spelt(said []string) (n int) {
	for k := range said {
		if l.numerical(said[k:k+1]) > 0 {
			n = k + 1
		} else if !lex.Articles[said[k]] {
			break
		}
	}
	return n
}

// together returns how many words from word i form one number. After a pause, two figures begin a new number:
// "fourteen, fourteen"; so does a repeated number: "three, three".
func (f *finder) together(i int) int {
	const figures = 10
	words := f.numerical(f.said[i:])
	for k := 1; k < words; k++ {
		if f.tokens[i+k].Pause && (f.Clock.At[firstOf(f.said, i-1)] || f.Numbers[f.said[i]] >= figures || f.Numbers[f.said[i+k]] >= figures || lex.IsFigure(f.said[i+k]) && len(f.said[i+k]) > 1 || slices.Equal(f.said[i:i+k], f.said[i+k:min(i+2*k, len(f.said))])) {
			return k
		}
	}
	return words
}

// houseAfter parses a house number after a street: "Mill Lane fourteen".
func (f *finder) houseAfter(i int) (house string, n int) {
	start := i
	if w := firstOf(f.said, i); w == "die" && f.numerical(f.said[i+1:]) > 0 || w == "at" && firstOf(f.said, i+1) == "number" {
		i++
	}
	for i < len(f.said) && (f.said[i] == "number" || f.said[i] == "nummer" || f.said[i] == "hausnummer") {
		i++
	}
	if i >= len(f.said) {
		return "", 0
	}
	words := f.together(i)
	if words == 0 {
		return "", 0
	}
	r := f.reader(f.said)
	if start == i { // a time, or people, may follow
		if _, timed := r.Fraction(i); timed || r.Unit(i+words) || r.Clock.Am[r.Word(i+words)] || r.Clock.Pm[r.Word(i+words)] || r.Clock.HourWords[r.Word(i+words)] {
			return "", 0
		}
		if f.Tag == "en" && !f.hasHouse(f.figures(f.said[i:i+words])) {
			return "", 0
		}
	}
	house = f.figures(f.said[i : i+words])
	i += words
	if i < len(f.said) && isLetter(f.said[i]) {
		house, i = house+f.said[i], i+1
	}
	return house, i - start
}

// hasHouse reports whether a house of that number is one of the places.
func (f *finder) hasHouse(number string) bool {
	return slices.ContainsFunc(f.entries, func(e entry) bool { return e.house == number })
}

// isLetter reports whether a word is the letter of a house number.
func isLetter(word string) bool {
	return len(word) == 1 && word[0] >= 'b' && word[0] <= 'h' || word == "a"
}

// numerical returns how many leading words form a number.
func (l *language) numerical(said []string) int {
	n := 0
	for n < len(said) {
		_, known := l.Numbers[said[n]]
		figure := lex.IsFigure(said[n]) && !strings.Contains(said[n], ":")
		hundred := isHundred(said[n]) && (n > 0 || n+1 < len(said))
		joint := n > 0 && (said[n] == "and" || said[n] == "und") && isHundred(said[n-1])
		double := said[n] == "double" && n+1 < len(said) && l.Numbers[said[n+1]] > 0
		if !known && !figure && !hundred && !joint && !double {
			break
		}
		n++
	}
	return n
}

func isHundred(word string) bool {
	return word == "hundred" || word == "hundert" || word == "einhundert"
}

// figures converts a number that was said in words to digits.
func (l *language) figures(said []string) string {
	text, tens := "", false
	for i, word := range said {
		v, known := l.Numbers[word]
		switch {
		case word == "double":
			continue
		case i > 0 && said[i-1] == "double" && known && v < 10:
			text, tens = text+strings.Repeat(strconv.Itoa(v), 2), false
			continue
		case isHundred(word):
			if text == "" {
				text = "1"
			}
			text, tens = text+"00", true
			continue
		case word == "and", word == "und":
			continue
		case !known:
			text += word
			tens = false
			continue
		}
		part := strconv.Itoa(v)
		if tens && len(part) < 3 && strings.HasSuffix(text, strings.Repeat("0", len(part))) {
			text = text[:len(text)-len(part)]
		}
		text += part
		tens = v >= 20 && v%10 == 0 || tens && v == 0
	}
	return spelledAgain(text, len(said))
}

// spelledAgain removes the figures that repeat a number before or after it: "fourteen, one four", "two three,
// twenty-three".
func spelledAgain(text string, words int) string {
	half := len(text) / 2
	if half >= 2 && words > half && text[:half] == text[half:] {
		return text[:half]
	}
	return text
}
