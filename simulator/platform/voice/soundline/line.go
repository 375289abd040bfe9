package soundline

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// line is a leg over a wire. What it reports, it reports without its lock: an engine
// answers at once with calls of the leg's methods.
type line struct {
	wire    Wire
	options Options
	rate    int

	mu       sync.Mutex
	report   func(voice.LegEvent)
	answered bool
	over     bool

	// What is sent.
	prompt *source   // that the engine plays, or nil
	heard  []*source // what a bridged leg without frames says: one after the other
	passed jitter    // frames of a bridged leg
	frame  []int16   // the one that is sent next
	hiss   *noise
	beat   func()
	beats  voice.Timer // nil: nothing is to be sent
	due    time.Time   // of the next frame

	// What has come.
	ear    *ear
	last   time.Time // that a frame has come, or the line was answered
	hush   voice.Timer
	lost   voice.Timer
	peer   voice.Leg
	toPeer *voice.Resampler // nil: the peer is no line of this package
	tap    func(at time.Time, pcm []int16)
	toTap  *voice.Resampler
	spare  []int16
}

var (
	_ voice.Leg = (*line)(nil)
	_ Far       = (*line)(nil)
)

// Start begins to report.
func (l *line) Start(report func(voice.LegEvent)) {
	l.mu.Lock()
	l.report = report
	l.mu.Unlock()
	l.wire.Start(l)
}

// Ring lets the far end hear that it rings.
func (l *line) Ring() { l.wire.Ring() }

// Answer answers the far end.
func (l *line) Answer() {
	l.wire.Answer()
	l.open()
}

// open is when both sides can be heard.
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

// missing ends a line that nothing has come from for too long.
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

// causeLost is that of a line that has gone silent: recovery on timer expiry.
var causeLost = voice.Cause{SIP: voice.CauseNormal.SIP, Q850: 102}

// Play lets the far end hear a prompt.
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

// Stop stops what is being heard.
func (l *line) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut()
}

// cut takes away the prompt; the lock is held.
func (l *line) cut() {
	if l.prompt != nil {
		l.prompt.drop()
		l.prompt = nil
	}
}

// around is a leg around another, such as one that reports more than the line does.
type around interface{ Unwrap() voice.Leg }

// Bridge lets another leg hear the far end.
func (l *line) Bridge(peer voice.Leg) {
	if outer, ok := peer.(around); ok {
		peer = outer.Unwrap() // to which frames are passed
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

// silence drops what bridged legs have said; the lock is held.
func (l *line) silence() {
	for _, s := range l.heard {
		s.drop()
	}
	l.heard = nil
	l.passed.drop()
}

// mostHeard is how many utterances of a bridged leg may wait.
const mostHeard = 32

// Hear lets the far end hear another leg: a key, words that are spoken here, or
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

// pass lets the far end hear frames of another line, at this one's rate.
func (l *line) pass(pcm []int16) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.passed.add(pcm, l.rate)
		l.pace()
	}
}

// Tap passes on what the far end says, at 8 kHz.
func (l *line) Tap(sink func(at time.Time, pcm []int16)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tap = sink
}

// Hangup ends the line from the platform's side.
func (l *line) Hangup(cause voice.Cause, reason string) { l.close(cause, reason) }

// close ends the line, and tells whether it was still there.
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
