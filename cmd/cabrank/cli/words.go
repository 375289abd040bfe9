package cli

import (
	"io"
	"strings"
	"unicode"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Joiners connect the parts of an emoji and shape letters in some scripts. They are
// invisible by themselves.
const (
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
)

// Printable replaces characters that control a terminal: names and addresses come from
// other servers.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if printable(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

// printable reports whether a character may be printed: it is visible, or joins letters.
func printable(r rune) bool {
	return unicode.IsPrint(r) || r == zeroWidthJoiner || r == zeroWidthNonJoiner
}

// Line turns a text of another server into one printable line: line breaks become spaces,
// so that no part of it looks like a line of this program.
func Line(s string) string {
	return Printable(strings.Join(strings.Fields(s), " "))
}

// OneLine returns an error whose text is that of err in one printable line, since a text from another server may have
// any form.
func OneLine(err error) error { return oneLine{err} }

type oneLine struct{ error }

// Error implements error.
func (e oneLine) Error() string { return Line(e.error.Error()) }

// Unwrap returns the error itself.
func (e oneLine) Unwrap() error { return e.error }

// PrintJSON writes v as one indented JSON document. Unprintable characters are escaped,
// so that the document is complete and safe on a terminal.
func PrintJSON(w io.Writer, v any) error { return jsonvalue.Encode(w, v, "", "  ") }

// PrintJSONLine is PrintJSON in one line.
func PrintJSONLine(w io.Writer, v any) error { return jsonvalue.Encode(w, v, "", "") }
