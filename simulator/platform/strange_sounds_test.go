package platform_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// strange is a sound that is not an answer.
type strange struct {
	name string
	pcm  []int16
}

// strangeSounds returns noises, tones and voices that are not answers. They are the same in each run.
func strangeSounds(t *testing.T, speaker speech.Speaker, rate int) []strange {
	all := []strange{
		{"white noise", noiseOf(rate, 2*time.Second, 3000, 0)},
		{"loud white noise", noiseOf(rate, time.Second, 12000, 0)},
		{"low noise", noiseOf(rate, 2*time.Second, 9000, 0.95)},
		{"hiss in bursts", bursts(noiseOf(rate, 2*time.Second, 5000, 0), rate, 300*time.Millisecond)},
		{"a knock", bursts(noiseOf(rate, 400*time.Millisecond, 16000, 0.8), rate, 120*time.Millisecond)},
		{"a cough", cough(rate, 1)},
		{"two coughs", append(cough(rate, 1), cough(rate, 2)...)},
		{"a short cough", cough(rate, 3)[:rate/4]},
		{"a melody", melody(rate, 262, 330, 392, 523)},
		{"a low melody", melody(rate, 131, 147, 165, 196)},
		{"chords", mixed(melody(rate, 262, 330, 392), melody(rate, 330, 392, 494), melody(rate, 392, 494, 587))},
		{"a ringing tone", mixed(melody(rate, 440, 440), melody(rate, 480, 480))},
		{"a whistle", sweep(rate, 800, 1600)},
		{"a siren", append(sweep(rate, 500, 1200), sweep(rate, 1200, 500)...)},
		{"a hum like a voice", voiced(rate, 120, time.Second)},
		{"two hums", append(voiced(rate, 110, 400*time.Millisecond), voiced(rate, 180, 500*time.Millisecond)...)},
	}
	return append(all, strange{"many voices", babble(t, speaker, rate)}, strange{"speech backwards", backwards(spoken(t, speaker, "yes please book it", "rms", rate))})
}

// noiseOf returns noise; the greater smooth, the lower its frequencies.
func noiseOf(rate int, length time.Duration, peak, smooth float64) []int16 {
	chance := rand.New(rand.NewPCG(1, uint64(peak)))
	pcm := make([]int16, int(length*time.Duration(rate)/time.Second))
	level := 0.0
	for i := range pcm {
		level = smooth*level + (1-smooth)*(2*chance.Float64()-1)
		pcm[i] = int16(peak * level / math.Sqrt((1-smooth)/(1+smooth)) / 2)
	}
	return pcm
}

// bursts makes a sound decay repeatedly, once per period.
func bursts(pcm []int16, rate int, each time.Duration) []int16 {
	n := int(each * time.Duration(rate) / time.Second)
	for i := range pcm {
		pcm[i] = int16(float64(pcm[i]) * math.Exp(-6*float64(i%n)/float64(n)))
	}
	return pcm
}

// cough returns a burst of noise and a quieter one, both with a voice.
func cough(rate int, seed uint64) []int16 {
	chance := rand.New(rand.NewPCG(seed, 4))
	pcm := make([]int16, rate*6/10)
	for i := range pcm {
		at := float64(i) / float64(rate)
		puff := math.Exp(-at*18) + 0.6*math.Exp(-math.Abs(at-0.28)*22)
		pcm[i] = int16(puff * (9000*(2*chance.Float64()-1) + 5000*math.Sin(2*math.Pi*150*at)))
	}
	return pcm
}

// melody returns tones with overtones, 400 ms each.
func melody(rate int, hertz ...float64) []int16 {
	var pcm []int16
	for _, h := range hertz {
		for i := range rate * 4 / 10 {
			at := float64(i) / float64(rate)
			v := math.Sin(2*math.Pi*h*at) + 0.5*math.Sin(4*math.Pi*h*at) + 0.25*math.Sin(6*math.Pi*h*at)
			pcm = append(pcm, int16(5000*v*math.Exp(-2*at)))
		}
	}
	return pcm
}

// sweep returns a tone that changes from one pitch to another within a second.
func sweep(rate int, from, to float64) []int16 {
	pcm := make([]int16, rate)
	phase := 0.0
	for i := range pcm {
		phase += 2 * math.Pi * (from + (to-from)*float64(i)/float64(rate)) / float64(rate)
		pcm[i] = int16(6000 * math.Sin(phase))
	}
	return pcm
}

// voiced returns a buzz of many overtones, like the humming of a voice.
func voiced(rate int, hertz float64, length time.Duration) []int16 {
	pcm := make([]int16, int(length*time.Duration(rate)/time.Second))
	for i := range pcm {
		at, v := float64(i)/float64(rate), 0.0
		for n := 1.0; n*hertz < 3400; n++ {
			v += math.Sin(2*math.Pi*n*hertz*at) / n
		}
		pcm[i] = int16(5000 * v * min(1, 10*at))
	}
	return pcm
}

// mixed returns the sum of sounds.
func mixed(sounds ...[]int16) []int16 {
	longest := 0
	for _, s := range sounds {
		longest = max(longest, len(s))
	}
	pcm := make([]int16, longest)
	for i := range pcm {
		v := 0
		for _, s := range sounds {
			if i < len(s) {
				v += int(s[i])
			}
		}
		pcm[i] = int16(max(-32768, min(32767, v)))
	}
	return pcm
}

func backwards(pcm []int16) []int16 {
	pcm = slices.Clone(pcm)
	slices.Reverse(pcm)
	return pcm
}

// TestStrangeSounds checks that noises, tones and mixed voices after "Shall I book it?" never book the trip, and that
// at most one of them changes it.
func TestStrangeSounds(t *testing.T) {
	speaker, listener := programs(t)
	for _, rate := range []int{8000, 16000} {
		a := newAloud(t)
		a.ear.aloud = listener
		trip := "from the town hall to the hospital now"
		hum := voice.Beep(300, time.Second).At(rate)
		a.ear.words = []string{trip}
		want := a.call(rate, hum)
		changed := 0
		for _, s := range strangeSounds(t, speaker, rate) {
			a.ear.words, a.ear.heard = []string{trip}, nil
			got := a.call(rate, hum, s.pcm)
			require.Empty(t, got.Booked, s.name)
			if got.Frame != want.Frame {
				changed++
				t.Logf("%d Hz: %s was taken for %v", rate, s.name, a.ear.heard)
			}
		}
		require.LessOrEqual(t, changed, 1)
	}
}
