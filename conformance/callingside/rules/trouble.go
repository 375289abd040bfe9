package rules

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var troubleRows = []row{
	{check("P-20", robust, onStatus, ours, "A journey is read every two seconds at most, and no more once it is over or the caller has hung up.", "A third party is flooded by its own customers.", "Poll every few seconds; stop at COMPLETE and CANCELLED."), judgeCadence},
	{check("P-58", must, Operations(), partial, "A reply with nothing but the required fields is accepted, in all five operations.", "A small third party cannot be used at all.", "Treat every optional field as absent until it is there."), judgeAccepted(IntentMinimal)},
	{check("P-59", robust, Operations(), objects, "Null for an optional field, empty arrays, unknown fields and values, and 5 as 5.0 are tolerated.", "Every extension of a third party breaks the platform.", "Ignore what you do not know; read null as absent."), judgeAccepted(IntentNulls)},
	{check("P-61", robust, Operations(), ours, "A reply that is HTML, empty, truncated or 204 is survived.", "The caller hears silence.", "Treat it as a failure of the operation, and say so."), judgeSurvived(IntentBroken)},
	{check("P-62", robust, Operations(), "Errors: not shown", "400, 401, 403, 404, 409, 422, 500 and 503 are survived, on each operation.", "The caller hears silence.", "Treat each as a refusal or an outage, and say so."), judgeSurvived(IntentError)},
	{check("P-63", robust, onRequest, ours, "A slow third party is waited for, to an end: a second is no failure, and half a minute is not waited for in silence.", "The caller hangs up.", "Hold the line with a message; give up after some seconds."), judgeSlow},
	{check("P-64", robust, onRequest, ours, "A connection that is reset within a reply, or a reply that drips, is survived.", "The caller hears silence.", "Limit the time of a call as a whole."), judgeSurvivedRequest},
	{check("P-65", robust, onRequest, "RFC 9110, 10.2.3", "After 429 or 503 with Retry-After, in seconds or as a date, the operation is not called again before that time.", "A third party that is overloaded is overloaded more.", "Wait as long, or put the caller through to a person."), judgeRetryAfter},
	{check("P-66", robust, onRequest, ours, "A reply about another journey than the one asked for is not adopted.", "The caller cancels a stranger's taxi.", "Compare journeyId with what was asked."), judgeForeignReply},
	{check("P-67", robust, onStatus, statuses, "A reallocation and another driver are announced, and nothing breaks.", "The passenger looks for the wrong car.", "Speak of the driver that the last reply named."), judgeReallocation},
	{needing(needsCaller, check("P-83", robust, onStatus, ours, "What a caller hears of a journey was read in that call.", "A caller is told that no driver was found while the taxi is at the door.", "Call /status in each request; keep nothing of a journey but its id.")), judgeReadAfresh},
}

// judgeReadAfresh compares two calls about one journey, of which the third party told the
// second another driver and another vehicle than the first.
func judgeReadAfresh(s *sheet, c conformance.Check) {
	before := map[string]jsonvalue.Value{} // what the third party told first, by caller
	s.each(c.ID, func(r *request) {
		said, known := r.said()
		now, _ := r.journey()
		was, later := before[r.task.Caller]
		switch heard := speechOf(said); {
		case !later:
			before[r.task.Caller] = now
		case !known || !was.IsObject():
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case strangersDetail(heard, now) != "":
			s.passed(c.ID, r)
		case strangersDetail(heard, was) != "":
			s.failed(c.ID, r, "the caller heard of the driver or the vehicle that an earlier call was told of", "how the journey stands now", strings.Join(said, " "))
		default:
			s.unclear(c.ID, r, conformance.NotSeen, "a driver or a vehicle that is told")
		}
	})
}

