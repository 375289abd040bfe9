package voice

import "fmt"

// Cause says why a leg or a call ended, as a SIP status and a Q.850 cause.
type Cause struct {
	SIP  int `json:"sipStatus,omitempty"` // the final SIP status; 200 for a call that was answered and hung up
	Q850 int `json:"q850Cause,omitempty"` // the cause of ITU-T Q.850
}

// The causes that the engine itself uses.
var (
	CauseNormal    = Cause{200, 16} // normal clearing
	CauseCanceled  = Cause{487, 16} // cancelled before it was answered
	CauseElsewhere = Cause{487, 26} // answered by another target
	CauseRingTime  = Cause{487, 19} // our own ring timer: it rang, but was not answered
	CauseBusy      = Cause{486, 17}
	CauseRejected  = Cause{603, 21}
	CauseUnrouted  = Cause{404, 1}  // unallocated number
	CauseTransport = Cause{503, 41} // the other side cannot be reached
	CauseTrouble   = Cause{500, 41} // temporary failure of the platform
	CauseTooFar    = Cause{483, 25} // the call has passed the maximum number of devices
	CauseNoService = Cause{480, 31} // hung up by a document before it was answered
)

// mapped is an entry of the table of causes.
type mapped struct {
	q850  int
	state State
}

// causes maps the final SIP status of an unanswered leg to a cause and a state. Other
// statuses are mapped by their class ([StateOf]). The Q.850 causes are those of RFC 3398;
// the states are this project's decision.
var causes = map[int]mapped{
	401: {21, StateFailed},
	402: {21, StateFailed},
	403: {21, StateFailed},
	404: {1, StateFailed},
	406: {79, StateFailed},
	407: {21, StateFailed},
	408: {102, StateNoAnswer},
	410: {22, StateFailed},
	415: {79, StateFailed},
	480: {18, StateNoAnswer},
	482: {25, StateFailed},
	483: {25, StateFailed},
	484: {28, StateFailed},
	485: {1, StateFailed},
	486: {17, StateBusy},
	487: {19, StateNoAnswer},
	488: {31, StateFailed},
	500: {41, StateFailed},
	501: {38, StateFailed},
	502: {38, StateFailed},
	503: {41, StateFailed},
	504: {102, StateFailed},
	600: {17, StateBusy},
	603: {21, StateFailed},
	604: {1, StateFailed},
}

// CauseOf returns the cause of a final SIP status.
func CauseOf(sip int) Cause {
	if row, ok := causes[sip]; ok {
		return Cause{sip, row.q850}
	}
	switch {
	case sip >= 200 && sip < 300:
		return Cause{sip, 16}
	case sip >= 500 && sip < 600:
		return Cause{sip, 41}
	}
	return Cause{sip, 31}
}

// StateOf returns the final state of a call that ended with a SIP status.
func StateOf(sip int) State {
	if row, ok := causes[sip]; ok {
		return row.state
	}
	if sip >= 200 && sip < 300 {
		return StateCompleted
	}
	return StateFailed
}

// OutcomeOf returns the exit of a flow for a final state.
func OutcomeOf(state State) Outcome {
	switch state {
	case StateCompleted:
		return OutcomeComplete
	case StateBusy:
		return OutcomeBusy
	case StateNoAnswer:
		return OutcomeNoAnswer
	}
	return OutcomeFail
}

// elsewhere reports whether another route to the same target may succeed: the far end did not respond, or failed with a
// 5xx status.
func (c Cause) elsewhere() bool { return c.SIP == 408 || c.SIP >= 500 && c.SIP < 600 }

// Failure is an error with the cause that a call must end with.
type Failure struct {
	Cause  Cause
	Reason string // text for people
}

// Error returns the reason.
func (f *Failure) Error() string { return fmt.Sprintf("%s (SIP %d)", f.Reason, f.Cause.SIP) }
