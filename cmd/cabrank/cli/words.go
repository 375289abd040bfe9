package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
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
		if printable(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

// printable reports a character that a terminal shows.
func printable(r rune) bool {
	return unicode.IsPrint(r) || r == zeroWidthJoiner || r == zeroWidthNonJoiner
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

// PrintJSON writes v as one indented JSON document. Characters that cannot be printed are
// escaped, so that the document says what v does and does nothing to a terminal.
func PrintJSON(w io.Writer, v any) error { return printJSON(w, v, "  ") }

// PrintJSONLine is PrintJSON in one line.
func PrintJSONLine(w io.Writer, v any) error { return printJSON(w, v, "") }

func printJSON(w io.Writer, v any, indent string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escaped(text.Bytes()))
	return err
}

// escaped escapes the characters of a JSON text that cannot be printed: they stand in its
// strings only.
func escaped(text []byte) []byte {
	if plain(text) {
		return text
	}
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch {
		case printable(r), r == '\n':
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
