package webline

import (
	"sync/atomic"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// Rate is the rate of the sound.
func (l *Line) Rate() int { return Rate }

// Start names who is told what comes from the browser.
func (l *Line) Start(far soundline.Far) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.far = far
}

// Ring tells the browser that it rings, Answer that the platform has answered.
func (l *Line) Ring()   { l.tell(told{State: ringing}) }
func (l *Line) Answer() { l.tell(told{State: answered}) }

// Send lets the browser hear 20 ms of sound.
func (l *Line) Send(frame []int16) { l.out.addSound(sound(frame)) }

// Key tells the browser a key of the other person.
func (l *Line) Key(k byte) { l.tell(told{Key: string(rune(k))}) }

// Hangup ends the call from the platform's side.
func (l *Line) Hangup(_ voice.Cause, reason string) {
	l.tell(told{State: ended, Reason: reason})
	l.close()
}

// Leg is the leg of the line's call, of which of is what soundline makes of the line: the browser learns
// when a prompt is interrupted and when it is heard, and what is typed is said. hears is called when the browser is
// heard to speak, and when it has paused; it may be nil.
func (l *Line) Leg(of voice.Leg, hears func(speaks bool)) voice.Leg {
	return &leg{Leg: of, line: l, hears: hears}
}

type leg struct {
	voice.Leg

	line   *Line
	hears  func(speaks bool)
	prompt atomic.Int64 // that is being played; 0: none
}

// Unwrap is the leg of soundline, which another line passes its sound to.
func (g *leg) Unwrap() voice.Leg { return g.Leg }

// Start begins to report.
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

// heard tells the browser, and who else wants to know, that the caller speaks or has paused.
func (g *leg) heard(speaks bool) {
	g.line.tell(told{Hearing: &speaks})
	if g.hears != nil {
		g.hears(speaks)
	}
}

// Play plays a prompt instead of the one that is being played.
func (g *leg) Play(p voice.Prompt) {
	g.hush()
	g.prompt.Store(int64(p.ID))
	g.Leg.Play(p)
}

// Stop stops what is played, also what the browser has yet to play.
func (g *leg) Stop() {
	g.Leg.Stop()
	g.hush()
}

// hush has the browser play no more of a prompt that has not been heard to its end.
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
