package voice

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"
)

// Options configures an engine. Clock and NewID are required; the zero value of every
// other field is valid.
type Options struct {
	Clock Clock
	NewID func() string // returns unique ids for calls, legs and recordings

	// Events receives the events of calls, in order for each call, concurrently for
	// several. It must not block. Heard receives each line of a transcript as it is
	// written.
	Events func(Event)
	Heard  func(Info, Line)

	// Listening is called when a gather begins to wait for an answer after its prompts,
	// with the duration of the call so far. It is not called if the prompts are
	// interrupted. It must not block.
	Listening func(call Info, since time.Duration)

	// Route returns the routes to a target, in the order in which they are tried: the
	// next one is tried if the previous one did not respond, or failed with 408 or 5xx.
	// An error that is a [*Failure] has a cause. It must not block for long. Default: no
	// target can be reached.
	Route func(call Info, target Target) ([]Route, error)

	// CallerID returns the number that a dialled target sees, given the requested number,
	// which may be "". Default: the requested number.
	CallerID func(call Info, wanted string) string

	Synthesizer Synthesizer                                                     // default [Paced] with 150 words a minute
	Recogniser  Recogniser                                                      // default [Words]
	Fetch       func(ctx context.Context, call Info, url string) (Audio, error) // for play; default: an error
	Recorder    Recorder                                                        // default: an error, and no recording

	Voice    string // of prompts; default en-GB-Standard-B
	Language string // of speech; default en-GB
	Apology  string // spoken before hanging up because a turn failed and no program follows

	// In the Clock's time, even if a turn waits for an HTTP response: an engine that is N
	// times as fast needs N times as much.
	TurnTimeout  time.Duration // default 10 s
	ComfortAfter time.Duration // silence of an answered call during a turn after which a tone is played; default 3 s
	MaxCalls     int           // simultaneous calls; default 10,000
	MaxCallTime  time.Duration // of one call, including ringing; default 5 h

	Logger *slog.Logger // for panics of user functions; default: none
}

// Limits of one call.
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
	Info    Info // ID may be "": it is generated. Direction and To are set by the engine
	Target  CallTarget
	Program Program // runs when the target has answered
	Next    Next
	Done    func(Result) // called when the call is over, after its last event
}

// Incoming is a call that has come in on a leg.
type Incoming struct {
	Info    Info // ID may be "": it is generated. Direction is set by the engine
	Leg     Leg
	Program Program
	Next    Next
	Done    func(Result)
}

// Result is the result of a call.
type Result struct {
	Info
	State   State
	Outcome Outcome // of the last program, or of the ringing if it was not answered
	Ending
	Began, Answered, Ended time.Time // Answered is zero if the call was not answered
	Transcript             []Line
}

// withDefaults sets the defaults.
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
