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
		if ev.Kind == voice.LegSpeechPaused {
			continue
		}
		if l.hush != nil {
			l.hush.Stop()
			l.hush = nil
		}
		if ev.Kind == voice.LegSpeechStarted {
			l.hush = l.options.Clock.AfterFunc(tail, l.hushed)
		}
	}
}

// hushed notices that nothing comes any more from a line whose far end was speaking: a pause,
// and then the end of speech.
func (l *line) hushed() {
	l.mu.Lock()
	var events []voice.LegEvent
	if !l.over && l.ear.speaking {
		events = l.silent(l.options.Clock.Now().Sub(l.last))
	}
	peer, framed := l.peer, l.toPeer != nil
	l.mu.Unlock()
	l.noticed(events, peer, framed)
}

// silent returns what is noticed after a time without frames, and plans when to look again; the
// lock is held.
func (l *line) silent(since time.Duration) (events []voice.LegEvent) {
	end := l.options.Endpoint.End
	next := end
	switch {
	case since >= end:
		l.hush = nil
		return []voice.LegEvent{l.ear.end(since)}
	case since < tail:
		next = tail
	case !l.ear.paused:
		events = []voice.LegEvent{l.ear.pause()}
	}
	l.hush = l.options.Clock.AfterFunc(next-since, l.hushed)
	return events
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
