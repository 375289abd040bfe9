package simline

import (
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// leg is the platform's side of a phone.
type leg struct{ *Phone }

var _ voice.Leg = leg{}

// Start starts reporting. A called phone rings after its set-up time.
func (l leg) Start(report func(voice.LegEvent)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report = report
	if l.calls {
		l.state = ringing
		return
	}
	if !l.setup.Dead {
		l.acts = append(l.acts, l.clock.AfterFunc(l.setup.Setup, l.reach))
	}
}

// reach is called when the call arrives at the called phone.
func (l leg) reach() {
	if l.setup.Refuse != 0 {
		l.Refuse(l.setup.Refuse)
		return
	}
	begin := func() {
		l.state = ringing
		if l.setup.AnswerAfter >= 0 {
			l.acts = append(l.acts, l.clock.AfterFunc(l.setup.AnswerAfter, l.Phone.Answer))
		}
	}
	kind := voice.LegRinging
	if l.setup.EarlyMedia {
		kind = voice.LegEarlyMedia
	}
	l.act(func() bool { return l.state == idle }, begin, voice.LegEvent{Kind: kind})
	l.notice(Happening{Kind: Ringing})
}

// Ring rings for a caller.
func (l leg) Ring() { l.notice(Happening{Kind: Ringing}) }

// Answer answers a caller.
func (l leg) Answer() {
	l.mu.Lock()
	if l.state == ringing {
		l.state = talking
	}
	l.mu.Unlock()
	l.notice(Happening{Kind: Answered})
}

// Play plays a prompt to the person.
func (l leg) Play(p voice.Prompt) {
	l.Stop()
	l.mu.Lock()
	if l.state == over {
		l.mu.Unlock()
		return
	}
	l.prompt = p.ID
	if !p.Loop {
		l.end = l.clock.AfterFunc(p.Audio.Length, func() { l.heard(p.ID) })
	}
	l.mu.Unlock()
	l.notice(Happening{Kind: Heard, Text: p.Text, Length: p.Audio.Length, From: sources[p.Kind]})
}

var sources = map[voice.PromptKind]Source{voice.PromptSay: FromPlatform, voice.PromptPlay: FromRecording, voice.PromptTone: FromTone}

// heard is called at the end of a prompt.
func (l leg) heard(prompt int) {
	l.mu.Lock()
	report := l.report
	if l.prompt != prompt {
		l.mu.Unlock()
		return
	}
	l.prompt, l.end = 0, nil
	l.mu.Unlock()
	l.notice(Happening{Kind: Silence})
	report(voice.LegEvent{Kind: voice.LegPromptEnded, Prompt: prompt})
}

// Stop stops the current prompt.
func (l leg) Stop() {
	l.mu.Lock()
	playing := l.prompt != 0
	if l.end != nil {
		l.end.Stop()
	}
	l.prompt, l.end = 0, nil
	l.mu.Unlock()
	if playing {
		l.notice(Happening{Kind: Cut})
	}
}

// Bridge passes the person's speech to another leg.
func (l leg) Bridge(peer voice.Leg) {
	l.mu.Lock()
	was := l.peer != nil
	l.peer = peer
	l.mu.Unlock()
	switch {
	case peer != nil:
		l.notice(Happening{Kind: Bridged})
	case was:
		l.notice(Happening{Kind: Parted})
	}
}

// Hear plays the sound of another leg to the person.
func (l leg) Hear(s voice.Sound) {
	if s.Key != 0 {
		l.notice(Happening{Kind: Key, Key: s.Key})
		return
	}
	l.notice(Happening{Kind: Heard, Text: s.Text, Length: s.Audio.Length, From: FromPerson})
}

// Tap passes on the sound of the person.
func (l leg) Tap(sink func(at time.Time, pcm []int16)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tap = sink
}

// Hangup ends the line from the platform's side.
func (l leg) Hangup(cause voice.Cause, reason string) {
	l.mu.Lock()
	if l.state == over {
		l.mu.Unlock()
		return
	}
	l.close()
	l.mu.Unlock()
	l.notice(Happening{Kind: Ended, Cause: cause, Text: reason})
}
