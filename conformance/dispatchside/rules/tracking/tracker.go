package tracking

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// A tracker reads a history in order and records the requests and answers, so that it can compare
// each answer with those before. Rules about given calls or one journey need no tracker: they are
// functions that record findings.
type tracker struct {
	conformance.Findings
	usersByPhone   map[string]*trackedUser            // by the digits of their phone
	usersByID      map[string]*trackedUser            // by userId
	journeys       map[string]*trackedJourney         // by journeyId
	racedCalls     map[int]bool                       // exchanges that overlapped a write of the same probe
	unreliableIDs  map[string]bool                    // journeyIds that several bookings have, or that are not strings or otherwise uncertain
	readsByJourney map[string][]*conformance.Exchange // /status replies of a journey, by journeyId
	lastConfig     *conformance.Exchange              // the last reply of a repeated /config call

	probeOfPhone    map[string]conformance.ProbeName                  // the probe that a phone occurs in; "*": several
	writesByJourney map[string][]*conformance.Exchange                // edits and cancellations of a journey, by journeyId
	racedJourneys   map[string]bool                                   // journeys written to by overlapping calls
	oddBookings     map[string]*conformance.Exchange                  // accepted bookings with odd contents, by journeyId
	refusedBooks    map[conformance.ProbeName][]*conformance.Exchange // bookings refused since the last read, by probe
	serves          map[conformance.Operation]bool                    // operations that served an ordinary call, for /book an edit
	sameEnding      map[string]*conformance.Exchange                  // lookups of numbers that end alike, by the number
	servesAnybody   bool                                              // an edit with another user's userId was served
	booked          map[string]bool                                   // ids of all new bookings in the history
	listsNone       bool                                              // /user lists no journeys of any user who has some
	unlisted        []unlistedJourney                                 // journeys for somebody else that are not listed
	listsBookings   bool                                              // /user has listed a journey
	toldBack        map[string]bool                                   // odd bookings that judgeToldBack has reported
	zoneless        []zonelessDate                                    // dates without a zone, to be judged together
	withoutZone     []*conformance.Exchange                           // /status replies with such a date
	beyondLimit     map[int]bool                                      // refused bookings of users who had as many as the server keeps
	oneByOne        map[markKey]bool                                  // calls with a mark in one text that failed
	inTurn          *conformance.Exchange                             // a call that shows that the server answers one call at a time; nil: none
	userIDsUnstable bool                                              // userIds change, so none can be relied on
	refusedPlainToo map[int]*conformance.Exchange                     // by refused call in an unusual form: the same call in its usual form, also refused
}

// trackedUser has the facts about an end user in the history.
type trackedUser struct {
	phone        string
	userID       string // from the first reply
	journeys     []*trackedJourney
	listed       []string              // journeys in the last /user reply
	lastReply    *conformance.Exchange // the last /user reply, nil after a write
	startedEmpty bool                  // had no bookings of their own when first seen, so every booking is known
	lookedUp     bool
	maybeBooked  bool // a booking of theirs got no answer: it may have been made
}

// trackedJourney has the facts about a journey in the history.
type trackedJourney struct {
	id              string
	owner           *trackedUser
	versions        []jsonvalue.Value       // the bookings as sent: the first, then each edit
	editsAfterEnd   []jsonvalue.Value       // edits after its end that were served, applied or not
	writes          []*conformance.Exchange // the calls that sent them
	status          taxi.Status             // from the last reply
	statusFrom      *conformance.Exchange   // that reply
	lastRead        *conformance.Exchange   // the last /status reply
	cancelledBy     *conformance.Exchange   // the /cancel reply that said CANCELLED
	cancelledAgain  *conformance.Exchange   // a later /cancel call
	maybeCancelled  bool                    // it may have been cancelled: by an invalid call, or with an unclear answer
	lateCancel      *conformance.Exchange   // the /cancel call made at POB or COMPLETE
	hostileCancel   *conformance.Exchange   // the last call that should not have touched it
	unservedCancels []*conformance.Exchange // invalid /cancel calls since the last read
	car             carShown                // the driver and the car as shown
	final           *conformance.Exchange   // the /status reply that first said COMPLETE or CANCELLED
	reads           int                     // /status replies since the last write
	moves           int                     // how many of them showed another status
	passenger       jsonvalue.Value         // as /status last showed them
	fieldTypes      map[string]string
	price           priceShown      // the last that was shown
	quotes          []priceShown    // the first price shown for each version that showed one
	etas            []etaShown      // since the last edit
	crew            crewShown       // At the last read
	fixedPrice      jsonvalue.Value // a FIXED price
	fixedPriceFrom  *conformance.Exchange
}

// booking returns the booking as last sent, by /book or by an edit.
func (t *trackedJourney) booking() jsonvalue.Value {
	if len(t.versions) == 0 {
		return jsonvalue.Value{}
	}
	return t.versions[len(t.versions)-1]
}

func (t *trackedJourney) edited() bool { return len(t.versions) > 1 }

// hasEnded reports whether the journey is known to have ended.
func (t *trackedJourney) hasEnded() bool {
	return t.cancelledBy != nil || t.final != nil || t.status.Terminal()
}

// mustServe reports whether a correct server must serve call x of the journey. It may refuse to
// edit or cancel a journey that has ended or is under way, and may refuse every call for one that
// may have been cancelled.
func (t *trackedJourney) mustServe(x *conformance.Exchange) bool {
	switch {
	case t.maybeCancelled:
		return false
	case x.Operation == rules.OpStatus:
		return t.cancelledBy == nil && t.final == nil
	}
	return !t.hasEnded() && t.status != taxi.POB && t.status != taxi.Arrived
}

// lookAfter returns the first /status reply about a journey after call x, or nil if there is none.
func (r *tracker) lookAfter(x *conformance.Exchange, id string) *conformance.Exchange {
	for _, look := range r.readsByJourney[id] {
		if look.ID > x.ID && !look.Started.Before(x.Started) {
			return look
		}
	}
	return nil
}

// personOf returns the end user with a phone number, and adds one if there is none.
func (r *tracker) personOf(phone string) *trackedUser {
	p := r.usersByPhone[phone]
	if p == nil {
		p = &trackedUser{phone: phone}
		r.usersByPhone[phone] = p
	}
	return p
}

// ownerOf returns the end user to whom a booking belongs: by its userId or, without one, by its phone number.
func (r *tracker) ownerOf(x *conformance.Exchange) *trackedUser {
	id := x.Sent().At("userId").Scalar()
	if id == "" {
		return r.personOf(jsonvalue.Digits(x.Sent().At("phoneNumber").Text()))
	}
	if p := r.usersByID[id]; p != nil {
		return p
	}
	p := &trackedUser{userID: id}
	r.usersByID[id] = p
	return p
}

// forSomebodyElse reports whether the passenger of a journey is not its end user.
func (t *trackedJourney) forSomebodyElse() bool {
	passenger := jsonvalue.Digits(t.booking().At("phoneNumber").Text())
	return t.owner != nil && t.owner.phone != "" && passenger != "" && passenger != t.owner.phone
}

// sharesNumber reports whether two texts may denote one telephone number: their last nine characters are equal.
func sharesNumber(a, b string) bool {
	const subscriber = 9
	return len(a) >= subscriber && len(b) >= subscriber && a[len(a)-subscriber:] == b[len(b)-subscriber:]
}
