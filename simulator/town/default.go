package town

import (
	_ "embed"
	"encoding/binary"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// defaultPlan is the default town; the package document has its format.
//
//go:embed default.plan
var defaultPlan []byte

// northSea is the position of towns without one of their own: its coordinates look British,
// and nobody lives there.
var northSea = taxi.Point{Longitude: 2.10, Latitude: 54.70}

// Default returns the town that servers have unless a map is given: Otterbridge, four
// kilometres wide. All callers share it.
func Default() *Town { return otterbridge() }

var otterbridge = sync.OnceValue(func() *Town {
	r := planReader{rest: defaultPlan}
	t := builder{&Town{Name: r.text(), Size: int(r.number()), frame: newFrame(northSea)}}
	nodes := r.points()
	streets := list(&r, func() Street { return Street{Name: r.text(), Class: Class(r.number())} })
	pieces := list(&r, func() piece {
		p := piece{from: r.number(), to: r.number(), street: r.number(), speed: r.number(), class: Class(r.number()), oneWay: r.number() == 1}
		p.shape = append(append([]XY{nodes[p.from]}, r.points()...), nodes[p.to])
		return p
	})
	t.assemble(nodes, pieces, streets)
	t.Places = list(&r, func() Place {
		return Place{
			Kind: PlaceKind(r.text()), Name: r.text(), Weight: int(r.number()),
			Address: Address{Kerb: Kerb{r.number(), r.number()}, At: r.point()},
		}
	})
	t.picture = Picture{
		Outline: r.points(), Parks: list(&r, r.points),
		River: r.points(), RiverName: r.text(), Water: int64(r.number()),
		Rail:   r.points(),
		Runway: Runway{Ends: r.points(), Width: int64(r.number()), Apron: int64(r.number())},
	}
	t.buildIndexes(list(&r, r.number))
	t.numberDoors()
	t.assignPostcodes()
	for i := range t.Places {
		p := &t.Places[i]
		p.Text = t.placeText(p.Name, p.Kerb)
	}
	t.speech = newLexicon(t.Town)
	return t.Town
})

// planReader reads defaultPlan. It validates nothing, since the plan is part of the program.
type planReader struct {
	rest []byte
	last XY
}

func (r *planReader) number() int32 {
	n, size := binary.Varint(r.rest)
	r.rest = r.rest[size:]
	return int32(n)
}

func (r *planReader) text() string {
	n := r.number()
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}

func (r *planReader) point() XY {
	r.last = XY{r.last.X + r.number(), r.last.Y + r.number()}
	return r.last
}

func (r *planReader) points() []XY { return list(r, r.point) }

// list reads a list with a function that reads one of its members.
func list[T any](r *planReader, one func() T) []T {
	all := make([]T, r.number())
	for i := range all {
		all[i] = one()
	}
	return all
}
