package simline

import (
	"errors"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Tie connects a call of a platform to another call of the same platform: prompts and
// speech of one call are speech in the other, and keys are keys. It returns the leg of
// the dialling call; after setup, arrive is called with the leg of the incoming call. If
// arrive fails, the dial is refused with the cause of its [voice.Failure], or else with
// [voice.CauseTrouble].
func Tie(clock voice.Clock, setup time.Duration, arrive func(voice.Leg) error) voice.Leg {
	t := &tie{clock: clock}
	out, in := &tieEnd{tie: t}, &tieEnd{tie: t}
	out.other, in.other = in, out
	out.began = func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.later(setup, func() { t.reach(out, arrive) })
	}
	return out
}

// tie is the state that both ends of the line share.
type tie struct {
	clock voice.Clock

	mu     sync.Mutex
	over   bool
	timers map[voice.Timer]bool
}

// reach passes the leg of the incoming call to arrive. If that fails, it ends the line and refuses the dial.
func (t *tie) reach(out *tieEnd, arrive func(voice.Leg) error) {
	err := arrive(out.other)
	if err == nil || !t.close() {
		return
	}
	cause, reason := voice.CauseTransport, err.Error()
	if failure, ok := errors.AsType[*voice.Failure](err); ok {
		cause, reason = failure.Cause, failure.Reason
	}
	out.tell(voice.LegEvent{Kind: voice.LegEnded, Cause: cause, Reason: reason})
}

// close ends the line. It returns false if the line had already ended.
func (t *tie) close() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return false
	}
	t.over = true
	for timer := range t.timers {
		timer.Stop()
	}
	t.timers = nil
	return true
}

// later runs f after d, if the line is still up. The lock is held.
func (t *tie) later(d time.Duration, f func()) voice.Timer {
	if t.timers == nil {
		t.timers = map[voice.Timer]bool{}
	}
	var timer voice.Timer
	timer = t.clock.AfterFunc(d, func() {
		t.mu.Lock()
		over := t.over
		delete(t.timers, timer)
		t.mu.Unlock()
		if !over {
			f()
		}
	})
	t.timers[timer] = true
	return timer
}

// tieEnd is the leg of one of the two calls.
type tieEnd struct {
	*tie
	other *tieEnd
	began func() // only for the dialling end

	report func(voice.LegEvent)
	peer   voice.Leg
	tap    func(time.Time, []int16)
	played playing
	said   saying
}

// playing is a prompt that one end is playing to the other call.
type playing struct {
	id    int
	timer voice.Timer // nil: none
}

// saying is the audio that the other leg is playing now.
type saying struct {
	voice.Utterance
	timer voice.Timer // nil: nothing
}

var _ voice.Leg = (*tieEnd)(nil)

// tell reports an event to the engine.
func (e *tieEnd) tell(ev voice.LegEvent) {
	e.mu.Lock()
	report := e.report
	e.mu.Unlock()
	if report != nil {
		report(ev)
	}
}

// Start starts reporting; the dialling end begins to call.
func (e *tieEnd) Start(report func(voice.LegEvent)) {
	e.mu.Lock()
	e.report = report
	e.mu.Unlock()
	if e.began != nil {
		e.began()
	}
}

// Ring reports to the dialling call that it rings.
func (e *tieEnd) Ring() { e.other.tell(voice.LegEvent{Kind: voice.LegRinging}) }

// Answer answers the call that dials.
func (e *tieEnd) Answer() { e.other.tell(voice.LegEvent{Kind: voice.LegAnswered}) }

// Play plays a prompt; the other call hears it as speech. Tones are not passed on: they
// are for people.
func (e *tieEnd) Play(p voice.Prompt) {
	e.Stop()
	e.mu.Lock()
	if e.over {
		e.mu.Unlock()
		return
	}
	if !p.Loop {
		e.played = playing{p.ID, e.later(p.Audio.Length, func() { e.heard(p.ID) })}
	}
	e.mu.Unlock()
	switch p.Kind {
	case voice.PromptSay:
		e.other.handleSound(voice.Sound{Audio: p.Audio, Text: p.Text})
	case voice.PromptPlay:
		e.other.handleSound(voice.Sound{Audio: p.Audio})
	}
}

// heard is called at the end of a prompt.
func (e *tieEnd) heard(prompt int) {
	e.mu.Lock()
	if e.played.id != prompt {
		e.mu.Unlock()
		return
	}
	e.played = playing{}
	e.mu.Unlock()
	e.tell(voice.LegEvent{Kind: voice.LegPromptEnded, Prompt: prompt})
}

// Stop stops a prompt; for the other call, the speaker pauses.
func (e *tieEnd) Stop() {
	e.mu.Lock()
	was := e.played
	e.played = playing{}
	e.mu.Unlock()
	if was.timer != nil {
		was.timer.Stop()
		e.other.pause()
	}
}

// handleSound handles a sound from the far side of an end.
func (e *tieEnd) handleSound(s voice.Sound) {
	e.mu.Lock()
	peer, tap, over := e.peer, e.tap, e.over
	e.mu.Unlock()
	if over {
		return
	}
	if tap != nil && s.Audio.Samples != nil {
		tap(e.clock.Now(), s.Audio.At(voice.SampleRate))
	}
	if peer != nil {
		peer.Hear(s)
	}
	if s.Key != 0 {
		e.tell(voice.LegEvent{Kind: voice.LegKey, Key: s.Key})
		return
	}
	e.pause()
	e.tell(voice.LegEvent{Kind: voice.LegSpeechStarted})
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.over {
		e.said = saying{voice.Utterance{Audio: s.Audio, Text: s.Text}, e.later(s.Audio.Length, e.pause)}
	}
}

// pause is called when the far side has finished speaking.
func (e *tieEnd) pause() {
	e.mu.Lock()
	was := e.said
	e.said = saying{}
	e.mu.Unlock()
	if was.timer == nil {
		return
	}
	was.timer.Stop()
	e.tell(voice.LegEvent{Kind: voice.LegSpeechEnded, Speech: was.Utterance})
}

// Bridge passes on the speech and keys of the other call.
func (e *tieEnd) Bridge(peer voice.Leg) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.peer = peer
}

// Hear passes the sound of a bridged leg to the other call.
func (e *tieEnd) Hear(s voice.Sound) { e.other.handleSound(s) }

// Tap passes on the sound of the other call.
func (e *tieEnd) Tap(sink func(at time.Time, pcm []int16)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tap = sink
}

// Hangup ends the line; the other call is notified after the speech so far.
func (e *tieEnd) Hangup(cause voice.Cause, reason string) {
	e.other.pause()
	if e.close() {
		e.other.tell(voice.LegEvent{Kind: voice.LegEnded, Cause: cause, Reason: reason})
	}
}
