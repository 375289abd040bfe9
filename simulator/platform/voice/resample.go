package voice

import (
	"slices"
	"time"
)

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
