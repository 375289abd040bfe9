package grammar

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// Place is somewhere that the caller may name.
type Place struct {
	Name    string // "Otterbridge Station", "14 Mill Lane"
	Kind    string // "station", "pub"; "": as its name tells
	Street  bool   // a house number may come with it
	Address string // "Otterbridge Station, Station Road, Otterbridge, ZT1 1AA"; "": unknown
}

// mostPlaces limits the places of a gazetteer.
const mostPlaces = 2000

// Gazetteer finds places by the names that people use. It does not change and is safe for concurrent use.
type Gazetteer struct {
	entries []entry
	words   map[string]*entryList // the places that a word may belong to
	spell   lex.Speller           // of the words, for those that were misheard
	joins   map[string]string     // of two words that a name writes as one
	aliases map[string][]alias    // what kinds are called, by the first word
	common  map[string]bool       // words that most names have: the town's own
	byKind  map[string][]int
}

// kindNames contains the words that name kinds of places.
var kindNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, s := range lex.KindsOfPlace {
		maps.Copy(names, lex.Set(s.Names))
	}
	return names
})

// entry is a place of a gazetteer.
type entry struct {
	house string
	where map[string]bool // the words of its address
	words []string        // of its name, without those that tell nothing
	kind  string
	street,
	rank bool
}

type entryList struct{ places []int }

// alias is another name of a kind of place.
type alias struct {
	words []string
	kind  string
	joint bool // it stands for nothing by itself
}

// NewGazetteer returns a gazetteer of places.
func NewGazetteer(places []Place) *Gazetteer {
	g := &Gazetteer{words: map[string]*entryList{}, joins: map[string]string{}, aliases: map[string][]alias{}, common: map[string]bool{}, byKind: map[string][]int{}}
	places = places[:min(len(places), mostPlaces)]
	g.addKinds()
	names := make([][]string, len(places))
	for i, p := range places {
		names[i] = placeWords(p.Name)
	}
	g.findCommon(names)
	for i, p := range places {
		g.addPlace(i, p, names[i])
	}
	for w := range g.words {
		if !lex.WeakInNames[w] || len(w) >= 5 {
			g.spell.Add(w)
		}
	}
	return g
}

// placeWords returns the words of a name in the form in which they are compared.
func placeWords(name string) []string {
	words := lex.Tokens(name)
	for i, w := range words {
		if long := lex.Abroad[w]; long != "" {
			words[i] = long
		}
		switch {
		case w == "st" && i == 0:
			words[i] = "saint"
		case w == "st" || w == "str":
			words[i] = "street"
		case strings.HasSuffix(w, "str") && len(w) > len("str")+2:
			words[i] = w + "asse"
		}
	}
	if i := lex.Contains(words, []string{"town", "hall"}); i >= 0 {
		words = slices.Replace(words, i, i+2, "townhall")
	}
	return words
}

// findCommon finds the words that many names contain besides others.
func (g *Gazetteer) findCommon(names [][]string) {
	in := map[string]int{}
	for _, words := range names {
		for _, w := range words {
			if len(words) > 1 {
				in[w]++
			}
		}
	}
	for w, n := range in {
		if n >= 4 && n*12 >= len(names) && !lex.WeakInNames[w] && !g.isKind(w) {
			g.common[w] = true
		}
	}
}

func (g *Gazetteer) isKind(w string) bool {
	return kindNames()[w]
}

func (g *Gazetteer) addKinds() {
	for _, s := range lex.KindsOfPlace {
		for _, words := range lex.List(s.Heads) {
			g.aliases[words[0]] = append(g.aliases[words[0]], alias{words: words, kind: s.Kind})
		}
		for w := range strings.FieldsSeq(s.Joints) {
			g.aliases[w] = append(g.aliases[w], alias{words: []string{w}, kind: s.Kind, joint: true})
		}
	}
	for _, list := range g.aliases {
		slices.SortStableFunc(list, func(a, b alias) int { return len(b.words) - len(a.words) })
	}
}

func (g *Gazetteer) addPlace(i int, p Place, words []string) {
	_, road, _ := strings.Cut(p.Address, ",")
	road, _, _ = strings.Cut(road, ",")
	e := entry{street: p.Street, kind: kindOf(p, words), where: lex.Set(road)}
	e.rank = e.kind == "rank"
	if len(words) > 1 && words[0] != "" && words[0][0] >= '0' && words[0][0] <= '9' {
		e.house, words = words[0], words[1:]
	} else if last := len(words) - 1; last > 0 && words[last][0] >= '0' && words[last][0] <= '9' {
		e.house, words = words[last], words[:last]
	}
	for _, w := range words {
		if !lex.Articles[w] {
			e.words = append(e.words, w)
		}
	}
	g.entries = append(g.entries, e)
	if e.kind != "" && !e.street {
		g.byKind[e.kind] = append(g.byKind[e.kind], i)
	}
	for k, w := range e.words {
		l := g.words[w]
		if l == nil {
			l = &entryList{}
			g.words[w] = l
		}
		if !slices.Contains(l.places, i) {
			l.places = append(l.places, i)
		}
		if k > 0 {
			g.joins[e.words[k-1]+w] = e.words[k-1] + " " + w
		}
	}
}

// kindOf returns the kind of a place.
func kindOf(p Place, words []string) string {
	if p.Street {
		return ""
	}
	if p.Kind != "" {
		return lex.KindNamed.Replace(strings.ToLower(p.Kind))
	}
	for _, s := range lex.KindsOfPlace {
		for w := range strings.FieldsSeq(s.Names) {
			if slices.Contains(words, w) && (w != "ground" || slices.Contains(words, "football")) {
				return s.Kind
			}
		}
	}
	return ""
}

// Nearest returns the index of the known place whose name is most similar to a text; false if none is similar.
func (g *Gazetteer) Nearest(text string) (int, bool) {
	said := pairs(strings.Join(lex.Tokens(text), " "))
	best, at := 0.45, -1
	for i, e := range g.entries {
		if e.street {
			continue
		}
		if s := dice(said, pairs(strings.Join(g.telling(e.words), " "))); s > best {
			best, at = s, i
		}
	}
	return at, at >= 0
}

// telling returns the words of a name without those that most names contain.
func (g *Gazetteer) telling(words []string) []string {
	var list []string
	for _, w := range words {
		if !g.common[w] {
			list = append(list, w)
		}
	}
	return list
}

// Short returns the shorter names that people use for a place: without the words that most names contain, and by its
// kind alone.
func (g *Gazetteer) Short(name, kind string) []string {
	words := placeWords(name)
	var short []string
	if telling := g.telling(words); len(telling) > 0 && len(telling) < len(words) && !lex.WeakInNames[telling[len(telling)-1]] {
		short = append(short, strings.Join(telling, " "))
	}
	if kind := kindOf(Place{Kind: kind}, words); len(words) > 1 && slices.Contains(words, kind) {
		short = append(short, kind)
	}
	return short
}

func pairs(text string) map[string]bool {
	m := map[string]bool{}
	for i := 0; i+2 <= len(text); i++ {
		m[text[i:i+2]] = true
	}
	return m
}

func dice(a, b map[string]bool) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	n := 0
	for p := range a {
		if b[p] {
			n++
		}
	}
	return 2 * float64(n) / float64(len(a)+len(b))
}

// has reports whether a word occurs in the name of a place or a kind of place.
func (g *Gazetteer) has(word string) bool {
	return g != nil && (g.words[word] != nil || g.common[word] || g.aliases[word] != nil || lex.Abroad[word] != "" || g.joins[word] != "")
}
