package jsonvalue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Encode writes v as JSON with a final newline. Each further line starts with prefix and is indented by its
// level; without an indent there is only one line. Unprintable characters are escaped, since a server's text
// may control a terminal or change the direction of text.
func Encode(w io.Writer, v any, prefix, indent string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escaped(text.Bytes()))
	return err
}

// escaped escapes the unprintable characters of a JSON text, which occur in its strings only.
func escaped(text []byte) []byte {
	if bytes.IndexFunc(text, unprintable) < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch {
		case !unprintable(r):
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

func unprintable(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
