package town

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// mostPlaces is how many places of a map are kept, the ones nearest the middle.
const mostPlaces = 2_000

// placeSpots puts the places of a map beside its streets, from the middle outwards, so
// that "the station" is the most central one.
func (t builder) placeSpots(spots []Spot) {
	type sight struct {
		*Spot
		at XY
	}
	var sights []sight
	for i := range spots {
		if s := &spots[i]; s.IsPlace() && t.covers(s.At) {
			sights = append(sights, sight{s, t.XY(s.At)})
		}
	}
	slices.SortStableFunc(sights, func(a, b sight) int {
		return cmp.Compare(distance2(a.at, XY{}), distance2(b.at, XY{}))
	})
	named := map[string][]XY{}
	for _, s := range sights {
		if len(t.Places) == mostPlaces {
			return
		}
		k := t.Kerb(s.at)
		if !within(s.at, t.At(k), reachOf(s.Kind)) {
			continue // beyond the streets
		}
		name := clip(s.Name)
		if name == "" {
			name = t.rankName(k)
		}
		// One station is often on a map twice, as a point and as a building.
		again := slices.ContainsFunc(named[string(s.Kind)+name], func(o XY) bool { return within(s.at, o, 500_000) })
		if again {
			continue
		}
		named[string(s.Kind)+name] = append(named[string(s.Kind)+name], s.at)
		t.Places = append(t.Places, Place{Address: Address{t.placeText(name, k), s.at, k}, Kind: s.Kind, Name: name, Weight: s.Kind.Weight()})
	}
}

// placeText returns the text of the address of a place beside a kerb.
func (t *Town) placeText(name string, k Kerb) string {
	return name + ", " + t.ending(&t.Streets[t.Links[k.Link].Street], t.plotAt(k))
}

// reachOf returns how far from a street a place of a kind may be, in millimetres.
func reachOf(kind PlaceKind) int64 {
	if kind == Airport {
		return 3_000_000
	}
	return 500_000
}

func within(a, b XY, far int64) bool { return distance2(a, b) <= far*far }

// plotAt returns the index of the street's plot at a kerb; -1 if the street has no plots.
func (t *Town) plotAt(k Kerb) int32 {
	l := &t.Links[k.Link]
	return min((l.at+k.Offset)/plot, t.Streets[l.Street].plots-1)
}

// placeRanks puts taxi ranks into the middle of a map that has none, and half-way out,
// for cars to wait at.
func (t builder) placeRanks() {
	const apart, awayFromStreet = 150_000, 3_000
	if _, ok := t.PlaceOf(Rank); ok {
		return
	}
	quarter := int32(t.Size) * 250
	var ranks []XY
	for i, p := range [...]XY{{}, {quarter, quarter}, {-quarter, quarter}, {0, -quarter}} {
		k, ok := t.nearestKerb(p, func(link int32) bool {
			l := &t.Links[link]
			at := t.At(Kerb{link, l.Length / 2})
			return t.Streets[l.Street].numbered() && l.Length > 20_000 &&
				!slices.ContainsFunc(ranks, func(o XY) bool { return within(o, at, apart) })
		})
		if !ok && i > 0 {
			return
		}
		if !ok {
			k = t.Kerb(p) // a hamlet
		}
		ranks = append(ranks, t.At(k))
		name, left := t.rankName(k), newStream(0, "ranks", i).below(2) == 0
		at := t.beside(t.vertex(k), t.At(k), left, awayFromStreet)
		t.Places = append(t.Places, Place{Address: Address{t.placeText(name, k), at, k}, Kind: Rank, Name: name})
	}
}

// nearestKerb returns the middle of the link nearest to p for which fits returns true; false:
// there is none.
func (t builder) nearestKerb(p XY, fits func(link int32) bool) (Kerb, bool) {
	best, bestD := Kerb{}, int64(math.MaxInt64)
	for i := range t.Links {
		k := Kerb{int32(i), t.Links[i].Length / 2}
		if !fits(k.Link) {
			continue
		}
		if d := distance2(p, t.At(k)); d < bestD {
			best, bestD = k, d
		}
	}
	return best, bestD < math.MaxInt64
}

// rankName names a rank by its street; the second there has a number.
func (t builder) rankName(k Kerb) string {
	plain := t.Streets[t.Links[k.Link].Street].Name + " Rank"
	name := plain
	for n := 2; slices.ContainsFunc(t.Places, func(p Place) bool { return p.Name == name }); n++ {
		name = plain + " " + strconv.Itoa(n)
	}
	return name
}
