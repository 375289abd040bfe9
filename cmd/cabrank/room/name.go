package room

import (
	"errors"
	"strings"
	"unicode"
)

// mostName is the maximum length of a name in characters. Names are shown on the map, and spoken.
const mostName = 24

var errName = errors.New("a name has 1 to 24 letters")

// readName returns the name of a guest in normal form: letters, digits, spaces and the punctuation of names.
func readName(text string) (string, error) {
	name := strings.Join(strings.Fields(text), " ")
	if len([]rune(name)) > mostName || !strings.ContainsFunc(name, unicode.IsLetter) || strings.ContainsFunc(name, isOdd) {
		return "", errName
	}
	return name, nil
}

// isOdd reports a character that names do not have. Combining marks are allowed, since many scripts need them; the
// length of a name limits how far a row of them is drawn over its surroundings.
func isOdd(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.Is(unicode.M, c) && !strings.ContainsRune(" '’.-", c)
}
