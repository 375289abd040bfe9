package room

import (
	"fmt"
	"io"
	"strings"

	"rsc.io/qr"
)

const margin = 4 // modules of light around a code, as readers want

// Code is a QR code.
type Code struct{ code *qr.Code }

// NewCode returns the code of a text, which is short enough for one.
func NewCode(text string) (Code, error) {
	code, err := qr.Encode(text, qr.M)
	return Code{code}, err
}

// dark reports whether a module is, counted from the corner of the margin.
func (c Code) dark(x, y int) bool { return c.code.Black(x-margin, y-margin) }

// size is how many modules a side has, with the margin.
func (c Code) size() int { return c.code.Size + 2*margin }

// Print writes the code for a terminal, two modules in a character. Without colours, light is what is
// written, as most terminals are dark; with them it is as on paper.
func (c Code) Print(w io.Writer, coloured bool) error {
	begin, end := "", "\n"
	if coloured {
		begin, end = "\x1b[97;40m", "\x1b[0m\n"
	}
	var text strings.Builder
	for y := 0; y < c.size(); y += 2 {
		text.WriteString(begin)
		for x := range c.size() {
			upper, lower := !c.dark(x, y), !c.dark(x, y+1)
			text.WriteString(map[[2]bool]string{{true, true}: "█", {true, false}: "▀", {false, true}: "▄", {}: " "}[[2]bool{upper, lower}])
		}
		text.WriteString(end)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// Path is the code as the path of an SVG picture of [Code.Side] a side: its dark modules.
func (c Code) Path() string {
	var path strings.Builder
	for y := range c.size() {
		for x := range c.size() {
			if c.dark(x, y) {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x, y)
			}
		}
	}
	return path.String()
}

// Side is how many modules a side has.
func (c Code) Side() int { return c.size() }
