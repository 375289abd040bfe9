package dispatchside

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// openBookings lists the journeys that a run has booked and not yet cancelled.
type openBookings struct {
	mu    sync.Mutex
	open  map[string]*testUser
	known map[string]bool // every journey that the run heard of

	passengers map[string]string // by journey, the number of a passenger who is not the booker

	bookers   map[string]*testUser // who has booked, by their number
	unsure    []unsureBooking
	leftovers []conformance.Leftover // what is there, or may be, and cannot be named
}

// unsureBooking is a booking whose answer named no journey, so that it may have been
// made.
type unsureBooking struct {
	call *conformance.Exchange
	user *testUser
}

func newOpenBookings() openBookings {
	return openBookings{open: map[string]*testUser{}, known: map[string]bool{}, passengers: map[string]string{}, bookers: map[string]*testUser{}}
}

func (l *openBookings) add(id string, c *testUser) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[id], l.known[id] = c, true
	l.bookers[c.phone] = c
}

// knows reports whether the run has seen a journey's id.
func (l *openBookings) knows(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[id]
}

// has reports whether a journey was booked and is not known to be cancelled.
func (l *openBookings) has(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open[id] != nil
}

// count returns how many journeys may have to be cancelled, and of how many users.
func (l *openBookings) count() (journeys, users int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open) + len(l.unsure), len(l.bookers)
}

// allBookers returns all who have booked, in a stable order.
func (l *openBookings) allBookers() []*testUser {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []*testUser
	for _, phone := range slices.Sorted(maps.Keys(l.bookers)) {
		all = append(all, l.bookers[phone])
	}
	return all
}

func (l *openBookings) remove(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, id)
}

func (l *openBookings) addUnsure(x *conformance.Exchange, c *testUser) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsure = append(l.unsure, unsureBooking{x, c})
}

// noteReply records what the answer to a /book call says about journeys.
func (l *openBookings) noteReply(x *conformance.Exchange, c *testUser) {
	id := x.Reply().At("journeyId").Scalar()
	switch {
	case x.RefusedCleanly():
	case !x.Succeeded() || id == "": // a server that failed may have booked before it did
		l.addUnsure(x, c)
	case id != x.Sent().At("journeyId").Scalar(): // an edit, too, may make a journey
		if owner := x.Sent().At("userId").Text(); owner != "" && owner != c.userID {
			under := *c
			under.userID, c = owner, &under
		}
		l.add(id, c)
		l.notePassenger(id, x.Sent().At("phoneNumber").Text(), c)
	}
}

// notePassenger records whose taxi a journey is when it is not the booker's: a server
// may file it under that number.
func (l *openBookings) notePassenger(id, phone string, c *testUser) {
	if digits := jsonvalue.Digits(phone); digits != "" && digits != c.phone {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.passengers[id] = digits
	}
}

// takePassenger returns the number of a journey's passenger who is not the booker, once;
// "": there is none.
func (l *openBookings) takePassenger(id string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	phone := l.passengers[id]
	delete(l.passengers, id)
	return phone
}

// addLeftovers records journeys that are left and cannot be cancelled.
func (l *openBookings) addLeftovers(left ...conformance.Leftover) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leftovers = append(l.leftovers, left...)
}

// journeys returns the open journeys in a stable order.
func (l *openBookings) journeys() []*bookedJourney {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rides []*bookedJourney
	for id, c := range l.open {
		rides = append(rides, &bookedJourney{id: id, user: c})
	}
	slices.SortFunc(rides, func(a, b *bookedJourney) int { return strings.Compare(a.id, b.id) })
	return rides
}
