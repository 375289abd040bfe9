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
	silence  time.Duration // of the line, when the last utterance ended
	due      bool          // the silence after the speech was long enough

	asked       int           // number of recognitions; only the last one counts
	ahead       time.Duration // length of the utterance that is recognised before it has ended; 0: none
	waiting     bool          // a recognition is running
	cancel      context.CancelFunc
	found       Recognition
	started     Recogniser         // for what is being said; nil: none has been started
	stopStarted context.CancelFunc // ends it
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

// quiet is called when the prompts have ended.
func (g *gathering) quiet() {
	g.prompted = true
	g.settle()
}

// settle ends the gather if its input is complete, and otherwise starts measuring silence. It does nothing while a
// prompt plays that cannot be interrupted, or while the caller speaks.
func (g *gathering) settle() {
	switch {
	case !g.prompted || g.speaking:
	case g.finished || len(g.digits) == g.most:
		g.keyed()
	case !g.waiting && (g.found.Complete || g.due || g.full()):
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
		g.timer = g.c.after(max(0, g.speechEnd()-g.silence), g.paused)
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

// answerEnd is the silence that ends an answer to a plugin's question that was not recognised as complete.
const answerEnd = 800 * time.Millisecond

// speechEnd returns the silence that ends speech whose recognised text may be incomplete.
func (g *gathering) speechEnd() time.Duration {
	if g.v.SpeechEnd == 0 && g.v.Expected.Question != "" {
		return answerEnd
	}
	return seconds(cmp.Or(g.v.SpeechEnd, 1))
}

// hold stops the timer that measures silence.
func (g *gathering) hold() {
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// takes reports whether the gather accepts keys or speech, as input says.
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
		if g.takes(InputSpeech) && g.digits == "" && !g.full() {
			g.speaking, g.due = true, false
			if !g.v.Firm {
				g.bargeIn()
			}
			g.hold()
			g.timer = g.c.after(maxSpeech, g.spoken)
			g.startRecogniser()
		}
	case LegSpeechPaused:
		if g.speaking && ev.Speech.Audio.Length <= mostAhead {
			g.recognise(append(slices.Clone(g.speech), ev.Speech))
			g.ahead = ev.Speech.Audio.Length
		}
	case LegSpeechEnded:
		if g.speaking {
			g.speaking, g.silence = false, ev.Silence
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
	g.forget()
	g.stopRecogniser()
	g.speaking, g.speech, g.found = false, nil, Recognition{}
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

// keyed ends the gather with the keys as its input.
func (g *gathering) keyed() {
	if len(g.digits) < g.least {
		g.end(ReasonNoMatch)
		return
	}
	g.end(ReasonDigits)
}

// silent is called when the silence has been too long.
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
	maxSpeech     = time.Minute // in all, and of an utterance

	// mostAhead is the length of the longest utterance that is recognised in each pause, before it
	// has ended: so that the result is there at its end.
	mostAhead = 8 * time.Second
)

// full reports whether the speech has reached its limit, so that no more is accepted.
func (g *gathering) full() bool {
	length := time.Duration(0)
	for _, u := range g.speech {
		length += u.Audio.Length
	}
	return len(g.speech) >= maxUtterances || length >= maxSpeech
}

// said adds an utterance and starts to recognise all speech, unless that began during the pause.
func (g *gathering) said(u Utterance) {
	g.speech = append(g.speech, u)
	if g.ahead == 0 || g.ahead != u.Audio.Length {
		g.recognise(slices.Clone(g.speech))
	}
	g.ahead = 0
	if !g.waiting {
		g.understood()
	}
	g.settle()
}

// startRecogniser prepares the recogniser when the caller begins to speak.
func (g *gathering) startRecogniser() {
	s, ok := g.c.e.options.Recogniser.(Starter)
	if !ok {
		return
	}
	g.stopRecogniser()
	ctx, cancel := context.WithCancel(g.c.ctx)
	g.started, g.stopStarted = s.Start(ctx, g.grammar()), cancel
}

// stopRecogniser releases what startRecogniser has started.
func (g *gathering) stopRecogniser() {
	if g.stopStarted != nil {
		g.stopStarted()
		g.started, g.stopStarted = nil, nil
	}
}

func (g *gathering) grammar() Grammar {
	return Grammar{cmp.Or(g.v.Language, g.c.e.options.Language), g.v.Hints, g.v.Expected}
}

// recognise starts to recognise speech. A recognition that is still running is cancelled.
func (g *gathering) recognise(speech []Utterance) {
	g.forget()
	g.waiting = true
	this := g.asked
	grammar, recogniser, stop := g.grammar(), cmp.Or(g.started, g.c.e.options.Recogniser), g.stopStarted
	g.started, g.stopStarted = nil, nil // ends with this recognition, even if the caller goes on speaking meanwhile
	ctx, cancel := context.WithCancel(g.c.ctx)
	end := func() {
		cancel()
		if stop != nil {
			stop()
		}
	}
	g.cancel = end
	g.c.aside(func(context.Context) func() {
		defer end()
		found, err := recogniser.Recognise(ctx, speech, grammar)
		return func() { g.recognised(this, found, err) }
	}, func() { g.recognised(this, Recognition{}, errors.New("internal")) })
}

// forget cancels a recognition whose result is not needed.
func (g *gathering) forget() {
	g.asked++
	g.waiting, g.ahead = false, 0
	if g.cancel != nil {
		g.cancel()
	}
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
	if g.speaking {
		return // in a pause
	}
	g.understood()
	if found.Complete || g.due || g.full() {
		g.settle()
	}
}

// understood adds the recognised text to the transcript.
func (g *gathering) understood() {
	if last := g.speech[len(g.speech)-1]; last.Text == "" && g.found.Text != "" {
		g.c.line(g.c.own.party, 0, LineSpeech, g.found.Text)
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

// spoken ends the gather with the recognised speech as its input.
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
	g.forget()
	g.stopRecogniser()
	g.player.stop()
	g.c.verbDone(VerbGather, "interrupted", "")
}

// end continues with the input.
func (g *gathering) end(reason TurnReason) {
	g.hold()
	g.forget()
	g.stopRecogniser()
	g.player.stop()
	c := g.c
	got := TurnRequest{Action: cmp.Or(g.v.Action, ActionGather), Reason: reason, Digits: g.digits, Loud: g.found.Loud}
	if reason == ReasonSpeech {
		got.Speech, got.Confidence = strings.TrimSpace(g.found.Text), g.found.Confidence
		got.Alternatives, got.Sound, got.Witness = g.found.Alternatives, g.found.Sound, g.found.Witness
	}
	c.emit(Event{Type: EventGathered, Reason: reason, Digits: got.Digits, Speech: got.Speech, Confidence: got.Confidence})
	c.verbDone(VerbGather, string(reason), "")
	if c.program.Turn == nil {
		c.step()
		return
	}
	c.ask(got)
}
