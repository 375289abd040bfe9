package town

import (
	"slices"
	"sort"
)

// Every street has doors on both sides, a pair for each plot of 8 m: odd numbers on the
// left, even ones on the right, in the direction of its links. Nothing is stored for a
// door: its position is computed from its number. Where an imported map has houses, these
// replace the plots.
const plot = 8_000

// Door is a numbered house.
type Door struct {
	Street int32
	Number int32 // from 1
}

// numberDoors gives each street with a name its house numbers; all streets if
// none has a name.
func (t builder) numberDoors() {
	named := slices.ContainsFunc(t.Streets, func(s Street) bool { return !s.unnamed })
	for i := range t.Streets {
		s := &t.Streets[i]
		s.doors = t.doors
		if s.Name != "" && len(s.houses) == 0 && (!named || !s.unnamed) {
			s.plots = max(s.Length/plot, 1)
		}
		t.doors += 2*s.plots + int32(len(s.houses))
	}
}

// numbered reports whether a street has house numbers.
func (s *Street) numbered() bool { return s.plots > 0 || len(s.houses) > 0 }

// Doors returns the number of doors in town.
func (t *Town) Doors() int { return int(t.doors) }

// NthDoor returns the door with an index from 0 to Doors()-1.
func (t *Town) NthDoor(n int) Door {
	street := sort.Search(len(t.Streets), func(i int) bool { return int(t.Streets[i].doors) > n }) - 1
	s := &t.Streets[street]
	i := int32(n) - s.doors
	if len(s.houses) > 0 {
		return Door{int32(street), s.houses[i].number}
	}
	return Door{int32(street), i + 1}
}

// plotMiddle returns the distance of the middle of plot i from the start of its street.
func (s *Street) plotMiddle(i int32) int32 { return min(i*plot+plot/2, s.Length) }

// kerbAlong returns the kerb at a distance along a street.
func (t *Town) kerbAlong(street, run int32) Kerb {
	s := &t.Streets[street]
	i := max(sort.Search(len(s.start), func(i int) bool { return s.start[i] > run })-1, 0)
	return Kerb{s.Links[i], min(run-s.start[i], t.Links[s.Links[i]].Length)}
}

// doorKerb returns the kerb at which a car stops for a door.
func (t *Town) doorKerb(d Door) Kerb {
	return t.kerbAlong(d.Street, t.Streets[d.Street].plotMiddle((d.Number-1)/2))
}

// MostSetBack is the most that a door is away from the middle of its street, in millimetres.
const MostSetBack = 11_000

// setBack returns the distance of doors from the middle of the street, in millimetres.
func (c Class) setBack() int64 {
	return [...]int64{Main: MostSetBack, Secondary: 9_000, Minor: 7_500}[c]
}

// doorPoint returns the position of a door, beside its kerb and on its side of the street.
func (t *Town) doorPoint(d Door) XY {
	k := t.doorKerb(d)
	v := t.vertex(k)
	return t.beside(v, t.lerp(v, k.Offset), d.Number%2 == 1, t.Links[k.Link].Class.setBack())
}

// middle returns the kerb half-way along a street.
func (t *Town) middle(street int32) Kerb {
	return t.kerbAlong(street, t.Streets[street].Length/2)
}

// beside returns the point at a distance to the left or right of p, which lies
// on the segment after vertex v.
func (t *Town) beside(v int32, p XY, left bool, away int64) XY {
	d := from(t.shape[v], t.shape[v+1])
	length := max(isqrt(d.x*d.x+d.y*d.y), 1)
	if !left {
		away = -away
	}
	return XY{p.X + int32(divRound(-d.y*away, length)), p.Y + int32(divRound(d.x*away, length))}
}
