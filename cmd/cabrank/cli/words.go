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

// printable reports whether a terminal shows a character.
func printable(r rune) bool {
	return unicode.IsPrint(r) || r == zeroWidthJoiner || r == zeroWidthNonJoiner
}

// Line turns a text of another server into one printable line: line breaks become spaces,
// so that no part of it looks like a line of this program.
func Line(s string) string {
	return Printable(strings.Join(strings.Fields(s), " "))
}

// OneLine is an error with a text from another server, printed in one line.
func OneLine(err error) error { return oneLine{err} }

type oneLine struct{ error }

// Error implements error.
func (e oneLine) Error() string { return Line(e.error.Error()) }

// Unwrap returns the error itself.
func (e oneLine) Unwrap() error { return e.error }

// PrintJSON writes v as one indented JSON document. Unprintable characters are escaped,
// so that the document is complete and safe on a terminal.
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

// escaped escapes the unprintable characters of a JSON text, which occur in its strings
// only.
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
