package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// printable turns a text into a single line that is safe on a terminal, since text from a server may hold
// control sequences or change the writing direction.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return shown(r)
	}, s)
}

// shown returns a character if it is printable, a line break or a tab, and otherwise U+FFFD.
func shown(r rune) rune {
	if unicode.IsPrint(r) || r == '\n' || r == '\t' {
		return r
	}
	return utf8.RuneError
}

// oneLine returns a body as one line of printable text of at most most bytes.
func oneLine(body []byte, most int) string {
	return printable(jsonvalue.Clip(strings.Join(strings.Fields(string(body)), " "), most))
}

// markup matches the characters that start Markdown markup.
var markup = regexp.MustCompile("[\\\\`*_\\[\\]<>#|~&$]")

// unmarked escapes a text for Markdown, also within a table.
func unmarked(s string) string { return markup.ReplaceAllString(printable(s), `\$0`) }

// code writes a text as Markdown code, or plainly if it contains characters that would end
// the code or a table cell.
func code(s string) string {
	if strings.ContainsAny(s, "`|\\") || strings.TrimSpace(s) == "" {
		return unmarked(s)
	}
	return "`" + printable(s) + "`"
}

// title returns a text with its first letter capitalised.
func title(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// sentence returns a text with a capital letter and a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return title(s) + "."
}

// ordinal returns a number as an ordinal: "first", …, "ninth", "10th".
func ordinal(n int) string {
	words := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"}
	if n >= 1 && n <= len(words) {
		return words[n-1]
	}
	return fmt.Sprintf("%dth", n)
}
