package voice

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zaf/g711"
)

// Limits of a file of [DecodeAudio]. A file at a low rate contains more than its size
// suggests, so its decoded length is limited, too: 21 MB in memory.
const (
	MaxAudioBytes = 10 << 20
	MaxAudioTime  = 22 * time.Minute
)

var errLongAudio = fmt.Errorf("the sound file plays for more than %d minutes", MaxAudioTime/time.Minute)

// DecodeAudio decodes a sound file of the verb [Play]: WAV with 16 bit samples, µ-law or
// A-law. It converts any rate, and one or two channels, to 8 kHz mono.
func DecodeAudio(data []byte) (Audio, error) {
	f, body, err := parseWAV(data)
	if err != nil {
		return Audio{}, err
	}
	return f.audio(body)
}

// MeasureAudio returns the duration of a sound file, without decoding it.
func MeasureAudio(data []byte) (time.Duration, error) {
	f, body, err := parseWAV(data)
	if err != nil {
		return 0, err
	}
	return f.length(body)
}

var errLargeAudio = fmt.Errorf("the sound file is longer than %d bytes", MaxAudioBytes)

// format is the part of a WAV header that describes the samples.
type format struct {
	code, channels uint16
	rate           uint32
	bits           uint16
}

// parseWAV returns the samples of a WAV file, and their format.
func parseWAV(data []byte) (f format, samples []byte, err error) {
	switch {
	case len(data) > MaxAudioBytes:
		return f, nil, errLargeAudio
	case len(data) < 12 || string(data[:4]) != "RIFF" || string(data[8:12]) != "WAVE":
		return f, nil, errors.New("the sound file is not WAV")
	}
	for rest := data[12:]; len(rest) >= 8; {
		name, size := string(rest[:4]), int64(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[8:]
		body := rest[:min(size, int64(len(rest)))] // a writer that did not know the length writes a large one
		switch {
		case name == "fmt " && len(body) >= 16:
			f = format{
				binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint16(body[2:]),
				binary.LittleEndian.Uint32(body[4:]), binary.LittleEndian.Uint16(body[14:]),
			}
			if f.code == 0xFFFE && len(body) >= 26 { // extensible: the code follows
				f.code = binary.LittleEndian.Uint16(body[24:])
			}
		case name == "data":
			return f, body, f.check()
		}
		rest = rest[min(size+size%2, int64(len(rest))):]
	}
	return f, nil, errors.New("the WAV file has no data")
}

// check returns an error for an unsupported format.
func (f format) check() error {
	switch {
	case f.sample() == nil:
		return errors.New("the WAV file is neither 16 bit PCM nor µ-law nor A-law")
	case f.channels < 1 || f.channels > 2 || f.rate < 4000 || f.rate > 192000:
		return errors.New("the WAV file must have one or two channels and a rate of 4 to 192 kHz")
	}
	return nil
}

// sample returns the decoder of a sample; nil: unsupported.
func (f format) sample() func([]byte) int16 {
	switch {
	case f.code == 1 && f.bits == 16:
		return func(b []byte) int16 { return int16(binary.LittleEndian.Uint16(b)) }
	case f.code == 7 && f.bits == 8:
		return func(b []byte) int16 { return g711.DecodeUlawFrame(b[0]) }
	case f.code == 6 && f.bits == 8:
		return func(b []byte) int16 { return g711.DecodeAlawFrame(b[0]) }
	}
	return nil
}

// length returns the duration of the samples.
func (f format) length(body []byte) (time.Duration, error) {
	frames := len(body) / (int(f.bits) / 8 * int(f.channels))
	if frames > int(MaxAudioTime/time.Second)*int(f.rate) {
		return 0, errLongAudio
	}
	samples := (frames*SampleRate + int(f.rate) - 1) / int(f.rate)
	return time.Duration(samples) * time.Second / SampleRate, nil
}

// audio decodes the samples of a WAV file.
func (f format) audio(body []byte) (Audio, error) {
	length, err := f.length(body)
	if err != nil {
		return Audio{}, err
	}
	sample, width, channels := f.sample(), int(f.bits)/8, int(f.channels)
	r, samples, piece := NewResampler(int(f.rate), SampleRate), []int16(nil), make([]int16, 0, 4096) // only the result is in memory
	for ; len(body) >= width*channels; body = body[width*channels:] {
		sum := 0
		for c := range channels {
			sum += int(sample(body[c*width:]))
		}
		if piece = append(piece, int16(sum/channels)); len(piece) == cap(piece) {
			samples, piece = r.Add(samples, piece), piece[:0]
		}
	}
	samples = slices.Clip(r.Flush(r.Add(samples, piece)))
	return Audio{Length: length, Samples: func() []int16 { return samples }}, nil
}
