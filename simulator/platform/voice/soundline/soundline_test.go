package soundline_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// wire is a far end on a virtual clock that records what it is sent.
type wire struct {
	clock *voice.Virtual
	rate  int
	far   soundline.Far
	log   []string
	sent  []sentFrame
	dials bool // the platform has called it: it answers at once
}

type sentFrame struct {
	at  time.Duration
	pcm []int16
}

func (w *wire) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf("%d ", w.clock.Now().Sub(noon).Milliseconds())+fmt.Sprintf(format, args...))
}

func (w *wire) Rate() int { return w.rate }

func (w *wire) Start(far soundline.Far) {
	w.far = far
	if w.dials {
		w.clock.AfterFunc(0, func() { w.far.Ringing(); w.far.Answered() })
	}
}
func (w *wire) Ring()      { w.note("ring") }
func (w *wire) Answer()    { w.note("answer") }
func (w *wire) Key(k byte) { w.note("key %c", k) }

func (w *wire) Send(frame []int16) {
	w.sent = append(w.sent, sentFrame{w.clock.Now().Sub(noon), append([]int16(nil), frame...)})
}
func (w *wire) Hangup(c voice.Cause, reason string) { w.note("hangup %d %s", c.Q850, reason) }

// say sends a tone of the given loudness to the platform, in frames of 20 ms.
func (w *wire) say(length time.Duration, hertz, peak float64) {
	start := w.clock.Now()
	for at := time.Duration(0); at < length; at += soundline.Frame {
		pcm := make([]int16, w.rate/50)
		for i := range pcm {
			t := at.Seconds() + float64(i)/float64(w.rate)
			pcm[i] = int16(peak*math.Sin(2*math.Pi*hertz*t)) + int16(i%3) - 1
		}
		w.clock.AfterFunc(at, func() { w.far.Frame(start.Add(at), pcm) })
	}
}

// sounds sends tones of the given lengths and loudnesses one after the other, and advances the clock meanwhile.
func (w *wire) sounds(all ...sound) {
	for _, s := range all {
		w.say(s.ms*time.Millisecond, 300, s.peak)
		w.clock.Advance(s.ms * time.Millisecond)
	}
}

type sound struct {
	ms   time.Duration
	peak float64
}

// heard returns the absolute value of the loudest sample that was sent to the wire between two times.
func (w *wire) heard(from, to time.Duration) int {
	most := 0
	for _, f := range w.sent {
		if f.at >= from && f.at < to {
			for _, v := range f.pcm {
				most = max(most, int(math.Abs(float64(v))))
			}
		}
	}
	return most
}

// speaker speaks each word as a tone of 100 ms.
type speaker struct{ asked []string }

func (s *speaker) Speak(_ context.Context, text, name string, rate int, deliver func([]int16) error) error {
	s.asked = append(s.asked, name+": "+text)
	if text == "broken" {
		return fmt.Errorf("no voice")
	}
	for range strings.FieldsSeq(text) {
		pcm := make([]int16, rate/10)
		for i := range pcm {
			pcm[i] = int16(5000 * math.Sin(2*math.Pi*400*float64(i)/float64(rate)))
		}
		if err := deliver(pcm); err != nil {
			return err
		}
	}
	return nil
}

// listener is a recogniser whose text is the length of the last utterance.
type listener struct {
	got   []voice.Utterance
	times int
	at    time.Duration // when it was asked last
	clock voice.Clock

	began time.Duration   // when somebody began to speak
	ctx   context.Context // of what they say

	unsure bool
}

func (l *listener) Start(ctx context.Context, _ voice.Grammar) voice.Recogniser {
	l.began, l.ctx = l.clock.Now().Sub(noon), ctx
	return l
}

func (l *listener) Recognise(_ context.Context, speech []voice.Utterance, _ voice.Grammar) (voice.Recognition, error) {
	l.got, l.at = speech, l.clock.Now().Sub(noon)
	l.times++
	return voice.Recognition{Text: fmt.Sprintf("%d ms", speech[len(speech)-1].Audio.Length.Milliseconds()), Confidence: 0.8, Complete: !l.unsure}, nil
}

// lab is an engine with a call on a sound line.
type lab struct {
	clock    *voice.Virtual
	engine   *voice.Engine
	wire     *wire
	speaker  *speaker
	listener *listener
	turns    []string
	result   *voice.Result
	events   []string
}

