package town

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// A sheet is this many units wide and high. Coordinates are whole numbers, so
// that the same town gives the same bytes.
const sheet = 16_000

// drawing writes one map.
type drawing struct {
	*bufio.Writer
	town  *Town
	taken []XY // where labels are, in units
}

// SVG draws the town as a map: water, greens, streets by class, the names of
// the wider ones, places, scale and legend.
func (t *Town) SVG(w io.Writer) error {
	d := &drawing{Writer: bufio.NewWriter(w), town: t}
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="1600" height="1600" `+
		`font-family="'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif">`+"\n", sheet, sheet)
	d.printf("<title>%s</title>\n", escape(t.Name))
	d.ground()
	d.streets()
	d.arrows()
	d.rails()
	d.reserveFrame()
	d.places()
	d.riverName()
	d.streetNames()
	d.frame()
	d.printf("</svg>\n")
	return d.Flush()
}

// printf writes; Flush reports what went wrong.
func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}

// units turns millimetres into units of the sheet.
func (d *drawing) units(mm int64) int { return int(divRound(mm*sheet, int64(d.town.Size)*1000)) }

// place puts a point of the plane on the sheet.
func (d *drawing) place(p XY) XY {
	return XY{int32(sheet/2 + d.units(int64(p.X))), int32(sheet/2 - d.units(int64(p.Y)))}
}

// path writes path data.
func (d *drawing) path(pts []XY) {
	for i, p := range pts {
		u := d.place(p)
		switch i {
		case 0:
			d.printf("M%d %d", u.X, u.Y)
		case 1:
			d.printf("L%d %d", u.X, u.Y)
		default:
			d.printf(" %d %d", u.X, u.Y)
		}
	}
}

func (d *drawing) line(pts []XY, colour string, width int, more string) {
	if len(pts) == 0 {
		return
	}
	d.printf(`<path fill="none" stroke="%s" stroke-width="%d" stroke-linejoin="round" %s d="`, colour, width, more)
	d.path(pts)
	d.printf(`"/>` + "\n")
}

func (d *drawing) area(pts []XY, colour, edge string) {
	if len(pts) == 0 {
		return
	}
	d.printf(`<path fill="%s" stroke="%s" stroke-width="12" d="`, colour, edge)
	d.path(pts)
	d.printf(`Z"/>` + "\n")
}

// ground draws country, town, greens and water.
func (d *drawing) ground() {
	s := &d.town.scenery
	country := "#e3ecd3"
	if d.town.isImported() {
		country = "#f3efe7" // it has no outline
	}
	d.printf(`<rect width="%d" height="%d" fill="%s"/>`+"\n", sheet, sheet, country)
	d.area(s.outline, "#f1ece2", "#e2dac8")
	for _, k := range s.parks {
		d.area(k, "#c3dfa9", "#aecb92")
	}
	width := d.units(int64(s.water))
	d.line(s.river, "#8fbdd8", width+24, "")
	d.line(s.river, "#abd3ea", width, "")
	d.runway()
}

// runway draws the airport's.
func (d *drawing) runway() {
	r := d.town.runway()
	d.line(r.Ends, "#d9dde0", d.units(r.Apron), `stroke-linecap="round"`)
	d.line(r.Ends, "#aab0b6", d.units(r.Width), "")
	d.line(r.Ends, "#ffffff", 10, `stroke-dasharray="60 60"`)
}

// classStyles of the street classes: width in millimetres but no less than so many
// units, colour and edge.
var classStyles = [...]struct {
	mm           int64
	least        int
	colour, edge string
}{
	Main:      {20_000, 52, "#f9cf7c", "#c8923a"},
	Secondary: {14_000, 36, "#fdf2bf", "#bfae76"},
	Minor:     {9_500, 17, "#ffffff", "#c4bbaa"},
}

// streets draws all edges before any street, so that junctions are open; the
// wider classes on top.
func (d *drawing) streets() {
	for _, edge := range []bool{true, false} {
		for _, c := range []Class{Minor, Secondary, Main} {
			d.class(c, edge)
		}
	}
}

// width is how wide a class of street is drawn.
func (d *drawing) width(c Class) int { return max(d.units(classStyles[c].mm), classStyles[c].least) }

func (d *drawing) class(c Class, edge bool) {
	look := classStyles[c]
	width, colour := d.width(c), look.colour
	if edge {
		width, colour = width+14, look.edge
	}
	d.printf(`<path fill="none" stroke="%s" stroke-width="%d" stroke-linecap="round" stroke-linejoin="round" d="`, colour, width)
	for i := range d.town.Links {
		if d.town.Links[i].Class == c {
			d.path(d.town.Shape(int32(i)))
		}
	}
	d.printf(`"/>` + "\n")
}

func (d *drawing) rails() {
	line := d.town.railway()
	d.line(line, "#8a8580", 30, "")
	d.line(line, "#ffffff", 18, `stroke-dasharray="110 110"`)
}
