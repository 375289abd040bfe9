package town

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// placeHouses puts the houses of a map on their streets.
func (t builder) placeHouses(spots []Spot) {
	byName := map[string]int32{}
	for i := range t.Streets {
		byName[t.Streets[i].Name] = int32(i)
	}
	for i := range spots {
		s := &spots[i]
		street, known := byName[s.Street]
		number, ok := houseNumber(s.Number)
		if !s.IsHouse() || !known || !ok || !t.covers(s.At) {
			continue
		}
		at := t.XY(s.At)
		if k, near := t.kerbOn(street, at); near {
			st := &t.Streets[street]
			st.houses = append(st.houses, house{number, at, k, clip(s.Postcode)})
		}
	}
	for i := range t.Streets {
		s := &t.Streets[i]
		slices.SortStableFunc(s.houses, func(a, b house) int { return cmp.Compare(a.number, b.number) })
		s.houses = slices.CompactFunc(s.houses, func(a, b house) bool { return a.number == b.number })
	}
}

// houseNumber reads the figures at the start of a house number: 14a and 14-16
// are at 14.
func houseNumber(s string) (int32, bool) {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		s = s[:end]
	}
	v, err := strconv.Atoi(s)
	return int32(v), err == nil && v > 0 && v < 10_000
}

// kerbOn returns the kerb of a street nearest to p; false: it is too far for a house of that
// street.
func (t builder) kerbOn(street int32, p XY) (Kerb, bool) {
	const nearEnough = 500_000
	best, bestD := Kerb{}, int64(math.MaxInt64)
	for _, l := range t.Streets[street].Links {
		for v := t.Links[l].first; v < t.Links[l].last; v++ {
			foot, offset := t.project(linkSegment{l, v}, p)
			if d := distance2(p, foot); d < bestD {
				best, bestD = Kerb{l, offset}, d
			}
		}
	}
	return best, bestD <= nearEnough*nearEnough
}

// houseAt returns the house of a street with a number, or the one nearest to it
// on the same side if there is none. The street must have houses.
func (s *Street) houseAt(number int32) *house {
	best := &s.houses[0]
	far := func(h *house) int32 {
		d := max(h.number-number, number-h.number)
		return 2*d + d&1*20 // the other side is no help unless it is close
	}
	for i := range s.houses {
		if h := &s.houses[i]; far(h) < far(best) {
			best = h
		}
	}
	return best
}

// houseAddress returns a house's address.
func (t *Town) houseAddress(street int32, h *house) Address {
	text := strconv.Itoa(int(h.number)) + " " + t.Streets[street].Name + ", " + t.Name
	if h.postcode != "" {
		text += ", " + h.postcode
	}
	return Address{Text: text, At: h.at, Kerb: h.kerb}
}

// nearestHouse returns the house nearest to p whose squared distance is less than far, and
// that distance. The number is 0 if there is none.
func (t *Town) nearestHouse(p XY, far int64) (Door, int64) {
	var best Door
	for i := range t.Streets {
		for k := range t.Streets[i].houses {
			h := &t.Streets[i].houses[k]
			if d := distance2(p, h.at); d < far {
				best, far = Door{int32(i), h.number}, d
			}
		}
	}
	return best, far
}
