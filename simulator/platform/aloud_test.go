package platform_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/g711"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// aloud is a platform beside the reference's dispatch system, on a virtual clock, that
// is called on lines that carry sound.
type aloud struct {
	t        *testing.T
	line     *voice.Virtual
	dispatch *dispatchtest.Fake
	platform *platform.Platform
	handler  http.Handler
	number   string
	ear      *prompted
	noise    lineNoise
	said     string // by the platform in the last call
	trips    int    // booked until now
}

var spokenMorning = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

func newAloud(t *testing.T) *aloud {
	d := dispatchtest.New(t, dispatchtest.Options{World: simulator.Options{Start: spokenMorning}})
	store, err := records.Open(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	a := &aloud{t: t, dispatch: d, line: voice.NewVirtual(spokenMorning), ear: &prompted{}}
	a.platform, err = platform.New(t.Context(), platform.Options{
		Records: store, Now: func() time.Time { return spokenMorning }, Line: a.line, Work: a.line, PrivateHooks: true, Random: rand.NewChaCha8([32]byte{7}),
		Recogniser: a.ear,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.platform.Close(context.Background())) })
	require.NoError(t, a.platform.Seed(t.Context()))
	require.NoError(t, a.platform.UseThirdParty(t.Context(), platform.ThirdParty{URL: d.URL()}))
	a.number = store.DDIs(store.Accounts(store.Organisations()[0].ID)[0].ID)[1].Name
	a.handler = a.platform.Handler()
	return a
}

// prompted understands what it is told the words of, and has a listener hear the rest.
type prompted struct {
	words   []string
	aloud   speech.Listener
	heard   []speech.Heard
	grammar voice.Grammar
	turns   []time.Duration // how long what was to be understood is
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
	p.heard = append(p.heard, speech.Heard{Text: found.Text, Confidence: found.Confidence})
	return found, err
}

