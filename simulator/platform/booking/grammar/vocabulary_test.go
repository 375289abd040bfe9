package grammar

import (
	"strings"
	"testing"
)

// TestPhrasesAreUnambiguous checks that no phrase is in two lists with different meanings, since the later one would
// never be found.
func TestPhrasesAreUnambiguous(t *testing.T) {
	for _, l := range languages() {
		for _, list := range l.phrases {
			seen := map[string]phrase{}
			for _, p := range list {
				key := strings.Join(p.words, " ")
				if before, twice := seen[key]; twice && before.sense != p.sense {
					t.Errorf("%s: %q is in two lists: %+v, %+v", l.Tag, key, before.sense, p.sense)
				}
				seen[key] = p
			}
		}
	}
}
