package grammar

import (
	"slices"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// farthestAbout is how many words behind the first one the subject of a question stands, and
// farthestFare those of a question what a trip costs.
const (
	farthestAbout = 7
	farthestFare  = 14
)

// questionsIn finds questions that are no complete phrase of the lexicon.
func (h *hearing) questionsIn() {
	for i := range h.left {
		for _, a := range h.askings {
			if !a.leads[h.left[i]] || a.first && (!h.begins(i) || i > 0 && stated[h.said[i-1]]) {
				continue
			}
			if to := h.askedAbout(a, i); to > 0 {
				h.take(item{from: i, to: to, kind: itemWords, sense: sense{class: asks, question: a.question}})
				break
			}
		}
	}
}

// stated are subjects whose verb begins no question: "it is from Coopers Close".
var stated = lex.Set("it that this")

// askedAbout returns the end of the word that says what a question is about; 0 if it is another question.
func (h *hearing) askedAbout(a asking, i int) int {
	most := farthestAbout
	if a.question == AsksFare { // what a taxi from the station to the airport costs
		most = farthestFare
	}
	for k := i + 1; k < len(h.left) && k <= i+most && h.left[k] != ""; k++ {
		if a.about[h.left[k]] {
			return k + 1
		}
	}
	return 0
}

// begins reports whether only words without meaning precede a word.
func (h *hearing) begins(i int) bool {
	return !slices.ContainsFunc(h.said[:i], func(w string) bool { return !h.minor(w) })
}
