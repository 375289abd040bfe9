package soundline

import (
	"cmp"
	"context"
	"errors"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// source is a sound that is played: samples, some of which a speaker may still be
// making.
type source struct {
	id   int
	loop bool

	samples []int16          // the rest
	resume  []int16          // all samples of a loop
	convert *voice.Resampler // to the line's rate; nil: the rates are the same
	ready   []int16          // converted
	silent  int              // the rest of the silence in place of a prompt that cannot be spoken
	done    bool             // no more samples will come
	cancel  context.CancelFunc
}

// sourceOf returns the source of a text or a sound; the lock is held.
func (l *line) sourceOf(spoken bool, text, name string, audio voice.Audio) *source {
	s := &source{}
	switch {
	case spoken && l.options.Speaker != nil:
		l.speak(s, text, name, audio)
	case spoken || audio.Samples == nil:
		s.silent, s.done = samplesIn(audio.Length, l.rate), true
	default:
		s.samples, s.done = audio.Samples(), true
		s.resume = s.samples
		if from := cmp.Or(audio.Rate, voice.SampleRate); from != l.rate {
			s.convert = voice.NewResampler(from, l.rate)
		}
	}
	return s
}

var errCut = errors.New("the prompt was cut short")

// speak starts the speaker, which makes the samples of a source concurrently. If the
// speaker fails, the source is silence of about the same length.
func (l *line) speak(s *source, text, name string, audio voice.Audio) {
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	l.options.Clock.Go(func() {
		defer cancel()
		made := false
		err := l.options.Speaker.Speak(ctx, text, name, l.rate, func(pcm []int16) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			if s.done {
				return errCut
			}
			made = made || len(pcm) > 0
			s.samples = append(s.samples, pcm...)
			return nil
		})
		l.mu.Lock()
		defer l.mu.Unlock()
		if !s.done && err != nil && !made {
			s.silent = samplesIn(audio.Length, l.rate)
		}
		s.done = true
	})
}

// drop ends a source.
func (s *source) drop() {
	s.done, s.loop, s.samples, s.resume, s.ready, s.silent = true, false, nil, nil, nil, 0
	if s.cancel != nil {
		s.cancel()
	}
}

// over reports whether all of a source has been sent.
func (s *source) over() bool {
	return s.done && len(s.samples) == 0 && len(s.ready) == 0 && s.silent <= 0 && s.convert == nil && !s.loop
}

// mix adds the source's next samples to a frame. It returns false if the source has none left.
func (s *source) mix(frame []int16) bool {
	s.prepare(len(frame))
	n := min(len(frame), len(s.ready))
	for i, v := range s.ready[:n] {
		frame[i] = clamp(int(frame[i]) + int(v))
	}
	s.ready = s.ready[n:]
	if n == 0 && s.silent > 0 {
		s.silent -= len(frame)
		return true
	}
	return n > 0
}

// prepare converts samples of the source until n are ready for the line.
func (s *source) prepare(n int) {
	for len(s.ready) < n {
		switch {
		case len(s.samples) > 0:
			take := min(len(s.samples), max(n, 160))
			if s.convert == nil {
				s.ready = append(s.ready[:len(s.ready):len(s.ready)], s.samples[:take]...)
			} else {
				s.ready = s.convert.Add(s.ready, s.samples[:take])
			}
			s.samples = s.samples[take:]
		case s.loop && len(s.resume) > 0:
			s.samples = s.resume
		case s.done && s.convert != nil:
			s.ready = s.convert.Flush(s.ready)
			s.convert = nil
		default:
			return
		}
	}
}

func clamp(v int) int16 { return int16(max(-32768, min(32767, v))) }
