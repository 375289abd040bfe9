// Package soundline is a telephone line that carries sound: the part of a
// [voice.Leg] that a SIP line and a browser's microphone have in common.
//
// A [Wire] carries frames of sound to and from one far end, and knows packets. The
// leg that [New] makes of it does everything above them: it speaks prompts and
// plays recordings and tones, paces them, stops them at once when the caller
// speaks, notices when speech begins and ends, and connects two legs.
package soundline

import (
	"cmp"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Frame is how much sound goes over a wire at once.
const Frame = 20 * time.Millisecond

// Wire carries sound to and from one far end, such as RTP or a browser's
// WebSocket. Its methods are called one at a time and none of them blocks. It
// calls its [Far] from one goroutine at a time and holds no lock then that its own
// methods take. What it reports after Hangup is not listened to.
type Wire interface {
	// Rate is how many samples a second the wire carries, mono, of 16 bits: 8000
	// for a telephone line, 16000 for a browser. It does not change.
	Rate() int

	// Start is called first, once. A wire to a far end that is being called begins
	// to ring it.
	Start(Far)

	// Ring lets a far end that has called hear that it rings, Answer answers it.
	Ring()
	Answer()

	// Send sends one [Frame] of sound, Rate()/50 samples, to the far end. The leg
	// calls it when a frame is due, by absolute time: the wire only writes. The
	// frame belongs to the caller again when Send returns. While nothing is to be
	// heard no frame is sent, unless [Options.Comfort] is set.
	Send(frame []int16)

	// Key sends on a key that the far end of a bridged leg has pressed, as a
	// telephone-event: 0-9, * and #.
	Key(k byte)

	// Hangup ends the wire, whatever state it is in, and frees what it holds. It
	// is called once, also after the far end has ended the line: there is nothing
	// to send then.
	Hangup(cause voice.Cause, reason string)
}

// Far is what a wire reports to. [New]'s leg implements it.
type Far interface {
	Ringing()    // outgoing: the far end rings
	EarlyMedia() // outgoing: the far end is heard before it answers
	Answered()   // outgoing: the far end has answered

	// Frame is sound from the far end: mono samples of 16 bits at the wire's rate,
	// any number of them, in order, with the time of the first one by the clock of
	// [Options]. Gaps are silence. The samples belong to the wire again when Frame
	// returns. What comes before the line is answered is not listened to.
	Frame(at time.Time, pcm []int16)

	// Key is a key that the far end has pressed, once for each press: 0-9, * and #.
	Key(k byte)

	// Ended says that the far end has hung up, has refused or cannot be reached.
	// It is the last report.
	Ended(cause voice.Cause, reason string)
}

// Options are a line's. Clock is required; the zero value of each other one works.
type Options struct {
	Clock voice.Clock

	// Speaker speaks the prompts. nil: nobody does, and a prompt is silence of about
	// its length.
	Speaker speech.Speaker

	// Comfort has the line send quiet noise while nothing else is to be heard, as a
	// telephone line needs to stay open. A browser needs none.
	Comfort bool

	// Lost is how long an answered line may stay without a frame of its far end
	// before it ends; default 60 s, negative: for ever.
	Lost time.Duration

	Endpoint Endpoint
}

// Endpoint says how speech is told from silence. The zero value works.
type Endpoint struct {
	Begin   time.Duration // of sound that is speech; default 80 ms
	End     time.Duration // of silence that ends speech; default 500 ms
	Before  time.Duration // kept of what was heard before speech was noticed; default 300 ms
	Longest time.Duration // of one utterance; default 20 s
}

func (o Options) withDefaults() Options {
	o.Lost = cmp.Or(o.Lost, time.Minute)
	o.Endpoint.Begin = cmp.Or(o.Endpoint.Begin, 80*time.Millisecond)
	o.Endpoint.End = cmp.Or(o.Endpoint.End, 500*time.Millisecond)
	o.Endpoint.Before = cmp.Or(o.Endpoint.Before, 300*time.Millisecond)
	o.Endpoint.Longest = cmp.Or(o.Endpoint.Longest, 20*time.Second)
	return o
}

// New makes a leg of a wire. Whether its far end calls or is called is the wire's
// matter.
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

// samplesIn is how many samples a duration has at a rate.
func samplesIn(d time.Duration, rate int) int { return int(d * time.Duration(rate) / time.Second) }

// lasting is how long so many samples last.
func lasting(samples, rate int) time.Duration {
	return time.Duration(samples) * time.Second / time.Duration(rate)
}
