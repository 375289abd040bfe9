// Package voice is the call engine of the reference voice platform: documents of verbs,
// calls and their legs. It does not depend on accounts, HTTP or taxis.
//
// # Documents
//
// A [Document] is a list of verbs for a call. [ParseDocument] and [ParseRequest] parse it
// strictly, and return all errors at once. In Go, a document is a literal:
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
// A call that has come in rings until a verb answers it: say, play and gather do at once,
// dial does at the moment its target answers. The reason for its end is given as a SIP
// status and a Q.850 cause ([CauseOf]).
//
// A call runs a [Program]: a document, and a [Turn] that returns the next document. A
// turn is made when a program begins without a document, after a gather or a dial with an
// action, and by redirect. When a document ends and the call is still up, [Next] names
// the program that follows; this is how a flow goes from device to device. Without one
// the platform hangs up.
//
// # Lines
//
// The sides of a call are [Leg] values, which other packages implement, such as simline
// for a simulated line. [Options.Route] returns the legs of targets. A [Synthesizer]
// produces speech and a [Recogniser] understands it; the defaults, [Paced] and [Words],
// produce no speech and use the words that the line knows, but take the time that
// speaking would take.
//
// # Time
//
// An engine has no goroutines. A call is a state with a mailbox, and continues when its
// line reports an event, when a timer of the [Clock] is due or when a response arrives.
// So idle calls cost nothing, and on a [Virtual] clock a call of an hour takes a
// millisecond and has the same result every time.
//
// Where the interface does not say what a verb does, its behaviour here is this project's
// decision; the comments of the verbs say what the interface shows.
package voice
