package town

import "math"

// XY is a position on the town's plane in millimetres: X to the east and Y to
// the north of the town's centre.
type XY struct{ X, Y int32 }

// divRound divides, rounding halves away from zero.
func divRound(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

// distance returns the straight line between two points, in whole millimetres
// rounded down. Square roots are exact to the last bit everywhere, so this may
// use one.
func distance(a, b XY) int64 {
	return isqrt(distance2(a, b))
}

func distance2(a, b XY) int64 {
	dx, dy := int64(a.X)-int64(b.X), int64(a.Y)-int64(b.Y)
	return dx*dx + dy*dy
}

func isqrt(v int64) int64 {
	r := int64(math.Sqrt(float64(v)))
	for r*r > v {
		r--
	}
	for (r+1)*(r+1) <= v {
		r++
	}
	return r
}

func clampMM(v int64) int32 { return int32(min(max(v, -1e9), 1e9)) }

// offsets of vectors, in 64 bits because their products are large.
type offset struct{ x, y int64 }

func from(a, b XY) offset {
	return offset{int64(b.X) - int64(a.X), int64(b.Y) - int64(a.Y)}
}

// along returns the point a fraction num/den of the way along p..p+d.
func along(p XY, d offset, num, den int64) XY {
	return XY{p.X + int32(d.x*num/den), p.Y + int32(d.y*num/den)}
}

// sine is the Taylor series after reduction to a quarter turn, because the
// library's own may be compiled differently from one processor to the next. Go may
// fuse x*y+z into one instruction where there is one; a conversion of the product
// rounds it and forbids that.
func sine(x float64) float64 {
	turns := math.Floor(float64(x/(2*math.Pi)) + 0.5)
	x -= float64(turns * (2 * math.Pi))
	switch {
	case x > math.Pi/2:
		x = math.Pi - x
	case x < -math.Pi/2:
		x = -math.Pi - x
	}
	square, term, sum := float64(x*x), x, x
	for n := 2.0; n < 20; n += 2 {
		term = -float64(term*square) / float64(n*(n+1))
		sum += term
	}
	return sum
}

func abs64(v int64) int64 { return max(v, -v) }
