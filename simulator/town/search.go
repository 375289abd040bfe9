package town

// search climbs from one end of a route up to the core.
type search struct {
	core   int32 // lowest rank of the core
	labels []label
	round  uint32
	queue  queue
	gates  []int32 // ranks of the core that were reached
}

// label is the best way found so far to a rank.
type label struct {
	cost  int32
	round uint32 // valid if it is the search's
	below int32  // rank it was reached from
	via   int32  // index of the climbing arc; at the bottom, ^ the arc of the kerb's link
}

func newSearch(t *Town) search {
	return search{core: t.ch.core, labels: make([]label, len(t.Nodes))}
}

func (s *search) reset() {
	s.queue, s.gates = s.queue[:0], s.gates[:0]
	if s.round++; s.round == 0 {
		clear(s.labels)
		s.round = 1
	}
}

// knows reports whether a rank was reached.
func (s *search) knows(rank int32) bool { return s.labels[rank].round == s.round }

func (s *search) reach(rank, cost, below, via int32) {
	l := &s.labels[rank]
	known := l.round == s.round
	if known && l.cost <= cost {
		return
	}
	*l = label{cost, s.round, below, via}
	switch {
	case rank < s.core:
		s.queue.push(cost, rank)
	case !known:
		s.gates = append(s.gates, rank)
	}
}

// climb takes the next rank off the queue and reaches what is above it. It
// reports false if the rank was done already, or can be reached better from
// above, which makes going on from it pointless.
func (s *search) climb(up, down *climb) (int32, bool) {
	cost, rank := s.queue.pop()
	if cost > s.labels[rank].cost {
		return rank, false
	}
	above, _ := down.of(rank)
	for _, a := range above {
		if l := &s.labels[a.top]; l.round == s.round && l.cost+a.cost < cost {
			return rank, false
		}
	}
	arcs, first := up.of(rank)
	for i, a := range arcs {
		s.reach(a.top, cost+a.cost, rank, first+int32(i))
	}
	return rank, true
}

// leave seeds the search with both ways out of a kerb.
func (s *search) leave(t *Town, k Kerb) {
	s.reset()
	l, arc := &t.Links[k.Link], 2*k.Link
	s.reach(t.ch.rank[l.To], t.part(arc, k.Offset, l.Length), -1, ^arc)
	if !l.OneWay {
		s.reach(t.ch.rank[l.From], t.part(arc+1, l.Length-k.Offset, l.Length), -1, ^(arc + 1))
	}
}

// arrive seeds the search with both ways into a kerb.
func (s *search) arrive(t *Town, k Kerb) {
	s.reset()
	l, arc := &t.Links[k.Link], 2*k.Link
	s.reach(t.ch.rank[l.From], t.part(arc, 0, k.Offset), -1, ^arc)
	if !l.OneWay {
		s.reach(t.ch.rank[l.To], t.part(arc+1, 0, l.Length-k.Offset), -1, ^(arc + 1))
	}
}
