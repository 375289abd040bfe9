package soundline

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// tell reports what happens, unless the line is over.
func (l *line) tell(ev voice.LegEvent) {
	l.mu.Lock()
	report := l.report
	over := l.over
	l.mu.Unlock()
	if !over && report != nil {
		report(ev)
	}
}

// Ringing is when the far end rings.
func (l *line) Ringing() { l.tell(voice.LegEvent{Kind: voice.LegRinging}) }

// EarlyMedia is when the far end is heard before it answers.
func (l *line) EarlyMedia() { l.tell(voice.LegEvent{Kind: voice.LegEarlyMedia}) }

// Answered is when the far end has answered.
func (l *line) Answered() {
	l.open()
	l.tell(voice.LegEvent{Kind: voice.LegAnswered})
}

// Ended is when the far end has gone.
func (l *line) Ended(cause voice.Cause, reason string) {
	l.mu.Lock()
	report := l.report
	l.mu.Unlock()
	if l.close(cause, reason) && report != nil {
		report(voice.LegEvent{Kind: voice.LegEnded, Cause: cause, Reason: reason})
	}
}

// Key is a key that the far end has pressed. Whoever is bridged hears it as well.
func (l *line) Key(k byte) {
	l.mu.Lock()
	peer, deaf := l.peer, l.over || !l.answered
	l.last = l.options.Clock.Now()
	l.mu.Unlock()
	if deaf {
		return
	}
	if peer != nil {
		peer.Hear(voice.Sound{Key: k, Audio: voice.Beep(941, 100*time.Millisecond)})
	}
	l.tell(voice.LegEvent{Kind: voice.LegKey, Key: k})
}

// Frame is sound of the far end. The wire calls it from one goroutine at a time, so
// the resamplers need no lock of their own.
func (l *line) Frame(at time.Time, pcm []int16) {
	l.mu.Lock()
	if l.over || !l.answered {
		l.mu.Unlock()
		return
	}
	l.last = l.options.Clock.Now()
	peer, toPeer, tap := l.peer, l.toPeer, l.tap
	events := l.ear.hear(at, pcm, l.prompt != nil)
	l.listen(events)
	l.mu.Unlock()
	if tap != nil {
		l.spare = l.toTap.Add(l.spare[:0], pcm)
		tap(at, slices.Clone(l.spare))
	}
	if toPeer != nil {
		l.spare = toPeer.Add(l.spare[:0], pcm)
		peer.(*line).pass(l.spare)
	}
	l.noticed(events, peer, toPeer != nil)
}

// listen looks after a line that sends nothing in silence, as some do: the end of
// speech must be noticed without another frame. The lock is held.
func (l *line) listen(events []voice.LegEvent) {
	for _, ev := range events {
		if l.hush != nil {
			l.hush.Stop()
			l.hush = nil
		}
		if ev.Kind == voice.LegSpeechStarted {
			l.hush = l.options.Clock.AfterFunc(l.options.Endpoint.End, l.hushed)
		}
	}
}

// hushed ends the speech of a line from which nothing comes any more.
func (l *line) hushed() {
	l.mu.Lock()
	if l.over || !l.ear.speaking {
		l.mu.Unlock()
		return
	}
	since := l.options.Clock.Now().Sub(l.last)
	if wait := l.options.Endpoint.End - since; wait > 0 {
		l.hush = l.options.Clock.AfterFunc(wait, l.hushed)
		l.mu.Unlock()
		return
	}
	l.hush = nil
	peer, framed := l.peer, l.toPeer != nil
	events := []voice.LegEvent{l.ear.end()}
	l.mu.Unlock()
	l.noticed(events, peer, framed)
}

// noticed reports what the ear has noticed. A bridged leg that takes no frames hears
// what was said once it has been said.
func (l *line) noticed(events []voice.LegEvent, peer voice.Leg, framed bool) {
	for _, ev := range events {
		if ev.Kind == voice.LegSpeechEnded && peer != nil && !framed {
			audio := ev.Speech.Audio
			heard := voice.Audio{Length: audio.Length, Samples: func() []int16 { return audio.At(voice.SampleRate) }}
			peer.Hear(voice.Sound{Audio: heard})
		}
		l.tell(ev)
	}
}