func newLab(t *testing.T, rate int, route func(*lab) voice.Leg, verbs voice.Document) *lab {
	l := &lab{clock: voice.NewVirtual(noon), speaker: &speaker{}, listener: &listener{}}
	l.listener.clock = l.clock
	ids := 0
	options := voice.Options{
		Clock: l.clock, NewID: func() string { ids++; return fmt.Sprint(ids) }, Recogniser: l.listener,
		Recorder: func(voice.Info, string) (voice.RecordingFile, error) { return &file{}, nil },
		Events:   func(ev voice.Event) { l.events = append(l.events, string(ev.Type)) },
	}
	if route != nil {
		options.Route = func(voice.Info, voice.Target) ([]voice.Route, error) {
			return []voice.Route{func(voice.Offer) voice.Leg { return route(l) }}, nil
		}
	}
	l.engine = voice.New(options)
	l.wire = &wire{clock: l.clock, rate: rate}
	turn := func(_ context.Context, r voice.TurnRequest) (voice.Document, error) {
		if r.Reason == voice.ReasonHangup {
			return nil, nil
		}
		l.turns = append(l.turns, fmt.Sprintf("%d %s %s%s", l.clock.Now().Sub(noon).Milliseconds(), r.Reason, r.Digits, r.Speech))
		return voice.Document{voice.Hangup{}}, nil
	}
	_, err := l.engine.Receive(voice.Incoming{
		Leg: soundline.New(l.wire, soundline.Options{Clock: l.clock, Speaker: l.speaker}), Program: voice.Program{Verbs: verbs, Turn: turn},
		Done: func(r voice.Result) { l.result = &r },
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, l.engine.Close(context.WithoutCancel(t.Context())))
		l.clock.Advance(20 * time.Second) // the far end may still speak
		require.Zero(t, l.clock.Pending(), "the line leaves nothing behind")
	})
	return l
}

type file struct{ data []byte }

func (f *file) Write(b []byte) (int, error)    { f.data = append(f.data, b...); return len(b), nil }
func (f *file) Seek(int64, int) (int64, error) { return 0, nil }
func (f *file) Close() error                   { return nil }

func ask(words string) voice.Gather {
	return voice.Gather{Input: []voice.Input{voice.InputDigits, voice.InputSpeech}, Verbs: voice.Document{voice.Say{Text: []string{words}}}}
}

// TestPromptIsSentInFrames checks that prompts are spoken at the wire's sample rate, one frame every 20 ms, and one directly after
// the other.
func TestPromptIsSentInFrames(t *testing.T) {
	for _, rate := range []int{8000, 16000} {
		l := newLab(t, rate, nil, voice.Document{voice.Say{Text: []string{"one two three", "four"}}})
		l.clock.Advance(5 * time.Second)
		require.Equal(t, []string{"en-GB-Standard-B: one two three", "en-GB-Standard-B: four"}, l.speaker.asked)
		require.Len(t, l.wire.sent, 15+5)
		for i, f := range l.wire.sent {
			require.Len(t, f.pcm, rate/50)
			require.Equal(t, time.Duration(i)*soundline.Frame, f.at)
		}
		require.Equal(t, []string{"0 ring", "0 answer", "400 hangup 16 "}, l.wire.log)
	}
}

// TestFailedPromptIsSilence checks that a prompt that cannot be spoken is replaced by silence of the usual length.
func TestFailedPromptIsSilence(t *testing.T) {
	l := newLab(t, 8000, nil, voice.Document{voice.Say{Text: []string{"broken"}}})
	l.clock.Advance(5 * time.Second)
	require.Equal(t, "400 hangup 16 ", l.wire.log[2])
	require.Zero(t, l.wire.heard(0, time.Second))
}

