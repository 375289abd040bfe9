package town

// ArcCost is the cost of driving an arc between two distances from its start,
// for the tests' own idea of a quickest way.
func (t *Town) ArcCost(arc, low, high int32) int64 { return int64(t.part(arc, low, high)) }

// AwaitRoutes waits until routes can be found.
func (t *Town) AwaitRoutes() { t.ch() }

// Hubs is how many entries of labels the last search of a router had before it.
func (r *Router) Hubs() int { return len(r.from.hubs) + len(r.to.hubs) }
