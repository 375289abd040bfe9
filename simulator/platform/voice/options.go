package voice

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"
)

// Options are an engine's. Clock and NewID are required; the zero value of each
// other one works.
type Options struct {
	Clock Clock
	NewID func() string // of calls, legs and recordings: unique

	// Events is told what becomes of each call: in order in each call, of several
	// calls at once. It does not block. Heard is told each line of a transcript as
	// it is written.
	Events func(Event)
	Heard  func(Info, Line)

	// Listening is told when a gather begins to wait for an answer, its prompts being over,
	// with how long the call has lasted. Who cuts a prompt short is not waited for. It does
	// not block.
	Listening func(call Info, since time.Duration)

	// Route names the ways to reach a target, in the order they are tried: the
	// next one when nothing was heard from the one before, or 408 or 5xx. An error
	// that is a [*Failure] gives the cause. It does not block for long. Default: no
	// target can be reached.
	Route func(call Info, target Target) ([]Route, error)

	// CallerID says which number a dialled target sees, given the one that was
	// asked for, perhaps "". Default: the one that was asked for.
	CallerID func(call Info, wanted string) string

	Synthesizer Synthesizer                                                     // default [Paced] with 150 words a minute
	Recogniser  Recogniser                                                      // default [Words]
	Fetch       func(ctx context.Context, call Info, url string) (Audio, error) // for play; default: an error
	Recorder    Recorder                                                        // default: an error, and no recording

	Voice    string // of prompts; default en-GB-Standard-B
	Language string // of speech; default en-GB
	Apology  string // said before a call is hung up because a turn failed and no program follows

	// The Clock's time, also where a turn waits for somebody who lives by the
	// wall: an engine that runs N times as fast wants N times as much of it.
	TurnTimeout  time.Duration // default 10 s
	ComfortAfter time.Duration // how long a turn may leave an answered call in silence; default 3 s
	MaxCalls     int           // at once; default 10,000
	MaxCallTime  time.Duration // of one call, ringing included; default 5 h

	Logger *slog.Logger // told of panics in what was handed in; default: nobody
}

// Bounds of one call.
const (
	MaxTurns    = 50
	MaxPrograms = 50
)

// Errors of [Engine.Place] and [Engine.Receive].
var (
	ErrFull   = errors.New("voice: as many calls as there may be at once")
	ErrClosed = errors.New("voice: the engine is closed")
)

// Outgoing is a call that the platform places.
type Outgoing struct {
	Info    Info // ID may be "": one is made. Direction and To are filled in
	Target  CallTarget
	Program Program // runs once the target has answered
	Next    Next
	Done    func(Result) // told when the call is over, after its last event
}

// Incoming is a call that has come in on a leg.
type Incoming struct {
	Info    Info // ID may be "": one is made. Direction is filled in
	Leg     Leg
	Program Program
	Next    Next
	Done    func(Result)
}

// Result is what became of a call.
type Result struct {
	Info
	State   State
	Outcome Outcome // of the last program, or of the ringing if it was not answered
	Ending
	Began, Answered, Ended time.Time // Answered is zero if nobody did
	Transcript             []Line
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	o.Voice = cmp.Or(o.Voice, "en-GB-Standard-B")
	o.Language = cmp.Or(o.Language, "en-GB")
	o.Apology = cmp.Or(o.Apology, "Sorry, something has gone wrong. Please try again later.")
	o.TurnTimeout = cmp.Or(o.TurnTimeout, 10*time.Second)
	o.ComfortAfter = cmp.Or(o.ComfortAfter, 3*time.Second)
	o.MaxCalls = cmp.Or(o.MaxCalls, 10000)
	o.MaxCallTime = cmp.Or(o.MaxCallTime, 5*time.Hour)
	if o.Events == nil {
		o.Events = func(Event) {}
	}
	if o.Heard == nil {
		o.Heard = func(Info, Line) {}
	}
	if o.Listening == nil {
		o.Listening = func(Info, time.Duration) {}
	}
	if o.Route == nil {
		o.Route = func(Info, Target) ([]Route, error) {
			return nil, &Failure{CauseUnrouted, "nothing is connected to this engine"}
		}
	}
	if o.CallerID == nil {
		o.CallerID = func(_ Info, wanted string) string { return wanted }
	}
	if o.Synthesizer == nil {
		o.Synthesizer = Paced{}
	}
	if o.Recogniser == nil {
		o.Recogniser = Words{}
	}
	if o.Fetch == nil {
		o.Fetch = func(context.Context, Info, string) (Audio, error) {
			return Audio{}, errors.New("recordings are not fetched here")
		}
	}
	if o.Recorder == nil {
		o.Recorder = func(Info, string) (RecordingFile, error) { return nil, errors.New("nothing is recorded here") }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}
