package voice

import (
	"cmp"
	"context"
	"time"
)

// SampleRate is the rate of audio unless another one is given: samples a second, mono, signed 16 bits.
const SampleRate = 8000

// Audio is a sound of known length. A simulated line needs only the length, so the
// samples are created on demand.
type Audio struct {
	Length  time.Duration
	Samples func() []int16 // nil: silence of that length
	Rate    int            // samples a second; 0: [SampleRate]
}

// At returns the samples at a rate.
func (a Audio) At(rate int) []int16 {
	if a.Samples == nil {
		return make([]int16, int(a.Length*time.Duration(rate)/time.Second))
	}
	return Resampled(a.Samples(), cmp.Or(a.Rate, SampleRate), rate)
}

// Utterance is the speech of a far end between two pauses.
type Utterance struct {
	Audio Audio
	Text  string // the words, if the line knows them, as a simulated one does
}

// Recogniser converts speech to text. Recognise may block.
type Recogniser interface {
	Recognise(ctx context.Context, speech []Utterance, grammar Grammar) (Recognition, error)
}

// Starter is a [Recogniser] that can start before there is anything to recognise. Start is called when somebody
// begins to speak. It returns at once, with the recogniser for this speech, which may use its resources until ctx is
// done.
type Starter interface {
	Start(ctx context.Context, grammar Grammar) Recogniser
}

// Grammar describes the expected answers of a gather.
type Grammar struct {
	Language string // BCP 47
	Hints    []string
	Expected
}

// Expected describes the answer that a plugin of this process expects. All names are in the form of [Phrase].
type Expected struct {
	Question string   // what is asked for: pickup, dropoff, time and so on; "": nothing is known but the hints
	YesOrNo  bool     // the answer may be only yes or no
	Places   []string // the names that may be said
	Streets  []string // those before which the number of a house may be said
}

// Recognition is the result of recognising speech.
type Recognition struct {
	Text       string  // "" if nothing was recognised
	Confidence float64 // 0 to 1
	Complete   bool    // the answer is complete: no need to wait for more
	Sound      bool    // the words are of a sound: those of a simulated line are known
	Loud       bool    // there is much noise beside the speech

	// Witness is the text that a second model recognised without knowing the question; "": nothing, or there is no such
	// model.
	Witness string

	Alternatives []Alternative // the likeliest first; most recognisers know none
}

// Alternative is another text that may have been said.
type Alternative struct {
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
}

// Synthesizer converts text to speech. Synthesize may block.
type Synthesizer interface {
	// Knows reports whether a voice exists.
	Knows(voice string) bool
	Synthesize(ctx context.Context, text, voice string) (Audio, error)
}
