package cli

import (
	"encoding/json"
	"io"
	"strings"
	"unicode"
)

// Printable replaces what a terminal would take for a command: names and addresses
// come from somebody else's server.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

// PrintJSON writes v as one indented JSON document.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
