package conformance

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Choose returns the ids of the checks that only names (all if it is empty), without
// those that skip names. A name is an id in any case, a pattern of [path.Match] such as
// BOK-*, or a family such as BOK. An @ and the text after it are ignored, since reports name
// verdicts so. An error quotes a name that matches no check. Nil means all checks of the suite.
func (s *Suite) Choose(only, skip []string) ([]string, error) {
	if len(only)+len(skip) == 0 {
		return nil, nil
	}
	chosen, err := s.named(only)
	if err != nil {
		return nil, err
	}
	without, err := s.named(skip)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, c := range s.Checks {
		if (len(only) == 0 || slices.Contains(chosen, c.ID)) && !slices.Contains(without, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	if ids == nil {
		return nil, fmt.Errorf("no check is left")
	}
	return ids, nil
}

// UnknownCheckError reports a name that matches no check of a suite.
type UnknownCheckError struct {
	Suite *Suite
	Name  string
}

// Error implements [error].
func (e *UnknownCheckError) Error() string {
	return fmt.Sprintf("the suite %s has no check %q: its ids begin with %s", e.Suite.Name, e.Name, strings.Join(e.Suite.families(), ", "))
}

// families returns the prefixes of the ids of the suite's checks, such as BOK.
func (s *Suite) families() (names []string) {
	for _, c := range s.Checks {
		if family, _, _ := strings.Cut(c.ID, "-"); !slices.Contains(names, family) {
			names = append(names, family)
		}
	}
	return names
}

// named returns the ids of the checks that match any of the names. It returns an [UnknownCheckError] for a
// name that matches none.
func (s *Suite) named(names []string) (ids []string, err error) {
	for _, name := range names {
		pattern, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(name)), "@")
		if slices.Contains(s.families(), pattern) {
			pattern += "-*"
		}
		before := len(ids)
		for _, c := range s.Checks {
			fits, err := path.Match(pattern, c.ID)
			if err != nil {
				return nil, fmt.Errorf("%q is not a pattern such as BOK-*", name)
			}
			if fits {
				ids = append(ids, c.ID)
			}
		}
		if len(ids) == before {
			return nil, &UnknownCheckError{Suite: s, Name: name}
		}
	}
	return ids, nil
}