// TestSpeechInterruptsThePrompt checks that a caller who speaks interrupts the prompt, that the speech is recognised 500 ms after its
// end, and that a click does not interrupt.
func TestSpeechInterruptsThePrompt(t *testing.T) {
	l := newLab(t, 16000, nil, voice.Document{ask(strings.Repeat("word ", 50))})
	l.wire.sounds(sound{1000, 1}, sound{60, 8000}, sound{940, 1}, sound{1000, 8000}, sound{1000, 1})
	l.clock.Advance(time.Second)
	require.Greater(t, l.wire.heard(1900*time.Millisecond, 2*time.Second), 4000, "the click does not cut it")
	require.Zero(t, l.wire.heard(2200*time.Millisecond, 3*time.Second))
	require.Len(t, l.turns, 1)
	require.Equal(t, 16000, l.listener.got[0].Audio.Rate)
	var at, length int
	_, err := fmt.Sscanf(l.turns[0], "%d speech %d ms", &at, &length)
	require.NoError(t, err)
	require.InDelta(t, 3500, at, 40, "500 ms after the last sound")
	require.InDelta(t, 1500, length, 60, "300 ms before it, 200 ms behind it")
	require.Len(t, l.listener.got[0].Audio.Samples(), length*16)
}

// TestShortPausesDoNotEndAnAnswer checks that a pause of up to 400 ms does not end an answer. The words before a longer pause are
// recognised during it and again with the rest, so that the result is available when the answer ends. The recogniser
// is started with the first sound, and its context is cancelled at the end.
func TestShortPausesDoNotEndAnAnswer(t *testing.T) {
	for _, pause := range []time.Duration{150, 300, 350, 400} {
		l := newLab(t, 8000, nil, voice.Document{ask("where from")})
		l.wire.sounds(sound{1000, 1}, sound{600, 8000}, sound{pause, 1}, sound{600, 8000}, sound{1000, 1})
		l.clock.Advance(time.Second)
		require.Len(t, l.turns, 1)
		require.InDelta(t, 1100, l.listener.began.Milliseconds(), 60)
		require.ErrorIs(t, l.listener.ctx.Err(), context.Canceled)
		spoke := 2200*time.Millisecond + pause*time.Millisecond
		require.InDelta(t, 1700+pause, l.listener.got[0].Audio.Length.Milliseconds(), 60, "300 ms before it, 200 ms behind it")
		require.InDelta(t, (spoke + 200*time.Millisecond).Milliseconds(), l.listener.at.Milliseconds(), 40)
		require.Equal(t, map[bool]int{true: 2, false: 1}[pause > 200], l.listener.times)
		var at int
		_, err := fmt.Sscanf(l.turns[0], "%d", &at)
		require.NoError(t, err)
		require.InDelta(t, (spoke + 500*time.Millisecond).Milliseconds(), at, 40)
	}
}

// TestEndlessSpeechIsEndedAfterAMinute checks that the answer of a caller who does not stop is ended after about a minute.
func TestEndlessSpeechIsEndedAfterAMinute(t *testing.T) {
	l := newLab(t, 8000, nil, voice.Document{ask("where from")})
	l.listener.unsure = true
	l.wire.sounds(sound{1000, 1})
	for range 100 { // syllables: a tone without a gap is a noise of the line
		l.wire.sounds(sound{600, 8000}, sound{100, 1})
	}
	require.Len(t, l.turns, 1)
	require.Regexp(t, `^6[0-3]\d{3} speech 2\d{4} ms`, l.turns[0])
	require.Len(t, l.listener.got, 3, "three utterances of 20 s")
	require.LessOrEqual(t, l.listener.times, 6)
}

// TestMissingFramesEndTheSpeech checks that the end of speech is detected on a line that sends no frames during silence.
func TestMissingFramesEndTheSpeech(t *testing.T) {
	l := newLab(t, 8000, nil, voice.Document{ask("where from")})
	l.wire.sounds(sound{500, 1})
	l.wire.say(700*time.Millisecond, 300, 8000)
	l.clock.Advance(3 * time.Second)
	require.Len(t, l.turns, 1)
	require.Regexp(t, `^1(68|70)\d speech`, l.turns[0])
}

// TestKeyTakesPrecedenceOverSpeech checks that a key that is pressed during speech is the answer, and the speech is ignored.
func TestKeyTakesPrecedenceOverSpeech(t *testing.T) {
	l := newLab(t, 8000, nil, voice.Document{ask("word word word word")})
	l.wire.sounds(sound{100, 1})
	l.wire.say(2*time.Second, 300, 8000)
	l.clock.AfterFunc(time.Second, func() { l.wire.far.Key('1') })
	l.clock.Advance(5 * time.Second)
	require.Equal(t, []string{"1100 digits 1"}, l.turns[:1])
}

