package voice

import "context"

// Turn asks a hook of a third party, or a plugin in this process, how a call continues.
// It may block, up to [Options.TurnTimeout], after which ctx ends and the turn has
// failed. The returned document replaces the rest of the previous one; an empty one ends
// the program. It is not validated here: [ParseDocument] validates the document of a
// hook, and a plugin's tests use [Document.Check]. If a turn returns an error or panics,
// or is the call's 51st ([MaxTurns]), it has failed, and the program ends with
// [OutcomeError].
type Turn func(ctx context.Context, request TurnRequest) (Document, error)

// TurnRequest is the request of a turn.
type TurnRequest struct {
	Info
	Number int        // number of the turn in its program, from 1
	Action string     // [ActionStart], [ActionRedirect], [ActionHangup], or the label of the gather or dial that ended
	Reason TurnReason // the reason of the turn

	Digits     string  // of a gather
	Speech     string  // of a gather
	Confidence float64 // of Speech, 0 to 1

	Alternatives []Alternative // to Speech
	Sound        bool          // of [Recognition], as are the next two
	Witness      string
	Loud         bool

	URL    string      // of a redirect
	Dial   *DialResult // of a dial
	Result *Result     // with ActionHangup
}

// Actions other than labels.
const (
	ActionStart    = "start"    // the program has begun without verbs
	ActionRedirect = "redirect" // a redirect
	ActionHangup   = "hangup"   // the call has ended; the response is ignored
	ActionGather   = "gather"   // the default label of a gather
)

// TurnReason is the reason of a turn.
type TurnReason string

// The reasons. The first four are the results of a gather.
const (
	ReasonDigits   TurnReason = "digits"
	ReasonSpeech   TurnReason = "speech"
	ReasonTimeout  TurnReason = "timeout"  // no keys and no speech
	ReasonNoMatch  TurnReason = "no-match" // too few keys, or unrecognised speech
	ReasonDial     TurnReason = "dial"
	ReasonStart    TurnReason = "start"
	ReasonRedirect TurnReason = "redirect"
	ReasonHangup   TurnReason = "hangup"
)

// DialResult is the result of a dial.
type DialResult struct {
	CallID       string  `json:"dialCallId,omitempty"`     // of the leg that answered, or the last one tried
	To           string  `json:"to,omitempty"`             // its target: the role if there is one
	From         string  `json:"from,omitempty"`           // the number shown to it
	Status       State   `json:"dialCallStatus,omitempty"` // completed, busy, no-answer or failed; absent in dial.started
	Duration     Seconds `json:"dialCallDuration"`
	RingDuration Seconds `json:"dialRingDuration"`
	Cause
	EndedBy     Party  `json:"dialHangupParty,omitempty"`
	RecordingID string `json:"recordingId,omitempty"`
}

// Program is a section of a call's flow: a document, and a turn for the next document.
type Program struct {
	Verbs Document // nil: the program begins with a turn, with ActionStart
	Turn  Turn     // nil: no verb makes a turn; the next verb follows
	Voice string   // of its prompts; default [Options.Voice]
}

// Ended is the result of a program whose call is still up.
type Ended struct {
	Outcome Outcome
	Dial    *DialResult // of the dial that was the last verb, or nil
	Err     error       // with OutcomeError
}

// Next returns the program that follows when one has ended and the call is still up; nil:
// none. It is called at most [MaxPrograms] times in a call and may block like a [Turn].
type Next func(ctx context.Context, call Info, ended Ended) *Program
