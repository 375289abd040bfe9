package voice

import (
	"context"
	"time"
)

// SampleRate is that of all audio in this package: samples a second, mono,
// signed 16 bits.
const SampleRate = 8000

// Audio is sound of a known length. A simulated line needs no more than the
// length, so the samples are made only when somebody asks for them.
type Audio struct {
	Length  time.Duration
	Samples func() []int16 // nil: silence of that length
}

// Utterance is what a far end has said between two pauses.
type Utterance struct {
	Audio Audio
	Text  string // the words, where the line knows them: a simulated one does
}

// Recogniser turns speech into text. Recognise may take its time.
type Recogniser interface {
	Recognise(ctx context.Context, speech []Utterance, grammar Grammar) (Recognition, error)
}

// Grammar is what a gather expects to hear.
type Grammar struct {
	Language string // BCP 47
	Hints    []string
}

// Recognition is what a recogniser made of somebody's words.
type Recognition struct {
	Text       string  // "" if it could make nothing of them
	Confidence float64 // 0 to 1
	Complete   bool    // a whole answer: no need to wait whether more is said
}

// Synthesizer turns text into speech. Synthesize may take its time.
type Synthesizer interface {
	// Knows tells whether there is a voice of that name.
	Knows(voice string) bool
	Synthesize(ctx context.Context, text, voice string) (Audio, error)
}
