package room

import (
	"errors"
	"strings"
	"unicode"
)

// mostName is how many characters a name has. It is shown on the map, and spoken.
const mostName = 24

var errName = errors.New("a name has 1 to 24 letters")

// readName reads the name that a guest gives: letters, digits, spaces and the signs of names.
func readName(text string) (string, error) {
	name := strings.Join(strings.Fields(text), " ")
	if len([]rune(name)) > mostName || !strings.ContainsFunc(name, unicode.IsLetter) || strings.ContainsFunc(name, isOdd) {
		return "", errName
	}
	return name, nil
}

// isOdd reports whether no name has a character. Marks are parts of letters in many scripts; more than a few
// of them in a row would be drawn over what is near, and the length bounds those.
func isOdd(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.Is(unicode.M, c) && !strings.ContainsRune(" '’.-", c)
}
