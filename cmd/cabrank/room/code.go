package room

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"rsc.io/qr"
)

const margin = 4 // light modules around a code, which readers need

// Code is a QR code with the light margin that readers need.
type Code struct{ code *qr.Code }

// NewCode returns the QR code of a text, or an error if the text is too long.
func NewCode(text string) (Code, error) {
	code, err := qr.Encode(text, qr.M)
	return Code{code}, err
}

// dark reports whether a module is dark; x and y count from the corner of the margin.
func (c Code) dark(x, y int) bool { return c.code.Black(x-margin, y-margin) }

// size returns how many modules a side has, including the margin.
func (c Code) size() int { return c.code.Size + 2*margin }

// Print writes the code for a terminal, with two modules in each character. Without colours, it draws the light
// modules, since most terminals are dark.
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

// Path returns the dark modules as the path of an SVG picture whose sides are [Code.Side] long.
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

// Side returns how many modules a side of the code has, including the margin.
func (c Code) Side() int { return c.size() }

// mostName is the maximum length of a name in characters. Names are shown on the map, and spoken.
const mostName = 24

var errName = errors.New("a name has 1 to 24 letters")

// readName returns the name of a guest in normal form: letters, digits, spaces and the punctuation of names.
func readName(text string) (string, error) {
	name := strings.Join(strings.Fields(text), " ")
	if len([]rune(name)) > mostName || !strings.ContainsFunc(name, unicode.IsLetter) || strings.ContainsFunc(name, isInvalidInName) {
		return "", errName
	}
	return name, nil
}

// isInvalidInName reports whether a character cannot be part of a name. Combining marks are allowed, since many scripts need
// them; the length of a name limits how far a row of them is drawn over its surroundings.
func isInvalidInName(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.Is(unicode.M, c) && !strings.ContainsRune(" '’.-", c)
}