// judgeCadence counts the short gaps between two readings of one journey. Two are
// allowed: a fresh reading before the menu and one before acting.
func judgeCadence(s *sheet, c conformance.Check) {
	const least, allowed = 1900 * time.Millisecond, 2
	configs := s.configTimes()
	for _, polls := range s.polls() {
		if s.acts(polls[0].Probe) {
			continue // each press, and each action, follows a fresh reading
		}
		short, over := 0, 0
		for i := 1; i < len(polls); i++ {
			gap := polls[i].Wall().Sub(polls[i-1].Wall())
			if anyBetween(configs[polls[i].Probe], polls[i-1].Wall(), polls[i].Wall()) {
				continue // the caller asks for something else: a fresh reading is right
			}
			if gap < least {
				short++
			}
			if statusOf(polls[i-1].Reply()).Terminal() && polls[i-1].Succeeded() && gap > least/2 {
				over++
			}
		}
		last := polls[len(polls)-1]
		switch {
		case short > allowed:
			s.Fail(c.ID, fmt.Sprintf("the journey was read again %d times within less than two seconds", short), "two seconds or more between readings", jsonvalue.Verbatim(fmt.Sprintf("%d readings in %s", len(polls), last.Wall().Sub(polls[0].Wall()).Round(100*time.Millisecond))), last)
		case over > 0:
			s.Fail(c.ID, "the journey was read on after it was over", "no reading after COMPLETE or CANCELLED", jsonvalue.Verbatim(fmt.Sprintf("%d readings", over)), last)
		}
	}
	s.each(c.ID, func(r *request) {
		late := slices.ContainsFunc(r.of(OpStatus), func(x *conformance.Exchange) bool { return x.Started.After(r.ended.Add(time.Second)) })
		switch {
		case len(r.of(OpStatus)) == 0:
			s.unclear(c.ID, r, conformance.NotSeen, "a call of /status")
		case late:
			s.failed(c.ID, r, "the journey was read on after the caller had hung up", "no reading then", sequence(r.ordinary()))
		default:
			s.passed(c.ID, r)
		}
	})
}

// configTimes lists when /config was called, by probe, in order.
func (s *sheet) configTimes() map[conformance.ProbeName][]time.Time {
	times := map[conformance.ProbeName][]time.Time{}
	for x := range s.of(OpConfig) {
		times[x.Probe] = append(times[x.Probe], x.Wall())
	}
	for _, all := range times {
		slices.SortFunc(all, time.Time.Compare)
	}
	return times
}

// anyBetween reports a time after one and not after another.
func anyBetween(sorted []time.Time, from, to time.Time) bool {
	at, _ := slices.BinarySearchFunc(sorted, from, func(t, from time.Time) int {
		if t.After(from) {
			return 1
		}
		return -1
	})
	return at < len(sorted) && !sorted[at].After(to)
}

// acts reports a request in which the caller does more than to ask for the status.
func (s *sheet) acts(p conformance.ProbeName) bool {
	for _, r := range s.requests {
		if r.probe == p && r.task != nil {
			return !r.wants(WantStatus)
		}
	}
	return false
}

// polls groups the readings of each journey, in their order.
func (s *sheet) polls() [][]*conformance.Exchange {
	by := map[string][]*conformance.Exchange{}
	var order []string
	for x := range s.of(OpStatus) {
		key := string(x.Probe) + " " + x.Sent().At("journeyId").Scalar()
		if by[key] == nil {
			order = append(order, key)
		}
		by[key] = append(by[key], x)
	}
	var all [][]*conformance.Exchange
	for _, key := range order {
		polls := by[key]
		slices.SortFunc(polls, func(a, b *conformance.Exchange) int { return a.Wall().Compare(b.Wall()) })
		all = append(all, polls)
	}
	return all
}

// judgeAccepted wants a request to come to what it was after although the answer of one
// operation was odd.
func judgeAccepted(intent conformance.Intent) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		for _, r := range s.requests {
			x := r.with(intent)
			switch {
			case !r.is(c.ID) || r.unsupported:
			case x == nil && r.failed != "":
				s.unclearOn(c.ID, r, conformance.NotServed, "the platform failed at the request: "+r.failed)
			case x == nil:
				s.unclearOn(c.ID, r, conformance.NotSeen, "the call whose answer is odd: "+r.scene())
			case r.failed != "":
				s.Fail(c.ID, "the platform failed at the request: "+r.scene(), "the request goes on", jsonvalue.Verbatim(r.failed), x)
			case r.goal() == nil:
				s.Fail(c.ID, "the request went no further: "+r.scene(), "a call of what the caller wants", jsonvalue.Verbatim(sequence(r.ordinary())), x)
			case r.outcome() == OutcomeFailed:
				s.Fail(c.ID, "the platform gave up: "+r.scene(), "the request goes on", jsonvalue.Verbatim("outcome failed"), x)
			case r.outcome() == OutcomePerson && r.goal() == x:
				s.Fail(c.ID, "the platform took a right answer for a failure: "+r.scene(), "the request is completed", jsonvalue.Verbatim("outcome person"), x)
			default:
				s.Pass(c.ID, x)
			}
		}
	}
}

