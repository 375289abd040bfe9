package drawing

import "github.com/cabrank/cabrank/simulator/town"

// arrows shows the direction of one-way streets: one arrow in the middle of each link
// that is long enough.
func (d *drawing) arrows() {
	d.printf(`<path fill="none" stroke="#857a68" stroke-width="%d" stroke-linecap="round" stroke-linejoin="round" d="`, max(d.width(town.Minor)/6, 4))
	for i := range d.town.Links {
		if l := &d.town.Links[i]; l.OneWay {
			d.arrow(int32(i), int64(d.width(l.Class)))
		}
	}
	d.printf(`"/>` + "\n")
}

// arrow draws one, half as wide as its street.
func (d *drawing) arrow(link int32, width int64) {
	half := width
	l := &d.town.Links[link]
	if int64(d.units(int64(l.Length))) < 4*half {
		return
	}
	middle := town.Kerb{Link: link, Offset: l.Length / 2}
	a, b := d.town.Straight(middle)
	dir := from(d.place(a), d.place(b))
	length := dir.length()
	if length == 0 {
		return // too short to be visible
	}
	at := d.place(d.town.At(middle))
	side := offset{-dir.y, dir.x}
	tail, tip := along(at, dir, -half, length), along(at, dir, half, length)
	neck := along(at, dir, half/3, length)
	left, right := along(neck, side, width/3, length), along(neck, side, -width/3, length)
	d.printf("M%d %dL%d %dM%d %dL%d %d %d %d", tail.X, tail.Y, tip.X, tip.Y, left.X, left.Y, tip.X, tip.Y, right.X, right.Y)
}
