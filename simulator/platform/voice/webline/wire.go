package webline

import (
	"sync/atomic"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// Rate implements [soundline.Wire].
func (l *Line) Rate() int { return Rate }

// Start sets the receiver of the browser's sound and keys.
func (l *Line) Start(far soundline.Far) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.far = far
}

// Ring and Answer tell the browser that the call rings, and that the platform has answered.
func (l *Line) Ring()   { l.tell(told{State: ringing}) }
func (l *Line) Answer() { l.tell(told{State: answered}) }

// Send sends 20 ms of sound to the browser.
func (l *Line) Send(frame []int16) { l.out.addSound(sound(frame)) }

// Key tells the browser that the other person has pressed a key.
func (l *Line) Key(k byte) { l.tell(told{Key: string(rune(k))}) }

// Hangup ends the call on behalf of the platform.
func (l *Line) Hangup(_ voice.Cause, reason string) {
	l.tell(told{State: ended, Reason: reason})
	l.close()
}

// Leg returns the leg of the call. of is the leg that soundline makes of the line. The result also tells the
// browser when a prompt is interrupted and when the caller is heard, and reports typed words as speech. hears is
// called when the caller starts to speak and when they pause; it may be nil.
func (l *Line) Leg(of voice.Leg, hears func(speaks bool)) voice.Leg {
	return &leg{Leg: of, line: l, hears: hears}
}

type leg struct {
	voice.Leg

	line   *Line
	hears  func(speaks bool)
	prompt atomic.Int64 // the prompt that is being played; 0: none
}

// Unwrap returns the leg of soundline, so that other lines can pass it their sound.
func (g *leg) Unwrap() voice.Leg { return g.Leg }

// Start implements [voice.Leg].
func (g *leg) Start(report func(voice.LegEvent)) {
	g.line.mu.Lock()
	g.line.report = report
	g.line.mu.Unlock()
	g.Leg.Start(func(ev voice.LegEvent) {
		switch ev.Kind {
		case voice.LegSpeechStarted, voice.LegSpeechEnded:
			g.heard(ev.Kind == voice.LegSpeechStarted)
		case voice.LegPromptEnded:
			g.prompt.CompareAndSwap(int64(ev.Prompt), 0)
		}
		report(ev)
	})
}

// heard reports that the caller speaks or has paused: first to the function hears, so that it is recorded before the
// browser is notified.
func (g *leg) heard(speaks bool) {
	if g.hears != nil {
		g.hears(speaks)
	}
	g.line.tell(told{Hearing: &speaks})
}

// Play plays a prompt. It ends the current one.
func (g *leg) Play(p voice.Prompt) {
	g.hush()
	g.prompt.Store(int64(p.ID))
	g.Leg.Play(p)
}

// Stop ends the current prompt, including the part that the browser has not yet played.
func (g *leg) Stop() {
	g.Leg.Stop()
	g.hush()
}

// hush makes the browser discard the rest of the current prompt.
func (g *leg) hush() {
	if g.prompt.Swap(0) != 0 {
		g.line.out.clear()
		g.line.tell(told{Stop: true})
	}
}

// Bridge connects the caller with another person.
func (g *leg) Bridge(peer voice.Leg) {
	g.line.mu.Lock()
	g.line.peer = peer
	g.line.mu.Unlock()
	g.Leg.Bridge(peer)
}