// TestSteadyNoiseIsNotSpeech checks that steady noise is not taken for speech, but louder speech is recognised.
func TestSteadyNoiseIsNotSpeech(t *testing.T) {
	l := newLab(t, 8000, nil, voice.Document{ask("where from")})
	l.wire.say(3*time.Second, 150, 900)
	l.clock.Advance(3 * time.Second)
	require.Empty(t, l.turns)
	l.wire.sounds(sound{1000, 9000})
	l.wire.say(time.Second, 150, 900)
	l.clock.Advance(4 * time.Second)
	require.Len(t, l.turns, 1)
	require.Contains(t, l.turns[0], "speech")
}

// TestMinuteWithoutFramesEndsTheCall checks that a line ends when no frame has arrived for a minute.
func TestMinuteWithoutFramesEndsTheCall(t *testing.T) {
	l := newLab(t, 8000, nil, voice.Document{voice.Gather{Timeout: 60, Verbs: voice.Document{voice.Say{Text: []string{strings.Repeat("word ", 900)}}}}})
	l.wire.say(20*time.Second, 150, 1)
	l.clock.Advance(79 * time.Second)
	require.Nil(t, l.result)
	l.clock.Advance(2 * time.Second)
	require.Equal(t, "79980 hangup 102 no sound for 1m0s", l.wire.log[2])
	require.Equal(t, voice.StateCompleted, l.result.State)
}

// TestBridgePassesSoundAndKeys checks that two lines with different sample rates are connected, including keys, and are recorded, even
// if one of the legs is wrapped in another.
func TestBridgePassesSoundAndKeys(t *testing.T) {
	testBridge(t, func(leg voice.Leg) voice.Leg { return leg })
	testBridge(t, func(leg voice.Leg) voice.Leg { return outer{leg} })
}

// outer is a leg that wraps another.
type outer struct{ voice.Leg }

func (o outer) Unwrap() voice.Leg { return o.Leg }

func testBridge(t *testing.T, wrap func(voice.Leg) voice.Leg) {
	t.Helper()
	var far *wire
	l := newLab(t, 8000, func(l *lab) voice.Leg {
		far = &wire{clock: l.clock, rate: 16000, dials: true}
		return wrap(soundline.New(far, soundline.Options{Clock: l.clock, Speaker: l.speaker}))
	}, voice.Document{voice.Dial{Record: &voice.Record{}, Targets: []voice.Target{{Extension: &voice.Extension{Extension: "12"}}}}})
	l.clock.Advance(time.Second)
	l.wire.say(time.Second, 300, 8000)
	l.clock.Advance(2 * time.Second)
	require.InDelta(t, 8000, far.heard(0, 9*time.Second), 400)
	require.InDelta(t, 50, len(far.sent), 2)
	require.Len(t, far.sent[0].pcm, 320)
	far.say(time.Second, 300, 6000)
	far.far.Key('5')
	l.clock.Advance(2 * time.Second)
	require.InDelta(t, 6000, l.wire.heard(3*time.Second, 9*time.Second), 400)
	require.Contains(t, l.wire.log, "3000 key 5")
	far.far.Ended(voice.CauseNormal, "bye")
	l.clock.Advance(time.Second)
	require.Contains(t, far.log, "5000 hangup 16 bye")
	require.Contains(t, l.events, string(voice.EventRecorded))
}

// TestBridgeToASimulatedPerson checks that the words of a simulated person are spoken on the line, and that the person is
// notified of the caller's speech and its length.
func TestBridgeToASimulatedPerson(t *testing.T) {
	var heard []simline.Happening
	l := newLab(t, 8000, func(l *lab) voice.Leg {
		x := &simline.Exchange{Clock: l.clock, Phone: func(voice.Offer) simline.Behaviour {
			return simline.Behaviour{Party: func(p *simline.Phone, h simline.Happening) {
				heard = append(heard, h)
				if h.Kind == simline.Bridged {
					p.Say("I am outside")
				}
			}}
		}}
		return x.Route(voice.Offer{})
	}, voice.Document{voice.Dial{Targets: []voice.Target{{Extension: &voice.Extension{Extension: "12"}}}}})
	l.clock.Advance(2 * time.Second)
	require.Equal(t, []string{": I am outside"}, l.speaker.asked)
	require.Greater(t, l.wire.heard(0, 2*time.Second), 4000)
	l.wire.sounds(sound{200, 1})
	l.wire.say(time.Second, 300, 8000)
	l.clock.Advance(3 * time.Second)
	last := heard[len(heard)-1]
	require.Equal(t, simline.Heard, last.Kind)
	require.InDelta(t, 1200, last.Length.Milliseconds(), 60)
	l.wire.far.Ended(voice.CauseNormal, "")
	l.clock.Advance(time.Second)
	require.NotNil(t, l.result)
}

