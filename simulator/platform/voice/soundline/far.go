package soundline

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// tell reports an event to the engine, unless the line has ended.
func (l *line) tell(ev voice.LegEvent) {
	l.mu.Lock()
	report := l.report
	over := l.over
	l.mu.Unlock()
	if !over && report != nil {
		report(ev)
	}
}

// Ringing implements [Far].
func (l *line) Ringing() { l.tell(voice.LegEvent{Kind: voice.LegRinging}) }

// EarlyMedia implements [Far].
func (l *line) EarlyMedia() { l.tell(voice.LegEvent{Kind: voice.LegEarlyMedia}) }

// Answered implements [Far].
func (l *line) Answered() {
	l.open()
	l.tell(voice.LegEvent{Kind: voice.LegAnswered})
}

// Ended implements [Far].
func (l *line) Ended(cause voice.Cause, reason string) {
	l.mu.Lock()
	report := l.report
	l.mu.Unlock()
	if l.close(cause, reason) && report != nil {
		report(voice.LegEvent{Kind: voice.LegEnded, Cause: cause, Reason: reason})
	}
}

// Key implements [Far]. A bridged leg hears the key as well.
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

// Frame implements [Far]. Since the wire calls it from one goroutine at a time, the
// resamplers need no lock of their own.
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

// listen plans a check for the end of speech, since some lines send no frames during
// silence. The lock is held.
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
			l.hush = l.options.Clock.AfterFunc(tail, l.checkSilence)
		}
	}
}

// checkSilence reports a pause, and later the end of speech, if no more frames arrive after speech.
func (l *line) checkSilence() {
	l.mu.Lock()
	var events []voice.LegEvent
	if !l.over && l.ear.speaking {
		events = l.silent(l.options.Clock.Now().Sub(l.last))
	}
	peer, framed := l.peer, l.toPeer != nil
	l.mu.Unlock()
	l.noticed(events, peer, framed)
}

// silent returns the events that are due after a time without frames, and schedules the next check; the lock is held.
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
	l.hush = l.options.Clock.AfterFunc(next-since, l.checkSilence)
	return events
}

// noticed reports events. A bridged leg that takes no frames hears each utterance at
// its end.
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
