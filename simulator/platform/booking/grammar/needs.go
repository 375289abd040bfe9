package grammar

import (
	"slices"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/people"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// needWords maps words to what people take along or need in the car.
var needWords = needsBy(map[spoken.Need]string{
	spoken.NeedDog:       "dog dogs labrador puppy hund hunde",
	spoken.NeedLuggage:   "luggage suitcase suitcases cases trolley koffer gepäck reisetasche",
	spoken.NeedPushchair: "pushchair pushchairs pram buggy kinderwagen",
	spoken.NeedChildSeat: "carseat kindersitz kindersitze babyschale",
})

func needsBy(by map[spoken.Need]string) map[string]spoken.Need {
	m := map[string]spoken.Need{}
	for need, words := range by {
		for w := range lex.Set(words) {
			m[w] = need
		}
	}
	return m
}

// needs returns what comes along on the trip, in alphabetical order.
func (h *hearing) needs() []spoken.Need {
	var found []spoken.Need
	for i, w := range h.said {
		if need := needWords[w]; need != "" && !h.placed(i) && !slices.Contains(found, need) && !h.without(i) {
			found = append(found, need)
		}
		if next := firstOf(h.said, i+1); (next == "seat" || next == "seats") && (w == "child" || w == "baby" || w == "booster" || w == "car") && !slices.Contains(found, spoken.NeedChildSeat) {
			found = append(found, spoken.NeedChildSeat)
		}
	}
	slices.Sort(found)
	return found
}

// without reports whether the words in front of one deny it: "no luggage", or say that it stays,
// or where it is: "left my suitcase in".
func (h *hearing) without(i int) bool {
	const most = 3
	for k := i - 1; k >= 0 && k >= i-most; k-- {
		switch h.said[k] {
		case "no", "without", "not", "ohne", "kein", "keine", "keinen", "left", "lost", "forgot", "vergessen", "verloren", "walk", "walking":
			return true
		}
	}
	return false
}

// several reports whether more than one taxi is wanted: two cars, or one every Monday.
func (h *hearing) several() bool {
	r := h.reader(h.said)
	for i, w := range h.said {
		if n, words := r.Number(i); words > 0 && n > 1 && n <= people.Most && fleet[firstOf(h.said, i+words)] {
			return true
		}
		next := firstOf(h.said, i+1)
		if !h.back && repeats(w) && (slices.Contains(h.Clock.Weekdays, next) || repeated[next]) {
			return true
		}
	}
	return false
}

var (
	fleet    = lex.Set("taxis cabs cars taxen wagen autos fahrzeuge vehicles minibuses")
	repeated = lex.Set("day morning evening afternoon night week weekday weekend tag morgen abend woche")
)

// odd reports whether a thing that has to do with nothing stands among words that agree: "good
// head and" is no yes.
func (h *hearing) odd() bool {
	const most = 4 // of a longer answer, it is beside the point
	return len(h.said) <= most && slices.ContainsFunc(h.items, func(it item) bool {
		return it.kind == itemWords && it.to == it.from+1 && it.sense.class == filler && (h.things[h.said[it.from]] || h.daily[h.said[it.from]]) && !people.Kin[h.said[it.from]]
	})
}
