// Package drawing draws towns as maps (SVG).
package drawing

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/cabrank/cabrank/simulator/town"
)

// sheet is the width and height of a map in units. Coordinates are whole numbers, so that
// the same town gives the same bytes.
const sheet = 16_000

// drawing writes one map.
type drawing struct {
	*bufio.Writer
	town    *town.Town
	picture town.Picture
	taken   []town.XY // positions of labels, in units
}

// SVG draws a town as a map: water, greens, streets by class, the names of
// the wider ones, places, scale and legend.
func SVG(w io.Writer, t *town.Town) error {
	d := &drawing{Writer: bufio.NewWriter(w), town: t, picture: t.Picture()}
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

// printf writes to the map; Flush returns the errors.
func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // writing to a Builder never fails
	return b.String()
}

// units converts millimetres to units of the sheet.
func (d *drawing) units(mm int64) int {
	return int(math.Round(float64(mm*sheet) / float64(d.town.Size*1000)))
}

// place converts a point of the plane to the sheet.
func (d *drawing) place(p town.XY) town.XY {
	return town.XY{X: int32(sheet/2 + d.units(int64(p.X))), Y: int32(sheet/2 - d.units(int64(p.Y)))}
}

// path writes path data.
func (d *drawing) path(pts []town.XY) {
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

func (d *drawing) line(pts []town.XY, colour string, width int, more string) {
	if len(pts) == 0 {
		return
	}
	d.printf(`<path fill="none" stroke="%s" stroke-width="%d" stroke-linejoin="round" %s d="`, colour, width, more)
	d.path(pts)
	d.printf(`"/>` + "\n")
}

func (d *drawing) area(pts []town.XY, colour, edge string) {
	if len(pts) == 0 {
		return
	}
	d.printf(`<path fill="%s" stroke="%s" stroke-width="12" d="`, colour, edge)
	d.path(pts)
	d.printf(`Z"/>` + "\n")
}

// ground draws country, town, greens and water.
func (d *drawing) ground() {
	s := &d.picture
	country := "#e3ecd3"
	if len(d.picture.Outline) == 0 {
		country = "#f3efe7" // it has no outline
	}
	d.printf(`<rect width="%d" height="%d" fill="%s"/>`+"\n", sheet, sheet, country)
	d.area(s.Outline, "#f1ece2", "#e2dac8")
	for _, k := range s.Parks {
		d.area(k, "#c3dfa9", "#aecb92")
	}
	width := d.units(s.Water)
	d.line(s.River, "#8fbdd8", width+24, "")
	d.line(s.River, "#abd3ea", width, "")
	d.runway()
}

// runway draws the airport's runway.
func (d *drawing) runway() {
	r := d.picture.Runway
	d.line(r.Ends, "#d9dde0", d.units(r.Apron), `stroke-linecap="round"`)
	d.line(r.Ends, "#aab0b6", d.units(r.Width), "")
	d.line(r.Ends, "#ffffff", 10, `stroke-dasharray="60 60"`)
}

// classStyles of the street classes: no narrower than so many units, colour and edge.
var classStyles = [...]struct {
	least        int
	colour, edge string
}{
	town.Main:      {52, "#f9cf7c", "#c8923a"},
	town.Secondary: {36, "#fdf2bf", "#bfae76"},
	town.Minor:     {17, "#ffffff", "#c4bbaa"},
}

// streets draws all edges before any street, so that junctions are open; wider classes
// are on top.
func (d *drawing) streets() {
	for _, edge := range []bool{true, false} {
		for _, c := range []town.Class{town.Minor, town.Secondary, town.Main} {
			d.class(c, edge)
		}
	}
}

// width returns the drawn width of a class of street.
func (d *drawing) width(c town.Class) int { return max(d.units(c.Width()), classStyles[c].least) }

func (d *drawing) class(c town.Class, edge bool) {
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
	line := d.picture.Rail
	d.line(line, "#8a8580", 30, "")
	d.line(line, "#ffffff", 18, `stroke-dasharray="110 110"`)
}
