package grammar

import (
	"strconv"
	"strings"
)

// trim takes the words from both ends that are no part of a place's name, and
// writes abbreviations out.
func (w *words) trim(said []string) []string {
	for len(said) > 0 && (said[0] == "" || w.articles[said[0]] && len(said) > 1) {
		said = said[1:]
	}
	for len(said) > 0 && (said[len(said)-1] == "" || said[len(said)-1] == "please" || said[len(said)-1] == "bitte") {
		said = said[:len(said)-1]
	}
	full := make([]string, 0, len(said))
	for i, word := range said {
		switch long := abbreviations[word]; {
		case word == "st" && i == 0:
			full = append(full, "saint")
		case (word == "train" || word == "railway") && i+1 < len(said) && said[i+1] == "station":
		case long != "" && i > 0:
			full = append(full, long)
		case len(word) > len("str")+2 && strings.HasSuffix(word, "str"):
			full = append(full, word+"asse")
		default:
			full = append(full, word)
		}
	}
	return full
}

var abbreviations = map[string]string{
	"st": "street", "rd": "road", "ave": "avenue", "av": "avenue", "ln": "lane", "cl": "close", "dr": "drive",
	"gdns": "gardens", "cres": "crescent", "ct": "court", "sq": "square", "stn": "station", "uni": "university",
	"str": "strasse", "pl": "platz",
}

// address parts an address into the house number and the words that tell it from
// others.
func (w *words) address(said []string) (house string, rest []string) {
	house, said = w.house(said)
	for _, word := range said {
		if !w.articles[word] {
			rest = append(rest, word)
		}
	}
	if len(rest) == 0 {
		rest = said
	}
	return house, rest
}

// house parts an address into the house number, in front or behind, and the other
// words. A number is taken in figures or words: "one one two", "a hundred and
// twelve".
func (w *words) house(said []string) (house string, rest []string) {
	n := w.numerical(said)
	if n > 0 {
		house = w.figures(said[:n])
		if n < len(said) && isLetter(said[n]) && n+1 < len(said) {
			house, n = house+said[n], n+1
		}
		return house, said[n:]
	}
	for i := range said {
		tail := said[i:]
		letter := ""
		if last := tail[len(tail)-1]; isLetter(last) && len(tail) > 1 {
			tail, letter = tail[:len(tail)-1], last
		}
		if i > 0 && w.numerical(tail) == len(tail) {
			return w.figures(tail) + letter, said[:i]
		}
	}
	return "", said
}

// isLetter reports whether a word is the letter of a house number.
func isLetter(word string) bool {
	return len(word) == 1 && word[0] >= 'b' && word[0] <= 'h' || word == "a"
}

// numerical is how many words from the front are a number.
func (w *words) numerical(said []string) int {
	n := 0
	for n < len(said) {
		_, known := w.numbers[said[n]]
		figure := said[n] != "" && said[n][0] >= '0' && said[n][0] <= '9' && !strings.Contains(said[n], ":")
		hundred := isHundred(said[n]) && (n > 0 || n+1 < len(said))
		joint := n > 0 && (said[n] == "and" || said[n] == "und") && isHundred(said[n-1])
		if !known && !figure && !hundred && !joint {
			break
		}
		n++
	}
	return n
}

func isHundred(word string) bool {
	return word == "hundred" || word == "hundert" || word == "einhundert"
}

// figures writes a number that was said in figures.
func (w *words) figures(said []string) string {
	text, tens := "", false
	for _, word := range said {
		v, known := w.numbers[word]
		switch {
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
	return text
}
