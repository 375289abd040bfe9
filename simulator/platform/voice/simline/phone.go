// Package simline is a simulated telephone line: the far end of a call is a
// person who is played by a script, by a program or by somebody at a keyboard.
//
// A [Phone] has two faces. The engine sees a [voice.Leg] that rings, plays prompts
// and reports keys and speech. The person sees a phone: it rings, they answer,
// hear text, press keys, say words and hang up. No sound is made: a prompt takes
// as long as it would take to hear it and is known by its words, and so is speech.
// All of it happens on the clock that the line was made with, so a whole
// conversation takes no time on a virtual one.
//
// An [Exchange] has many phones, and rings the one that an engine dials.
package simline

import (
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Phone is the person's side of a line. Its methods may be called from anywhere;
// what cannot be done at the moment, such as pressing keys on a line that is not
// answered, is not done.
type Phone struct {
	clock  voice.Clock
	speech voice.Paced
	calls  bool // the person has placed the call, rather than the platform
	setup  Behaviour

	mu       sync.Mutex
	listener func(Happening)
	report   func(voice.LegEvent)
	state    state
	prompt   int // that is being heard; 0: none
	end      voice.Timer
	free     time.Time // when the person has done what they are doing
	acts     []voice.Timer
	peer     voice.Leg
	tap      func(time.Time, []int16)
}

type state int

const (
	idle state = iota
	ringing
	talking
	over
)

// Happening is something that the person notices.
type Happening struct {
	Kind   Kind
	Text   string        // Heard: the words, the address of a recording or the name of a tone; Ended: why
	Length time.Duration // Heard: how long it will take
	From   Source        // Heard: whose voice it is
	Key    byte          // Key: which one
	Cause  voice.Cause   // Ended
}

// Kind is a kind of happening.
type Kind int

// What a person notices.
const (
	Ringing  Kind = iota + 1 // the own phone rings, or the one that was called
	Answered                 // the line is open: the platform has answered, or the person has
	Heard                    // something begins to be heard
	Cut                      // what was being heard stops before its end
	Silence                  // what was being heard has been heard
	Key                      // the other person presses a key
	Bridged                  // another person is on the line
	Parted                   // they no longer are
	Ended                    // the other side has hung up
)

// Source is who is heard.
type Source int

// Who is heard.
const (
	FromPlatform  Source = iota // speaks
	FromRecording               // the platform plays one
	FromTone                    // the platform plays one
	FromPerson                  // on the other end of a bridge
)

// NewCaller returns the phone of somebody who calls the platform. Its leg goes
// into [voice.Engine.Receive].
func NewCaller(clock voice.Clock, listener func(Happening)) *Phone {
	return &Phone{clock: clock, listener: listener, calls: true}
}

// Leg is the platform's side of the line.
func (p *Phone) Leg() voice.Leg { return leg{p} }

// Answer picks up a phone that rings.
func (p *Phone) Answer() {
	p.mu.Lock()
	if p.calls || p.state != ringing {
		p.mu.Unlock()
		return
	}
	p.state = talking
	report := p.report
	p.mu.Unlock()
	p.notice(Happening{Kind: Answered})
	report(voice.LegEvent{Kind: voice.LegAnswered})
}

// Refuse turns a call down with a SIP status, such as 486 or 603.
func (p *Phone) Refuse(sip int) {
	ended := voice.LegEvent{Kind: voice.LegEnded, Cause: voice.CauseOf(sip), Reason: refusals[sip]}
	p.act(func() bool { return !p.calls && p.state < talking }, p.close, ended)
}

var refusals = map[int]string{486: "busy", 600: "busy", 603: "rejected", 480: "not available", 404: "not a number in use"}

// Hangup hangs up, whatever the person was about to do.
func (p *Phone) Hangup() {
	p.act(func() bool { return p.state != over }, p.close, voice.LegEvent{Kind: voice.LegEnded, Cause: voice.CauseNormal})
}

// act does something at once, if it can be done.
func (p *Phone) act(can func() bool, do func(), ev voice.LegEvent) {
	p.mu.Lock()
	report := p.report
	if !can() || report == nil {
		p.mu.Unlock()
		return
	}
	do()
	p.mu.Unlock()
	report(ev)
}

// A key is held down for some time, and the next one takes as long to find.
const perKey = 200 * time.Millisecond

// Press presses keys, after whatever the person is doing: 0 to 9, * and #; other
// characters are no keys. It returns how long it is until the last one is done.
func (p *Phone) Press(keys string) time.Duration {
	for _, key := range []byte(keys) {
		if !strings.ContainsRune("0123456789*#", rune(key)) {
			continue
		}
		p.queue(perKey, func() {
			p.tell(voice.LegEvent{Kind: voice.LegKey, Key: key}, voice.Sound{Key: key, Audio: voice.Beep(941, perKey/2)})
		}, nil)
	}
	return p.Busy()
}

// Say says something, after whatever the person is doing. It returns how long it
// is until it has been said.
func (p *Phone) Say(text string) time.Duration {
	audio := p.speech.Speak(text)
	p.queue(audio.Length, func() {
		p.tell(voice.LegEvent{Kind: voice.LegSpeechStarted}, voice.Sound{Text: text, Audio: audio})
	}, func() {
		p.tell(voice.LegEvent{Kind: voice.LegSpeechEnded, Speech: voice.Utterance{Audio: audio, Text: text}}, voice.Sound{})
	})
	return p.Busy()
}

// Busy is how long it will be until the person has done all they are about to do.
func (p *Phone) Busy() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.free.Sub(p.clock.Now()), 0)
}

// maxActs is how much a person can be about to do.
const maxActs = 200

// queue has the person do something of that length as soon as they are free.
func (p *Phone) queue(length time.Duration, begin, end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	if p.state == over || len(p.acts) >= maxActs {
		return
	}
	if !p.free.After(now) {
		p.free, p.acts = now, p.acts[:0]
	}
	p.acts = append(p.acts, p.clock.AfterFunc(p.free.Sub(now), begin))
	p.free = p.free.Add(length)
	if end != nil {
		p.acts = append(p.acts, p.clock.AfterFunc(p.free.Sub(now), end))
	}
}

// tell lets the platform know what the person does, and whoever hears them.
func (p *Phone) tell(ev voice.LegEvent, sound voice.Sound) {
	p.mu.Lock()
	report, peer, tap := p.report, p.peer, p.tap
	if p.state != talking {
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	if sound.Audio.Length > 0 {
		if tap != nil {
			tap(p.clock.Now(), sound.Audio.Samples())
		}
		if peer != nil {
			peer.Hear(sound)
		}
	}
	report(ev)
}

// close puts an end to everything; the lock is held.
func (p *Phone) close() {
	p.state = over
	for _, t := range p.acts {
		t.Stop()
	}
	if p.end != nil {
		p.end.Stop()
	}
	p.acts, p.end, p.prompt, p.peer, p.tap, p.free = nil, nil, 0, nil, nil, time.Time{}
}

// notice tells the person.
func (p *Phone) notice(h Happening) {
	p.mu.Lock()
	listener := p.listener
	p.mu.Unlock()
	if listener != nil {
		listener(h)
	}
}