// unclearOn files a verdict that is not reached under the operation that the request is
// about.
func (s *sheet) unclearOn(id string, r *request, kind conformance.ReasonKind, text string) {
	if r.task.About != "" {
		s.unclearFor(id, r.task.About, kind, text)
	}
}

// judgeSurvived wants a platform to live through an answer that is none.
func judgeSurvived(intent conformance.Intent) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		for _, r := range s.requests {
			x := r.with(intent)
			said, known := r.said()
			switch {
			case !r.is(c.ID) || r.unsupported:
			case x == nil:
				s.unclearOn(c.ID, r, conformance.NotSeen, "the call that is answered so: "+r.scene())
			case r.failed != "":
				s.Fail(c.ID, "the platform failed at the request: "+r.scene(), "the request ends in an orderly way", jsonvalue.Verbatim(r.failed), x)
			case known && len(said) == 0 && r.outcome() != OutcomePerson && r.outcome() != OutcomeCompleted:
				s.Fail(c.ID, "the call ended and nothing was said: "+r.scene(), "a sentence, or a person", jsonvalue.Verbatim("outcome "+r.outcome()), x)
			case r.answer == nil:
				s.unclearOn(c.ID, r, conformance.NotSeen, "how the request ended")
			default:
				s.Pass(c.ID, x)
			}
		}
	}
}

func judgeSurvivedRequest(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if !r.is(c.ID) || r.unsupported {
			continue
		}
		s.wantEnd(c, r, IntentReset)
	}
}

// wantEnd wants a request with trouble in it to come to an end that is told.
func (s *sheet) wantEnd(c conformance.Check, r *request, intent conformance.Intent) {
	said, known := r.said()
	switch {
	case r.with(intent) == nil:
		s.unclear(c.ID, r, conformance.NotSeen, "the call that is answered so: "+r.scene())
	case r.failed != "":
		s.failed(c.ID, r, "the platform failed at the request: "+r.scene(), "the request ends in an orderly way", r.failed)
	case r.answer == nil:
		s.unclear(c.ID, r, conformance.NotSeen, "how the request ended")
	case known && len(said) == 0 && r.outcome() == OutcomeFailed:
		s.failed(c.ID, r, "the call ended and nothing was said: "+r.scene(), "a sentence, or a person", "outcome "+r.outcome())
	default:
		s.passed(c.ID, r)
	}
}

// judgeSlow wants a second to be waited for, and half a minute not.
func judgeSlow(s *sheet, c conformance.Check) {
	const short, endless = 2 * time.Second, 20 * time.Second
	for _, r := range s.requests {
		if !r.is(c.ID) || r.unsupported {
			continue
		}
		slow := r.with(IntentSlow)
		switch {
		case slow == nil || r.failed != "" || r.answer == nil:
			s.wantEnd(c, r, IntentSlow)
		case slow.Took < short && slow.ErrKind == conformance.ErrHungUp:
			s.failed(c.ID, r, "the platform gave up within "+slow.Took.Round(100*time.Millisecond).String(), "it waits for a second at least", r.scene())
		case slow.Took < short && r.goal() == nil:
			s.failed(c.ID, r, "the request went no further after a second's delay", "the request goes on", sequence(r.ordinary()))
		case slow.Took > endless:
			s.warned(c.ID, r, "the platform waited for "+slow.Took.Round(time.Second).String(), "it gives up after some seconds", r.scene())
		default:
			s.wantEnd(c, r, IntentSlow)
		}
	}
}

func judgeRetryAfter(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		s.wantPatience(c, r.ordinary(), r)
	}
	var foreign []*conformance.Exchange
	for _, x := range s.all {
		if x.Probe == "" {
			foreign = append(foreign, x)
		}
	}
	s.wantPatience(c, foreign, nil)
}

