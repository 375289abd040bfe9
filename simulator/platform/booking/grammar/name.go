package grammar

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

const (
	longestName = 60
	mostNamed   = 3 // words of a name that was not asked for
)

// AsName returns the person's name in an answer, as it was spelled; "" if there is none.
func AsName(tag, text string) string {
	fields := strings.Fields(text)
	for again := true; again; {
		again = false
		for _, l := range own(tag) {
			if n := l.lead(fields); n > 0 && n < len(fields) {
				fields, again = fields[n:], true
			}
		}
	}
	for len(fields) > 1 && ends(fields[len(fields)-1]) {
		fields = fields[:len(fields)-1]
	}
	name := strings.Trim(spoken.Plain(strings.Join(fields, " "), longestName), " .,;:!?")
	if name == "" || strings.ContainsAny(name, "0123456789") {
		return ""
	}
	return name
}

// lead returns the number of words that introduce a name.
func (l *language) lead(fields []string) int {
	best := 0
	for _, phrases := range []lex.Phrases{l.names.leads, l.names.asked} {
		for p := range phrases.All() {
			best = max(best, covers(fields, p))
		}
	}
	return best
}

// covers returns how many leading words, as they were written, a phrase matches; 0 if it does not.
func covers(fields []string, phrase []string) int {
	k := 0
	for i, f := range fields {
		words := lex.Tokens(f)
		if !lex.HasPrefix(phrase[k:], words) && len(words) > 0 {
			return 0
		}
		if k += len(words); k == len(phrase) {
			return i + 1
		}
		if k > len(phrase) {
			return 0
		}
	}
	return 0
}

func ends(field string) bool {
	words := lex.Tokens(field)
	return len(words) == 0 || slices.ContainsFunc(languages(), func(l *language) bool { return l.names.ends[words[0]] })
}

// named finds a name that nobody asked for: words that mean nothing else, after "the
// name is".
func (h *hearing) named() {
	for i := range h.said {
		for _, loose := range []bool{false, true} {
			leads := h.names.leads
			if loose {
				leads = h.names.loose
			}
			n := h.reader(h.left).Phrase(i, leads)
			if n == 0 {
				continue
			}
			end := i + n
			for end < len(h.said) && end < i+n+mostNamed && h.left[end] != "" && !h.opens(end) && (!loose || !strings.HasSuffix(h.left[end], "ing")) {
				end++
			}
			if end == i+n {
				continue
			}
			h.take(item{from: i, to: end, kind: itemName, text: strings.Join(h.said[i+n:end], " ")})
			return
		}
	}
}

// opens reports whether a known phrase begins at a word.
func (h *hearing) opens(i int) bool { return h.Known[h.left[i]] || lex.IsFigure(h.left[i]) }

// MayBeName reports whether words that mean nothing else hold more than politeness and
// hesitation: Bill and Grace are names as well.
func MayBeName(text string) bool {
	return slices.ContainsFunc(lex.Tokens(text), func(w string) bool { return len(w) > 1 && !nameless[w] })
}

var nameless = lex.Set("um er erm uh uhm ah oh eh hm hmm mm hello hi hey hiya hallo well so yes yeah ok okay please thanks thank you ta cheers sorry what pardon good morning evening afternoon day my name is its the a i im me " +
	"äh ähm öh ach ja na also bitte danke schön guten tag morgen abend moin servus mein ist der die das ich bin wie was nun gut")
