package town

import (
	"cmp"
	"math"
	"slices"
)

// Streets that every generated town has, for tests and demonstrations.
const (
	HighStreet   = "High Street"
	StationRoad  = "Station Road"
	BridgeStreet = "Bridge Street"
	MillLane     = "Mill Lane"
)

// kinds of street by what a street is, most fitting first.
var (
	mainTypes      = []string{"Road", "Avenue", "Way"}
	secondaryTypes = []string{"Street", "Road", "Avenue", "Parade"}
	minorTypes     = []string{"Street", "Lane", "Drive", "Gardens", "Terrace", "Crescent", "Row"}
	closeTypes     = []string{"Close", "Court", "Mews"}
	riverTypes     = []string{"Embankment", "Quay", "Wharf"}
	parkTypes      = []string{"Park", "Green"}
)

// qualifiers are for the cities so large that even the compounds run out.
var qualifiers = []string{"", "Upper ", "Nether ", "Old "}

// namer gives each street a unique name. No stem is used twice, so that a street is also
// found without its type.
type namer struct {
	t     *Town
	taken map[string]bool
	stems []int // in what order they are used
	roots []int // likewise
	next  int
}

// nameStreets names all streets of a generated town.
func (t *Town) nameStreets() {
	n := &namer{t: t, taken: map[string]bool{}}
	n.stems = shuffled(len(stems), newStream(t.Seed, "names", 0))
	n.roots = shuffled(len(roots), newStream(t.Seed, "compound names", 0))
	n.nameKnown()
	for i := range t.Streets {
		if t.Streets[i].Name == "" {
			t.Streets[i].Name = n.newName(&t.Streets[i], newStream(t.Seed, "street type", i))
		}
	}
}

func shuffled(n int, s *stream) []int {
	order := make([]int, n)
	for i := range order {
		j := s.below(i + 1)
		order[i], order[j] = order[j], i
	}
	return order
}

// nameKnown gives the names that every town has to the most suitable streets.
func (n *namer) nameKnown() {
	for i := range n.t.Streets {
		if n.t.Streets[i].kind == ringRoad {
			n.setName(i, "Ring Road")
			break
		}
	}
	n.setBest(BridgeStreet, XY{}, func(s *Street) bool { return s.Class == Main && n.t.crossesRiver(s) })
	n.setBest(HighStreet, XY{}, func(s *Street) bool { return s.Class != Minor && s.kind == ordinary })
	station := direction(newStream(n.t.Seed, "station", 0).between(0, 2*math.Pi)).times(0.13 * float64(n.t.Size)).mm()
	n.setBest(StationRoad, station, func(s *Street) bool { return s.Class == Secondary && s.kind == ordinary && s.Length > 200_000 })
	n.setBest(MillLane, XY{}, func(s *Street) bool {
		return s.Class == Minor && s.kind == ordinary && !s.deadEnd && s.Length > 250_000
	})
}

// setBest gives a name to the suitable street whose middle is nearest to a point, or to
// the shortest of all if none is suitable.
func (n *namer) setBest(name string, near XY, fits func(*Street) bool) {
	best, bestD := -1, int64(0)
	for i := range n.t.Streets {
		s := &n.t.Streets[i]
		if s.Name != "" || !fits(s) {
			continue
		}
		d := distance2(n.t.At(n.t.middle(int32(i))), near)
		if best < 0 || d < bestD {
			best, bestD = i, d
		}
	}
	if best < 0 {
		best = n.shortest()
	}
	n.setName(best, name)
}

// shortest returns the shortest street without a name.
func (n *namer) shortest() int {
	order := make([]int, len(n.t.Streets))
	for i := range order {
		order[i] = i
	}
	return slices.MinFunc(order, func(i, j int) int {
		a, b := &n.t.Streets[i], &n.t.Streets[j]
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Length, b.Length), cmp.Compare(i, j))
	})
}

func (n *namer) setName(street int, name string) {
	n.t.Streets[street].Name = name
	n.taken[name] = true
}

// newName returns a name that no street has yet.
func (n *namer) newName(s *Street, draw *stream) string {
	types := typesFor(s)
	shift := 0
	if len(types) > 2 {
		shift = draw.below(len(types))
	}
	all := len(stems) + len(roots)*len(endings)
	for n.next < all*len(qualifiers) {
		stem := qualifiers[n.next/all] + n.stem(n.next%all)
		n.next++
		for k := range types {
			if name := stem + " " + types[(shift+k)%len(types)]; !n.taken[name] {
				n.taken[name] = true
				return name
			}
		}
	}
	return "" // more streets than names, which needs a town larger than any allowed
}

// stem returns the i-th stem: first those of one word, then compounds of a root
// and an ending, each root once before any comes back with another ending.
func (n *namer) stem(i int) string {
	if i < len(n.stems) {
		return stems[n.stems[i]]
	}
	i -= len(n.stems)
	round, root := i/len(n.roots), i%len(n.roots)
	return roots[n.roots[root]] + endings[(root+round)%len(endings)]
}

func typesFor(s *Street) []string {
	switch {
	case s.kind == embankment:
		return riverTypes
	case s.kind == parkside:
		return parkTypes
	case s.Class == Main:
		return mainTypes
	case s.Class == Secondary:
		return secondaryTypes
	case s.deadEnd && s.Length < 400_000:
		return closeTypes
	default:
		return minorTypes
	}
}

func (t *Town) crossesRiver(s *Street) bool {
	for _, l := range s.Links {
		if t.Links[l].Bridge {
			return true
		}
	}
	return false
}

// middle returns the kerb half-way along a street.
func (t *Town) middle(street int32) Kerb {
	return t.kerbAlong(street, t.Streets[street].Length/2)
}
