package town

import "slices"

// ArcCost is the cost of driving an arc between two distances from its start,
// for the tests' own idea of a quickest way.
func (t *Town) ArcCost(arc, low, high int32) int64 { return int64(t.part(arc, low, high)) }

// BuildHierarchy does again what was done when the town was made.
func (t *Town) BuildHierarchy() { newHierarchy(t, nil) }

// AwaitRoutes waits until routes can be found.
func (t *Town) AwaitRoutes() { t.ch() }

// Stems are the first words of street names, those of one word and those made of
// two.
func Stems() []string {
	all := slices.Clone(stems)
	for _, root := range roots {
		for _, ending := range endings {
			all = append(all, root+ending)
		}
	}
	return all
}

// TownNames are what towns may be called.
func TownNames() (all []string) {
	for _, n := range townNames {
		all = append(all, n.town)
	}
	return all
}

// Edits is the number of letters in which two words differ, up to most.
func Edits(a, b string, most int) int { return edits(a, b, most) }

// Hubs is how many entries of labels the last search of a router had before it.
func (r *Router) Hubs() int { return len(r.from.hubs) + len(r.to.hubs) }
