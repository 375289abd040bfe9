package speech

import (
	"context"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Heard is the result of a recogniser.
type Heard struct {
	Text         string  `json:"text"` // "": nothing
	Confidence   float64 `json:"confidence"`
	Alternatives []Heard `json:"alternatives,omitempty"`
	Words        []Word  `json:"words,omitempty"`   // of programs that are sure of words rather than of texts
	Witness      string  `json:"witness,omitempty"` // of [voice.Recognition]
}

// Word is a word of a recogniser's result.
type Word struct {
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
}

// Listener turns sound into text. Samples are mono, of 16 bits, at [ListenRate].
type Listener interface {
	Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error)
}

// starter is a [Listener] that can begin before there is sound: see [voice.Starter].
type starter interface {
	start(ctx context.Context, grammar voice.Grammar) Listener
}

// Start implements [voice.Starter].
func (r Recogniser) Start(ctx context.Context, grammar voice.Grammar) voice.Recogniser {
	if s, ok := r.Listener.(starter); ok {
		return Recogniser{s.start(ctx, grammar)}
	}
	return r
}

// ListenRate is the sample rate of speech for recognition. The sound of telephone lines
// is converted to it.
const ListenRate = 16000

// Recogniser recognises speech with a listener. The words of simulated lines are text
// already, which it treats as [voice.Words] does.
type Recogniser struct{ Listener Listener }

var (
	_ voice.Recogniser = Recogniser{}
	_ voice.Starter    = Recogniser{}
)

func (r Recogniser) ready() bool { return Ready(r.Listener) }

// Recognise implements [voice.Recogniser].
func (r Recogniser) Recognise(ctx context.Context, speech []voice.Utterance, grammar voice.Grammar) (voice.Recognition, error) {
	var pcm []int16
	for _, u := range speech {
		if u.Text != "" || u.Audio.Samples == nil {
			return voice.Words{}.Recognise(ctx, speech, grammar)
		}
		pcm = append(pcm, u.Audio.At(ListenRate)...)
	}
	if r.Listener == nil {
		return voice.Recognition{}, errors.New("no program for recognising speech is installed")
	}
	heard, err := r.Listener.Listen(ctx, pcm, grammar)
	if err != nil {
		return voice.Recognition{}, err
	}
	complete := grammar.Question != "" && heard.Confidence >= certain
	found := voice.Recognition{Text: written(heard.Text, grammar), Confidence: heard.Confidence, Complete: complete, Sound: true, Loud: isNoisy(pcm), Witness: heard.Witness}
	for _, other := range heard.Alternatives {
		found.Alternatives = append(found.Alternatives, voice.Alternative{Text: written(other.Text, grammar), Confidence: other.Confidence})
	}
	return found, nil
}

var lone = regexp.MustCompile(`\bi\b`)

// written returns recognised English text with a capital "I"; most recognisers return lower case.
func written(text string, grammar voice.Grammar) string {
	if grammar.Language != "" && !strings.HasPrefix(grammar.Language, "en") {
		return text
	}
	return lone.ReplaceAllString(text, "I")
}

// isNoisy reports whether the background is noisy: the quiet parts are less than 14 dB below the loud ones.
func isNoisy(pcm []int16) bool {
	const block, least = ListenRate / 50, 14 // dB
	var levels []float64
	for part := range slices.Chunk(pcm, block) {
		sum := 1.0
		for _, v := range part {
			sum += float64(v) * float64(v)
		}
		levels = append(levels, 10*math.Log10(sum/float64(len(part))))
	}
	slices.Sort(levels)
	n := len(levels)
	return n > 0 && levels[n*9/10]-levels[n/10] < least
}

// certain is the confidence from which the answer to a question of the platform itself counts as complete. With less,
// the caller may have paused in the middle of the answer.
const certain = 0.4
