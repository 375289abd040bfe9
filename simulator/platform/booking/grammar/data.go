package grammar

import (
	"iter"
	"strings"
)

// dataLines are the lines of a file of words, without comments and blank lines.
func dataLines(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}
