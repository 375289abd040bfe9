package conformance

import (
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// reader goes through a history in order and remembers what the server was told
// and what it said, so that each answer can be held against the ones before it.
type reader struct {
	sheet
	people  map[string]*person     // by the digits of their phone
	owners  map[string]*person     // by userId
	trips   map[string]*trip       // by journeyId
	racing  map[int]bool           // exchanges that overlapped a write of the same story
	doubted map[string]bool        // ids that cannot be relied on
	looks   map[string][]*Exchange // /status replies of a journey, by journeyId
	config  *Exchange              // the last /config reply that was asked for again

	phones       map[string]ProbeName      // the probe that a phone occurs in; "*": several
	pens         map[string][]*Exchange    // edits and cancellations of a journey, by journeyId
	raced        map[string]bool           // journeys that calls met over on the way
	odd          map[string]*Exchange      // bookings with odd contents that were taken, by journeyId
	refusedBooks map[ProbeName][]*Exchange // bookings refused since the last look, by probe
	lost         bool                      // userIds change, so none can be relied on
	plainToo     map[int]*Exchange         // calls in an unusual form that were refused: the same call in its usual form, refused as well
}

// person is an end user as far as the history tells.
type person struct {
	phone  string
	userID string // as first told
	trips  []*trip
	listed []string  // journeys in the last /user reply
	seen   *Exchange // the last /user reply, nil after a write
	blank  bool      // had no bookings when first seen, so every booking is known
	met    bool
	unsure bool // a booking of theirs got no answer: it may have been made
}

// trip is a journey as far as the history tells.
type trip struct {
	id       string
	owner    *person
	versions []value     // the bookings as sent: the first, then each edit
	also     []value     // edits after its end that were answered as served, applied or not
	writes   []*Exchange // the calls that sent them
	status   taxi.Status // as last told
	told     *Exchange   // by this reply
	read     *Exchange   // the last /status reply
	ended    *Exchange   // the /cancel reply that said CANCELLED
	vague    bool        // it may have been cancelled: by a call that was no right one, or that was not answered clearly
	late     *Exchange   // the /cancel call made at POB or COMPLETE
	threat   *Exchange   // the last call that should not have touched it
	spared   []*Exchange // calls since the last look that were no cancellations
	course   course      // what was shown of driver and car
	final    *Exchange   // the /status reply that first said COMPLETE or CANCELLED
	reads    int         // /status replies since the last write
	moves    int         // of which this many showed another status
	kinds    map[string]string
	fixed    value // a FIXED price
	fixedAt  *Exchange
}

// booking returns the booking as it should be now.
func (t *trip) booking() value {
	if len(t.versions) == 0 {
		return value{}
	}
	return t.versions[len(t.versions)-1]
}

func (t *trip) edited() bool { return len(t.versions) > 1 }

// over reports whether the journey is known to have ended.
func (t *trip) over() bool { return t.ended != nil || t.final != nil || t.status.Terminal() }

// newReader prepares for a history: which ids can be relied on and which calls
// ran into one another has to be known before the first answer is judged.
func newReader(history []*Exchange) *reader {
	r := &reader{
		people:  map[string]*person{},
		owners:  map[string]*person{},
		trips:   map[string]*trip{},
		racing:  racing(history),
		doubted: map[string]bool{},
		looks:   map[string][]*Exchange{},

		phones: map[string]ProbeName{}, pens: map[string][]*Exchange{}, raced: map[string]bool{}, odd: map[string]*Exchange{},
		refusedBooks: map[ProbeName][]*Exchange{}, plainToo: plainToo(history),
	}
	r.doubt(history)
	r.locate(history)
	return r
}

// next judges one exchange against those before it and remembers it.
func (r *reader) next(x *Exchange) {
	t := r.trips[x.Sent().at("journeyId").scalar()]
	x.MayRefuse = r.dubious(x) || t != nil && (!t.serves(x) || r.overtaken(x))
	if x.Intent == intentPartly || x.Probe == "" && len(x.Request.Body) >= hefty { // it was not read
		r.readPartly(x)
		return
	}
	r.judgeAlone(x)
	r.readClaim(x)
	switch id := x.Sent().at("journeyId").scalar(); {
	case x.Request.Method != "POST" || x.elsewhere():
		return
	case isBad(x.Intent):
		r.readBad(x)
		return
	case r.dubious(x) || r.raced[id]:
		if writes(x) && id != "" {
			r.raced[id] = true // what it did to the journey cannot be told
		}
		return
	case threats[x.Intent] != "" && (x.Operation != OpBook || !x.succeeded() || t != nil):
		r.readThreat(x, t)
		return
	}
	switch x.Operation {
	case OpConfig:
		r.readConfig(x)
	case OpUser:
		r.readUser(x)
	case OpBook:
		r.readBook(x, t)
	case OpCancel:
		r.readCancel(x, t)
	case OpStatus:
		r.readStatus(x, t)
	}
}

// readPartly remembers that a call of which not all is known may have changed
// something.
func (r *reader) readPartly(x *Exchange) {
	r.raced[x.Reply().at("journeyId").scalar()] = true // as if somebody had met it on the way
	if writes(x) {
		r.raced[x.Sent().at("journeyId").scalar()] = true
	}
	delete(r.raced, "")
	if x.Operation == OpBook && !isEdit(x) {
		r.mayHaveBooked(x)
	}
}

// serves reports whether a right server has to serve call x of the journey: one
// that is over, or under way, may refuse to be edited or cancelled; one that may
// have been cancelled, anything.
func (t *trip) serves(x *Exchange) bool {
	switch {
	case t.vague:
		return false
	case x.Operation == OpStatus:
		return t.ended == nil && t.final == nil
	}
	return !t.over() && t.status != taxi.POB && t.status != taxi.Arrived
}

// lookAfter returns the first look at a journey after a call; nil: there was none.
func (r *reader) lookAfter(x *Exchange, id string) *Exchange {
	for _, look := range r.looks[id] {
		if look.ID > x.ID && !look.Started.Before(x.Started) {
			return look
		}
	}
	return nil
}

// overtaken reports a call that was refused because its journey had gone on by
// itself since it was last told of, as the next look at it shows: a simulator does
// not wait for the pickup's day.
func (r *reader) overtaken(x *Exchange) bool {
	look := r.lookAfter(x, x.Sent().at("journeyId").scalar())
	if look == nil || !writes(x) || !x.refusedCleanly() {
		return false
	}
	now := taxi.Status(look.Reply().at("status").text())
	return now == taxi.Arrived || now == taxi.POB || now == taxi.Complete
}

// judgeAlone applies the rules that need no memory.
func (r *reader) judgeAlone(x *Exchange) {
	s := &r.sheet
	if x.elsewhere() {
		judgeSecurity(x, s)
		return
	}
	judgeWire(x, s)
	if isBad(x.Intent) {
		r.judgeBad(x)
		return
	}
	r.judgeVariant(x)
	judgeSecurity(x, s)
	judgeClock(x, s)
	if refusable[x.Intent] && !x.succeeded() {
		return // refused for who made it: the operation's own rules have nothing to say
	}
	judgeSlashes(x, s)
	judgeMethod(x, s)
	judgePast(x, s)
	switch x.Operation {
	case OpConfig:
		judgeConfig(x, s)
	case OpUser:
		judgeUser(x, s, r.odd)
	case OpBook:
		judgeBook(x, s)
	case OpCancel:
		judgeCancel(x, s)
	case OpStatus:
		judgeStatus(x, s)
	}
	if x.Request.Method == "POST" {
		for _, j := range journeys(x) {
			judgeEnrichment(j, x, s)
		}
	}
}

// personOf finds or makes the end user with a phone number.
func (r *reader) personOf(phone string) *person {
	p := r.people[phone]
	if p == nil {
		p = &person{phone: phone}
		r.people[phone] = p
	}
	return p
}

// ownerOf finds the end user that a booking belongs to.
func (r *reader) ownerOf(x *Exchange) *person {
	id := x.Sent().at("userId").scalar()
	if id == "" {
		return r.personOf(digits(x.Sent().at("phoneNumber").text()))
	}
	if p := r.owners[id]; p != nil {
		return p
	}
	p := &person{userID: id}
	r.owners[id] = p
	return p
}
