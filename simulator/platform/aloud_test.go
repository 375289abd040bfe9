package platform_test

import (
	"cmp"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zaf/g711"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// aloud is a house with a reference dispatch system; its taxi number is called on lines that carry sound.
type aloud struct {
	*house

	dispatch *dispatchtest.Fake
	ear      *prompted
	noise    lineNoise
	said     string // by the platform in the last call
	trips    int    // booked until now
	wait     int    // seconds before something is said; 0: 5
}

func newAloud(t *testing.T) *aloud {
	a := &aloud{dispatch: dispatchtest.New(t, dispatchtest.Options{World: simulator.Options{Start: morning}}), ear: &prompted{}}
	a.house, _ = seeded(t, "", func(o *platform.Options) {
		o.Now, o.Recogniser = func() time.Time { return morning }, a.ear // all calls are made at the same time
	})
	require.NoError(t, a.platform.UseThirdParty(t.Context(), platform.ThirdParty{URL: a.dispatch.URL()}))
	return a
}

// prompted is a recogniser that returns the given words, one entry at a time, and after them what a listener
// recognises.
type prompted struct {
	words   []string
	aloud   speech.Listener
	heard   []speech.Heard
	grammar voice.Grammar
	turns   []time.Duration // length of the speech in each recognition
}

func (p *prompted) Recognise(ctx context.Context, said []voice.Utterance, grammar voice.Grammar) (voice.Recognition, error) {
	p.grammar = grammar
	if len(p.words) > 0 {
		text := p.words[0]
		p.words = p.words[1:]
		return voice.Recognition{Text: text, Confidence: 1, Complete: true}, nil
	}
	length := time.Duration(0)
	for _, u := range said {
		length += u.Audio.Length
	}
	p.turns = append(p.turns, length)
	found, err := speech.Recogniser{Listener: p.aloud}.Recognise(ctx, said, grammar)
	p.heard = append(p.heard, speech.Heard{Text: found.Text, Confidence: found.Confidence, Witness: found.Witness})
	return found, err
}

// testPhone is the far end of a line: a telephone on a virtual clock.
type testPhone struct {
	clock *voice.Virtual
	rate  int
	far   soundline.Far
	over  bool

	noise lineNoise
}

// lineNoise is white noise on a line.
type lineNoise struct {
	loud   float64 // the square root of the mean of its squares
	chance *rand.Rand
}

// add adds the noise to samples.
func (n *lineNoise) add(pcm []int16) {
	if n.loud == 0 {
		return
	}
	for i, v := range pcm {
		pcm[i] = int16(max(-32768, min(32767, float64(v)+n.loud*n.chance.NormFloat64())))
	}
}

func (m *testPhone) Rate() int                  { return m.rate }
func (m *testPhone) Start(far soundline.Far)    { m.far = far }
func (m *testPhone) Ring()                      {}
func (m *testPhone) Answer()                    {}
func (m *testPhone) Send([]int16)               {}
func (m *testPhone) Key(byte)                   {}
func (m *testPhone) Hangup(voice.Cause, string) { m.over = true }

// say sends samples to the platform, followed by a second of silence.
func (m *testPhone) say(pcm []int16) {
	pcm = append(slices.Clone(pcm), make([]int16, m.rate)...)
	m.noise.add(pcm)
	start := m.clock.Now()
	size := m.rate / 50
	for i := 0; i+size <= len(pcm); i += size {
		at := time.Duration(i) * time.Second / time.Duration(m.rate)
		m.clock.AfterFunc(at, func() {
			if !m.over {
				m.far.Frame(start.Add(at), pcm[i:i+size])
			}
		})
	}
}

// outcome is what the conversation understood and did.
type outcome struct{ State, Asks, Frame, Booked string }

// call calls the taxi number from a known number, and plays each of the given sounds after the prompts of the one
// before.
func (a *aloud) call(rate int, said ...[]int16) outcome {
	a.t.Helper()
	return a.talk(rate, func(outcome) (next []int16) {
		if len(said) > 0 {
			next, said = said[0], said[1:]
		}
		return next
	})
}

// talk calls the taxi number and plays the sounds that next returns, each after the prompts, until it returns nil.
func (a *aloud) talk(rate int, next func(outcome) []int16) (o outcome) {
	a.t.Helper()
	m := &testPhone{clock: a.line, rate: rate, noise: a.noise}
	id, err := a.platform.Take(soundline.New(m, soundline.Options{Clock: a.line}), "442079460022", a.credentials.Accounts[0].DDIs[1].Name)
	require.NoError(a.t, err)
	for pcm := next(o); pcm != nil; pcm = next(o) {
		wait := cmp.Or(a.wait, 5)
		m.say(make([]int16, wait*rate)) // most prompts take less, and nobody asks again yet
		a.line.Advance(time.Duration(wait+1) * time.Second)
		m.say(pcm)
		a.line.Advance(time.Duration(len(pcm))*time.Second/time.Duration(rate) + 3*time.Second)
		o = a.outcome(id)
	}
	m.far.Ended(voice.CauseNormal, "")
	a.line.Advance(time.Minute)
	return o
}

// outcome returns the current state and result of the conversation in a call.
func (a *aloud) outcome(id string) outcome {
	story := decoded[struct {
		Call  calls.View
		State string
		Asks  json.RawMessage
		Frame *booking.Frame
	}](a.t, a.send(http.MethodGet, "/sim/v1/stories/"+id, ""))
	a.said = strings.Join(said(story.Call), "\n")
	var frame []byte
	if story.Frame != nil {
		var err error
		story.Frame.Unsure = nil // what was understood, however well it was heard
		frame, err = json.Marshal(story.Frame)
		require.NoError(a.t, err)
	}
	return outcome{story.State, string(story.Asks), string(frame), a.booked()}
}

// booked returns the trip that has been booked since the last call of booked, and cancels it.
func (a *aloud) booked() string {
	all := a.dispatch.Booked()
	if len(all) == a.trips {
		return ""
	}
	a.trips = len(all)
	last := all[len(all)-1]
	_, err := a.dispatch.Client(taxi.ClientOptions{}).Cancel(a.t.Context(), taxi.JourneyRef{UserID: last.UserID, JourneyID: last.JourneyID})
	require.NoError(a.t, err)
	return last.Pickup.Address + " to " + last.Dropoffs[0].Address
}

// programs returns the programs of this machine that speak and recognise speech. Tests that use them take most of a
// minute, so they run only with MUST_RUN=1, as in CI, where a missing program is a failure.
func programs(t *testing.T) (speech.Speaker, speech.Listener) {
	t.Helper()
	if os.Getenv("MUST_RUN") == "" {
		t.Skip("MUST_RUN=1 speaks and listens with this machine's programs")
	}
	speaker, err := speech.OpenSpeaker("flite -voice {voice} -t {text} -o {file}")
	require.NoError(t, err)
	listener, err := speech.OpenListener("")
	require.NoError(t, err)
	require.NotNil(t, listener, "pocketsphinx is not installed")
	return speaker, listener
}

// spoken returns words as speech; at the sample rate of telephones, after µ-law.
func spoken(t *testing.T, speaker speech.Speaker, words, name string, rate int) []int16 {
	var pcm []int16
	require.NoError(t, speaker.Speak(t.Context(), words, name, rate, func(more []int16) error { pcm = append(pcm, more...); return nil }))
	if rate == voice.SampleRate {
		for i, v := range pcm {
			pcm[i] = g711.DecodeUlawFrame(g711.EncodeUlawFrame(v))
		}
	}
	return pcm
}

// TestNotUnderstoodAloud checks that a caller whom the recogniser never understands first gets a short question,
// later the keys to press, and at last is connected to a person.
func TestNotUnderstoodAloud(t *testing.T) {
	a := newAloud(t)
	a.ear.aloud = deaf{}
	noise := noiseOf(8000, 2*time.Second, 8000, 0) // loud enough for speech
	require.Equal(t, "U2", a.call(8000, noise).State)
	require.NotContains(t, a.said, "press 1")
	require.Equal(t, "X0", a.call(8000, noise, noise, noise, make([]int16, 800), noise).State, "a pause while the keys are told")
	require.Contains(t, a.said, "press 1")
	require.Contains(t, a.said, "Please hold.")
}

// deaf understands nothing.
type deaf struct{}

func (deaf) Listen(context.Context, []int16, voice.Grammar) (speech.Heard, error) {
	return speech.Heard{}, nil
}
