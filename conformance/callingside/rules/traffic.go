package rules

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// In traffic of other clients, calls do not say which customer request they belong to. The
// rules about their order therefore fail no MUST.

// trafficChecks are the checks that only traffic of other clients shows, in addition to those of the catalogue.
var trafficChecks = []conformance.Check{
	check("SEQ-01", should, onBook, operations, "A caller is looked up with /user before a taxi is booked for them.", "The third party does not know who books: no name, no active bookings, no status.", "Call /user with the caller's number first, and send the userId of its reply."),
	check("SEQ-02", open, onStatus, ours, "A journey that is followed is read at least once a minute.", "The caller hears about a taxi that has already come and gone.", "Poll every few seconds while somebody waits."),
}

// Traffic returns the functions and checks that judge traffic of other clients.
func Traffic() conformance.Traffic {
	return conformance.Traffic{Checks: trafficChecks, OfCall: JudgeCall, Timed: onBook, Together: JudgeTraffic}
}

// byTrafficID has all checks by id, including trafficChecks.
var byTrafficID = conformance.IndexChecks(append(Catalogue(), trafficChecks...))

// Limits of real time within which calls of other clients belong together.
const (
	requestLasts = 10 * time.Minute // a /config does not apply to requests that start later
	callerKnown  = time.Hour        // how long ago a caller may have been looked up
	slowest      = time.Minute      // between two reads of a journey that is followed
)

// JudgeTraffic judges traffic of other clients by every rule that fits, including those about the
// order of calls, and returns the findings. It changes no call.
func JudgeTraffic(history []*conformance.Exchange, extent conformance.Extent) []conformance.FiledFinding {
	var calls []*conformance.Exchange
	for _, x := range history {
		own := *x
		if own.Read(); own.Operation != "" {
			calls = append(calls, &own)
		}
	}
	t := &traffic{Findings: conformance.NewFindings(byTrafficID), whole: extent == conformance.Beginning, owners: map[string]map[string]bool{}, looked: map[string]time.Time{}, read: map[string]*conformance.Exchange{}}
	for _, f := range Judge(calls, nil) {
		if f.Check == "P-02" { // judged call by call, unless the traffic has no /config at all
			if extent != conformance.All || f.Outcome != conformance.Fail {
				continue
			}
			t.warned = true
		}
		t.Filed = append(t.Filed, f)
	}
	for _, x := range calls {
		if !x.Unread() && x.Intent != conformance.IntentPartly {
			t.next(x)
		}
	}
	return t.Filed
}

// traffic is the state that JudgeTraffic keeps while it reads calls in their order.
type traffic struct {
	conformance.Findings
	whole  bool
	began  time.Time                        // of the first call
	config time.Time                        // the last /config
	warned bool                             // whether a call without a /config was reported since then
	looked map[string]time.Time             // by number and by userId: the time of the last /user for the caller
	owners map[string]map[string]bool       // by journeyId: the userIds under which the journey was seen
	read   map[string]*conformance.Exchange // by journeyId: the last read of a journey that has not ended
}

// next compares a call with those before it, and records it.
func (t *traffic) next(x *conformance.Exchange) {
	at := x.Wall()
	if t.began.IsZero() {
		t.began = at
	}
	switch x.Operation {
	case OpConfig:
		t.config, t.warned = at, false
		return
	case OpUser:
		if x.Succeeded() || x.Code() == 404 { // an unknown caller was looked up, too
			t.looked[jsonvalue.Digits(x.Sent().At("phoneNumber").Text())] = at
			t.looked[x.Reply().At("userId").Scalar()] = at
		}
	case OpBook:
		t.judgeLookedUp(x, at)
	case OpStatus:
		t.judgeFollowed(x, at)
	}
	t.judgeOpening(x, at)
	t.judgeOwner(x)
	t.learnOwners(x)
}

// known reports whether the history covers all calls of the given duration before a time.
func (t *traffic) known(within time.Duration, at time.Time) bool {
	return t.whole || at.Sub(t.began) >= within
}

// judgeOpening warns of the first call without a recent /config, once until the next /config.
func (t *traffic) judgeOpening(x *conformance.Exchange, at time.Time) {
	if t.warned || !t.known(requestLasts, at) || !t.config.IsZero() && at.Sub(t.config) <= requestLasts {
		return
	}
	t.warned = true
	t.Warn("P-02", "no /config was called before", "/config at the start of each customer request", jsonvalue.Verbatim("/"+string(x.Operation)), x)
}

// judgeLookedUp warns of a booking for a caller who was not looked up.
func (t *traffic) judgeLookedUp(x *conformance.Exchange, at time.Time) {
	if !x.Sent().IsObject() || x.Sent().At("journeyId").HasText() || !t.known(callerKnown, at) {
		return
	}
	number := x.Sent().At("phoneNumber")
	for _, who := range []string{jsonvalue.Digits(number.Text()), x.Sent().At("userId").Scalar()} {
		if last, known := t.looked[who]; known && who != "" && at.Sub(last) <= callerKnown {
			return
		}
	}
	if number.HasText() { // P-08 judges the rest
		t.Warn("SEQ-01", "this caller was not looked up with /user", "/user before /book", number, x)
	}
}

// judgeFollowed records a journey that is read after a long pause.
func (t *traffic) judgeFollowed(x *conformance.Exchange, at time.Time) {
	id := x.Sent().At("journeyId").Scalar()
	if before := t.read[id]; before != nil && at.Sub(before.Wall()) > slowest {
		t.Observe("SEQ-02", fmt.Sprintf("the journey was read again after %s", at.Sub(before.Wall()).Round(time.Second)), before, x)
	}
	delete(t.read, id)
	if x.Succeeded() && id != "" && !statusOf(x.Reply()).Terminal() {
		t.read[id] = x
	}
}

// judgeOwner fails a /book or /cancel for a journey that was seen only under other users.
func (t *traffic) judgeOwner(x *conformance.Exchange) {
	id, user := x.Sent().At("journeyId").Scalar(), x.Sent().At("userId")
	owners := t.owners[id]
	if x.Operation != OpCancel && x.Operation != OpBook || len(owners) == 0 || owners[user.Scalar()] {
		return
	}
	if _, known := t.looked[user.Scalar()]; known && user.HasText() {
		t.Fail("P-72", "the journey is another user's", "the userId under which it was received", user, x)
	}
}

// learnOwners records under which userId a call and its answer show journeys.
func (t *traffic) learnOwners(x *conformance.Exchange) {
	learn := func(journey, user string) {
		if journey == "" || user == "" {
			return
		}
		if t.owners[journey] == nil {
			t.owners[journey] = map[string]bool{}
		}
		t.owners[journey][user] = true
	}
	if !x.Succeeded() {
		return
	}
	switch x.Operation {
	case OpUser:
		for _, j := range x.Reply().At("activeBookings").Items() {
			learn(j.At("journeyId").Scalar(), x.Reply().At("userId").Scalar())
		}
	case OpBook:
		learn(x.Reply().At("journeyId").Scalar(), x.Sent().At("userId").Scalar())
	case OpStatus: // a read does not prove ownership
		learn(x.Sent().At("journeyId").Scalar(), x.Sent().At("userId").Scalar())
	}
}
