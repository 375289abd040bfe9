package speech

import (
	"context"
	"errors"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Heard is the result of a recogniser.
type Heard struct {
	Text         string  `json:"text"` // "": nothing
	Confidence   float64 `json:"confidence"`
	Alternatives []Heard `json:"alternatives,omitempty"`
}

// Listener turns sound into text. Samples are mono, of 16 bits, at [ListenRate].
type Listener interface {
	Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error)
}

// ListenRate is the sample rate of speech for recognition. The sound of telephone lines
// is converted to it.
const ListenRate = 16000

// Recogniser recognises speech with a listener. The words of simulated lines are text
// already, which it treats as [voice.Words] does.
type Recogniser struct{ Listener Listener }

var _ voice.Recogniser = Recogniser{}

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
	complete := grammar.Rules != "" && heard.Confidence >= certain
	found := voice.Recognition{Text: heard.Text, Confidence: heard.Confidence, Complete: complete}
	for _, other := range heard.Alternatives {
		found.Alternatives = append(found.Alternatives, voice.Alternative{Text: other.Text, Confidence: other.Confidence})
	}
	return found, nil
}

// certain is the confidence from which an answer that fits the grammar is complete. Below it, the
// caller may have paused in the middle of the answer.
const certain = 0.4