// mouth is the far end of a line: a telephone on a virtual clock.
type mouth struct {
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

func (m *mouth) Rate() int                  { return m.rate }
func (m *mouth) Start(far soundline.Far)    { m.far = far }
func (m *mouth) Ring()                      {}
func (m *mouth) Answer()                    {}
func (m *mouth) Send([]int16)               {}
func (m *mouth) Key(byte)                   {}
func (m *mouth) Hangup(voice.Cause, string) { m.over = true }

// say lets the line hear samples, and a second of silence.
func (m *mouth) say(pcm []int16) {
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

// outcome is what the conversation made of what was said.
type outcome struct{ State, Asks, Frame, Booked string }

// call rings the taxi number for a known caller, waits for the prompts and says some things one after the other.
func (a *aloud) call(rate int, said ...[]int16) outcome {
	a.t.Helper()
	m := &mouth{clock: a.line, rate: rate, noise: a.noise}
	id, err := a.platform.Take(soundline.New(m, soundline.Options{Clock: a.line}), "442079460022", a.number)
	require.NoError(a.t, err)
	for _, pcm := range said {
		m.say(make([]int16, 8*rate)) // the prompts take less, and nobody asks again yet
		a.line.Advance(9 * time.Second)
		m.say(pcm)
		a.line.Advance(time.Duration(len(pcm))*time.Second/time.Duration(rate) + 3*time.Second)
	}
	answer := httptest.NewRecorder()
	a.handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/sim/v1/stories/"+id, nil))
	require.Equal(a.t, http.StatusOK, answer.Code, "%s", answer.Body)
	var story struct {
		Call  calls.View      `json:"call"`
		State string          `json:"state"`
		Asks  json.RawMessage `json:"asks"`
		Frame json.RawMessage `json:"frame"`
	}
	require.NoError(a.t, json.Unmarshal(answer.Body.Bytes(), &story))
	m.far.Ended(voice.CauseNormal, "")
	a.line.Advance(time.Minute)
	a.said = ""
	for _, l := range story.Call.Transcript {
		if l.Kind == voice.LineSay {
			a.said += l.Text + "\n"
		}
	}
	return outcome{story.State, string(story.Asks), string(story.Frame), a.booked()}
}

// booked returns the trip that the last call has booked, and cancels it.
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

// TestSpokenIntents measures whether the conversation makes of spoken words what it
// makes of written ones: 25 utterances in two voices, by telephone and by browser.
func TestSpokenIntents(t *testing.T) {
	speaker, listener := programs(t)
	a := newAloud(t)
	a.ear.aloud = listener
	hum := func(rate int) []int16 { return voice.Beep(300, time.Second).At(rate) }
	for _, line := range []struct {
		name        string
		rate, least int
	}{{"telephone", 8000, 24}, {"browser", 16000, 25}} {
		for _, name := range []string{"rms", "kal16"} {
			t.Run(line.name+" "+name, func(t *testing.T) {
				right := 0
				for _, u := range fixtures.Utterances {
					var before [][]int16
					var known []string
					if u.Before != "" {
						before, known = append(before, hum(line.rate)), append(known, u.Before)
					}
					a.ear.words = append(slices.Clone(known), u.Words)
					want := a.call(line.rate, append(slices.Clone(before), hum(line.rate))...)
					pcm := spoken(t, speaker, u.Words, name, line.rate)
					a.ear.words, a.ear.heard = known, nil
					got := a.call(line.rate, append(slices.Clone(before), pcm)...)
					if got == want {
						right++
					} else {
						t.Logf("%q was heard as %v: %v instead of %v", u.Words, a.ear.heard, got, want)
					}
				}
				t.Logf("%d of %d", right, len(fixtures.Utterances))
				require.GreaterOrEqual(t, right, line.least)
			})
		}
	}
}

// programs returns the programs of this machine that speak and recognise speech. Tests with them take most of a
// minute: they run with MUST_RUN=1, as in the gate, where a missing program is a failure.
func programs(t *testing.T) (speech.Speaker, speech.Listener) {
	t.Helper()
	if os.Getenv("MUST_RUN") == "" && os.Getenv("MEASURE") == "" {
		t.Skip("MUST_RUN=1 speaks and listens with this machine's programs")
	}
	speaker, err := speech.OpenSpeaker("flite -voice {voice} -t {text} -o {file}")
	require.NoError(t, err)
	listener, err := speech.OpenListener("")
	require.NoError(t, err)
	require.NotNil(t, listener, "pocketsphinx is not installed")
	return speaker, listener
}

// spoken is what words sound like: on a telephone line, after µ-law.
func spoken(t *testing.T, speaker speech.Speaker, words, name string, rate int) []int16 {
	var pcm []int16
	require.NoError(t, speaker.Speak(t.Context(), words, name, rate, func(more []int16) error { pcm = append(pcm, more...); return nil }))
	if rate == voice.SampleRate {
		for i, v := range pcm {
			pcm[i] = g711.MuLaw(g711.ToMuLaw(v))
		}
	}
	return pcm
}

// noise returns two seconds of noise at 8 kHz, loud enough for speech.
func noise() []int16 {
	chance := rand.New(rand.NewPCG(1, 2))
	pcm := make([]int16, 2*8000)
	for i := range pcm {
		pcm[i] = int16(chance.IntN(8000) - 4000)
	}
	return pcm
}

// TestNotUnderstoodAloud: a caller whom the recogniser does not understand is offered keys,
// and after the third time a person; a key works in between.
func TestNotUnderstoodAloud(t *testing.T) {
	a := newAloud(t)
	a.ear.aloud = deaf{}
	require.Equal(t, "U2", a.call(8000, noise()).State)
	require.Contains(t, a.said, "press 1")
	require.Equal(t, "X0", a.call(8000, noise(), noise(), noise()).State)
	require.Contains(t, a.said, "Please hold.")
}

// deaf understands nothing.
type deaf struct{}

func (deaf) Listen(context.Context, []int16, voice.Grammar) (speech.Heard, error) {
	return speech.Heard{}, nil
}
