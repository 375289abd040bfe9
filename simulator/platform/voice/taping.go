package voice

import (
	"cmp"
	"time"
)

// taping records a bridge.
type taping struct {
	d     *dialling
	id    string
	tape  *tape
	began time.Time
	limit Timer
	from  int // number of lines in the transcript at its beginning
}

// record starts recording. An error does not end the bridge.
func (d *dialling) record() *taping {
	c := d.c
	t := &taping{d: d, id: c.e.options.NewID(), began: c.now()}
	var file RecordingFile
	var err error
	c.e.guard("Recorder", func() { file, err = c.e.options.Recorder(c.info, t.id) })
	if err == nil && file != nil {
		t.tape, err = newTape(file, t.began)
	}
	if err != nil || t.tape == nil {
		c.warn(VerbDial, "the dial is not recorded: the recording could not be begun")
		return nil
	}
	if d.v.Record.PlayBeep {
		for _, s := range []*side{c.own, d.peer} {
			c.prompts++
			c.line(PartyPlatform, s.number, LinePlay, ToneBeep)
			s.Play(Prompt{ID: c.prompts, Kind: PromptTone, Text: ToneBeep, Audio: toneAudio(ToneBeep)})
		}
	}
	c.mu.Lock()
	t.from = len(c.lines)
	c.mu.Unlock()
	for channel, s := range []*side{c.own, d.peer} {
		tape := t.tape // the legs may still pass on sound when the recording has ended
		s.Tap(func(at time.Time, pcm []int16) { tape.add(channel, at, pcm) })
	}
	length := cmp.Or(d.v.Record.MaxLength, cmp.Or(d.v.TimeLimit, 14400))
	t.limit = c.after(seconds(length), t.stop)
	return t
}

// stop ends the recording, if it has not ended.
func (t *taping) stop() {
	if t.tape == nil {
		return
	}
	c := t.d.c
	t.limit.Stop()
	for _, s := range []*side{c.own, t.d.peer} {
		if !s.gone {
			s.Tap(nil)
		}
	}
	end := c.now()
	r := &Recording{ID: t.id, Duration: Seconds(end.Sub(t.began)), Interrupted: t.tape.close(end) != nil}
	t.tape = nil
	if t.d.v.Record.Transcribe {
		r.Transcript = c.spoken(t.from)
	}
	c.emit(Event{Type: EventRecorded, Recording: r})
}

// spoken returns the speech in the transcript from a line on.
func (c *Call) spoken(from int) []Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	var lines []Line
	for _, line := range c.lines[from:] {
		if line.Kind == LineSpeech {
			lines = append(lines, line)
		}
	}
	return lines
}
