package drawing

import (
	"slices"

	"github.com/cabrank/cabrank/simulator/town"
)

// reserve reserves the space for a label from a to b. It returns false and reserves
// nothing if another label or the edge of the sheet is too near.
func (d *drawing) reserve(a, b town.XY, height int32) bool {
	const margin = 120
	n := max(distance(a, b)/int64(height), 1)
	var spots []town.XY
	for i := range n + 1 {
		p := along(a, from(a, b), i, n)
		if min(p.X, p.Y) < margin || max(p.X, p.Y) > sheet-margin {
			return false
		}
		for _, o := range d.taken {
			if from(p, o).squared() < int64(height)*int64(height)*2 {
				return false
			}
		}
		spots = append(spots, p)
	}
	d.taken = append(d.taken, spots...)
	return true
}

// textWidth estimates how wide a text is, in units.
func textWidth(s string, size int) int32 { return int32(len(s) * size * 58 / 100) }

// streetNames writes the names of the wider streets along them, where there is
// room; the minor ones as well if the map is of a small town.
func (d *drawing) streetNames() {
	size := map[town.Class]int{town.Main: 118, town.Secondary: 96, town.Minor: 74}
	last := town.Secondary
	if d.town.Size <= town.SmallTown {
		last = town.Minor
	}
	d.printf(`<g text-anchor="middle" fill="#4a4034" stroke="#fffaf0" stroke-width="26" stroke-linejoin="round" paint-order="stroke">` + "\n")
	for c := town.Main; c <= last; c++ {
		for i := range d.town.Streets {
			s := &d.town.Streets[i]
			if s.Class == c && s.Name != "" && !s.HasNoName() {
				d.streetName(s, size[c])
			}
		}
	}
	d.printf("</g>\n")
}

// streetName looks for a nearly straight stretch as long as the name.
func (d *drawing) streetName(s *town.Street, size int) {
	line := d.centreLine(s)
	width := textWidth(s.Name, size)
	need := int64(width) * int64(d.town.Size) * 1000 / sheet * 11 / 10
	for _, a := range spread(len(line)) {
		run, b := int64(0), a
		for b+1 < len(line) && run < need {
			run += distance(line[b], line[b+1])
			b++
		}
		chord := distance(line[a], line[b])
		if run < need || chord*100 < run*97 {
			continue
		}
		if d.textAlong(s.Name, size, d.place(line[a]), d.place(line[b])) {
			return
		}
	}
}

// spread returns 0 to n-1 from the middle outwards.
func spread(n int) []int {
	order := make([]int, 0, n)
	for i := range n {
		if i%2 == 0 {
			order = append(order, n/2-i/2)
		} else {
			order = append(order, n/2+i/2+1)
		}
	}
	return slices.DeleteFunc(order, func(i int) bool { return i < 0 || i >= n })
}

// centreLine joins the links of a street that follow one another.
func (d *drawing) centreLine(s *town.Street) []town.XY {
	var line []town.XY
	for _, l := range s.Links {
		line = append(line, d.town.Shape(l)...)
	}
	return line
}

// textAlong writes a text centred between two points of the sheet, turned to
// read from left to right, if there is room.
func (d *drawing) textAlong(text string, size int, a, b town.XY) bool {
	if b.X < a.X {
		a, b = b, a
	}
	middle := town.XY{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
	dir := from(a, b)
	length := max(distance(a, b), 1)
	half := int64(textWidth(text, size)) / 2
	start := along(middle, offset{-dir.x, -dir.y}, half, length)
	if !d.reserve(start, along(middle, dir, half, length), int32(size)) {
		return false
	}
	c, s := float64(dir.x*1000/length)/1000, float64(dir.y*1000/length)/1000
	d.printf(`<text font-size="%d" dy="%d" transform="matrix(%.3f %.3f %.3f %.3f %d %d)">%s</text>`+"\n",
		size, size*35/100, c, s, -s, c, middle.X, middle.Y, escape(text))
	return true
}

// riverName writes the river's name on its water.
func (d *drawing) riverName() {
	s := &d.picture
	if s.RiverName == "" {
		return
	}
	d.printf(`<g text-anchor="middle" fill="#2f6f94" font-style="italic" letter-spacing="14">` + "\n")
	size := min(max(d.units(s.Water)*7/10, 110), 190)
	for _, i := range []int{len(s.River) / 4, len(s.River) * 7 / 10, len(s.River) * 55 / 100} {
		j := i + 1
		for j+1 < len(s.River) && distance(d.place(s.River[i]), d.place(s.River[j])) < int64(textWidth(s.RiverName, size)) {
			j++
		}
		if d.textAlong(s.RiverName, size, d.place(s.River[i]), d.place(s.River[j])) {
			break
		}
	}
	d.printf("</g>\n")
}
