package drawing

import (
	"fmt"

	"github.com/cabrank/cabrank/simulator/town"
)

// places draws a disc for each place, and its name beside it where there is room. Space
// for the discs is reserved first, so that no name hides one.
func (d *drawing) places() {
	for _, p := range d.town.Places {
		at := d.place(p.At)
		d.taken = append(d.taken, at)
	}
	for _, p := range d.town.Places {
		d.disc(d.place(p.At), p.Kind)
	}
	d.printf(`<g font-weight="bold" stroke="#ffffff" stroke-width="30" stroke-linejoin="round" paint-order="stroke">` + "\n")
	for _, p := range d.town.Places {
		if p.Kind != town.Rank {
			d.placeName(p)
		}
	}
	d.printf("</g>\n")
}

func (d *drawing) disc(at town.XY, kind town.PlaceKind) {
	letter, colour := kind.Mark()
	d.printf(`<circle cx="%d" cy="%d" r="88" fill="%s" stroke="#fff" stroke-width="18"/>`, at.X, at.Y, colour)
	d.printf(`<text x="%d" y="%d" font-size="108" font-weight="bold" fill="#fff" text-anchor="middle">%s</text>`+"\n", at.X, at.Y+39, letter)
}

func (d *drawing) placeName(p town.Place) {
	const size, gap = 112, 215
	at, width := d.place(p.At), textWidth(p.Name, size)
	_, colour := p.Kind.Mark()
	for _, s := range []struct {
		x, y   int32
		anchor string
	}{
		{gap - 85, 40, "start"}, {-gap + 85, 40, "end"}, {0, gap + 20, "middle"}, {0, -gap + 70, "middle"},
	} {
		start := town.XY{X: at.X + s.x, Y: at.Y + s.y - 40}
		switch s.anchor {
		case "end":
			start.X -= width
		case "middle":
			start.X -= width / 2
		}
		clearOf := town.XY{X: start.X + 60, Y: start.Y} // the disc itself is taken
		end := town.XY{X: start.X + width, Y: start.Y}
		if s.anchor == "end" {
			clearOf, end = start, town.XY{X: end.X - 60, Y: end.Y}
		}
		if d.reserve(clearOf, end, size) {
			d.printf(`<text x="%d" y="%d" font-size="%d" fill="%s" text-anchor="%s">%s</text>`+"\n",
				at.X+s.x, at.Y+s.y, size, colour, s.anchor, escape(p.Name))
			return
		}
	}
}

// The boxes in the corners of the sheet.
const (
	boxEdge     = 300
	titleWidth  = 4_700
	titleHeight = 900
	legendWidth = 2_650
	legendRow   = 170
)

// reserveFrame keeps labels out of the boxes.
func (d *drawing) reserveFrame() {
	for y := int32(boxEdge); y < boxEdge+titleHeight+200; y += 100 {
		for x := int32(boxEdge); x < boxEdge+titleWidth+200; x += 100 {
			d.taken = append(d.taken, town.XY{X: x, Y: y})
		}
	}
	for y := sheet - d.legendHeight() - boxEdge - 200; y < sheet; y += 100 {
		for x := int32(boxEdge); x < boxEdge+legendWidth+200; x += 100 {
			d.taken = append(d.taken, town.XY{X: x, Y: int32(y)})
		}
	}
}

// frame draws title, legend and scale, and the attribution if the map needs one.
func (d *drawing) frame() {
	t := d.town
	d.box(boxEdge, boxEdge, titleWidth, titleHeight)
	d.printf(`<text x="%d" y="%d" font-size="430" font-family="Georgia, 'DejaVu Serif', serif" fill="#3b3226">%s</text>`+"\n",
		boxEdge+180, boxEdge+500, escape(t.Name))
	about := fmt.Sprintf("%d km · %d streets · %d junctions", t.Size/1000, len(t.Streets), len(t.Nodes))
	if t.Seed != 0 {
		about = fmt.Sprintf("seed %d · ", t.Seed) + about
	}
	d.printf(`<text x="%d" y="%d" font-size="150" fill="#6b6255">%s</text>`+"\n", boxEdge+190, boxEdge+760, about)
	d.key()
	d.scaleBar()
	if t.Attribution != "" {
		d.printf(`<text x="%d" y="%d" font-size="150" text-anchor="end" fill="#3b3226" stroke="#fff" stroke-width="40" paint-order="stroke">%s</text>`+"\n",
			sheet-boxEdge, sheet-120, escape(t.Attribution))
	}
}

func (d *drawing) box(x, y, width, height int) {
	d.printf(`<rect x="%d" y="%d" width="%d" height="%d" rx="90" fill="#fffdf8" fill-opacity=".93" stroke="#cfc5b2" stroke-width="14"/>`+"\n",
		x, y, width, height)
}

// kindsShown lists the kinds of place on the map, in the order of the places.
func (d *drawing) kindsShown() []town.PlaceKind {
	var kinds []town.PlaceKind
	seen := map[town.PlaceKind]bool{}
	for _, p := range d.town.Places {
		if !seen[p.Kind] {
			seen[p.Kind] = true
			kinds = append(kinds, p.Kind)
		}
	}
	return kinds
}

func (d *drawing) legendHeight() int {
	return (len(classStyles)+len(d.kindsShown()))*legendRow + legendRow*3/4 + 520
}

// key explains streets and marks.
func (d *drawing) key() {
	height := d.legendHeight()
	x, y := boxEdge, sheet-boxEdge-height
	d.box(x, y, legendWidth, height)
	row := y + 200
	for c, name := range [...]string{town.Main: "Main road", town.Secondary: "Secondary road", town.Minor: "Street"} {
		for _, edge := range []bool{true, false} {
			width, colour := classStyles[c].least+20, classStyles[c].colour
			if edge {
				width, colour = width+16, classStyles[c].edge
			}
			d.printf(`<path stroke="%s" stroke-width="%d" d="M%d %dh420"/>`, colour, width, x+160, row-40)
		}
		d.keyText(x+720, row, name)
		row += legendRow
	}
	row += legendRow / 3
	for _, k := range d.kindsShown() {
		d.printf(`<g transform="translate(%d %d) scale(.8)">`, x+370, row-44)
		d.disc(town.XY{}, k)
		d.printf("</g>")
		d.keyText(x+720, row, string(k))
		row += legendRow
	}
}

func (d *drawing) keyText(x, y int, text string) {
	d.printf(`<text x="%d" y="%d" font-size="122" fill="#4a4034">%s</text>`+"\n", x, y, escape(text))
}

// scaleBar draws a round length at the foot of the legend.
func (d *drawing) scaleBar() {
	metres := 100
	for _, m := range []int{200, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000} {
		if d.units(int64(m)*1000) < legendWidth-900 {
			metres = m
		}
	}
	width, x, y := d.units(int64(metres)*1000), boxEdge+160, sheet-boxEdge-150
	label := fmt.Sprintf("%d m", metres)
	if metres >= 1_000 {
		label = fmt.Sprintf("%d km", metres/1_000)
	}
	d.printf(`<path fill="none" stroke="#4a4034" stroke-width="26" d="M%d %dv60h%dv-60"/>`+"\n", x, y-60, width)
	d.keyText(x+width+90, y, label)
}
