package tracking

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// byID has the checks of the catalogue by their ids.
var byID = conformance.IndexChecks(rules.Catalogue())

// newTracker returns a tracker for a history. It finds unreliable ids and overlapping calls first,
// since they must be known before the first answer is judged.
func newTracker(checks map[string]*conformance.Check, history []*conformance.Exchange) *tracker {
	r := &tracker{
		Findings:       conformance.NewFindings(checks),
		usersByPhone:   map[string]*trackedUser{},
		usersByID:      map[string]*trackedUser{},
		journeys:       map[string]*trackedJourney{},
		racedCalls:     findRacedCalls(history),
		unreliableIDs:  map[string]bool{},
		readsByJourney: map[string][]*conformance.Exchange{},

		probeOfPhone: map[string]conformance.ProbeName{}, writesByJourney: map[string][]*conformance.Exchange{}, racedJourneys: map[string]bool{}, oddBookings: map[string]*conformance.Exchange{},
		serves:     map[conformance.Operation]bool{},
		booked:     map[string]bool{},
		sameEnding: map[string]*conformance.Exchange{},
		toldBack:   map[string]bool{},
		oneByOne:   map[markKey]bool{},
		servesAnybody: slices.ContainsFunc(history, func(x *conformance.Exchange) bool {
			return x.Intent == rules.IntentForeign && rules.IsEdit(x) && rules.Served(x)
		}),
		beyondLimit:  beyondLimit(history),
		refusedBooks: map[conformance.ProbeName][]*conformance.Exchange{}, refusedPlainToo: refusedInBothForms(history),
	}
	r.findUnreliableIDs(history)
	r.indexCalls(history)
	return r
}

// next judges one exchange by itself and against those before it, and remembers it.
func (r *tracker) next(x *conformance.Exchange) {
	t := r.journeys[x.Sent().At("journeyId").Scalar()]
	x.MayRefuse = r.beyondLimit[x.ID] || x.Again != 0 && x.RefusedCleanly() || r.namesUnreliableID(x) || t != nil && (!t.mustServe(x) || r.movedOnMeanwhile(x) || r.refusedToOrderer(t, x))
	if x.Intent == conformance.IntentPartly || x.Probe == "" && len(x.Request.Body) >= conformance.Hefty { // it was not read
		r.trackPartial(x)
		return
	}
	r.judgeByItself(x)
	r.trackFalseCancel(x)
	switch id := x.Sent().At("journeyId").Scalar(); {
	case x.Request.Method != "POST" || x.ToOtherPort():
		return
	case rules.IsBad(x.Intent):
		r.trackBadCall(x)
		return
	case r.namesUnreliableID(x) || r.racedJourneys[id]:
		if writes(x) && id != "" {
			r.racedJourneys[id] = true // its effect on the journey is unknown
			r.outdateLists(x)
		}
		return
	case hostileChecks[x.Intent] != "" && (x.Operation != rules.OpBook || !x.Succeeded() || t != nil):
		r.trackHostileCall(x, t)
		return
	}
	switch x.Operation {
	case rules.OpConfig:
		r.trackConfig(x)
	case rules.OpUser:
		r.trackUser(x)
	case rules.OpBook:
		r.trackBooking(x, t)
	case rules.OpCancel:
		r.trackCancel(x, t)
	case rules.OpStatus:
		r.trackStatus(x, t)
	}
}

// refusedToOrderer reports whether a call was refused because the server assigns its journey to the
// passenger, not to the user who booked it. It then fails BOK-36, which alone judges that.
func (r *tracker) refusedToOrderer(t *trackedJourney, x *conformance.Exchange) bool {
	user := t.booking().At("userId").Scalar()
	if !t.forSomebodyElse() || user == "" || user != x.Sent().At("userId").Scalar() || !x.RefusedCleanly() || !rules.MustServeUsual(x) || !r.serves[x.Operation] {
		return false
	}
	r.Fail("BOK-36", x.Operation.Path()+" does not know a journey booked for somebody else under the userId that booked it", "the journey", conformance.Answer(x), t.writes[0], x)
	return true
}

// trackPartial records what a partly recorded call may have changed.
func (r *tracker) trackPartial(x *conformance.Exchange) {
	r.racedJourneys[x.Reply().At("journeyId").Scalar()] = true // as if another call had overlapped it
	if writes(x) {
		r.racedJourneys[x.Sent().At("journeyId").Scalar()] = true
		r.outdateLists(x)
	}
	delete(r.racedJourneys, "")
	if x.Operation == rules.OpBook && !rules.IsEdit(x) {
		r.mayHaveBooked(x)
	}
}

// movedOnMeanwhile reports whether a call was refused because the journey's status changed by itself after
// the last read, as the next read shows. Simulators advance journeys before the pickup time.
func (r *tracker) movedOnMeanwhile(x *conformance.Exchange) bool {
	look := r.lookAfter(x, x.Sent().At("journeyId").Scalar())
	if look == nil || !writes(x) || !x.RefusedCleanly() {
		return false
	}
	now := taxi.Status(look.Reply().At("status").Text())
	return now == taxi.Arrived || now == taxi.POB || now == taxi.Complete
}

// judgeByItself applies the rules that need no other calls, and those that compare a reply with an
// odd booking that it shows.
func (r *tracker) judgeByItself(x *conformance.Exchange) {
	rules.JudgeAlone(x, r.oddBookings, &r.Findings)
	switch {
	case x.ToOtherPort():
		return
	case rules.IsBad(x.Intent):
		r.judgeBad(x)
		return
	}
	r.judgeVariant(x)
	if rules.RefusedForItsCredentials(x) {
		return
	}
	if x.Operation == rules.OpStatus && rules.JudgesReply(x) && !r.oddShown(x.Sent()) && zoneMissing(x.Reply().At("date")) {
		r.withoutZone = append(r.withoutZone, x)
	}
	if x.Request.Method == "POST" {
		for _, j := range rules.Journeys(x) {
			if made := r.oddBookings[j.At("journeyId").Scalar()]; made != nil {
				r.judgeToldBack(made, j, x)
			}
		}
	}
}

// JudgeCall judges one call by the rules that need no other calls. [Judge] applies the other
// rules to the whole history.
func JudgeCall(recorded *conformance.Exchange) []conformance.FiledFinding {
	own := *recorded
	own.Read()
	history := []*conformance.Exchange{&own}
	r := newTracker(byID, history)
	r.FlawsOnly = true
	if own.Unread() {
		setUnreadAside(history, &r.Findings)
		return r.Filed
	}
	if own.Intent != conformance.IntentPartly {
		r.judgeByItself(&own)
	}
	return r.Filed
}
