package voice

import (
	"cmp"
	"context"
	"time"
)

// speaking is the activity of a call that runs a say or a play.
type speaking struct {
	c      *Call
	verb   string
	player *player
}

func (s *speaking) heard(ev LegEvent) { s.player.heard(ev) }

func (s *speaking) stop() {
	s.player.stop()
	s.c.verbDone(s.verb, "interrupted", "")
}

func (v Say) run(c *Call)  { c.speak(v) }
func (v Play) run(c *Call) { c.speak(v) }

func (c *Call) speak(verb Verb) {
	c.answer()
	s := &speaking{c: c, verb: verb.Name()}
	c.at = s
	s.player = c.play(Document{verb}, func(failed string) {
		outcome := "completed"
		if failed != "" {
			outcome = "failed"
		}
		c.verbDone(s.verb, outcome, failed)
		c.step()
	})
}

// player plays prompts to the call's own leg, one after the other.
type player struct {
	c       *Call
	next    func() // called when the prompt is complete
	prompt  int    // the current prompt
	stopped bool
	failed  string // why a piece was left out
	done    func(failed string)
}

// piece is one prompt of a verb.
type piece struct {
	kind        PromptKind
	text, voice string
	audio       *Audio // when it has been fetched
}

// play plays the says and plays of a document.
func (c *Call) play(document Document, done func(failed string)) *player {
	p := &player{c: c, done: done}
	p.verb(document)
	return p
}

// verb plays the first verb of a document, and then the others.
func (p *player) verb(document Document) {
	if len(document) == 0 {
		p.stopped = true
		p.done(p.failed)
		return
	}
	switch v := document[0].(type) {
	case Say:
		voice := p.c.voice(v.Voice)
		pieces := make([]piece, len(v.Text))
		for i, text := range v.Text {
			pieces[i] = piece{kind: PromptSay, text: text, voice: voice}
		}
		p.round(pieces, 0, int(max(v.Loop, 1)), document[1:])
	case Play:
		p.round([]piece{{kind: PromptPlay, text: v.URL}}, 0, int(max(v.Loop, 1)), document[1:])
	}
}

// round plays the pieces from the i-th on, repeats all of them the remaining times, and continues with then.
func (p *player) round(pieces []piece, i, times int, then Document) {
	if p.stopped {
		return
	}
	if i == len(pieces) {
		i, times = 0, times-1
	}
	if times == 0 {
		p.verb(then)
		return
	}
	at := &pieces[i]
	next := func() { p.round(pieces, i+1, times, then) }
	if at.audio != nil {
		p.start(*at, next)
		return
	}
	p.c.aside(func(ctx context.Context) func() {
		audio, err := p.c.fetch(ctx, *at)
		return func() {
			switch {
			case p.stopped:
			case err != nil:
				p.lose(err.Error(), func() { p.verb(then) })
			default:
				at.audio = &audio
				p.start(*at, next)
			}
		}
	}, func() { p.lose("internal", func() { p.verb(then) }) })
}

// lose records why a verb cannot be played, and continues with next.
func (p *player) lose(why string, next func()) {
	if !p.stopped {
		p.failed = why
		next()
	}
}

// start plays a piece, and then calls next.
func (p *player) start(at piece, next func()) {
	p.c.prompts++
	p.prompt = p.c.prompts
	p.next = next
	kind := LineSay
	if at.kind == PromptPlay {
		kind = LinePlay
	}
	p.c.line(PartyPlatform, 0, kind, at.text)
	p.c.own.Play(Prompt{ID: p.prompt, Kind: at.kind, Text: at.text, Voice: at.voice, Audio: *at.audio})
}

// heard continues when a prompt is complete.
func (p *player) heard(ev LegEvent) {
	if ev.Kind == LegPromptEnded && ev.Prompt == p.prompt && !p.stopped {
		p.prompt = 0
		p.next()
	}
}

// stop stops the current prompt. done is not called.
func (p *player) stop() {
	if p.stopped {
		return
	}
	p.stopped = true
	if p.prompt != 0 && !p.c.own.gone {
		p.c.own.Stop()
	}
}

// fetch returns the audio of a piece.
func (c *Call) fetch(ctx context.Context, at piece) (Audio, error) {
	if at.kind == PromptPlay {
		return c.e.options.Fetch(ctx, c.info, at.text)
	}
	return c.e.options.Synthesizer.Synthesize(ctx, at.text, at.voice)
}

// voice returns the voice of a prompt.
func (c *Call) voice(wanted string) string {
	usual := cmp.Or(c.program.Voice, c.e.options.Voice)
	if wanted == "" || wanted == usual {
		return usual
	}
	if !c.e.options.Synthesizer.Knows(wanted) {
		c.warn(VerbSay, "there is no voice "+wanted+", so "+usual+" speaks")
		return usual
	}
	return wanted
}

// tone plays a tone to the call's own leg.
func (c *Call) tone(name string, loop bool) {
	c.prompts++
	c.line(PartyPlatform, 0, LinePlay, name)
	c.own.Play(Prompt{ID: c.prompts, Kind: PromptTone, Text: name, Audio: toneAudio(name), Loop: loop})
}

// toneAudio returns one round of a tone.
func toneAudio(name string) Audio {
	switch name {
	case ToneBeep:
		return Beep(440, 300*time.Millisecond)
	case ToneRingback:
		return Beep(425, 2*time.Second)
	}
	return Beep(220, time.Second)
}
