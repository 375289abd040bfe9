package grammar

import (
	"math"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// How near what was said must come to a place's name, from 0 to 1.
const (
	leastMatch = 0.62
	margin     = 0.08 // two places that are nearer to each other are equally good
	mostly     = 0.65 // what was said counts for more than what was left unsaid
	mostPlaces = 2000 // that are looked through
)

// spot finds the place that was named.
func (c Context) spot(w *words, said []string) Spot {
	said = w.trim(said)
	if len(said) == 0 {
		return Spot{}
	}
	house, street := w.address(said)
	found := Spot{Text: strings.Join(said, " ")}
	places := c.Places[:min(len(c.Places), mostPlaces)]
	m := newMatcher(w, places)
	best := 0.0
	scores := make([]float64, len(places))
	for i, p := range places {
		for _, n := range m.names[i] {
			scores[i] = max(scores[i], m.score(name{house, street}, n, p.Street))
		}
		best = max(best, scores[i])
	}
	if best < leastMatch {
		return found
	}
	found.Index = m.nearest(scores, best)
	if len(found.Index) > 0 && house != "" && c.Places[found.Index[0]].Street {
		found.House = house
	}
	return found
}

// nearest are the places that fit as well as the best. One that fits word for word
// leaves only those that do so as well.
func (m *matcher) nearest(scores []float64, best float64) []int {
	least := best - margin
	if best > 1-1e-9 {
		least = best - 1e-9
	}
	var near []int
	for i, s := range scores {
		same := func(j int) bool { return m.names[i][0].equal(m.names[j][0]) }
		if s >= least && !slices.ContainsFunc(near, same) && len(near) < spoken.MostChoices {
			near = append(near, i)
		}
	}
	return near
}

// name is what a place is called, in its parts.
type name struct {
	house string // "14a"
	words []string
}

func (n name) equal(o name) bool { return n.house == o.house && slices.Equal(n.words, o.words) }

// matcher compares words with the names of places. A word that many places have
// counts less.
type matcher struct {
	names [][]name // by place: the name, then the aliases
	in    map[string]int
}

func newMatcher(w *words, places []Place) *matcher {
	m := &matcher{names: make([][]name, len(places)), in: map[string]int{}}
	for i, p := range places {
		seen := map[string]bool{}
		for _, alias := range append([]string{p.Name}, p.Aliases...) {
			house, rest := w.address(w.trim(tokens(alias)))
			m.names[i] = append(m.names[i], name{house, rest})
			for _, word := range rest {
				if !seen[word] {
					seen[word] = true
					m.in[word]++
				}
			}
		}
	}
	return m
}

// weight of a word: how much it tells places apart.
func (m *matcher) weight(word string) float64 {
	return math.Log(1 + float64(len(m.names)+1)/float64(m.in[word]+1))
}

// score is how well a name fits what was said, from 0 to 1.
func (m *matcher) score(said, n name, street bool) float64 {
	if len(said.words) == 0 || len(n.words) == 0 {
		if said.equal(n) {
			return 1
		}
		return 0
	}
	fit := 1.0
	switch {
	case said.house == n.house:
	case n.house == "" && street:
		fit = 0.95 // the street of that house, after the house itself
	case said.house == "":
		fit = 0.9 // Mill Lane for 14 Mill Lane
	case n.house == "":
		fit = 0.6
	default:
		return 0 // another door
	}
	there, back := m.covered(said.words, n.words), m.covered(n.words, said.words)
	return fit * (mostly*there + (1-mostly)*back)
}

// covered is the weight of the words that others have too, of all their weight.
func (m *matcher) covered(words, others []string) float64 {
	sum, found := 0.0, 0.0
	for _, word := range words {
		best, as := 0.0, word
		for _, other := range others {
			if s := alike(word, other); s > best {
				best, as = s, other
			}
		}
		if m.in[word] > 0 {
			as = word
		}
		weight := m.weight(as)
		sum, found = sum+weight, found+weight*best
	}
	return found / sum
}
