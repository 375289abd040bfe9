package drawing

import (
	"math"

	"github.com/cabrank/cabrank/simulator/town"
)

// offset is the vector between two points.
type offset struct{ x, y int64 }

func from(a, b town.XY) offset { return offset{int64(b.X) - int64(a.X), int64(b.Y) - int64(a.Y)} }

func (o offset) squared() int64 { return o.x*o.x + o.y*o.y }

// length returns the length, rounded down. Square roots are exact to the last bit on
// every processor.
func (o offset) length() int64 { return int64(math.Sqrt(float64(o.squared()))) }

func distance(a, b town.XY) int64 { return from(a, b).length() }

// along returns the point a fraction num/den of the way along p..p+d.
func along(p town.XY, d offset, num, den int64) town.XY {
	return town.XY{X: p.X + int32(d.x*num/den), Y: p.Y + int32(d.y*num/den)}
}
