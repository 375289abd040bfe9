package town

import (
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// The sizes that were tested most, in metres.
const (
	SmallTown = 4_000
	Town8km   = 8_000
	City      = 20_000
)

// Options says which town to generate. The zero value is a valid choice.
type Options struct {
	Seed   uint64     // 0 is 1
	Size   int        // side of the map in metres, from 2,000 to 30,000; 0 is 8,000
	Centre taxi.Point // where on earth; the zero point is a spot in the North Sea
}

// The middle of the North Sea: coordinates that look British, where nobody lives.
var northSea = taxi.Point{Longitude: 2.10, Latitude: 54.70}

// Default returns the town that servers have unless a map is given: Otterbridge, four
// kilometres wide. All callers share it.
func Default() *Town { return shared() }

var shared = sync.OnceValue(func() *Town { return Generate(Options{Seed: 1, Size: SmallTown}) })

// Generate makes a town. The same options give the same town, to the byte, on every
// processor.
func Generate(o Options) *Town {
	o = o.withDefaults()
	f := newField(o.Seed, float64(o.Size))
	return build(o, f, planOf(o, f))
}

func (o Options) withDefaults() Options {
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Size == 0 {
		o.Size = Town8km
	}
	if o.Centre == (taxi.Point{}) {
		o.Centre = northSea
	}
	o.Size = min(max(o.Size, 2_000), 30_000)
	return o
}

// build makes a town by its plan.
func build(o Options, f *field, p plan) *Town {
	t := &Town{Seed: o.Seed, Size: o.Size, frame: newFrame(o.Centre)}
	t.assemble(p.nodes, p.pieces, p.streets)
	t.buildIndexes(p.order)
	t.scenery = newScenery(f, parksFor(f, o.Seed))
	t.nameAndPlace()
	return t
}
