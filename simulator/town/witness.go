package town

// witness looks for ways around a node, with limited effort. A way that it does not find
// costs an unnecessary shortcut, never a wrong route.
type witness struct {
	marks []searchMark
	round int32
	open  int // goals not reached yet
	queue queue
}

// searchMark is what a search knows about a node.
type searchMark struct {
	round, cost         int32 // cost from the start, if the round is the search's
	goalRound, goalCost int32 // a way at most this dear makes a shortcut needless
}

const unreached = 1<<31 - 1

// start begins a search, whose goals are then added.
func (w *witness) start() {
	w.round++
	w.open = 0
	w.queue = w.queue[:0]
}

func (w *witness) goal(v, cost int32) {
	m := &w.marks[v]
	m.goalRound, m.goalCost = w.round, cost
	w.open++
}

// missed reports whether a goal was not reached.
func (w *witness) missed(v int32) bool { return w.marks[v].goalRound == w.round }

func (w *witness) reach(v, cost int32) {
	m := &w.marks[v]
	if m.round == w.round && m.cost <= cost {
		return
	}
	m.round, m.cost = w.round, cost
	if m.goalRound == w.round && cost <= m.goalCost {
		m.goalRound = 0
		w.open--
	}
	w.queue.push(cost, v)
}

// search goes out from u, around one node and no further than limit, until all
// goals are reached or the effort is spent.
func (w *witness) search(out [][]edge, u, around, limit int32, effort int) {
	w.reach(u, 0)
	for ; len(w.queue) > 0 && w.open > 0 && effort > 0; effort-- {
		cost, v := w.queue.pop()
		if cost > w.marks[v].cost {
			continue
		}
		for _, e := range out[v] {
			if e.node != around && cost+e.cost <= limit {
				w.reach(e.node, cost+e.cost)
			}
		}
	}
}
