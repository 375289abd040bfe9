package speech

import (
	"context"
	"errors"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Heard is what a program has understood.
type Heard struct {
	Text         string  `json:"text"` // "": nothing
	Confidence   float64 `json:"confidence"`
	Alternatives []Heard `json:"alternatives,omitempty"`
}

// Listener turns sound into text: mono samples of 16 bits, [ListenRate] of them a
// second.
type Listener interface {
	Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error)
}

// ListenRate is the rate that speech is recognised at. What has come over a telephone
// line is brought to it.
const ListenRate = 16000

// Recogniser understands the words of real lines by a listener, and those of simulated
// lines as [voice.Words] does.
type Recogniser struct{ Listener Listener }

var _ voice.Recogniser = Recogniser{}

// Recognise understands what was said.
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

// certain is the confidence of an answer of the grammar after which nobody waits for more words.
// Below it the caller may have been interrupted, or have paused for longer.
const certain = 0.4
