package trial

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// The rules: what must hold after every event, by name.
const (
	ruleEdge     = "edge"     // a journey changes only by rows of the transition table, each from the status where the previous one ended
	ruleTime     = "time"     // time never runs back: of changes, of a journey, of the clock
	ruleTerminal = "terminal" // a finished journey never changes
	ruleFleet    = "fleet"    // each car is free, busy or off duty, and none is lost or doubled
	ruleCar      = "car"      // a car has at most one live journey, and a journey with a crew has that car
	rulePresence = "presence" // a journey shows the fields of its status: no car and no place while it is held or waits
	ruleRelease  = "release"  // a held booking is released when it is due
	ruleETA      = "eta"      // an ETA is never below zero, falls while a car drives, and rises by a minute at most without a cause
	rulePrice    = "price"    // a price is at least the flag fall
	ruleOnce     = "once"     // a repeated booking is one booking
	ruleDurable  = "durable"  // acknowledged changes exist after the process has ended
	rulePlace    = "place"    // a car goes no faster than a car, arrives at the pickup and ends at the last drop-off, also after the process died
	ruleEdit     = "edit"     // an edit is accepted, refused or costs the driver as in the edit matrix
	ruleAnswer   = "answer"   // every response conforms to the contract, and the code of a refusal fits the request
)

// refused checks that a refusal has a code that fits the request. The office may be
// closed and the disk full at any time.
func (r *ride) refused(path string, a *answer, codes ...taxi.Code) bool {
	if a.status == 0 {
		return false
	}
	codes = append(codes, taxi.CodeServiceClosed, taxi.CodeDispatchPaused, taxi.CodeStorageUnavailable, taxi.CodeOutcomeUnknown)
	if !slices.Contains(codes, a.problem.Code) {
		r.day.fail(ruleAnswer, fmt.Sprintf("ride %d: %s was refused with %s: %s", r.n, path, a.problem.Code, a.body))
		return false
	}
	return true
}

// checkAnswer checks an answer by the contract.
func (w *watch) checkAnswer(path string, a *answer) {
	if err := a.checkShape(path); err != nil {
		w.day.fail(ruleAnswer, fmt.Sprintf("%s: %v: %s", path, err, a.body))
	}
	if judge := w.day.o.Contract; judge != nil {
		if err := judge(path, a.status, a.body); err != nil {
			w.day.fail(ruleAnswer, fmt.Sprintf("%s: %v: %s", path, err, a.body))
		}
	}
	if a.status == http.StatusInternalServerError {
		w.day.fail(ruleAnswer, fmt.Sprintf("%s failed: %s", path, a.body))
	}
}
