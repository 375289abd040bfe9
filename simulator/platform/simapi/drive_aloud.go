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

// aloud is a telephone that carries sound: a program speaks the robot's words, and the
// platform has to recognise them. It implements [soundline.Wire], with the sound of a
// telephone line: 8 kHz and µ-law, in real time.
type aloud struct {
	clock   voice.Clock
	speaker speech.Speaker
	ctx     context.Context // ends when the line is over
	stop    context.CancelFunc
	far     soundline.Far
	changes voice.Changes // for each frame of a prompt, and at the end

	mu     sync.Mutex
	queue  []sent
	due    time.Time // when the next frame is due
	prompt int       // number of received frames of prompts
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
	leastPrompt = 200  // least amplitude of a prompt, above the noise of a line
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

// Rate implements [soundline.Wire].
func (a *aloud) Rate() int { return voice.SampleRate }

// Start implements [soundline.Wire].
func (a *aloud) Start(far soundline.Far) { a.far = far }

// Ring implements [soundline.Wire]. The robot ignores it.
func (a *aloud) Ring() {}

// Key implements [soundline.Wire]. The robot ignores it.
func (a *aloud) Key(byte) {}

// Answer implements [soundline.Wire]. It starts the sound.
func (a *aloud) Answer() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.due = a.clock.Now()
	a.clock.AfterFunc(0, a.tick)
}

// tick sends the next frame, or silence, and plans the one after it. Times are absolute.
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

// Send implements [soundline.Wire]. It counts the frames of prompts.
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

// Hangup implements [soundline.Wire]. It is also called after the robot has hung up.
func (a *aloud) Hangup(voice.Cause, string) {
	a.stop()
	a.changes.Tell()
}

// Say speaks words with a program, and queues their sound.
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

// Press queues keys.
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

// Hangup ends the call on behalf of the robot.
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

// spokenMove returns the words of a move; "": the robot presses keys instead. It does so for times, of
// which programs recognise few forms, and after it was not understood.
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

// firstPart returns an address as people say it, without town and postcode.
func firstPart(address string) string {
	first, _, _ := strings.Cut(address, ",")
	return first
}

// choicesAloud has the words of the choices that robots speak.
var choicesAloud = map[spoken.Choice]string{
	spoken.ChooseBook: "i need a taxi", spoken.ChooseOther: "another taxi", spoken.ChooseAnother: "another taxi",
	spoken.ChooseCancel: "cancel my taxi", spoken.ChooseChange: "change my booking", spoken.ChooseStatus: "where is my taxi",
	spoken.ChoosePickup: "change the pickup", spoken.ChooseDropoff: "change the destination", spoken.ChooseTime: "change the time",
	spoken.ChooseNow: "as soon as possible", spoken.ChooseToday: "today", spoken.ChooseTomorrow: "tomorrow",
	spoken.ChooseSkip: "skip", spoken.ChooseYes: "yes please", spoken.ChooseNo: "no",
	spoken.ChooseComingNow: "i'm coming now", spoken.ChooseCallDriver: "call the driver", spoken.ChoosePerson: "can i speak to a person",
}
