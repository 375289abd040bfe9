package platform_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// strange is a sound that is no answer.
type strange struct {
	name string
	pcm  []int16
}

// strangeSounds are noises, tones, voices at the same time, and sentences that answer no question
// of the conversation. They are the same in each run.
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
	said := func(words, name string) []int16 { return spoken(t, speaker, words, name, rate) }
	for _, s := range strangeSentences {
		all = append(all, strange{s.name + ": " + s.words, said(s.words, s.name)})
	}
	for i, word := range wordsLikeYes {
		name := []string{"rms", "slt", "kal16", "awb"}[i%4]
		all = append(all, strange{likeAnswers + name + ": " + word, said(word, name)})
	}
	return append(
		all, strange{"three voices", mixed(said(strangeSentences[0].words, "rms"), said(strangeSentences[3].words, "slt"), said(strangeSentences[4].words, "kal16"))},
		strange{"two voices", mixed(said(strangeSentences[1].words, "awb"), said(strangeSentences[5].words, "slt"))},
		strange{"six voices", mixed(said(strangeSentences[0].words, "rms"), said(strangeSentences[2].words, "slt"), said(strangeSentences[4].words, "kal16"),
			said(strangeSentences[5].words, "awb"), said(strangeSentences[6].words, "rms"), said(strangeSentences[7].words, "slt"))},
		strange{"speech backwards", backwards(said("yes please book it", "rms"))},
	)
}

// strangeSentences are what somebody says to others in the room, or to nobody.
var strangeSentences = []struct{ name, words string }{
	{"rms", "the weather is nice today"},
	{"slt", "did you see the football last night"},
	{"kal16", "put the kettle on would you"},
	{"slt", "she said she would ring me back on friday"},
	{"rms", "there is somebody at the door"},
	{"awb", "I have lost my keys again"},
	{"rms", "yesterday we went swimming"},
	{"slt", "that dog never stops barking"},
	{"kal16", "pass me the newspaper"},
	{"rms", "what a lovely dress"},
	{"slt", "guess what happened"},
	{"rms", "chess"},
	{"slt", "nobody knows"},
	{"kal16", "yogurt"},
	{"rms", "um"},
	{"slt", "hello hello"},
	{"awb", "bless you"},
	{"rms", "turn the television down"},
}

// wordsLikeYes are the hardest sounds: a word that sounds like agreement.
var wordsLikeYes = []string{"guess", "less", "yet", "yellow", "yard", "shirt", "goat", "yesterday", "stress", "espresso", "yak", "chef", "shoe", "okra"}

const likeAnswers = "like yes, "

// noiseOf is noise of a loudness; the smoother, the lower it sounds.
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

// bursts lets a sound decay again and again.
func bursts(pcm []int16, rate int, each time.Duration) []int16 {
	n := int(each * time.Duration(rate) / time.Second)
	for i := range pcm {
		pcm[i] = int16(float64(pcm[i]) * math.Exp(-6*float64(i%n)/float64(n)))
	}
	return pcm
}

// cough is a burst of noise, and a shorter one with a voice.
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

// melody is tones with overtones, of 400 ms each.
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

// sweep is a tone that goes from one pitch to another in a second.
func sweep(rate int, from, to float64) []int16 {
	pcm := make([]int16, rate)
	phase := 0.0
	for i := range pcm {
		phase += 2 * math.Pi * (from + (to-from)*float64(i)/float64(rate)) / float64(rate)
		pcm[i] = int16(6000 * math.Sin(phase))
	}
	return pcm
}

// voiced is a buzz of many overtones, as of somebody who hums.
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

// mixed is sounds at the same time.
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

// TestStrangeSounds: a sound that is no answer books nothing, and hardly one is taken for an answer
// to "Shall I book it?"; with WHOLE=1, to two other questions either.
func TestStrangeSounds(t *testing.T) {
	speaker, listener := programs(t)
	questions := [][]string{{"from the town hall to the hospital now"}}
	if os.Getenv("WHOLE") != "" {
		questions = append(questions, nil, []string{"from the town hall"})
	}
	for _, rate := range []int{8000, 16000} {
		a := newAloud(t)
		a.ear.aloud = listener
		hum := voice.Beep(300, time.Second).At(rate)
		sounds, taken, likeYes := strangeSounds(t, speaker, rate), 0, 0
		var books []string
		for _, s := range sounds {
			answer := ""
			for _, before := range questions {
				a.ear.words, a.ear.heard = before, nil
				got := a.call(rate, append(slices.Repeat([][]int16{hum}, len(before)), s.pcm)...)
				if got.Booked != "" {
					books = append(books, s.name)
				}
				if n := len(a.ear.heard); n > 0 && a.ear.heard[n-1].Confidence >= grammar.LeastConfidence {
					answer = fmt.Sprintf("%q %.2f", a.ear.heard[n-1].Text, a.ear.heard[n-1].Confidence)
				}
			}
			if answer != "" {
				t.Logf("%d Hz: %s was taken for %s", rate, s.name, answer)
			}
			switch {
			case answer == "":
			case strings.HasPrefix(s.name, likeAnswers):
				likeYes++
			default:
				taken++
			}
		}
		t.Logf("%d Hz: %d of %d were taken for an answer, and %d of %d words that sound like yes", rate, taken, len(sounds)-len(wordsLikeYes), likeYes, len(wordsLikeYes))
		require.Empty(t, books)
		require.LessOrEqual(t, taken, 2)
	}
}
