// Package simline is a simulated telephone line: the far end of a call is a
// person who is played by a script, by a program or by somebody at a keyboard.
//
// A [Phone] has two sides. The engine uses a [voice.Leg] that rings, plays prompts and
// reports keys and speech. The person uses a phone: it rings, they answer, hear text,
// press keys, say words and hang up. There is no sound: prompts and speech are texts that
// take as long as they would take to speak. Time is that of the line's clock, so a whole
// conversation takes no real time on a virtual one.
//
// An [Exchange] has many phones, and rings the one that an engine dials.
package simline

import (
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Phone is the person's side of a line. Its methods are safe for concurrent use; a method
// that is not possible at the moment, such as pressing keys before the line is answered,
// does nothing.
type Phone struct {
	clock  voice.Clock
	speech voice.Paced
	calls  bool // the person has placed the call
	setup  Behaviour

	mu       sync.Mutex
	listener func(Happening)
	report   func(voice.LegEvent)
	state    state
	prompt   int // id of the current prompt; 0: none
	end      voice.Timer
	free     time.Time // when the person's last planned action ends
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

// Happening is an event for the person.
type Happening struct {
	Kind   Kind
	Text   string        // Heard: the words, the URL of a recording or the name of a tone; Ended: the reason
	Length time.Duration // Heard: its duration
	From   Source        // Heard: its source
	Key    byte          // Key: which one
	Cause  voice.Cause   // Ended
}

// Kind is the kind of an event.
type Kind int

// The kinds.
const (
	Ringing  Kind = iota + 1 // this phone rings, or the called one
	Answered                 // the line is open: the platform has answered, or the person has
	Heard                    // a sound begins
	Cut                      // the sound is interrupted
	Silence                  // the sound is complete
	Key                      // the other person presses a key
	Bridged                  // another person is on the line
	Parted                   // the other person has left
	Ended                    // the other side has hung up
)

// Source is the source of a sound.
type Source int

// The sources.
const (
	FromPlatform  Source = iota // speaks
	FromRecording               // the platform plays one
	FromTone                    // the platform plays one
	FromPerson                  // on the other end of a bridge
)

// NewCaller returns the phone of a caller of the platform. Its leg is for
// [voice.Engine.Receive].
func NewCaller(clock voice.Clock, listener func(Happening)) *Phone {
	return &Phone{clock: clock, listener: listener, calls: true}
}

// Leg returns the platform's side of the line.
func (p *Phone) Leg() voice.Leg { return leg{p} }

// Answer answers a phone that rings.
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

// Refuse refuses a call with a SIP status, such as 486 or 603.
func (p *Phone) Refuse(sip int) {
	ended := voice.LegEvent{Kind: voice.LegEnded, Cause: voice.CauseOf(sip), Reason: refusals[sip]}
	p.act(func() bool { return !p.calls && p.state < talking }, p.close, ended)
}

var refusals = map[int]string{486: "busy", 600: "busy", 603: "rejected", 480: "not available", 404: "not a number in use"}

// Hangup hangs up, and cancels planned actions.
func (p *Phone) Hangup() {
	p.act(func() bool { return p.state != over }, p.close, voice.LegEvent{Kind: voice.LegEnded, Cause: voice.CauseNormal})
}

// act performs an action at once if can allows it, and reports ev.
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

// perKey is how long a key is pressed, and how long it takes to find the next one.
const perKey = 200 * time.Millisecond

// Press presses keys, after earlier actions: 0 to 9, * and #; other characters are
// ignored. It returns the time until the last key is released.
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

// Say speaks a text, after earlier actions. It returns the time until the text has been
// spoken.
func (p *Phone) Say(text string) time.Duration {
	audio := p.speech.Speak(text)
	p.queue(audio.Length, func() {
		p.tell(voice.LegEvent{Kind: voice.LegSpeechStarted}, voice.Sound{Text: text, Audio: audio})
	}, func() {
		p.tell(voice.LegEvent{Kind: voice.LegSpeechEnded, Speech: voice.Utterance{Audio: audio, Text: text}}, voice.Sound{})
	})
	return p.Busy()
}

// Busy returns the time until all planned actions are complete.
func (p *Phone) Busy() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.free.Sub(p.clock.Now()), 0)
}

// maxActs limits the number of planned actions.
const maxActs = 200

// queue plans an action of a duration after earlier actions.
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

// tell reports an event to the platform, and passes the sound to a bridged leg.
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

// close cancels everything; the lock is held.
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

// notice passes an event to the person.
func (p *Phone) notice(h Happening) {
	p.mu.Lock()
	listener := p.listener
	p.mu.Unlock()
	if listener != nil {
		listener(h)
	}
}
