package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// request is one customer request: its calls and the platform's report.
type request struct {
	probe       conformance.ProbeName
	task        *Task // nil: traffic of other clients
	calls       []*conformance.Exchange
	answer      *Answer // nil: no report
	failed      string  // why the platform failed at it; "": it did not
	unsupported bool
	told        int // id of the observation of the answer
	ended       time.Time
}

// requests groups a history by probe; each customer request has its own probe.
func requests(history []*conformance.Exchange, observations []conformance.Observation) []*request {
	by := map[conformance.ProbeName]*request{}
	var all []*request
	of := func(p conformance.ProbeName) *request {
		if by[p] == nil {
			by[p] = &request{probe: p}
			all = append(all, by[p])
		}
		return by[p]
	}
	for _, o := range observations {
		if o.Probe != "" {
			of(o.Probe).note(o)
		}
	}
	for _, x := range history {
		if x.Probe != "" && x.Probe != ProbeShared {
			r := of(x.Probe)
			r.calls = append(r.calls, x)
		}
	}
	for _, r := range all {
		slices.SortStableFunc(r.calls, func(a, b *conformance.Exchange) int { return a.Started.Compare(b.Started) })
	}
	return all
}

// note records an observation of the request.
func (r *request) note(o conformance.Observation) {
	switch told := DecodeObservation(o); {
	case told.Task != nil:
		r.task = told.Task
	case told.Answer != nil:
		r.answer, r.told, r.ended = told.Answer, o.ID, o.At
	case told.Failed != "":
		r.failed, r.told, r.ended = told.Failed, o.ID, o.At
	case told.Unsupported:
		r.unsupported = true
	}
}

// of returns the calls of an operation, in the order in which they started.
func (r *request) of(op conformance.Operation) []*conformance.Exchange {
	var found []*conformance.Exchange
	for _, x := range r.calls {
		if x.Operation == op && x.Intent != IntentStray {
			found = append(found, x)
		}
	}
	return found
}

// with returns the first call that has one of the intents, or nil.
func (r *request) with(intents ...conformance.Intent) *conformance.Exchange {
	for _, x := range r.calls {
		if slices.Contains(intents, x.Intent) {
			return x
		}
	}
	return nil
}

// is reports whether the request belongs to a scene that tests the check with the id.
func (r *request) is(id string) bool { return r.task != nil && slices.Contains(r.task.Checks, id) }

// wants reports whether what the caller wants is one of the given goals.
func (r *request) wants(any ...Want) bool { return r.task != nil && slices.Contains(any, r.task.Want) }

// scene returns the name of the request's scene.
func (r *request) scene() string {
	if r.task == nil {
		return ""
	}
	return r.task.Scene
}

// said returns what the caller heard or read; known is false if it was not reported.
func (r *request) said() (texts []string, known bool) {
	if r.answer == nil {
		return nil, false
	}
	texts = slices.Clone(r.answer.Said)
	for _, s := range r.answer.Shown {
		if s.Text != "" {
			texts = append(texts, s.Text)
		}
	}
	return texts, r.answer.Said != nil || r.answer.Shown != nil
}

// offered reports whether something was in the first menu; known is false if the menu was
// not reported.
func (r *request) offered(what string) (is, known bool) {
	if r.answer == nil || r.answer.Offered == nil {
		return false, false
	}
	return slices.Contains(r.answer.Offered, what), true
}

// asked reports whether the caller was asked for something; known is false if the questions were not reported.
func (r *request) asked(what string) (is, known bool) {
	if r.answer == nil || r.answer.Asked == nil {
		return false, false
	}
	return slices.ContainsFunc(r.answer.Asked, func(a string) bool { return strings.EqualFold(a, what) }), true
}

// outcome returns how the request ended, "" if it was not reported.
func (r *request) outcome() string {
	if r.answer == nil {
		return ""
	}
	return r.answer.Outcome
}

// goal returns the last call of the operation that the caller's wish needs, or nil if none was made.
func (r *request) goal() *conformance.Exchange {
	if r.task == nil {
		return nil
	}
	op := map[Want]conformance.Operation{
		WantBook: OpBook, WantEdit: OpBook, WantCancel: OpCancel, WantStatus: OpStatus, WantComingNow: OpStatus, WantCallDriver: OpStatus, WantOffer: OpUser,
	}[r.task.Want]
	for _, x := range slices.Backward(r.of(op)) {
		return x
	}
	return nil
}

// user returns the last successful call of /user, or nil if there is none.
func (r *request) user() *conformance.Exchange {
	for _, x := range slices.Backward(r.of(OpUser)) {
		if x.Succeeded() && x.Reply().IsObject() {
			return x
		}
	}
	return nil
}

// journey returns the journey of the request as the platform last read it, and the call that
// returned it. The call is nil if there is none.
func (r *request) journey() (jsonvalue.Value, *conformance.Exchange) {
	statuses := r.of(OpStatus)
	for _, x := range slices.Backward(statuses) {
		if x.Succeeded() && x.Reply().IsObject() && x.Intent != IntentForeign {
			return x.Reply(), x
		}
	}
	x := r.user()
	if x == nil {
		return jsonvalue.Value{}, nil
	}
	booked := x.Reply().At("activeBookings").Items()
	for _, j := range booked {
		if len(booked) == 1 || r.task != nil && r.task.JourneyID != "" && j.At("journeyId").Scalar() == r.task.JourneyID {
			return j, x
		}
	}
	return jsonvalue.Value{}, nil
}

// booked returns the /book calls for a new journey.
func (r *request) booked() []*conformance.Exchange {
	return slices.DeleteFunc(r.of(OpBook), func(x *conformance.Exchange) bool { return x.Sent().At("journeyId").HasText() })
}

// statusOf reads a journey's status.
func statusOf(j jsonvalue.Value) taxi.Status { return taxi.Status(j.At("status").Text()) }

// phonesTold returns the drivers' numbers that a request received, as digits.
func (r *request) phonesTold() []string {
	var all []string
	for _, x := range r.calls {
		for _, j := range append(x.Reply().At("activeBookings").Items(), x.Reply()) {
			number := jsonvalue.Digits(j.At("driver").At("phoneNumber").Text())
			if len(number) >= leastNumber && !slices.Contains(all, number) {
				all = append(all, number)
			}
		}
	}
	return all
}

// leastNumber is the length from which digits count as a telephone number.
const leastNumber = 7
