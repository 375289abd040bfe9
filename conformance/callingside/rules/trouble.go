package rules

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var troubleRows = []row{
	{check("P-20", robust, onStatus, ours, "A journey is read at most every two seconds, and not after it has ended or the caller has hung up.", "A third party is flooded by its own customers.", "Poll every few seconds; stop at COMPLETE and CANCELLED."), judgeCadence},
	{check("P-58", must, Operations(), partial, "A reply with only the required fields is accepted, in all five operations.", "A small third party cannot be used at all.", "Expect every optional field to be absent."), judgeAccepted(IntentMinimal)},
	{check("P-59", robust, Operations(), objects, "Null for an optional field, empty arrays, unknown fields and values, and 5 as 5.0 are tolerated.", "Every extension of a third party breaks the platform.", "Ignore unknown fields and values; read null as absent."), judgeAccepted(IntentNulls)},
	{check("P-61", robust, Operations(), ours, "The platform handles a reply that is HTML, empty, truncated or 204.", "The caller hears silence.", "Treat it as a failure of the operation, and say so."), judgeSurvived(IntentBroken)},
	{check("P-62", robust, Operations(), "Errors: not shown", "The platform handles 400, 401, 403, 404, 409, 422, 500 and 503 on each operation.", "The caller hears silence.", "Treat each as a refusal or an outage, and say so."), judgeSurvived(IntentError)},
	{check("P-63", robust, onRequest, ours, "The platform waits for a slow third party, but not for ever: a second is not a failure, and the caller does not wait half a minute in silence.", "The caller hangs up.", "Play a message while waiting; give up after some seconds."), judgeSlow},
	{check("P-64", robust, onRequest, ours, "The platform handles a connection reset within a reply, and a reply that arrives byte by byte.", "The caller hears silence.", "Limit the time of a call as a whole."), judgeSurvivedRequest},
	{check("P-65", robust, onRequest, "RFC 9110, 10.2.3", "After 429 or 503 with Retry-After, in seconds or as a date, the operation is not called again before that time.", "An overloaded third party gets even more load.", "Wait until then, or put the caller through to a person."), judgeRetryAfter},
	{check("P-66", robust, onRequest, ours, "A reply about a journey other than the requested one is not used.", "The caller cancels a stranger's taxi.", "Compare journeyId with the request."), judgeForeignReply},
	{check("P-67", robust, onStatus, statuses, "A reallocation and another driver are announced, and nothing breaks.", "The passenger looks for the wrong car.", "Describe the driver in the last reply."), judgeReallocation},
	{needing(needsCaller, check("P-83", robust, onStatus, ours, "What a caller hears about a journey was read in that call, and is what was read: HELD and WAITING are not told as a taxi that comes.", "A caller is told that no driver was found while the taxi is at the door, or waits outside for a taxi that nobody drives.", "Call /status in each request; store only the id of a journey.")), judgeReadAfresh},
}

// judgeReadAfresh compares two calls about one journey, for which the third party returns
// different drivers and vehicles.
func judgeReadAfresh(s *sheet, c conformance.Check) {
	before := map[string]jsonvalue.Value{} // the first journey from the third party, by caller
	s.each(c.ID, func(r *request) {
		said, known := r.said()
		now, _ := r.journey()
		was, later := before[r.task.Caller]
		if !later {
			before[r.task.Caller] = now
		}
		if sentence := states(said, comes); sentence != "" && r.onlyWaits() {
			s.failed(c.ID, r, "the caller heard that a taxi comes, or is there, before one has been found", "HELD and WAITING told as what they are", sentence)
			s.Suggest("Say that a car is being looked for while the status is HELD or WAITING: nobody should go outside.")
			return
		}
		switch heard := speechOf(said); {
		case !later:
		case !known || !was.IsObject():
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case mentionedDriverOrVehicle(heard, now) != "":
			s.passed(c.ID, r)
		case mentionedDriverOrVehicle(heard, was) != "":
			s.failed(c.ID, r, "the caller heard the driver or the vehicle of an earlier call", "the current state of the journey", strings.Join(said, " "))
		default:
			s.unclear(c.ID, r, conformance.NotSeen, "a driver or a vehicle that is told")
		}
	})
}

// onlyWaits reports whether there are answers about a journey and all of them have the status HELD or WAITING.
func (r *request) onlyWaits() bool {
	told := slices.DeleteFunc(slices.Concat(r.of(OpBook), r.of(OpStatus)), func(x *conformance.Exchange) bool { return !x.Succeeded() || x.Intent == IntentForeign })
	return len(told) > 0 && !slices.ContainsFunc(told, func(x *conformance.Exchange) bool {
		status := taxi.Status(x.Reply().At("status").Text())
		return status != taxi.Held && status != taxi.Waiting
	})
}

