package town

import "math"

// streets divides the tracks into streets of a length people would give one
// name, sets the speed limits and chooses the one-way streets. It writes to the
// pieces.
func (w *weaver) streets(pieces []piece, o Options) []Street {
	var streets []Street
	degree := degrees(pieces, len(w.nodes))
	wide := w.onMainRoad(pieces)
	track, run, longest := int32(-1), int32(0), int32(0)
	for i := range pieces {
		p := &pieces[i]
		atMain := p.class == Minor && wide[p.from] && run > 450_000
		if p.street != track || run > longest || atMain {
			track, run = p.street, 0
			longest = w.longest(track, o.Seed, len(streets))
			streets = append(streets, Street{Class: p.class, kind: w.tracks[track].kind})
		}
		run += p.length
		p.street = int32(len(streets) - 1)
		if degree[p.from] == 1 || degree[p.to] == 1 {
			streets[p.street].deadEnd = true
		}
		w.limit(p, streets[p.street].kind)
	}
	oneWays(pieces, streets, o.Seed)
	return streets
}

// longest draws how long a street may go on under one name, in millimetres.
// The ring keeps its name all the way round.
func (w *weaver) longest(track int32, seed uint64, street int) int32 {
	s := newStream(seed, "street length", street)
	low, high := 700, 1_900
	switch tr := &w.tracks[track]; {
	case tr.kind == ringRoad:
		return math.MaxInt32
	case tr.class == Main:
		low, high = 3_000, 6_000
	case tr.class == Secondary:
		low, high = 1_500, 3_500
	}
	return int32((low + s.below(high-low)) * 1_000)
}

// onMainRoad says which nodes a main road runs through.
func (w *weaver) onMainRoad(pieces []piece) []bool {
	wide := make([]bool, len(w.nodes))
	for _, p := range pieces {
		if p.class == Main {
			wide[p.from], wide[p.to] = true, true
		}
	}
	return wide
}

// limit sets a piece's speed limit, and notes if it is a bridge.
func (w *weaver) limit(p *piece, kind setting) {
	for _, v := range p.shape {
		p.bridge = p.bridge || w.river.inWater(metres(v), 0)
	}
	switch {
	case p.class == Main && w.builtUp(metres(p.shape[len(p.shape)/2])) < 1:
		p.speed = mph60
	case kind == ringRoad:
		p.speed = mph40
	case p.class == Minor:
		p.speed = mph20
	default:
		p.speed = mph30
	}
}

// oneWays makes an eighth or so of the minor streets one-way, dead ends left
// out: one could not leave them.
func oneWays(pieces []piece, streets []Street, seed uint64) {
	const percent = 12
	oneWay := make([]bool, len(streets))
	for i, st := range streets {
		s := newStream(seed, "one way", i)
		oneWay[i] = st.Class == Minor && !st.deadEnd && s.below(100) < percent
	}
	for i := range pieces {
		pieces[i].oneWay = oneWay[pieces[i].street]
	}
}
