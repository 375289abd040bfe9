package cli

import (
	"fmt"
	"strings"
)

// RefersToSecret reports whether a text is a reference that [SecretFrom] resolves.
func RefersToSecret(text string) bool {
	return strings.HasPrefix(text, "@") || strings.HasPrefix(text, "env:")
}

// SecretFrom returns a function that resolves references to secrets in --auth, @FILE or
// env:NAME, so that secrets need not be on the command line.
func SecretFrom(getenv func(string) string) func(string) (string, error) {
	return func(reference string) (string, error) {
		if name, ok := strings.CutPrefix(reference, "env:"); ok {
			value := getenv(name)
			if value == "" {
				return "", fmt.Errorf("secret: the environment has no %s", name)
			}
			return value, nil
		}
		content, err := ReadText(strings.TrimPrefix(reference, "@"))
		if err != nil {
			return "", fmt.Errorf("secret: %w", err)
		}
		return strings.TrimSpace(string(content)), nil
	}
}
