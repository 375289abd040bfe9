package voice

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// Bounds of a file of [DecodeAudio]. A file of MP3 holds much more than its size
// says, so what it decodes to is bounded as well: by what a WAV file of that size
// holds at the quality of a telephone, 21 MB in memory.
const (
	MaxAudioBytes = 10 << 20
	MaxAudioTime  = 22 * time.Minute
)

var errLongAudio = fmt.Errorf("the sound file plays for more than %d minutes", MaxAudioTime/time.Minute)

// DecodeAudio reads a sound file as [Play] may name one: WAV with 16 bit samples,
// µ-law or A-law, or MP3. Whatever the rate and the channels are, what comes out is
// 8 kHz mono. MP3 takes a second of a processor for each minute or so: it ends with ctx.
func DecodeAudio(ctx context.Context, data []byte) (Audio, error) {
	if len(data) > MaxAudioBytes {
		return Audio{}, errLargeAudio
	}
	if !isWAV(data) {
		return decodeMP3(ctx, data, MaxAudioTime)
	}
	f, body, err := parseWAV(data)
	if err != nil {
		return Audio{}, err
	}
	return f.audio(body)
}

// MeasureAudio returns how long a sound file plays. It takes no longer than reading the file
// does: of MP3 only the beginning is decoded, and the headers of the rest are added up.
func MeasureAudio(data []byte) (time.Duration, error) {
	if len(data) > MaxAudioBytes {
		return 0, errLargeAudio
	}
	if !isWAV(data) {
		return measureMP3(data)
	}
	f, body, err := parseWAV(data)
	if err != nil {
		return 0, err
	}
	return f.length(body)
}

var errLargeAudio = fmt.Errorf("the sound file is longer than %d bytes", MaxAudioBytes)

func isWAV(data []byte) bool { return bytes.HasPrefix(data, []byte("RIFF")) }

// format is the part of a WAV file's header that says how samples are written.
type format struct {
	code, channels uint16
	rate           uint32
	bits           uint16
}

// parseWAV finds the samples of a WAV file, and how they are written.
func parseWAV(data []byte) (f format, samples []byte, err error) {
	if len(data) < 12 || string(data[8:12]) != "WAVE" {
		return f, nil, errors.New("the sound file is not WAV")
	}
	for rest := data[12:]; len(rest) >= 8; {
		name, size := string(rest[:4]), int64(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[8:]
		body := rest[:min(size, int64(len(rest)))] // a writer that did not know the length gives a large one
		switch {
		case name == "fmt " && len(body) >= 16:
			f = format{
				binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint16(body[2:]),
				binary.LittleEndian.Uint32(body[4:]), binary.LittleEndian.Uint16(body[14:]),
			}
			if f.code == 0xFFFE && len(body) >= 26 { // extensible: the code comes later
				f.code = binary.LittleEndian.Uint16(body[24:])
			}
		case name == "data":
			return f, body, f.check()
		}
		rest = rest[min(size+size%2, int64(len(rest))):]
	}
	return f, nil, errors.New("the WAV file has no data")
}

// check says what of a format is not understood.
func (f format) check() error {
	switch {
	case f.sample() == nil:
		return errors.New("the WAV file is neither 16 bit PCM nor µ-law nor A-law")
	case f.channels < 1 || f.channels > 2 || f.rate < 4000 || f.rate > 192000:
		return errors.New("the WAV file must have one or two channels and a rate of 4 to 192 kHz")
	}
	return nil
}

// sample reads one sample; nil: nobody knows how.
func (f format) sample() func([]byte) int16 {
	switch {
	case f.code == 1 && f.bits == 16:
		return func(b []byte) int16 { return int16(binary.LittleEndian.Uint16(b)) }
	case f.code == 7 && f.bits == 8:
		return func(b []byte) int16 { return muLaw(b[0]) }
	case f.code == 6 && f.bits == 8:
		return func(b []byte) int16 { return aLaw(b[0]) }
	}
	return nil
}

// length is how long the samples play.
func (f format) length(body []byte) (time.Duration, error) {
	frames := len(body) / (int(f.bits) / 8 * int(f.channels))
	if frames > int(MaxAudioTime/time.Second)*int(f.rate) {
		return 0, errLongAudio
	}
	samples := frames * SampleRate / int(f.rate)
	if frames > 0 {
		samples = max(samples, (frames-1)*SampleRate/int(f.rate)+1)
	}
	return time.Duration(samples) * time.Second / SampleRate, nil
}

// audio reads the samples of a WAV file.
func (f format) audio(body []byte) (Audio, error) {
	sample, width, channels := f.sample(), int(f.bits)/8, int(f.channels)
	frames := resampler{rate: int(f.rate)}
	for ; len(body) >= width*channels; body = body[width*channels:] {
		sum := 0
		for c := range channels {
			sum += int(sample(body[c*width:]))
		}
		if err := frames.add(int16(sum / channels)); err != nil {
			return Audio{}, err
		}
	}
	return frames.audio(), nil
}

// muLaw and aLaw expand a sample of ITU-T G.711.
func muLaw(b byte) int16 {
	b = ^b
	magnitude := (int(b&0x0F)<<3+0x84)<<(b>>4&7) - 0x84
	if b&0x80 != 0 {
		magnitude = -magnitude
	}
	return int16(magnitude)
}

func aLaw(b byte) int16 {
	b ^= 0x55
	magnitude := int(b&0x0F)<<4 + 8
	if exponent := b >> 4 & 7; exponent > 0 {
		magnitude = (magnitude + 0x100) << (exponent - 1)
	}
	if b&0x80 == 0 {
		magnitude = -magnitude
	}
	return int16(magnitude)
}
