package dispatchside

import (
	"cmp"
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
	known map[string]bool // the ids of all journeys that the run has seen

	passengers map[string][]string // by journey, the numbers of passengers who are not the booker

	bookers   map[string]*testUser // users who have booked, by number
	unsure    []unsureBooking
	leftovers []conformance.Leftover // journeys that may exist and whose id is unknown
}

// unsureBooking is a booking that may have been made, although its answer has no
// journeyId.
type unsureBooking struct {
	call *conformance.Exchange
	user *testUser
}

func newOpenBookings() openBookings {
	return openBookings{open: map[string]*testUser{}, known: map[string]bool{}, passengers: map[string][]string{}, bookers: map[string]*testUser{}}
}

func (l *openBookings) add(id string, c *testUser) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[id], l.known[id] = c, true
	l.bookers[c.phone] = c
}

// hasSeen reports whether the run has seen a journeyId in a reply.
func (l *openBookings) hasSeen(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[id]
}

// has reports whether the run booked a journey and does not know it to be cancelled.
func (l *openBookings) has(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open[id] != nil
}

// of returns how many open journeys were booked for a number.
func (l *openBookings) of(phone string) (n int) {
	for _, j := range l.journeys() {
		if j.user.phone == phone {
			n++
		}
	}
	return n
}

// count returns how many journeys may have to be cancelled, and how many calls that takes: mostly
// one for each journey and one for each user.
func (l *openBookings) count() (journeys, calls int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	journeys = len(l.open) + len(l.unsure)
	calls = journeys + len(l.bookers)
	for _, c := range l.open {
		if c.own != "" { // its /cancel reply is not believed, so /status is called as well
			calls++
		}
	}
	return journeys, calls
}

// allBookers returns all users who have booked, sorted by number.
func (l *openBookings) allBookers() []*testUser {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []*testUser
	for _, phone := range slices.Sorted(maps.Keys(l.bookers)) {
		all = append(all, l.bookers[phone])
	}
	return all
}

// names reports whether a userId belongs to a user who has booked.
func (l *openBookings) names(userID string) bool {
	return slices.ContainsFunc(l.allBookers(), func(c *testUser) bool { return cmp.Or(c.own, c.userID) == userID })
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

// noteReply records the journeys in the answer to a /book call.
func (l *openBookings) noteReply(x *conformance.Exchange, c *testUser) {
	id := x.Reply().At("journeyId").Scalar()
	switch {
	case x.RefusedCleanly():
	case !x.Succeeded() || id == "": // a server may have booked before it failed
		l.addUnsure(x, c)
	default:
		if id != x.Sent().At("journeyId").Scalar() { // an edit may create a journey, too
			if owner := x.Sent().At("userId").Text(); owner != "" && owner != c.userID {
				under := *c
				under.userID, under.own, c = owner, c.userID, &under
			}
			l.add(id, c)
		}
		l.notePassenger(id, x.Sent().At("phoneNumber").Text(), c)
	}
}

// notePassenger records a passenger of a journey for somebody else: a server may assign
// the journey to that number.
func (l *openBookings) notePassenger(id, phone string, c *testUser) {
	if digits := jsonvalue.Digits(phone); digits != "" && digits != c.phone {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.passengers[id] = append(l.passengers[id], digits)
	}
}

// popPassenger returns and removes the first recorded number of a journey's passenger who did not
// book it; "" if there is none.
func (l *openBookings) popPassenger(id string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := append(l.passengers[id], "") // behind the last one is none
	l.passengers[id] = all[1:]
	return all[0]
}

// addLeftovers records journeys that cannot be cancelled.
func (l *openBookings) addLeftovers(left ...conformance.Leftover) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leftovers = append(l.leftovers, left...)
}

// journeys returns the open journeys, sorted by id.
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
