package voice_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// documents are the documents that the hook of a random call returns.
var documents = []string{
	`[]`,
	`[{"say":{"text":["One.","Two three four."],"loop":2}}]`,
	`[{"gather":{"input":["digits","speech"],"maxDigits":3,"hints":["yes"],"say":{"text":"Well?"}}},{"say":{"text":"Next."}}]`,
	`[{"gather":{"bargeIn":false,"minDigits":2,"maxDigits":4,"finishOnKey":"*","verbs":[{"say":{"text":"A longer prompt than that."}},{"play":{"url":"http://a.example/b.wav"}}]}}]`,
	`[{"dial":{"timeout":10,"timeLimit":60,"record":{"playBeep":true,"maxLength":5,"transcribe":true},"targets":[{"phoneNumber":{"number":"+441632960201"}},{"extension":{"extension":"101"}}]}},{"say":{"text":"Gone."}}]`,
	`[{"dial":{"action":"d","targets":[{"phoneNumber":{"number":"+441632960202"}}]}}]`,
	`[{"reject":{"reason":"busy"}}]`,
	`[{"hangup":{"reason":"so"}}]`,
	`[{"redirect":{"url":"x"}}]`,
	`[{"play":{"url":"http://a.example/b.wav","loop":3}},{"redirect":{"url":"x"}}]`,
}

// TestRandomCallsEndInOneFinalState checks that a call with random actions of all sides ends in one final state, with one call.completed as
// its last event, without missing events, and without anything left behind.
func TestRandomCallsEndInOneFinalState(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := &anyCall{r: r, lab: newLab(t, func(o *voice.Options) {
			o.MaxCallTime = 20 * time.Minute
			o.Recorder = func(voice.Info, string) (voice.RecordingFile, error) { return &memoryFile{}, nil }
			o.Fetch = func(context.Context, voice.Info, string) (voice.Audio, error) {
				return voice.Beep(440, 3*time.Second), nil
			}
		})}
		p.open()
		r.Repeat(map[string]func(*rapid.T){
			"wait":          p.wait,
			"press":         p.press,
			"say":           p.say,
			"answer":        func(r *rapid.T) { p.phone(r).Answer() },
			"refuse":        func(r *rapid.T) { p.phone(r).Refuse(rapid.SampledFrom([]int{486, 603, 404, 480, 503}).Draw(r, "sip")) },
			"hang up":       func(r *rapid.T) { p.phone(r).Hangup() },
			"from outside":  p.outside,
			"another wait":  p.wait,
			"another press": p.press,
		})
		p.close()
	})
}

type anyCall struct {
	r      *rapid.T
	lab    *lab
	call   *voice.Call
	phones []*simline.Phone
	ended  int
}

// open begins the call, with random behaviour of the phones.
func (p *anyCall) open() {
	party := func(phone *simline.Phone, h simline.Happening) {
		if h.Kind == simline.Ringing {
			p.phones = append(p.phones, phone)
		}
	}
	for _, address := range []string{"+441632960201", "+441632960202", "101"} {
		p.lab.phones[address] = simline.Behaviour{
			AnswerAfter: time.Duration(rapid.SampledFrom([]int{-1, 0, 2000}).Draw(p.r, "answer")) * time.Millisecond,
			Refuse:      rapid.SampledFrom([]int{0, 0, 0, 486}).Draw(p.r, "refuse"), EarlyMedia: rapid.Bool().Draw(p.r, "early"), Party: party,
		}
	}
	program := voice.Program{Turn: p.turn}
	if rapid.Bool().Draw(p.r, "verbs") {
		program.Verbs = p.document()
	}
	if rapid.Bool().Draw(p.r, "no turn") && program.Verbs != nil {
		program.Turn = nil
	}
	next := func(context.Context, voice.Info, voice.Ended) *voice.Program {
		if rapid.IntRange(0, 3).Draw(p.r, "next") > 0 {
			return nil
		}
		return &voice.Program{Turn: p.turn}
	}
	done := func(voice.Result) { p.ended++ }
	var err error
	if rapid.Bool().Draw(p.r, "incoming") {
		caller := simline.NewCaller(p.lab.clock, nil)
		p.phones = append(p.phones, caller)
		p.call, err = p.lab.engine.Receive(voice.Incoming{Leg: caller.Leg(), Program: program, Next: next, Done: done})
	} else {
		p.call, err = p.lab.engine.Place(voice.Outgoing{Target: voice.CallTarget{Target: number("+441632960201")}, Program: program, Next: next, Done: done})
	}
	require.NoError(p.r, err)
}

func (p *anyCall) document() voice.Document {
	return parsed(p.lab.t, rapid.SampledFrom(documents).Draw(p.r, "document"))
}

func (p *anyCall) turn(context.Context, voice.TurnRequest) (voice.Document, error) {
	switch rapid.IntRange(0, 12).Draw(p.r, "turn") {
	case 0:
		return nil, errors.New("no")
	case 1:
		panic("no")
	}
	return p.document(), nil
}

func (p *anyCall) wait(r *rapid.T) {
	p.lab.clock.Advance(time.Duration(rapid.IntRange(0, 15000).Draw(r, "ms")) * time.Millisecond)
}

func (p *anyCall) press(r *rapid.T) {
	p.phone(r).Press(rapid.StringMatching(`[0-9*#]{1,6}`).Draw(r, "keys"))
}

func (p *anyCall) say(r *rapid.T) {
	p.phone(r).Say(rapid.SampledFrom([]string{"yes", "the station please", "erm"}).Draw(r, "words"))
}

func (p *anyCall) outside(r *rapid.T) {
	if rapid.IntRange(0, 5).Draw(r, "hang up") == 0 {
		p.call.Hangup("outside")
	}
}

// phone returns the phone of the caller, or one that has rung.
func (p *anyCall) phone(r *rapid.T) *simline.Phone {
	if len(p.phones) == 0 {
		r.Skip("no phone yet")
	}
	return p.phones[rapid.IntRange(0, len(p.phones)-1).Draw(r, "phone")]
}

// close runs the clock until the call is over, and checks the result.
func (p *anyCall) close() {
	p.lab.clock.Run(time.Hour)
	require.Zero(p.r, p.lab.clock.Pending(), "something is left to happen")
	require.Empty(p.r, p.lab.engine.Calls())
	require.Equal(p.r, 1, p.ended)
	require.True(p.r, p.call.View().State.Final())
	at, began := int64(0), voice.StateQueued
	for i, ev := range p.lab.events {
		require.Equal(p.r, i+1, ev.Seq)
		require.Equal(p.r, i == len(p.lab.events)-1, ev.Type == voice.EventCompleted)
		require.True(p.r, ev.Status == began || began.May(ev.Status) || began == voice.StateQueued, "%s after %s", ev.Status, began)
		began = ev.Status
	}
	for _, line := range p.call.View().Transcript {
		require.GreaterOrEqual(p.r, line.AtMs, at)
		at = line.AtMs
		require.NotContains(p.r, line.Text, "1632960201")
	}
}
