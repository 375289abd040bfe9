package voice

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Paced speaks at a constant rate: it returns a sound of the right length instead of
// speech. A voice exists if its name begins with a language and a country, such as
// en-GB-Standard-B.
type Paced struct {
	WordsPerMinute int // default 150
}

// Knows reports whether a name has the form of a voice's name.
func (p Paced) Knows(voice string) bool {
	return voiceName.MatchString(voice)
}

var voiceName = regexp.MustCompile(`^[a-z]{2,3}-[A-Z]{2}-[A-Za-z0-9-]+$`)

// Synthesize returns a hum with a gap after each word.
func (p Paced) Synthesize(_ context.Context, text, _ string) (Audio, error) {
	return p.Speak(text), nil
}

// Speak is Synthesize for lines that produce speech themselves.
func (p Paced) Speak(text string) Audio {
	pace := time.Minute / 150
	if p.WordsPerMinute > 0 {
		pace = time.Minute / time.Duration(p.WordsPerMinute)
	}
	words := max(len(strings.Fields(text)), 1)
	length := time.Duration(words) * pace
	return Audio{Length: length, Samples: func() []int16 {
		word := hum(180, pace*3/4, 6000)
		samples := make([]int16, samplesIn(length))
		for i := range words {
			copy(samples[samplesIn(time.Duration(i)*pace):], word)
		}
		return samples
	}}
}

// Beep returns a tone.
func Beep(hertz float64, length time.Duration) Audio {
	return Audio{Length: length, Samples: func() []int16 { return hum(hertz, length, 8000) }}
}

// hum returns a sine wave.
func hum(hertz float64, length time.Duration, peak float64) []int16 {
	samples := make([]int16, samplesIn(length))
	for i := range samples {
		samples[i] = int16(peak * math.Sin(2*math.Pi*hertz*float64(i)/SampleRate))
	}
	return samples
}

// samplesIn returns the number of samples in a duration.
func samplesIn(d time.Duration) int { return int(d * SampleRate / time.Second) }

// Words recognises speech by the words that the line knows, as a simulated one does. A
// phrase of the hints is a complete answer.
type Words struct{}

// Recognise joins the words.
func (Words) Recognise(_ context.Context, speech []Utterance, grammar Grammar) (Recognition, error) {
	var words []string
	for _, u := range speech {
		words = append(words, strings.Fields(u.Text)...)
	}
	text := strings.Join(words, " ")
	if text == "" {
		return Recognition{}, nil
	}
	whole := slices.ContainsFunc(grammar.Hints, func(hint string) bool { return strings.EqualFold(hint, text) })
	return Recognition{Text: text, Confidence: 0.9, Complete: whole}, nil
}
