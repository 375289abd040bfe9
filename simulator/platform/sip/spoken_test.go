package sip_test

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zaf/g711"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// caller is the number of a customer who has no taxi booked.
const caller = "442079460022"

// inRealTime skips a test that takes as long as a spoken conversation, unless MUST_RUN=1 is set, as in CI.
func inRealTime(t *testing.T) {
	t.Helper()
	if os.Getenv("MUST_RUN") == "" {
		t.Skip("MUST_RUN=1 makes calls in real time")
	}
}

// speaking returns a platform that uses this machine's programs to speak and recognise, and a caller's voice,
// flite's.
func speaking(t *testing.T, change ...func(*platform.Options)) (p *platform.Platform, callersVoice speech.Speaker) {
	t.Helper()
	inRealTime(t)
	callersVoice, err := speech.CommandSpeaker(program(t, "flite") + " -voice {voice} -t {text} -o {file}")
	require.NoError(t, err)
	program(t, "pocketsphinx_batch")
	platformsVoice, err := speech.OpenSpeaker("")
	require.NoError(t, err)
	listener, err := speech.OpenListener("")
	require.NoError(t, err)
	programs := func(o *platform.Options) {
		o.Speaker, o.Recogniser = platformsVoice, speech.Recogniser{Listener: listener}
	}
	return firm(t, &clitest.Buffer{}, append([]func(*platform.Options){programs}, change...)...), callersVoice
}

// lastStory returns the story of the caller's last call.
func lastStory(t *testing.T, p *platform.Platform) simapi.StoryView {
	t.Helper()
	list := asks[[]struct{ CallID, From string }](t, p, http.MethodGet, "/sim/v1/calls", "")
	for _, call := range list {
		if call.From == "+"+caller {
			return asks[simapi.StoryView](t, p, http.MethodGet, "/sim/v1/stories/"+call.CallID, "")
		}
	}
	require.Fail(t, "there is no such call", "%v", list)
	return simapi.StoryView{}
}

// TestSpokenBooking checks that a customer can book a taxi by voice alone, with two sentences over RTP. TIMES=20
// repeats it twenty times, to measure how soon the platform replies.
func TestSpokenBooking(t *testing.T) {
	t.Parallel()
	times, _ := strconv.Atoi(os.Getenv("TIMES"))
	var lags []time.Duration
	for range max(1, times) {
		lags = append(lags, spokenBooking(t)...)
	}
	logLags(t, lags)
}

// logLags logs how long after the end of speech the platform spoke.
func logLags(t *testing.T, lags []time.Duration) {
	slices.Sort(lags)
	t.Logf("from the end of speech to the first sound: %s at p50, %s at p95, of %d", lags[len(lags)/2].Round(time.Millisecond), lags[len(lags)*95/100].Round(time.Millisecond), len(lags))
}

// spokenBooking makes one such call and returns how soon the platform replied.
func spokenBooking(t *testing.T) []time.Duration {
	p, voiceOf := speaking(t)
	d := dispatchtest.New(t, dispatchtest.Options{World: simulator.Options{Start: time.Now()}})
	require.NoError(t, p.UseThirdParty(t.Context(), platform.ThirdParty{URL: d.URL()}))
	address, _ := p.SIPAddress()
	trip, yes := muLaw(t, voiceOf, "from the town hall to the airport now", "rms"), muLaw(t, voiceOf, "yes please", "rms")

	t.Cleanup(func() {
		if t.Failed() {
			for _, turn := range lastStory(t, p).Turns {
				t.Logf("%s %q %.2f", turn.Reason, turn.Speech, turn.Confidence)
			}
		}
	})
	began := time.Now()
	k := newAgent(t, address, "+"+caller).rings(taxiNumber)
	k.hearsPrompt()
	k.utters(trip)
	first := k.hearsPrompt()
	k.utters(yes)
	second := k.hearsPrompt()
	k.reply(k.asked("BYE"), 200, "")
	took := time.Since(began)

	s := lastStory(t, p)
	var said []string
	for _, line := range s.Call.Transcript {
		if line.Kind == voice.LineSay {
			said = append(said, line.Text)
		}
	}
	text := strings.Join(said, "\n")
	t.Logf("%s; the platform said\n%s", took.Round(time.Millisecond), text)
	require.Regexp(t, "Town Hall,? to Otterbridge Airport, now", text)
	require.Contains(t, text, "Your taxi is booked")
	j := d.Latest()
	require.NotNil(t, j, "nothing was booked")
	require.Equal(t, d.Place("Town Hall").Address, j.Pickup.Address)
	require.Equal(t, d.Place("airport").Address, j.Dropoffs[0].Address)
	return []time.Duration{first, second}
}

// mumbler is a listener that understands no word.
type mumbler struct{}

func (mumbler) Listen(context.Context, []int16, voice.Grammar) (speech.Heard, error) {
	return speech.Heard{}, nil
}

// chirper is a speaker that plays a tone of 300 ms for each text.
type chirper struct{}

func (chirper) Speak(_ context.Context, _, _ string, rate int, deliver func([]int16) error) error {
	return deliver(voice.Beep(440, 300*time.Millisecond).At(rate))
}

// TestMisunderstoodCaller checks that a caller whom the recogniser does not understand is asked again twice without
// keys, then hears which keys to press, and is then connected to a person's telephone.
func TestMisunderstoodCaller(t *testing.T) {
	inRealTime(t)
	t.Parallel()
	p := firm(t, &clitest.Buffer{}, func(o *platform.Options) {
		o.Speaker, o.Recogniser = chirper{}, speech.Recogniser{Listener: mumbler{}}
	})
	d := dispatchtest.New(t, dispatchtest.Options{World: simulator.Options{Start: time.Now()}})
	require.NoError(t, p.UseThirdParty(t.Context(), platform.ThirdParty{URL: d.URL()}))
	address, _ := p.SIPAddress()
	person := newAgent(t, address, "100") // the extension of the seeded taxi plugin
	person.register(addPhone(t, p, `{"extension":"100"}`).Password, 200)
	var words []byte
	require.NoError(t, chirper{}.Speak(t.Context(), "", "", 8000, func(pcm []int16) error {
		for _, v := range append(pcm, pcm...) {
			words = append(words, g711.EncodeUlawFrame(v))
		}
		return nil
	}))

	k := newAgent(t, address, "+"+caller).rings(taxiNumber)
	k.hearsPrompt()
	var lags []time.Duration
	for range 3 {
		k.utters(words)
		lags = append(lags, k.hearsPrompt())
	}
	logLags(t, lags)
	s := lastStory(t, p)
	require.Len(t, s.Turns, 4)
	for i, turn := range s.Turns[1:] {
		require.Equal(t, voice.ReasonNoMatch, turn.Reason)
		said, _, _ := strings.Cut(string(turn.Verbs), `"timeout"`) // behind it are the words that may be said
		require.Equal(t, i == 2, strings.Contains(said, "press 1"), "%s", turn.Verbs)
	}
	k.utters(words)
	invite := person.asked("INVITE")
	person.reply(invite, 200, person.offer())
	person.asked("ACK")
	require.Contains(t, string(lastStory(t, p).Turns[4].Verbs), "Please hold.")
}
