package grammar

import (
	"strings"
	"testing"
)

// TestAPhraseHasOneSense finds phrases that stand in two lists: the later one would
// never be heard.
func TestAPhraseHasOneSense(t *testing.T) {
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
