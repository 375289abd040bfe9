package voice

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// gathering collects keys or speech.
//
// It listens from the first prompt on. Silence is measured from the end of the prompts,
// and a turn follows even if there was no input. Without a turn in the program, the next
// verb follows. Keys that are pressed outside of a gather are discarded: a key that is
// pressed twice must not confirm a prompt that was not heard.
type gathering struct {
	c        *Call
	v        Gather
	least    int
	most     int
	finish   string
	player   *player
	prompted bool  // the prompts are complete
	told     bool  // Options.Listening has been called
	timer    Timer // for silence, or nil

	digits   string
	finished bool // ended by the finish key

	speaking bool
	speech   []Utterance
	asked    int  // number of recognitions; only the last one counts
	waiting  bool // a recognition is running
	due      bool // the silence after the speech was long enough
	found    Recognition
}

func (v Gather) run(c *Call) {
	c.answer()
	g := &gathering{c: c, v: v, finish: "#"}
	g.least = cmp.Or(v.NumDigits, v.MinDigits, 1)
	g.most = cmp.Or(v.NumDigits, v.MaxDigits, g.least)
	if v.FinishOnKey != nil {
		g.finish = *v.FinishOnKey
	}
	c.at = g
	g.player = c.play(v.Verbs, func(failed string) {
		if failed != "" {
			c.warn(VerbGather, "a prompt was left out: "+failed)
		}
		g.quiet()
	})
}

// quiet is called when the prompts are complete.
func (g *gathering) quiet() {
	g.prompted = true
	g.settle()
}

// settle ends the gather if it is complete, and otherwise starts measuring silence. A
// prompt that cannot be interrupted is played first.
func (g *gathering) settle() {
	switch {
	case !g.prompted || g.speaking:
	case g.finished || len(g.digits) == g.most:
		g.keyed()
	case !g.waiting && (g.found.Complete || g.due || len(g.speech) >= maxUtterances):
		g.spoken()
	default:
		g.await()
	}
}

// await starts measuring silence.
func (g *gathering) await() {
	g.hold()
	switch {
	case len(g.speech) > 0:
		g.timer = g.c.after(seconds(cmp.Or(g.v.SpeechEnd, 1)), g.paused)
	case len(g.digits) >= g.least:
		g.timer = g.c.after(seconds(cmp.Or(g.v.InterDigit, 3)), g.keyed)
	default:
		g.timer = g.c.after(seconds(cmp.Or(g.v.Timeout, 10)), g.silent)
		if !g.told {
			g.told = true
			g.c.e.options.Listening(g.c.info, g.c.now().Sub(g.c.began))
		}
	}
}

// hold stops measuring silence.
func (g *gathering) hold() {
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// takes reports whether the gather accepts an input.
func (g *gathering) takes(input Input) bool {
	if len(g.v.Input) == 0 {
		return input == InputDigits
	}
	return slices.Contains(g.v.Input, input)
}

func (g *gathering) heard(ev LegEvent) {
	switch ev.Kind {
	case LegPromptEnded:
		if !g.prompted {
			g.player.heard(ev)
		}
	case LegKey:
		if g.takes(InputDigits) {
			g.key(string(ev.Key))
		}
	case LegSpeechStarted:
		if g.takes(InputSpeech) && g.digits == "" {
			g.speaking, g.due = true, false
			g.bargeIn()
			g.hold()
			g.timer = g.c.after(maxSpeech, g.spoken)
		}
	case LegSpeechEnded:
		if g.speaking {
			g.speaking = false
			g.said(ev.Speech)
		}
	}
}

// bargeIn interrupts the prompts.
func (g *gathering) bargeIn() {
	if !g.prompted && (g.v.BargeIn == nil || *g.v.BargeIn) {
		g.player.stop()
		g.prompted = true
	}
}

// key handles a key. Keys take precedence over speech.
func (g *gathering) key(key string) {
	g.speaking, g.speech, g.waiting, g.found = false, nil, false, Recognition{}
	g.asked++
	g.bargeIn()
	switch {
	case g.finished:
	case g.finish != "" && key == g.finish:
		g.finished = true
	case len(g.digits) < g.most:
		g.digits += key
	}
	g.settle()
}

// keyed ends the gather with the collected keys.
func (g *gathering) keyed() {
	if len(g.digits) < g.least {
		g.end(ReasonNoMatch)
		return
	}
	g.end(ReasonDigits)
}

// silent is called after too long a silence.
func (g *gathering) silent() {
	if g.digits == "" {
		g.end(ReasonTimeout)
		return
	}
	g.end(ReasonNoMatch)
}

// Limits of the speech in one gather.
const (
	maxUtterances = 20          // pauses
	maxSpeech     = time.Minute // without one
)

// said adds the speech before a pause, and starts recognising all of it.
func (g *gathering) said(u Utterance) {
	g.speech = append(g.speech, u)
	g.asked++
	g.waiting = true
	g.settle()
	this := g.asked
	speech := slices.Clone(g.speech)
	grammar := Grammar{cmp.Or(g.v.Language, g.c.e.options.Language), g.v.Hints, g.v.Rules}
	g.c.aside(func(ctx context.Context) func() {
		found, err := g.c.e.options.Recogniser.Recognise(ctx, speech, grammar)
		return func() { g.recognised(this, found, err) }
	}, func() { g.recognised(this, Recognition{}, errors.New("internal")) })
}

// recognised handles the result of a recognition.
func (g *gathering) recognised(asked int, found Recognition, err error) {
	if asked != g.asked {
		return // there was more speech since, or a key
	}
	if err != nil {
		g.c.warn(VerbGather, "speech was not recognised: "+err.Error())
	}
	g.waiting, g.found = false, found
	if last := g.speech[len(g.speech)-1]; last.Text == "" && found.Text != "" {
		g.c.line(g.c.own.party, 0, LineSpeech, found.Text)
	}
	if found.Complete || g.due || len(g.speech) >= maxUtterances {
		g.settle()
	}
}

// paused is called when the silence after speech was long enough. The recogniser may
// continue for the time limit of a turn.
func (g *gathering) paused() {
	if !g.waiting {
		g.spoken()
		return
	}
	g.due = true
	g.timer = g.c.after(g.c.e.options.TurnTimeout, g.spoken)
}

// spoken ends the gather with the recognised speech.
func (g *gathering) spoken() {
	if g.found.Text == "" {
		g.end(ReasonNoMatch)
		return
	}
	g.end(ReasonSpeech)
}

// stop is called when the call has ended.
func (g *gathering) stop() {
	g.hold()
	g.player.stop()
	g.c.verbDone(VerbGather, "interrupted", "")
}

// end continues with the input.
func (g *gathering) end(reason TurnReason) {
	g.hold()
	g.player.stop()
	c := g.c
	got := TurnRequest{Action: cmp.Or(g.v.Action, ActionGather), Reason: reason, Digits: g.digits}
	if reason == ReasonSpeech {
		got.Speech, got.Confidence = strings.TrimSpace(g.found.Text), g.found.Confidence
	}
	c.emit(Event{Type: EventGathered, Reason: reason, Digits: got.Digits, Speech: got.Speech, Confidence: got.Confidence})
	c.verbDone(VerbGather, string(reason), "")
	if c.program.Turn == nil {
		c.step()
		return
	}
	c.ask(got)
}
