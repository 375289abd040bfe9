package rules

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// In traffic that nobody acted out, no call says to which customer request it belongs.
// What its order shows is judged with that in mind: nothing here fails a MUST.

// trafficChecks are those that only such traffic shows, beside the ones of the catalogue.
var trafficChecks = []conformance.Check{
	check("SEQ-01", should, onBook, operations, "A caller is looked up with /user before a taxi is booked for them.", "The third party does not know who books: no name, no active bookings, no status.", "Call /user with the caller's number first, and send the userId that it tells."),
	check("SEQ-02", open, onStatus, ours, "A journey that is followed is read at least once a minute.", "The caller hears of a taxi that came and went.", "Poll every few seconds while somebody waits."),
}

// Traffic is how calls of others are judged.
func Traffic() conformance.Traffic {
	return conformance.Traffic{Checks: trafficChecks, OfCall: JudgeCall, Timed: onBook, Together: JudgeTraffic}
}

// byTrafficID finds checks by their id, those of traffic too.
var byTrafficID = conformance.IndexChecks(append(Catalogue(), trafficChecks...))

// Bounds of what belongs together, by the wall.
const (
	requestLasts = 10 * time.Minute // a /config is of no use to a request that begins later
	callerKnown  = time.Hour        // how long ago a caller may have been looked up
	slowest      = time.Minute      // between two readings of a journey that is followed
)

// JudgeTraffic applies to traffic of others every rule that it may show, and those
// about its order. It is pure, and changes no call.
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
		if f.Check == "P-02" { // here it is judged call by call, unless none of all calls is a /config
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

// traffic goes through calls in their order and remembers what they told.
type traffic struct {
	conformance.Findings
	whole  bool
	began  time.Time                        // of the first call
	config time.Time                        // the last /config
	warned bool                             // of calls without a /config, since then
	looked map[string]time.Time             // callers by number and by userId, and when /user told of them last
	owners map[string]map[string]bool       // the userIds under which a journey was told, by journeyId
	read   map[string]*conformance.Exchange // the last reading of a journey that goes on, by journeyId
}

// next judges a call against those before it, and remembers it.
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
		if x.Succeeded() || x.Code() == 404 { // whom the third party does not know was looked up too
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

// known reports whether everything that happened within a time is in the history.
func (t *traffic) known(within time.Duration, at time.Time) bool {
	return t.whole || at.Sub(t.began) >= within
}

// judgeOpening warns once of calls that no /config came before.
func (t *traffic) judgeOpening(x *conformance.Exchange, at time.Time) {
	if t.warned || !t.known(requestLasts, at) || !t.config.IsZero() && at.Sub(t.config) <= requestLasts {
		return
	}
	t.warned = true
	t.Warn("P-02", "no /config came before it", "/config at the start of each customer request", jsonvalue.Verbatim("/"+string(x.Operation)), x)
}

// judgeLookedUp warns of a booking for somebody whom nobody has looked up.
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
	if number.HasText() { // P-08 has the rest
		t.Warn("SEQ-01", "nobody looked this caller up with /user", "/user before /book", number, x)
	}
}

// judgeFollowed notes a journey that is read after a long pause.
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

// judgeOwner looks at what would change a journey: it names somebody under whom the
// journey was told.
func (t *traffic) judgeOwner(x *conformance.Exchange) {
	id, user := x.Sent().At("journeyId").Scalar(), x.Sent().At("userId")
	owners := t.owners[id]
	if x.Operation != OpCancel && x.Operation != OpBook || len(owners) == 0 || owners[user.Scalar()] {
		return
	}
	if _, known := t.looked[user.Scalar()]; known && user.HasText() {
		t.Fail("P-72", "the journey is another user's", "the userId under which it was told", user, x)
	}
}

// learnOwners takes down under whose userId an answer tells of journeys.
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
	case OpStatus: // whoever may read it
		learn(x.Sent().At("journeyId").Scalar(), x.Sent().At("userId").Scalar())
	}
}
