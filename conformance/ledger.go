package conformance

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// ledger lists the journeys that a run has made and not yet cancelled.
type ledger struct {
	mu    sync.Mutex
	open  map[string]*caller
	known map[string]bool // every journey that the run heard of

	bookers map[string]*caller // who has booked, by their number
	unsure  []unsure
	lost    []Leftover // what is there, or may be, and cannot be named
}

// unsure is a booking whose answer named no journey: it may have been made.
type unsure struct {
	call   *Exchange
	caller *caller
}

func newLedger() ledger {
	return ledger{open: map[string]*caller{}, known: map[string]bool{}, bookers: map[string]*caller{}}
}

func (l *ledger) made(id string, c *caller) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[id], l.known[id] = c, true
	l.bookers[c.phone] = c
}

// knows reports a journey that the run has heard of.
func (l *ledger) knows(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[id]
}

// everyone returns who has booked, in a stable order.
func (l *ledger) everyone() []*caller {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []*caller
	for _, phone := range slices.Sorted(maps.Keys(l.bookers)) {
		all = append(all, l.bookers[phone])
	}
	return all
}

func (l *ledger) gone(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, id)
}

func (l *ledger) cut(x *Exchange, c *caller) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsure = append(l.unsure, unsure{x, c})
}

// learn takes down what the answer to a /book call says of what is there now.
func (l *ledger) learn(x *Exchange, c *caller) {
	id := x.Reply().at("journeyId").scalar()
	switch {
	case x.refusedCleanly():
	case !x.succeeded() || id == "": // a server that failed may have booked before it did
		l.cut(x, c)
	case id != x.Sent().at("journeyId").scalar(): // an edit, too, may make a journey
		if owner := x.Sent().at("userId").text(); owner != "" && owner != c.userID {
			under := *c
			under.userID, c = owner, &under
		}
		l.made(id, c)
	}
}

// lose takes down what is left and cannot be named, or not again.
func (l *ledger) lose(left ...Leftover) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = append(l.lost, left...)
}

// rides returns what is open, in a stable order.
func (l *ledger) rides() []*ride {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rides []*ride
	for id, c := range l.open {
		rides = append(rides, &ride{id: id, caller: c})
	}
	slices.SortFunc(rides, func(a, b *ride) int { return strings.Compare(a.id, b.id) })
	return rides
}