// judgeCadence fails platforms that read a journey too often or after its end. Two short gaps are
// allowed: before the menu, and before acting.
func judgeCadence(s *sheet, c conformance.Check) {
	const least, allowed = 1900 * time.Millisecond, 2
	configs := s.configTimes()
	for _, polls := range s.polls() {
		if s.acts(polls[0].Probe) {
			continue // each press and each action may follow a fresh read
		}
		short, row, again, over := 0, 0, 0, 0
		for i := 1; i < len(polls); i++ {
			gap := polls[i].Wall().Sub(polls[i-1].Wall())
			if anyBetween(configs[polls[i].Probe], polls[i-1].Wall(), polls[i].Wall()) {
				continue // the caller asks for something else: a fresh read is right
			}
			if wait, asked := retryAfter(polls[i-1]); asked && gap >= wait-100*time.Millisecond {
				continue // as the third party asked for
			}
			switch {
			case gap >= least:
				row = 0
			case polls[i-1].Succeeded():
				short++
			default:
				short++
				row++
				again = max(again, row)
			}
			if statusOf(polls[i-1].Reply()).Terminal() && polls[i-1].Succeeded() && gap > least/2 {
				over++
			}
		}
		last := polls[len(polls)-1]
		switch {
		case short > allowed:
			s.Fail(c.ID, fmt.Sprintf("the journey was read again %d times within less than two seconds", short), "two seconds or more between reads", jsonvalue.Verbatim(fmt.Sprintf("%d readings in %s", len(polls), last.Wall().Sub(polls[0].Wall()).Round(100*time.Millisecond))), last)
		case again > 1:
			s.Fail(c.ID, "a reading that failed was repeated at once, and once more", "two seconds or more between reads", jsonvalue.Verbatim(conformance.Count(len(polls), "reading")), last)
		case over > 0:
			s.Fail(c.ID, "the journey was still read after it had ended", "no read after COMPLETE or CANCELLED", jsonvalue.Verbatim(fmt.Sprintf("%d readings", over)), last)
		}
	}
	s.each(c.ID, func(r *request) {
		late := slices.ContainsFunc(r.of(OpStatus), func(x *conformance.Exchange) bool { return x.Started.After(r.ended.Add(time.Second)) })
		switch {
		case len(r.of(OpStatus)) == 0:
			s.unclear(c.ID, r, conformance.NotSeen, "a call of /status")
		case late:
			s.failed(c.ID, r, "the journey was still read after the caller had hung up", "no read after that", sequence(r.ordinary()))
		default:
			s.passed(c.ID, r)
		}
	})
}

// configTimes lists the times of /config calls by probe, in order.
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

// anyBetween reports whether any of the times is after from and not after to.
func anyBetween(sorted []time.Time, from, to time.Time) bool {
	at, _ := slices.BinarySearchFunc(sorted, from, func(t, from time.Time) int {
		if t.After(from) {
			return 1
		}
		return -1
	})
	return at < len(sorted) && !sorted[at].After(to)
}

// acts reports whether the caller does more in a request than ask for the status.
func (s *sheet) acts(p conformance.ProbeName) bool {
	for _, r := range s.requests {
		if r.probe == p && r.task != nil {
			return !r.wants(WantStatus)
		}
	}
	return false
}

// polls returns the /status calls for each journey of each request, in the order of time.
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

// judgeAccepted returns a judge that requires a request to reach its goal although an answer,
// marked with the intent, is unusual.
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
				s.Fail(c.ID, "the platform failed at the request: "+r.scene(), "the request continues", jsonvalue.Verbatim(r.failed), x)
			case r.goal() == nil:
				s.Fail(c.ID, "the request went no further: "+r.scene(), "a call of what the caller wants", jsonvalue.Verbatim(sequence(r.ordinary())), x)
			case r.outcome() == OutcomeFailed:
				s.Fail(c.ID, "the platform gave up: "+r.scene(), "the request continues", jsonvalue.Verbatim("outcome failed"), x)
			case r.outcome() == OutcomePerson && r.goal() == x:
				s.Fail(c.ID, "the platform treated a correct answer as a failure: "+r.scene(), "the request is completed", jsonvalue.Verbatim("outcome person"), x)
			case intent == IntentNulls && misread(r, x) != "":
				s.Fail(c.ID, misread(r, x)+": "+r.scene(), "what is known, or that it is not known", jsonvalue.Verbatim(strings.Join(r.answer.Said, " ")), x)
			default:
				s.Pass(c.ID, x)
			}
		}
	}
}

