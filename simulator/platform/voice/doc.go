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
// An engine is made with [Options] and takes calls in two ways:
//
//	engine := voice.New(options)
//	call, err := engine.Place(voice.Outgoing{…})   // dials a target, then runs a program
//	call, err := engine.Receive(voice.Incoming{…}) // runs a program for whoever called
//	call.Hangup("reason")                          // from the outside, at any time
//	call.View()                                    // its state and transcript so far
//	engine.Call(id), engine.Calls()                // those that are up
//	engine.Close(ctx)                              // hangs up and waits for what is under way
//
// What a call does is a [Program]: a document and a [Turn] that answers with the
// next one. When a program ends and the call is still up, [Next] names the
// program that follows, which is how a flow goes from device to device.
package voice
