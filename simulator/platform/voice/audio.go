package voice

import (
	"context"
	"slices"
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

// resampler brings frames of another rate to 8 kHz, one by one, so that no more
// than the result is held in memory.
type resampler struct {
	rate   int
	frames int
	last   int16
	out    []int16
}

// add takes a frame. It fails when the sound has become too long.
func (r *resampler) add(v int16) error {
	if r.frames >= int(MaxAudioTime/time.Second)*r.rate {
		return errLongAudio
	}
	for {
		position := r.position()
		part := position - float64(r.frames-1) // of the way from the last frame to this one
		if part > 1 {
			break
		}
		r.out = append(r.out, int16(float64(r.last)*(1-part)+float64(v)*part))
	}
	r.last = v
	r.frames++
	return nil
}

// position is where the next sample lies among the frames.
func (r *resampler) position() float64 {
	return float64(len(r.out)) * float64(r.rate) / SampleRate
}

// audio is all that was added; what lies behind the last frame is like it.
func (r *resampler) audio() Audio {
	samples := slices.Clip(r.out)
	for whole := int(int64(r.frames) * SampleRate / int64(max(r.rate, 1))); len(samples) < whole; {
		samples = append(samples, r.last)
	}
	length := time.Duration(len(samples)) * time.Second / SampleRate
	return Audio{Length: length, Samples: func() []int16 { return samples }}
}