var dotNought = regexp.MustCompile(`\b\d+[.,]0\b`)

// misread returns a message if a caller heard something that an unusual answer does not say, and otherwise "".
func misread(r *request, x *conformance.Exchange) string {
	said, _ := r.said()
	status := taxi.Status(x.Reply().At("status").Text())
	switch {
	case x.Operation == OpStatus && status != "" && !status.Known() && states(said, doneEnded) != "":
		return "the caller was told that the journey has ended, from a status that nobody knows"
	case dotNought.MatchString(strings.Join(said, " ")):
		return "a whole number was spoken with its fraction"
	}
	return ""
}

// unclearOn records that a check could not be judged, under the operation that the request is
// about. It does nothing if there is no such operation.
func (s *sheet) unclearOn(id string, r *request, kind conformance.ReasonKind, text string) {
	if r.task.About != "" {
		s.unclearFor(id, r.task.About, kind, text)
	}
}

// judgeSurvived returns a judge that requires an orderly end of a request after an invalid answer, marked with the intent.
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
	for r := range s.supported(c.ID) {
		s.wantEnd(c, r, IntentReset)
	}
}

// wantEnd requires a request with a faulty answer to end with a reported outcome.
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

// judgeSlow requires a platform to wait for a second, but not for half a minute.
func judgeSlow(s *sheet, c conformance.Check) {
	const short, endless = 2 * time.Second, 20 * time.Second
	for r := range s.supported(c.ID) {
		slow := r.with(IntentSlow)
		switch {
		case slow == nil || r.failed != "" || r.answer == nil:
			s.wantEnd(c, r, IntentSlow)
		case slow.Took < short && slow.ErrKind == conformance.ErrHungUp:
			s.failed(c.ID, r, "the platform gave up within "+slow.Took.Round(100*time.Millisecond).String(), "it waits for at least a second", r.scene())
		case slow.Took < short && r.goal() == nil:
			s.failed(c.ID, r, "the request went no further after a second's delay", "the request continues", sequence(r.ordinary()))
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

// retryAfter returns the time to wait that the Retry-After of an answer requests, in seconds or until a date. asked is false if
// there is no valid one.
func retryAfter(x *conformance.Exchange) (wait time.Duration, asked bool) {
	if x.Response == nil {
		return 0, false
	}
	text := x.Response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	return at.Sub(x.Wall().Add(x.Took)), err == nil
}

// sameAsk reports whether a second call may be a retry of the first. In traffic of other clients, only a call
// with the same body is certainly one.
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
				s.Fail(c.ID, "the platform used a journeyId that it had not requested", "the requested journey", v, odd, x)
				return
			}
		}
		said, _ := r.said()
		if told := mentionedDriverOrVehicle(speechOf(said), odd.Reply()); r.wants(WantStatus) && told != "" {
			s.failed(c.ID, r, "the caller was told about a journey that was not requested", "nothing about it", told)
			return
		}
		if sentence := states(said, doneCancelled); r.wants(WantCancel) && sentence != "" && !r.toldCancelled(odd) {
			s.failed(c.ID, r, "the caller was told of a cancellation from another journey's reply", "that it is not known", sentence)
			return
		}
		s.passed(c.ID, r)
	})
}

// mentionedDriverOrVehicle returns the driver's name in a journey if the caller heard part of it (a word of more than three
// letters), or else the vehicle's description if part of that was heard; otherwise "".
func mentionedDriverOrVehicle(heard speech, j jsonvalue.Value) string {
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
		case statusOf(changed.Reply()) == taxi.Waiting || mentionedDriverOrVehicle(speech, changed.Reply()) != "":
			s.passed(c.ID, r)
		case mentionedDriverOrVehicle(speech, firstReading(r)) != "":
			s.failed(c.ID, r, "the caller heard the first driver or car, not the second", "the driver of the last reply", strings.Join(said, " "))
		case s.controls[tells(optionDriverName)] || s.controls[tells(optionVehicle)]:
			s.failed(c.ID, r, "another driver comes, but the caller was not told", "the driver of the last reply", strings.Join(said, " "))
		default:
			s.unclear(c.ID, r, conformance.NotSeen, "a driver or a vehicle that is told")
		}
	})
}

// firstReading returns the first successful /status reply of a request, or the zero Value if there is none.
func firstReading(r *request) jsonvalue.Value {
	for _, x := range r.of(OpStatus) {
		if x.Succeeded() {
			return x.Reply()
		}
	}
	return jsonvalue.Value{}
}
