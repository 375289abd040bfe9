package voice

import "context"

// Turn asks somebody else how a call goes on: a hook of a third party, or a
// plugin in this process. It may take its time, up to [Options.TurnTimeout], after
// which ctx ends and the turn has failed. The document it returns replaces what
// was left of the one before; an empty one ends the program. It is run as it is:
// a hook's was read by [ParseDocument], and a plugin's tests hold what it makes
// against [Document.Check]. A turn that returns an error or panics has failed, and
// the program ends with [OutcomeError]. So has one that is the call's 51st
// ([MaxTurns]).
type Turn func(ctx context.Context, request TurnRequest) (Document, error)

// TurnRequest is what a turn is asked.
type TurnRequest struct {
	Info
	Number int        // of the turn in its program, from 1
	Action string     // [ActionStart], [ActionRedirect], [ActionHangup], or the label of the gather or dial that ended
	Reason TurnReason // why it is asked

	Digits     string  // a gather's
	Speech     string  // a gather's
	Confidence float64 // of Speech, 0 to 1

	URL    string      // a redirect's
	Dial   *DialResult // a dial's
	Result *Result     // with ActionHangup
}

// The actions that no label stands for.
const (
	ActionStart    = "start"    // a program begins that has no verbs of its own
	ActionRedirect = "redirect" // a redirect was reached
	ActionHangup   = "hangup"   // the call has ended; what is answered is ignored
	ActionGather   = "gather"   // the label of a gather without one
)

// TurnReason is why a turn is asked.
type TurnReason string

// The reasons of a turn. The first four are how a gather ended.
const (
	ReasonDigits   TurnReason = "digits"
	ReasonSpeech   TurnReason = "speech"
	ReasonTimeout  TurnReason = "timeout"  // nothing was pressed or said
	ReasonNoMatch  TurnReason = "no-match" // too few keys, or words nobody could make out
	ReasonDial     TurnReason = "dial"
	ReasonStart    TurnReason = "start"
	ReasonRedirect TurnReason = "redirect"
	ReasonHangup   TurnReason = "hangup"
)

// DialResult is what became of a dial.
type DialResult struct {
	CallID       string  `json:"dialCallId,omitempty"`     // of the leg that answered, or the last one tried
	To           string  `json:"to,omitempty"`             // its target: the role where there is one
	From         string  `json:"from,omitempty"`           // the number it was shown
	Status       State   `json:"dialCallStatus,omitempty"` // completed, busy, no-answer or failed; with dial.started there is none
	Duration     Seconds `json:"dialCallDuration"`
	RingDuration Seconds `json:"dialRingDuration"`
	Cause
	EndedBy     Party  `json:"dialHangupParty,omitempty"`
	RecordingID string `json:"recordingId,omitempty"`
}

// Program is what a call runs from one point of its flow to the next: a document,
// and a turn that it goes on with.
type Program struct {
	Verbs Document // nil: the turn is asked first, with ActionStart
	Turn  Turn     // nil: no verb makes a turn, and the document just runs on
	Voice string   // of its prompts; default [Options.Voice]
}

// Ended is what became of a program whose call is still up.
type Ended struct {
	Outcome Outcome
	Dial    *DialResult // of the dial that was the last verb, or nil
	Err     error       // with OutcomeError
}

// Next says how a call goes on when a program has ended with the caller still
// there: with another program, or not at all (nil). It is asked at most
// [MaxPrograms] times in a call and may take its time, as a [Turn] may.
type Next func(ctx context.Context, call Info, ended Ended) *Program
