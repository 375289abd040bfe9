// Package soundline is a telephone line that carries sound: the part of a
// [voice.Leg] that a SIP line and a browser's microphone have in common.
//
// A [Wire] carries frames of sound to and from one far end, in packets. The leg that
// [New] makes of it does the rest: it speaks prompts, plays recordings and tones at
// the right pace, stops them at once when the caller speaks, detects the beginning
// and the end of speech, and connects two legs.
package soundline

import (
	"cmp"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Frame is the length of a frame of sound.
const Frame = 20 * time.Millisecond

// Wire carries sound to and from one far end, such as RTP or a browser's
// WebSocket. Its methods are called one at a time and must not block. It calls its
// [Far] from one goroutine at a time, without holding a lock that its own methods
// need. Its reports after Hangup are ignored.
type Wire interface {
	// Rate returns the sample rate of the wire: 8000 for a telephone line, 16000 for
	// a browser. It does not change. Samples are mono and have 16 bits.
	Rate() int

	// Start is called first, once. The wire of an outgoing call starts to ring the
	// far end.
	Start(Far)

	// Ring and Answer signal to the far end of an incoming call that the call rings,
	// and that it is answered.
	Ring()
	Answer()

	// Send sends one [Frame] of sound, Rate()/50 samples, to the far end. The leg
	// calls it when the frame is due, so the wire sends at once. The wire must not
	// keep the slice. No frames are sent during silence, unless [Options.Comfort]
	// is set.
	Send(frame []int16)

	// Key sends a key that the far end of a bridged leg has pressed, as a
	// telephone-event: 0-9, * and #.
	Key(k byte)

	// Hangup ends the wire in any state and frees its resources. It is called once,
	// also after the far end has ended the line, when there is nothing to send.
	Hangup(cause voice.Cause, reason string)
}

// Far receives the reports of a wire. The leg that [New] returns implements it.
type Far interface {
	Ringing()    // outgoing: the far end rings
	EarlyMedia() // outgoing: the far end is heard before it answers
	Answered()   // outgoing: the far end has answered

	// Frame reports sound from the far end: any number of samples at the wire's rate,
	// in order, with the time of the first one on the clock of [Options]. Gaps are
	// silence. Frame does not keep the slice. Sound before the answer is ignored.
	Frame(at time.Time, pcm []int16)

	// Key reports a key that the far end has pressed, once for each press: 0-9, * and #.
	Key(k byte)

	// Ended reports that the far end has hung up, has refused or cannot be reached.
	// It is the last report.
	Ended(cause voice.Cause, reason string)
}

// Options configures a line. Only Clock is required.
type Options struct {
	Clock voice.Clock

	// Speaker speaks the prompts. nil: a prompt is silence of about the same length.
	Speaker speech.Speaker

	// Comfort makes the line send quiet noise during silence. A telephone line needs
	// it to stay open; a browser does not.
	Comfort bool

	// Phase returns the delay of the first frame of a line with Comfort, and so of each one. Calls that come at a regular rate would otherwise have their frames due at the
	// same moments. nil: not at all.
	Phase func() time.Duration

	// Lost is the time without frames from the far end after which an answered line
	// ends; default 60 s, negative: never.
	Lost time.Duration

	Endpoint Endpoint
}

// Endpoint configures the detection of speech. The zero value uses the defaults.
type Endpoint struct {
	Begin   time.Duration // sound that begins speech; default 80 ms
	End     time.Duration // silence that ends speech; default 500 ms
	Before  time.Duration // sound before the beginning that belongs to the utterance; default 300 ms
	Longest time.Duration // longest utterance; default 20 s
}

func (o Options) withDefaults() Options {
	o.Lost = cmp.Or(o.Lost, time.Minute)
	o.Endpoint.Begin = cmp.Or(o.Endpoint.Begin, 80*time.Millisecond)
	o.Endpoint.End = cmp.Or(o.Endpoint.End, 500*time.Millisecond)
	o.Endpoint.Before = cmp.Or(o.Endpoint.Before, 300*time.Millisecond)
	o.Endpoint.Longest = cmp.Or(o.Endpoint.Longest, 20*time.Second)
	return o
}

// New returns a leg over a wire, which may be that of an incoming or an outgoing call.
func New(wire Wire, options Options) voice.Leg {
	rate := wire.Rate()
	l := &line{
		wire: wire, options: options.withDefaults(), rate: rate, frame: make([]int16, samplesIn(Frame, rate)),
		toTap: voice.NewResampler(rate, voice.SampleRate), hiss: newNoise(),
	}
	l.ear = newEar(l.options.Endpoint, rate)
	l.beat = l.tick
	return l
}

// samplesIn returns the number of samples of a duration at a rate.
func samplesIn(d time.Duration, rate int) int { return int(d * time.Duration(rate) / time.Second) }

// lasting returns the duration of a number of samples at a rate.
func lasting(samples, rate int) time.Duration {
	return time.Duration(samples) * time.Second / time.Duration(rate)
}
