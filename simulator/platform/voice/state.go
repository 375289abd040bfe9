package voice

import "slices"

// State is the state of a call; the last five are final.
type State string

// The states of a call.
const (
	StateQueued     State = "queued"      // accepted, nothing sent yet
	StateTrying     State = "trying"      // sent to the called side
	StateRinging    State = "ringing"     // the called side rings
	StateEarlyMedia State = "early-media" // sound from the called side before it answers
	StateInProgress State = "in-progress" // answered
	StateCompleted  State = "completed"   // over, after it was answered
	StateBusy       State = "busy"
	StateNoAnswer   State = "no-answer"
	StateFailed     State = "failed"   // refused, or could not be placed
	StateCanceled   State = "canceled" // cancelled by the caller, or over the API, before it was answered
)

// follows lists the states that may follow each state. States without an entry are final.
var follows = map[State][]State{
	StateQueued:     {StateTrying, StateFailed, StateCanceled},
	StateTrying:     {StateRinging, StateEarlyMedia, StateInProgress, StateBusy, StateNoAnswer, StateFailed, StateCanceled},
	StateRinging:    {StateEarlyMedia, StateInProgress, StateBusy, StateNoAnswer, StateFailed, StateCanceled},
	StateEarlyMedia: {StateInProgress, StateBusy, StateNoAnswer, StateFailed, StateCanceled},
	StateInProgress: {StateCompleted},
}

// Final reports whether a call in this state is over.
func (s State) Final() bool { return len(follows[s]) == 0 }

// Answered reports whether the call has been answered.
func (s State) Answered() bool { return s == StateInProgress || s == StateCompleted }

// May reports whether a call may change from this state to next.
func (s State) May(next State) bool { return slices.Contains(follows[s], next) }

// Outcome is the result of a program of a call, or of a dial: the exit by which a flow
// leaves a device.
type Outcome string

// The outcomes.
const (
	OutcomeComplete Outcome = "complete"  // it was complete; a dial: it was answered
	OutcomeBusy     Outcome = "busy"      // the last verb was a dial, and the targets were busy
	OutcomeNoAnswer Outcome = "no-answer" // the last verb was a dial that nobody answered
	OutcomeFail     Outcome = "fail"      // the last verb was a dial that could not be placed or was refused
	OutcomeError    Outcome = "error"     // a turn failed
)

// Direction is the direction of a call.
type Direction string

// The directions, relative to the platform.
const (
	Inbound  Direction = "inbound"
	Outbound Direction = "outbound"
)

// Party is a participant of a call.
type Party string

// The parties of a call. The target of a dial is a callee.
const (
	PartyCaller   Party = "caller"
	PartyCallee   Party = "callee"
	PartyPlatform Party = "platform"
)
