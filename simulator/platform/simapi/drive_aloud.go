package simapi

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/g711"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// aloud is a telephone that carries sound: a program speaks the robot's words, which the
// platform has to understand. It is the wire of a sound line, as a telephone line is: 8 kHz
// and µ-law, in real time.
type aloud struct {
	clock   voice.Clock
	speaker speech.Speaker
	ctx     context.Context // ends when the line is over
	stop    context.CancelFunc
	far     soundline.Far
	changes voice.Changes // one for each frame of a prompt, and the end

	mu     sync.Mutex
	queue  []sent
	due    time.Time // of the next frame
	prompt int       // frames of prompts that were heard
}

// sent is 20 ms of the robot's sound, or a key.
type sent struct {
	key byte
	pcm []int16
}

const (
	robotVoice  = "en-US-Standard-B"
	aloudFrame  = voice.SampleRate / 50
	framesAKey  = 10   // 200 ms for each key
	mostQueued  = 3000 // frames: a minute
	leastPrompt = 200  // of a sample, above the noise of a line
)

// callAloud places a robot's call with a telephone that carries sound.
func (p *API) callAloud(id, from, number string) (telephone, error) {
	ctx, stop := context.WithCancel(context.Background())
	a := &aloud{clock: p.Work, speaker: p.Sound.Speaker, ctx: ctx, stop: stop}
	p.Stories.sounds(id)
	leg := soundline.New(a, soundline.Options{Clock: p.Work, Speaker: p.Sound.Speaker, Comfort: true, Lost: -1})
	if err := p.Calls.Receive(id, leg, from, number); err != nil {
		stop()
		return nil, err
	}
	return robotPhone{a}, nil
}

// Rate is a telephone line's.
func (a *aloud) Rate() int { return voice.SampleRate }

// Start names the line's other side.
func (a *aloud) Start(far soundline.Far) { a.far = far }

// Ring does nothing: a robot waits.
func (a *aloud) Ring() {}

// Key does nothing: nobody looks at a robot's display.
func (a *aloud) Key(byte) {}

// Answer begins to send.
func (a *aloud) Answer() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.due = a.clock.Now()
	a.clock.AfterFunc(0, a.tick)
}

// tick sends what is due, by absolute time: silence, if nothing is said.
func (a *aloud) tick() {
	a.mu.Lock()
	next, at := sent{}, a.due
	if len(a.queue) > 0 {
		next, a.queue = a.queue[0], a.queue[1:]
	}
	a.mu.Unlock()
	if a.ctx.Err() != nil {
		return
	}
	if next.key != 0 {
		a.far.Key(next.key)
	}
	if next.pcm == nil {
		next.pcm = make([]int16, aloudFrame)
	}
	a.far.Frame(at, next.pcm)
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.clock.Now()
	if a.due = a.due.Add(soundline.Frame); now.Sub(a.due) > time.Second { // the machine has slept
		a.due = now
	}
	a.clock.AfterFunc(max(0, a.due.Sub(now)), a.tick)
}

// Send is what the platform says.
func (a *aloud) Send(frame []int16) {
	for _, v := range frame {
		if v > leastPrompt || v < -leastPrompt {
			a.mu.Lock()
			a.prompt++
			a.mu.Unlock()
			a.changes.Tell()
			return
		}
	}
}

// Hangup ends the line from the platform's side, or after the robot has hung up.
func (a *aloud) Hangup(voice.Cause, string) {
	a.stop()
	a.changes.Tell()
}

// Say has a program speak words, and sends them.
func (a *aloud) Say(words string) error {
	var pcm []int16
	err := a.speaker.Speak(a.ctx, words, robotVoice, voice.SampleRate, func(more []int16) error {
		pcm = append(pcm, more...)
		return nil
	})
	pcm = append(pcm, make([]int16, aloudFrame)...) // fills the last frame
	for i, v := range pcm {
		pcm[i] = g711.MuLaw(g711.ToMuLaw(v))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for ; len(pcm) >= aloudFrame && len(a.queue) < mostQueued; pcm = pcm[aloudFrame:] {
		a.queue = append(a.queue, sent{pcm: pcm[:aloudFrame]})
	}
	return err
}

// Press presses keys.
func (a *aloud) Press(keys string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, key := range []byte(keys) {
		a.queue = append(a.queue, sent{key: key})
		a.queue = append(a.queue, make([]sent, framesAKey-1)...)
	}
}

// robotPhone is the robot's side of the telephone.
type robotPhone struct{ *aloud }

// Hangup ends the call from the robot's side.
func (r robotPhone) Hangup() { r.far.Ended(voice.CauseNormal, "") }

func (a *aloud) heard() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.prompt
}

func (a *aloud) listen(ctx context.Context, before int) {
	for version := a.changes.Version(); a.heard() <= before && ctx.Err() == nil && a.ctx.Err() == nil; version = a.changes.Version() {
		a.changes.Wait(ctx, version)
	}
}

func (a *aloud) ended(ctx context.Context) {
	select {
	case <-a.ctx.Done():
	case <-ctx.Done():
	}
}

// spokenMove returns the words of a move, where words are possible; "": there are none, or keys
// are better. A time is keyed, as programs understand few ways to say one; and who was not
// understood presses keys.
func spokenMove(step booking.Step, m robot.Move) string {
	switch {
	case step.Missed || !step.Listen.Words || m.Keys != "":
		return ""
	case m.Place > 0 && m.Place <= len(step.Places):
		return firstPart(step.Places[m.Place-1].Address.Address)
	case m.Words != "":
		return firstPart(m.Words)
	}
	return choicesAloud[m.Choice]
}

// firstPart is what people say of an address: not its town and its postcode.
func firstPart(address string) string {
	first, _, _ := strings.Cut(address, ",")
	return first
}

// choicesAloud are the choices that robots make in words.
var choicesAloud = map[spoken.Choice]string{
	spoken.ChooseBook: "i need a taxi", spoken.ChooseOther: "another taxi", spoken.ChooseAnother: "another taxi",
	spoken.ChooseCancel: "cancel my taxi", spoken.ChooseChange: "change my booking", spoken.ChooseStatus: "where is my taxi",
	spoken.ChoosePickup: "change the pickup", spoken.ChooseDropoff: "change the destination", spoken.ChooseTime: "change the time",
	spoken.ChooseNow: "as soon as possible", spoken.ChooseToday: "today", spoken.ChooseTomorrow: "tomorrow",
	spoken.ChooseSkip: "skip", spoken.ChooseYes: "yes please", spoken.ChooseNo: "no",
	spoken.ChooseComingNow: "i'm coming now", spoken.ChooseCallDriver: "call the driver", spoken.ChoosePerson: "can i speak to a person",
}
