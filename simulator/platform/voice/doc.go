// Package voice is the call engine of the reference voice platform: documents of
// verbs, calls and their legs. It knows nothing of accounts, of HTTP or of taxis.
//
// # Documents
//
// A [Document] is what a call is told to do. [ParseDocument] and [ParseRequest]
// read them strictly, and name everything that is wrong with one at once. In Go
// they are written as they are thought of:
//
//	voice.Document{
//		voice.Say{Text: []string{"Hello."}},
//		voice.Gather{NumDigits: 1, Verbs: voice.Document{voice.Say{Text: []string{"To book, press 1."}}}},
//	}
//
// # Calls
//
// An [Engine] takes calls in two ways: [Engine.Place] dials a target and runs a
// program once it has answered, [Engine.Receive] runs a program for whoever has
// called. A call goes through these states, and each change is an [Event]:
//
//	        queued ──────────────┐
//	          │                  │
//	        trying ──────────────┤
//	          │                  │
//	┌──── ringing ───────────────┤   busy         somebody was busy, or reject says so
//	│         │                  ├─▶ no-answer    nobody answered in time
//	│    early-media ────────────┤   failed       refused, or not to be reached
//	│         │                  │   canceled     given up before it was answered
//	└─▶ in-progress              │
//	          │                  ▼
//	          └─▶ completed    (final, as completed is)
//
// A call that has come in rings until a verb answers it: say, play and gather do at
// once, dial does at the moment its target answers. What ended it is told in the
// languages of SIP and of Q.850 ([CauseOf]).
//
// What a call does is a [Program]: a document, and a [Turn] that answers with the
// next one. A turn is asked when a program begins without a document, when a gather
// or a dial with an action is done, and by redirect. When a document ends and the
// call is still up, [Next] names the program that follows; this is how a flow goes
// from device to device. Without one the platform hangs up.
//
// # Lines
//
// The sides of a call are [Leg] values, which the package only drives: a simulated
// line is in simline, a real one elsewhere. [Options.Route] makes the legs of
// targets. Speech is made by a [Synthesizer] and understood by a [Recogniser]; the
// defaults, [Paced] and [Words], make no sound and take words as the line knows
// them, and keep the time that speaking would take.
//
// # Time
//
// An engine has no goroutines. A call is a set of facts with a mailbox, and moves
// when its line reports something, when a timer of the [Clock] is due or when
// somebody else's answer comes. So ten thousand calls cost what happens in them,
// and on a [Virtual] clock a call of an hour takes a millisecond and comes out the
// same every time.
//
// Where the interface is silent on what a verb does, what is decided here is this
// project's decision; the comments of the verbs say what the interface shows.
package voice
