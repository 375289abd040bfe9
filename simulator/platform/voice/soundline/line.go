package soundline

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// line is a leg over a wire. It reports events without holding its lock, since the
// engine responds by calling methods of the leg.
type line struct {
	wire    Wire
	options Options
	rate    int

	mu       sync.Mutex
	report   func(voice.LegEvent)
	answered bool
	over     bool

	// Sound to the far end.
	prompt *source   // the current prompt, or nil
	heard  []*source // utterances of a bridged leg that sends no frames
	passed jitter    // frames of a bridged line
	frame  []int16   // the next frame
	hiss   *noise
	beat   func()
	beats  voice.Timer // nil: there is nothing to send
	due    time.Time   // when the next frame is due

	// Sound from the far end.
	ear    *ear
	last   time.Time // of the last frame, or when the line was answered
	hush   voice.Timer
	lost   voice.Timer
	peer   voice.Leg
	toPeer *voice.Resampler // nil: the peer is not a line of this package
	tap    func(at time.Time, pcm []int16)
	toTap  *voice.Resampler
	spare  []int16
}

var (
	_ voice.Leg = (*line)(nil)
	_ Far       = (*line)(nil)
)

// Start implements [voice.Leg].
func (l *line) Start(report func(voice.LegEvent)) {
	l.mu.Lock()
	l.report = report
	l.mu.Unlock()
	l.wire.Start(l)
}

// Ring implements [voice.Leg].
func (l *line) Ring() { l.wire.Ring() }

// Answer implements [voice.Leg]. The line is open first: the far end may press a key as soon as it is told.
func (l *line) Answer() {
	l.open()
	l.wire.Answer()
}

// open starts the sound when the call has been answered.
func (l *line) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over || l.answered {
		return
	}
	l.answered = true
	l.last = l.options.Clock.Now()
	if l.options.Lost > 0 {
		l.lost = l.options.Clock.AfterFunc(l.options.Lost, l.missing)
	}
	if l.options.Comfort {
		l.pace()
	}
}

// missing ends an answered line that has received no frame for [Options.Lost].
func (l *line) missing() {
	l.mu.Lock()
	since := l.options.Clock.Now().Sub(l.last)
	if l.over || since < l.options.Lost {
		if !l.over {
			l.lost = l.options.Clock.AfterFunc(l.options.Lost-since, l.missing)
		}
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	l.Ended(causeLost, "no sound for "+l.options.Lost.String())
}

// causeLost is the cause of a line that receives no sound any more: recovery on timer expiry.
var causeLost = voice.Cause{SIP: voice.CauseNormal.SIP, Q850: 102}

// Play implements [voice.Leg].
func (l *line) Play(p voice.Prompt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut()
	if l.over {
		return
	}
	l.prompt = l.sourceOf(p.Kind == voice.PromptSay, p.Text, p.Voice, p.Audio)
	l.prompt.id, l.prompt.loop = p.ID, p.Loop
	l.pace()
}

// Stop implements [voice.Leg].
func (l *line) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut()
}

// cut discards the current prompt; the lock is held.
func (l *line) cut() {
	if l.prompt != nil {
		l.prompt.drop()
		l.prompt = nil
	}
}

// around is a leg that wraps another leg.
type around interface{ Unwrap() voice.Leg }

// Bridge implements [voice.Leg].
func (l *line) Bridge(peer voice.Leg) {
	if outer, ok := peer.(around); ok {
		peer = outer.Unwrap() // which takes frames
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.peer, l.toPeer = peer, nil
	if other, ok := peer.(*line); ok {
		l.toPeer = voice.NewResampler(l.rate, other.rate)
	}
	if peer == nil {
		l.silence()
	}
}

// silence discards the sound of bridged legs that has not been sent yet; the lock is held.
func (l *line) silence() {
	for _, s := range l.heard {
		s.drop()
	}
	l.heard = nil
	l.passed.drop()
}

// mostHeard limits the texts and sounds of a bridged leg that wait to be played.
const mostHeard = 32

// Hear implements [voice.Leg]. A sound is a key, a text that is spoken here, or
// samples.
func (l *line) Hear(s voice.Sound) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.over:
	case s.Key != 0:
		l.wire.Key(s.Key)
	case s.Audio.Length > 0 && len(l.heard) < mostHeard:
		l.heard = append(l.heard, l.sourceOf(s.Text != "", s.Text, "", s.Audio))
		l.pace()
	}
}

// pass queues frames of a bridged line, which have the rate of this one.
func (l *line) pass(pcm []int16) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.passed.add(pcm, l.rate)
		l.pace()
	}
}

// Tap implements [voice.Leg]. The sink receives samples at 8 kHz.
func (l *line) Tap(sink func(at time.Time, pcm []int16)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tap = sink
}

// Hangup implements [voice.Leg].
func (l *line) Hangup(cause voice.Cause, reason string) { l.close(cause, reason) }

// close ends the line. It reports false if the line had already ended.
func (l *line) close(cause voice.Cause, reason string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return false
	}
	l.over = true
	l.cut()
	l.silence()
	for _, t := range []voice.Timer{l.beats, l.hush, l.lost} {
		if t != nil {
			t.Stop()
		}
	}
	l.peer, l.toPeer, l.tap, l.ear = nil, nil, nil, nil
	l.wire.Hangup(cause, reason)
	return true
}
