package voice

import "slices"

// State is where a call is in its life; the last five are final.
type State string

// The states of a call.
const (
	StateQueued     State = "queued"      // taken, nothing sent yet
	StateTrying     State = "trying"      // on its way to the other side
	StateRinging    State = "ringing"     // the called side rings
	StateEarlyMedia State = "early-media" // the called side is heard, and has not answered
	StateInProgress State = "in-progress" // answered
	StateCompleted  State = "completed"   // was answered, and is over
	StateBusy       State = "busy"
	StateNoAnswer   State = "no-answer"
	StateFailed     State = "failed"   // refused, or could not be placed
	StateCanceled   State = "canceled" // given up by the caller, or over the API, before it was answered
)

// follows says which state may come after which. What is not in it is final.
var follows = map[State][]State{
	StateQueued:     {StateTrying, StateFailed, StateCanceled},
	StateTrying:     {StateRinging, StateEarlyMedia, StateInProgress, StateBusy, StateNoAnswer, StateFailed, StateCanceled},
	StateRinging:    {StateEarlyMedia, StateInProgress, StateBusy, StateNoAnswer, StateFailed, StateCanceled},
	StateEarlyMedia: {StateInProgress, StateBusy, StateNoAnswer, StateFailed, StateCanceled},
	StateInProgress: {StateCompleted},
}

// Final tells whether a call in this state is over.
func (s State) Final() bool { return len(follows[s]) == 0 }

// Answered tells whether somebody has answered.
func (s State) Answered() bool { return s == StateInProgress || s == StateCompleted }

// May tells whether the state may be followed by another.
func (s State) May(next State) bool { return slices.Contains(follows[s], next) }

// Outcome is how a program of a call, or a dial, has come out: the exit that a
// flow leaves a device by.
type Outcome string

// The outcomes.
const (
	OutcomeComplete Outcome = "complete"  // ran to its end; of a dial: was answered
	OutcomeBusy     Outcome = "busy"      // the last verb was a dial, and the targets were busy
	OutcomeNoAnswer Outcome = "no-answer" // the last verb was a dial that nobody answered
	OutcomeFail     Outcome = "fail"      // the last verb was a dial that could not be placed or was refused
	OutcomeError    Outcome = "error"     // a turn failed
)

// Direction tells which side has placed a call.
type Direction string

// The directions, as the platform sees them.
const (
	Inbound  Direction = "inbound"
	Outbound Direction = "outbound"
)

// Party is one of those who take part in a call.
type Party string

// The parties of a call. Whoever a dial rings is a callee.
const (
	PartyCaller   Party = "caller"
	PartyCallee   Party = "callee"
	PartyPlatform Party = "platform"
)
