package town

import (
	"math"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Wire returns an address as the interface sends it.
func (t *Town) Wire(a Address) taxi.Address {
	p := t.Point(a.At)
	return taxi.Address{Address: a.Text, Location: &p}
}

// Door returns a door's address. The number must be one of the street's.
func (t *Town) Door(d Door) Address {
	s := &t.Streets[d.Street]
	if len(s.houses) > 0 {
		return t.houseAddress(d.Street, s.houseAt(d.Number))
	}
	text := strconv.Itoa(int(d.Number)) + " " + t.ending(s, (d.Number-1)/2)
	return Address{Text: text, At: t.doorPoint(d), Kerb: t.doorKerb(d)}
}

// Numbers returns the highest house number of a street; 0 if it has no doors.
func (s *Street) Numbers() int32 {
	if n := len(s.houses); n > 0 {
		return s.houses[n-1].number
	}
	return 2 * s.plots
}

// ending returns the text that follows the house number in an address.
func (t *Town) ending(s *Street, plot int32) string {
	text := s.Name + ", " + t.Name
	if code := s.postcodeOf(plot); code != "" {
		text += ", " + code
	}
	return text
}

// streetAddress returns the address of a street without a number, at its middle.
func (t *Town) streetAddress(street int32) Address {
	s := &t.Streets[street]
	k := t.middle(street)
	return Address{Text: t.ending(s, s.plots/2), At: t.At(k), Kerb: k}
}

// RandomAddress returns the address of a random door, each as likely as any other, or the
// middle of the town if it has no doors.
func (t *Town) RandomAddress(chance interface{ Uint64() uint64 }) Address {
	if t.doors == 0 {
		k := t.Kerb(XY{})
		return t.streetAddress(t.Links[k.Link].Street)
	}
	return t.Door(t.NthDoor(pick(chance.Uint64(), int(t.doors))))
}

// Nearest returns the address nearest to p, a door or a place. For the point of an
// address it returns that address.
func (t *Town) Nearest(p XY) Address {
	best, place, d := t.nearestDoor(p), -1, int64(math.MaxInt64)
	if best.Number > 0 {
		d = distance2(p, t.doorPoint(best))
	}
	if house, far := t.nearestHouse(p, d); house.Number > 0 {
		best, d = house, far
	}
	for i := range t.Places {
		if pd := distance2(p, t.Places[i].At); pd < d {
			place, d = i, pd
		}
	}
	switch {
	case place >= 0:
		return t.Places[place].Address
	case best.Number > 0:
		return t.Door(best)
	default:
		k := t.Kerb(p)
		return t.streetAddress(t.Links[k.Link].Street)
	}
}

// nearestDoor returns the door nearest to p, houses of a map left out; its number
// is 0 if there are no others.
func (t *Town) nearestDoor(p XY) Door {
	if !slices.ContainsFunc(t.Streets, func(s Street) bool { return s.plots > 0 }) {
		return Door{}
	}
	const deepest = 11_000 // no door is further from its street
	best := nearest{far: math.MaxInt64, reach: math.MaxInt32}
	for r := t.segments.grid.side() / 2; ; r *= 2 {
		t.segments.grid.around(p, r, func(item int32) bool {
			seg := t.segments.segs[item]
			foot, offset := t.project(seg, p)
			if near := best.reach + deepest; distance2(p, foot) <= near*near {
				t.nearerDoor(seg, offset, p, &best)
			}
			return true
		})
		if safe := int64(r - deepest); best.far <= safe*safe || r > math.MaxInt32/4 {
			return best.Door
		}
	}
}

// nearest is the nearest door so far.
type nearest struct {
	Door
	far   int64 // square of its distance
	reach int64 // its distance, rounded up
}

// nearerDoor compares the best door so far with those of one segment, around
// an offset along its link.
func (t *Town) nearerDoor(seg linkSegment, offset int32, p XY, best *nearest) {
	l := &t.Links[seg.link]
	s := &t.Streets[l.Street]
	low, high := l.at+t.along[seg.at], l.at+t.along[seg.at+1]
	i := (l.at + offset) / plot
	for i := max(i-1, 0); i < min(i+2, s.plots); i++ {
		run := s.plotMiddle(i)
		if run < low || run >= high && (seg.at+1 < l.last || run > high) {
			continue
		}
		foot := t.lerp(seg.at, run-l.at)
		for number := 2*i + 1; number <= 2*i+2; number++ {
			door := Door{l.Street, number}
			far := distance2(p, t.beside(seg.at, foot, number%2 == 1, l.Class.setBack()))
			if far < best.far || far == best.far && door.before(best.Door) {
				*best = nearest{door, far, isqrt(far) + 1}
			}
		}
	}
}

func (d Door) before(o Door) bool {
	return d.Street < o.Street || d.Street == o.Street && d.Number < o.Number
}

// doorWithPostcode returns the middle one of the doors with a postcode; false: there is none.
func (t *Town) doorWithPostcode(code postcode) (Door, bool) {
	for i := range t.Streets {
		s := &t.Streets[i]
		if run := slices.Index(s.runs, code); run >= 0 {
			plot := min(int32(run)*plotsPerUnit+plotsPerUnit/2, s.plots-1)
			return Door{int32(i), 2*plot + 1}, true
		}
	}
	return Door{}, false
}
