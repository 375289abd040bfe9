package dispatchside

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// run is one execution of the suite.
type run struct {
	*client.Client
	suite                *conformance.Suite
	target               Target
	open                 openBookings
	bookings             *bookingLimit
	phones               *numbers
	advanceFailed        atomic.Pointer[conformance.Reason] // why the advance aid has failed
	advanceWorked        atomic.Bool                        // it has advanced a journey
	restartFailed        atomic.Pointer[conformance.Reason] // why the restart aid has failed
	clockFailed          atomic.Pointer[conformance.Reason] // why the clock aid has failed
	notBack              atomic.Bool                        // the server did not answer after a restart
	unansweredOperations unansweredOperations
	slots                atomic.Int64       // journeys booked for the advance aid
	silentBefore         *conformance.Cause // cause of a server's silence before the clean-up
	latency              time.Duration      // response time before the first booking
	started              time.Time          // when the run started, after the server answered
	probes               []*probeRun
	teller               *teller       // nil: no Progress
	stopTold             chan struct{} // closed after the stop was reported; nil: no Progress
	done                 progress
	soFar                soFar
	earlyJourney         *bookedJourney // a journey that was cancelled at the beginning
}

// lastOf returns the last call that a probe made of an operation, or [nothing] if it made none.
func (r *run) lastOf(probe conformance.ProbeName, op conformance.Operation) *conformance.Exchange {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	for _, x := range slices.Backward(r.History) {
		if x.Probe == probe && x.Operation == op {
			return x
		}
	}
	return nothing
}

// served reports whether any call of the run with an intent was served.
func (r *run) served(intent conformance.Intent) bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return slices.ContainsFunc(r.History, func(x *conformance.Exchange) bool { return x.Intent == intent && rules.Served(x) })
}

// servedAsFarAhead reports whether a booking with this pickup or a later one was served.
func (r *run) servedAsFarAhead(pickup time.Time) bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return slices.ContainsFunc(r.History, func(x *conformance.Exchange) bool {
		at, err := taxi.ParseTime(x.Sent().At("pickupTime").Text())
		return err == nil && x.Operation == rules.OpBook && rules.Served(x) && !at.Before(pickup)
	})
}

// speaksJSON reports whether an operation has been answered with a JSON object.
func (r *run) speaksJSON(op conformance.Operation) bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return slices.ContainsFunc(r.History, func(x *conformance.Exchange) bool { return x.Operation == op && x.Succeeded() && x.Reply().IsObject() })
}
