package voice

import (
	"slices"
	"time"
)

// Document is a list of verbs that a call runs one after the other. It comes from a call
// request, from the response of a hook or from a plugin. In JSON it is an array of
// objects with one key each, the verb's name ([ParseDocument]); an empty document means
// that nothing is left to do.
//
// When a document ends and the call is still up, the call's program ends with it
// (see [Program]).
type Document []Verb

// Verb is one step of a [Document]: [Say], [Play], [Gather], [Dial], [Reject],
// [Hangup] or [Redirect].
type Verb interface {
	// Name returns the verb's key in a document, such as "say".
	Name() string

	run(c *Call) // runs the verb in a call
}

// verbs contains each verb once. Each has a name, members and an implementation; the
// OpenAPI documents describe it, and a test of the platform compares them with [Verbs].
var verbs = []Verb{Say{}, Dial{}, Play{}, Gather{}, Reject{}, Hangup{}, Redirect{}}

// Verbs returns one value of each verb, without fields.
func Verbs() []Verb { return slices.Clone(verbs) }

// The names of the verbs.
const (
	VerbSay      = "say"
	VerbPlay     = "play"
	VerbGather   = "gather"
	VerbDial     = "dial"
	VerbReject   = "reject"
	VerbHangup   = "hangup"
	VerbRedirect = "redirect"
)

// Say speaks. It answers a call that has not been answered.
//
// Interface: text, voice and loop are its fields, loop a string.
type Say struct {
	Text  []string `json:"text" limit:"required 1..20 of 1..1000 alone"` // 1 to 20 pieces of at most 1,000 characters, spoken in order
	Voice string   `json:"voice,omitempty" limit:"1..64"`                // default: the voice of the call; an unknown voice causes a warning, not a failure
	Loop  Loop     `json:"loop,string,omitempty"`                        // number of repetitions, 1 to 1,000; default 1. In JSON 0 means 1,000
}

// Play plays a recording from the web: WAV, fetched by [Options.Fetch].
// It answers a call that has not been answered. The interface names the verb
// without its fields.
type Play struct {
	URL  string `json:"url" limit:"required 1..2048"` // http or https
	Loop Loop   `json:"loop,string,omitempty"`        // as for Say
}

// Gather collects keys or speech, and makes the call's next turn with the input ([Turn]).
// It answers a call that has not been answered. The interface names the verb without its
// fields.
type Gather struct {
	Input  []Input  `json:"input,omitempty" limit:"1..2 distinct" oneOf:"digits,speech"` // default: digits
	Action string   `json:"action,omitempty" limit:"1..64"`                              // the label of the turn; default "gather"
	Verbs  Document `json:"verbs,omitempty"`                                             // only say and play, played while it listens

	Timeout     int      `json:"timeout,omitempty" limit:"1..60"`           // seconds of silence after the prompts, 1 to 60; default 10
	NumDigits   int      `json:"numDigits,omitempty" limit:"1..32"`         // sets MinDigits and MaxDigits together, 1 to 32
	MinDigits   int      `json:"minDigits,omitempty" limit:"1..32"`         // fewer digits are no match; default 1
	MaxDigits   int      `json:"maxDigits,omitempty" limit:"1..32"`         // this number ends the gather at once; default 1, or MinDigits
	FinishOnKey *string  `json:"finishOnKey,omitempty" limit:"0..1"`        // one of 0-9 * #, or "" for none; default "#"
	InterDigit  int      `json:"interDigitTimeout,omitempty" limit:"1..20"` // seconds of silence between digits, after MinDigits, 1 to 20; default 3
	Hints       Hints    `json:"hints,omitempty"`                           // likely answers, at most 100
	Expected    Expected `json:"-"`                                         // only a program of the platform itself knows it
	Firm        bool     `json:"-"`                                         // keys interrupt the prompts, speech does not
	Language    string   `json:"language,omitempty" limit:"2..35"`          // BCP 47; default en-GB
	SpeechEnd   int      `json:"speechTimeout,omitempty" limit:"1..10"`     // seconds of silence that end the speech, 1 to 10; default 1
	BargeIn     *bool    `json:"bargeIn,omitempty"`                         // keys or speech interrupt the prompts; default true
}

// Input is a kind of input of a [Gather].
type Input string

// What a gather may listen to.
const (
	InputDigits Input = "digits"
	InputSpeech Input = "speech"
)

// Dial rings one or several targets at once and connects the call with the first
// that answers. A call that has not been answered is answered at that moment.
//
// Interface: callerId, timeLimit, timeout and targets are its fields.
type Dial struct {
	CallerID  string   `json:"callerId,omitempty" limit:"0..40"`      // what the targets see, as [Options.CallerID] allows; "anonymous" hides it
	TimeLimit int      `json:"timeLimit,omitempty" limit:"60..14400"` // seconds of talk, 60 to 14,400; default 14,400
	Timeout   int      `json:"timeout,omitempty" limit:"5..180"`      // seconds of ringing, 5 to 180; default 30
	Targets   []Target `json:"targets" limit:"required 1..10"`
	Record    *Record  `json:"record,omitempty"`               // its presence switches recording on
	Action    string   `json:"action,omitempty" limit:"1..64"` // with it a turn follows the dial and replaces the rest; without, the next verb

	// Ringing is for devices and plugins in this process only: how long the targets
	// ring, in place of Timeout and its bounds.
	Ringing time.Duration `json:"-"`
}

// Record is how a [Dial] is recorded.
type Record struct {
	PlayBeep   bool `json:"playBeep,omitempty"`                   // both sides hear a tone first
	MaxLength  int  `json:"maxLength,omitempty" limit:"1..14400"` // seconds, 1 to 14,400; default: the dial's time limit
	Transcribe bool `json:"transcribe,omitempty"`                 // what was said comes with the recording
}

// Reject refuses a call that has not been answered. On one that has been
// answered it hangs up, and a warning event says so. The interface names the verb
// without its fields.
type Reject struct {
	Reason RejectReason `json:"reason,omitempty" oneOf:"rejected,decline,busy"` // default rejected
}

// RejectReason is why a call is refused.
type RejectReason string

// The reasons to reject a call. On the wire "decline" is "rejected" as well.
const (
	RejectRejected RejectReason = "rejected" // SIP 603, Q.850 cause 21
	RejectBusy     RejectReason = "busy"     // SIP 486, Q.850 cause 17
)

// Hangup ends the call.
//
// Interface: reason is its field.
type Hangup struct {
	Reason string `json:"reason,omitempty" limit:"0..128"` // free text of at most 128 characters, shown in events

	// Cause is for plugins in this process only: the cause given to the other
	// side. The zero value is normal clearing (16), and 480 with cause 31 for a
	// call that has not been answered.
	Cause Cause `json:"-"`
}

// Redirect makes the next turn at another address; the response replaces the rest of the document. The interface
// names the verb without its fields.
type Redirect struct {
	URL string `json:"url" limit:"required 1..2048"` // http or https, or relative to the address of the hook
}

// Name returns the verb's key in a document.
func (Say) Name() string { return VerbSay }

// Name returns the verb's key in a document.
func (Play) Name() string { return VerbPlay }

// Name returns the verb's key in a document.
func (Gather) Name() string { return VerbGather }

// Name returns the verb's key in a document.
func (Dial) Name() string { return VerbDial }

// Name returns the verb's key in a document.
func (Reject) Name() string { return VerbReject }

// Name returns the verb's key in a document.
func (Hangup) Name() string { return VerbHangup }

// Name returns the verb's key in a document.
func (Redirect) Name() string { return VerbRedirect }
