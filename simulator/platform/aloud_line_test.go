package platform_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// loudness returns the root mean square of samples.
func loudness(pcm []int16) float64 {
	sum := 0.0
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(len(pcm)))
}

// louder returns samples multiplied by a factor.
func louder(pcm []int16, by float64) []int16 {
	all := make([]int16, len(pcm))
	for i, v := range pcm {
		all[i] = int16(math.Round(float64(v) * by))
	}
	return all
}

// pausedAnswers are answers to the first question; | marks where the caller may pause. The words before it
// may be an answer as well.
var pausedAnswers = []string{
	"a taxi from the town hall|to the hospital please", "I need a taxi|to the airport", "pick me up|at the station", "to the hospital|in twenty minutes",
	"the museum|please", "can I speak|to a person", "a taxi for four people|to the station", "from the town hall|to the airport",
}

// inParts returns an answer whose parts, separated by |, are spoken one by one, with pauses between them.
func inParts(t *testing.T, speaker speech.Speaker, words string, rate int, pause time.Duration) []int16 {
	var pcm []int16
	for i, part := range strings.Split(words, "|") {
		if i > 0 {
			pcm = append(pcm, make([]int16, int(pause*time.Duration(rate)/time.Second))...)
		}
		pcm = append(pcm, untilQuiet(spoken(t, speaker, part, "rms", rate))...)
	}
	return pcm
}

// untilQuiet returns speech without the silence before and after it.
func untilQuiet(pcm []int16) []int16 {
	audible := func(v int16) bool { return v > 200 || v < -200 }
	from := slices.IndexFunc(pcm, audible)
	to := len(pcm)
	for to > from && !audible(pcm[to-1]) {
		to--
	}
	return pcm[from:to]
}

// TestLines checks that an answer reaches the recogniser complete and as one utterance: over lines with noise, from a
// caller who speaks very quietly, and with pauses. In noise, fewer answers have to be understood. WHOLE=1 also tests
// the sample rate of browsers.
func TestLines(t *testing.T) {
	speaker, listener := programs(t)
	rates := []int{8000}
	if os.Getenv("WHOLE") != "" {
		rates = append(rates, 16000)
	}
	for _, line := range []struct {
		name        string
		ratio       float64       // of speech to noise, in dB; 0: no noise
		loud        float64       // of the speech, in dB below full scale; 0: as it is
		pause       time.Duration // 0: none
		drowned     float64       // seconds of speech that the noise may hide
		understands int           // of 8, at least
	}{
		{name: "noise, 20 dB", ratio: 20},
		{name: "noise, 15 dB", ratio: 15},
		{name: "noise, 10 dB", ratio: 10, drowned: 0.4},
		{name: "quiet", loud: -35, understands: 8},
		{name: "quiet, noise, 15 dB", ratio: 15, loud: -35},
		{name: "pauses of 300 ms", pause: 300 * time.Millisecond, understands: 8},
		{name: "pauses of 400 ms", pause: 400 * time.Millisecond, understands: 7},
	} {
		for _, rate := range rates {
			a := newAloud(t)
			a.ear.aloud = listener
			understood, mistaken := 0, 0
			for _, words := range pausedAnswers {
				if line.pause == 0 {
					words = strings.ReplaceAll(words, "|", " ")
				}
				pcm := inParts(t, speaker, words, rate, line.pause)
				if line.loud != 0 {
					pcm = louder(pcm, 32768*math.Pow(10, line.loud/20)/loudness(pcm))
				}
				a.noise = lineNoise{chance: rand.New(rand.NewPCG(5, 6))}
				if line.ratio > 0 {
					a.noise.loud = loudness(pcm) * math.Pow(10, -line.ratio/20)
				}
				a.ear.heard, a.ear.turns, a.ear.words = nil, nil, []string{words}
				want := a.call(rate, voice.Beep(300, time.Second).At(rate))
				got := a.call(rate, pcm)
				require.NotEmpty(t, a.ear.turns, "%s, %d Hz: %s", line.name, rate, words)
				length := time.Duration(len(pcm)) * time.Second / time.Duration(rate)
				require.InDelta(t, (length + 500*time.Millisecond).Seconds(), a.ear.turns[len(a.ear.turns)-1].Seconds(), 0.3+line.drowned, "%s, %d Hz: %s", line.name, rate, words)
				last := a.ear.heard[len(a.ear.heard)-1]
				if got == want {
					understood++
				} else if wrong(trip(t, got), trip(t, want)) {
					mistaken++
					t.Logf("%s, %d Hz: %s was taken for %v", line.name, rate, words, last)
				}
			}
			t.Logf("%s, %d Hz: %d of %d understood, %d taken for others", line.name, rate, understood, len(pausedAnswers), mistaken)
			require.LessOrEqual(t, mistaken, 1)
			require.GreaterOrEqual(t, understood, line.understands)
		}
	}
}
