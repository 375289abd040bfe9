package town

import "math"

// vec is a point or direction in metres while the generator works.
type vec struct{ x, y float64 }

// The generator must give the same bits on every processor, and Go may fuse
// x*y+z into one instruction where the processor has one. A conversion rounds
// the product and forbids that; an assignment does not. So every product in the
// generator that is added to something, there or later, stands inside float64().

func (a vec) add(b vec) vec { return vec{a.x + b.x, a.y + b.y} }
func (a vec) sub(b vec) vec { return vec{a.x - b.x, a.y - b.y} }
func (a vec) left() vec     { return vec{-a.y, a.x} }

func (a vec) times(k float64) vec { return vec{float64(a.x * k), float64(a.y * k)} }

func (a vec) dot(b vec) float64   { return float64(a.x*b.x) + float64(a.y*b.y) }
func (a vec) cross(b vec) float64 { return float64(a.x*b.y) - float64(a.y*b.x) }
func (a vec) length() float64     { return math.Sqrt(a.dot(a)) }

func (a vec) unit() vec {
	n := a.length()
	if n == 0 {
		return vec{1, 0}
	}
	return vec{a.x / n, a.y / n}
}

// mm quantises to the plane: the end of fractions.
func (a vec) mm() XY {
	return XY{int32(math.Round(float64(a.x * 1000))), int32(math.Round(float64(a.y * 1000)))}
}

func metres(p XY) vec { return vec{float64(p.X) / 1000, float64(p.Y) / 1000} }

// direction returns the unit vector at an angle in radians.
func direction(angle float64) vec { return vec{sine(angle + math.Pi/2), sine(angle)} }

// sine is the Taylor series after reduction to a quarter turn, because the
// library's own may be compiled differently from one processor to the next.
func sine(x float64) float64 {
	x = quarter(x)
	square, term, sum := float64(x*x), x, x
	for n := 2.0; n < 20; n += 2 {
		term = -float64(term*square) / float64(n*(n+1))
		sum += term
	}
	return sum
}

// sines is the sine of each, to the same bits. A processor waits for one division of
// a series before the next, so three series beside each other take as long as one.
func sines(x [waves]float64) [waves]float64 {
	a, b, c := quarter(x[0]), quarter(x[1]), quarter(x[2])
	a2, b2, c2 := float64(a*a), float64(b*b), float64(c*c)
	sum := [waves]float64{a, b, c}
	for n := 2.0; n < 20; n += 2 {
		divisor := float64(n * (n + 1))
		a = -float64(a*a2) / divisor
		b = -float64(b*b2) / divisor
		c = -float64(c*c2) / divisor
		sum[0] += a
		sum[1] += b
		sum[2] += c
	}
	return sum
}

// quarter brings an angle into the quarter turns around zero, with the same sine.
func quarter(x float64) float64 {
	turns := math.Floor(float64(x/(2*math.Pi)) + 0.5)
	x -= float64(turns * (2 * math.Pi))
	switch {
	case x > math.Pi/2:
		return math.Pi - x
	case x < -math.Pi/2:
		return -math.Pi - x
	}
	return x
}

// waves is how many there are.
const waves = 3