func (s *sheet) wantPatience(c conformance.Check, calls []*conformance.Exchange, r *request) {
	for _, busy := range calls {
		if busy.Code() != http.StatusTooManyRequests && busy.Code() != http.StatusServiceUnavailable {
			continue
		}
		wait, asked := retryAfter(busy)
		if !asked {
			continue
		}
		again := busy.Ended().Add(wait - 100*time.Millisecond)
		for _, x := range calls {
			if x.Operation == busy.Operation && x.Started.After(busy.Ended()) && x.Started.Before(again) && sameAsk(x, busy) {
				s.Fail(c.ID, "the operation was called again before the time of Retry-After", wait.Round(100*time.Millisecond).String()+" later at the earliest", jsonvalue.Verbatim(x.Started.Sub(busy.Ended()).Round(time.Millisecond).String()), busy, x)
				return
			}
		}
		if r != nil && r.failed == "" {
			s.passed(c.ID, r)
		}
	}
}

// retryAfter is for how long an answer asks not to be called: in seconds, or until a date.
func retryAfter(x *conformance.Exchange) (wait time.Duration, asked bool) {
	text := x.Response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	return at.Sub(x.Wall().Add(x.Took)), err == nil
}

// sameAsk reports two calls with one body: of other people's traffic only those are
// sure to be a retry.
func sameAsk(a, b *conformance.Exchange) bool {
	return a.Probe != "" || string(a.Request.Body) == string(b.Request.Body)
}

func judgeForeignReply(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		odd := r.with(IntentForeign)
		if odd == nil {
			s.unclear(c.ID, r, conformance.NotSeen, "the call that is answered so: "+r.scene())
			return
		}
		other := odd.Reply().At("journeyId").Text()
		for _, x := range r.ordinary() {
			if v := x.Sent().At("journeyId"); x.Started.After(odd.Started) && v.Text() == other {
				s.Fail(c.ID, "a journeyId was adopted that was not asked for", "the journey that was asked for", v, odd, x)
				return
			}
		}
		said, _ := r.said()
		if told := strangersDetail(speechOf(said), odd.Reply()); r.wants(WantStatus) && told != "" {
			s.failed(c.ID, r, "the caller was told of a journey that was not asked for", "nothing of it", told)
			return
		}
		if sentence := states(said, doneCancelled); r.wants(WantCancel) && sentence != "" && !r.toldCancelled(odd) {
			s.failed(c.ID, r, "the caller was told of a cancellation that another journey's reply told", "that it is not known", sentence)
			return
		}
		s.passed(c.ID, r)
	})
}

// strangersDetail finds what was told of another journey's driver or vehicle.
func strangersDetail(heard speech, j jsonvalue.Value) string {
	for _, detail := range []string{j.At("driver").At("name").Text(), j.At("vehicle").At("description").Text()} {
		if heard.names(detail) {
			return detail
		}
	}
	return ""
}

func judgeReallocation(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if r.is(c.ID) && r.failed != "" && r.with(IntentChanged) != nil {
			s.failed(c.ID, r, "the platform failed at the request: "+r.scene(), "the new driver is told", r.failed)
		}
	}
	s.each(c.ID, func(r *request) {
		changed := r.with(IntentChanged)
		said, known := r.said()
		speech := speechOf(said)
		switch {
		case changed == nil:
			s.unclear(c.ID, r, conformance.NotSeen, "a second reading of the journey: "+r.scene())
		case !known:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case statusOf(changed.Reply()) == taxi.Waiting || strangersDetail(speech, changed.Reply()) != "":
			s.passed(c.ID, r)
		case strangersDetail(speech, firstReading(r)) != "":
			s.failed(c.ID, r, "the caller heard of the first driver or car, and not of the second", "the driver of the last reply", strings.Join(said, " "))
		case s.heard[tells(optionDriverName)] || s.heard[tells(optionVehicle)]:
			s.failed(c.ID, r, "another driver comes, and the caller was not told", "the driver of the last reply", strings.Join(said, " "))
		default:
			s.unclear(c.ID, r, conformance.NotSeen, "a driver or a vehicle that is told")
		}
	})
}

// firstReading is what a request read first of its journey.
func firstReading(r *request) jsonvalue.Value {
	for _, x := range r.of(OpStatus) {
		if x.Succeeded() {
			return x.Reply()
		}
	}
	return jsonvalue.Value{}
}
