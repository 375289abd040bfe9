package cli

import (
	"encoding/json"
	"io"
	"strings"
	"unicode"
)

// The joiners hold the parts of an emoji together, and shape letters in some scripts. They
// print nothing by themselves.
const (
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
)

// Printable replaces what a terminal would take for a command: names and addresses
// come from somebody else's server.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == zeroWidthJoiner || r == zeroWidthNonJoiner {
			return r
		}
		return '\uFFFD'
	}, s)
}

// Line puts a text of somebody else's into one printable line: its line breaks become
// spaces, so that nothing of it looks like a line of the program's own.
func Line(s string) string {
	return Printable(strings.Join(strings.Fields(s), " "))
}

// OneLine is an error whose text came from somebody else's server, told in one line.
func OneLine(err error) error { return oneLine{err} }

type oneLine struct{ error }

// Error implements error.
func (e oneLine) Error() string { return Line(e.error.Error()) }

// Unwrap returns the error itself.
func (e oneLine) Unwrap() error { return e.error }

// PrintJSON writes v as one indented JSON document.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