// eager is a wire that sends a key as soon as it is answered.
type eager struct{ *wire }

func (e eager) Answer() {
	e.wire.Answer()
	e.far.Key('1')
}

// TestKeyDuringTheAnswerIsReported checks that a key that arrives during Answer is reported.
func TestKeyDuringTheAnswerIsReported(t *testing.T) {
	clock := voice.NewVirtual(noon)
	leg := soundline.New(eager{&wire{clock: clock, rate: 8000}}, soundline.Options{Clock: clock})
	var heard []voice.LegEvent
	leg.Start(func(ev voice.LegEvent) { heard = append(heard, ev) })
	leg.Answer()
	require.Equal(t, []voice.LegEvent{{Kind: voice.LegKey, Key: '1'}}, heard)
	leg.Hangup(voice.CauseNormal, "")
}

// comfort returns a line with comfort noise that has just been answered.
func comfort(clock voice.Clock, virtual *voice.Virtual, phase func() time.Duration) (*wire, voice.Leg) {
	w := &wire{clock: virtual, rate: 8000}
	leg := soundline.New(w, soundline.Options{Clock: clock, Comfort: true, Phase: phase})
	leg.Start(func(voice.LegEvent) {})
	leg.Answer()
	return w, leg
}

// TestComfortNoiseFillsSilence checks that a line with comfort noise always sends frames, that the noise is quiet, and that prompts
// are sent in its place.
func TestComfortNoiseFillsSilence(t *testing.T) {
	clock := voice.NewVirtual(noon)
	w, leg := comfort(clock, clock, nil)
	clock.Advance(time.Second)
	require.Len(t, w.sent, 51)
	require.InDelta(t, 10, w.heard(0, time.Second), 9)
	leg.Play(voice.Prompt{ID: 1, Kind: voice.PromptTone, Loop: true, Audio: voice.Beep(425, 300*time.Millisecond)})
	clock.Advance(time.Second)
	require.InDelta(t, 8000, w.heard(1900*time.Millisecond, 2*time.Second), 100)
	leg.Hangup(voice.CauseNormal, "")
	clock.Advance(time.Second)
	require.Len(t, w.sent, 101)
	require.Zero(t, clock.Pending())
}

// TestFramesOfSeveralCallsAreStaggered checks that lines that are answered at the same time send their frames at different times.
func TestFramesOfSeveralCallsAreStaggered(t *testing.T) {
	clock := voice.NewVirtual(noon)
	phase := soundline.Spread()
	var due []time.Duration
	for range 10 {
		w, leg := comfort(clock, clock, phase)
		at := clock.Now().Sub(noon)
		clock.Advance(10 * soundline.Frame)
		require.Len(t, w.sent, 10)
		first := w.sent[0].at - at
		require.Equal(t, first+9*soundline.Frame, w.sent[9].at-at)
		require.Less(t, first, soundline.Frame)
		due = append(due, first)
		leg.Hangup(voice.CauseNormal, "")
	}
	slices.Sort(due)
	for i := range due[1:] {
		require.Greater(t, due[i+1]-due[i], time.Millisecond/2)
	}
}

// TestMissedFramesAreSentAfterADelay checks that a line sends missed frames at once if its timer was late by a short time, but not all frames
// of a long time.
func TestMissedFramesAreSentAfterADelay(t *testing.T) {
	clock := &heldUp{Virtual: voice.NewVirtual(noon)}
	w, leg := comfort(clock, clock.Virtual, nil)
	clock.Advance(100 * time.Millisecond)
	clock.ahead = 100 * time.Millisecond
	clock.Advance(20 * time.Millisecond)
	require.Len(t, w.sent, 12, "five frames were due meanwhile")
	clock.ahead = 5 * time.Second
	clock.Advance(20 * time.Millisecond)
	require.Len(t, w.sent, 14)
	leg.Hangup(voice.CauseNormal, "")
}

// heldUp is a clock whose timers are late.
type heldUp struct {
	*voice.Virtual
	ahead time.Duration
}

func (h *heldUp) Now() time.Time { return h.Virtual.Now().Add(h.ahead) }
