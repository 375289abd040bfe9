package conformance

import (
	_ "embed" // requirements/1.txt
	"fmt"
	"strings"
)

// frozen1 lists the ids of requirements/1, one a line. A set is never changed
// once a release has shipped it: a server that met it goes on meeting it.
//
//go:embed requirements/1.txt
var frozen1 string

// RequirementsLatest names the set of everything that the suite has, frozen or
// not.
const RequirementsLatest = "latest"

// newestFrozen is the set that runs are scored by unless told otherwise.
const newestFrozen = "1"

// Requirements returns the ids of a frozen set of requirements, in the order of
// the catalogue: "1", [RequirementsLatest], or "" for the newest frozen set.
// Checks that are not in the set of a run are executed and reported, unscored.
func Requirements(set string) ([]string, error) {
	switch set {
	case "", newestFrozen:
		return strings.Fields(frozen1), nil
	case RequirementsLatest:
		var ids []string
		for _, c := range catalogue {
			ids = append(ids, c.ID)
		}
		return ids, nil
	}
	return nil, fmt.Errorf("requirements %q: want %s or %s", set, newestFrozen, RequirementsLatest)
}
