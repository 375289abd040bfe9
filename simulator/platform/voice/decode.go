package voice

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hajimehoshi/go-mp3"
)

// MaxAudioBytes is how long a file of [DecodeAudio] may be.
const MaxAudioBytes = 10 << 20

// DecodeAudio reads a sound file as [Play] may name one: WAV with 16 bit samples,
// µ-law or A-law, or MP3. Whatever the rate and the channels are, what comes out is
// 8 kHz mono.
func DecodeAudio(data []byte) (Audio, error) {
	if len(data) > MaxAudioBytes {
		return Audio{}, fmt.Errorf("the sound file is longer than %d bytes", MaxAudioBytes)
	}
	if bytes.HasPrefix(data, []byte("RIFF")) {
		return decodeWAV(data)
	}
	return decodeMP3(data)
}

// format is the part of a WAV file's header that says how samples are written.
type format struct {
	code, channels uint16
	rate           uint32
	bits           uint16
}

func decodeWAV(data []byte) (Audio, error) {
	if len(data) < 12 || string(data[8:12]) != "WAVE" {
		return Audio{}, errors.New("the sound file is not WAV")
	}
	var f format
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
			return f.audio(body)
		}
		rest = rest[min(size+size%2, int64(len(rest))):]
	}
	return Audio{}, errors.New("the WAV file has no data")
}

// audio reads the samples of a WAV file.
func (f format) audio(body []byte) (Audio, error) {
	width := int(f.bits) / 8
	var sample func([]byte) int16
	switch {
	case f.code == 1 && width == 2:
		sample = func(b []byte) int16 { return int16(binary.LittleEndian.Uint16(b)) }
	case f.code == 7 && width == 1:
		sample = func(b []byte) int16 { return muLaw(b[0]) }
	case f.code == 6 && width == 1:
		sample = func(b []byte) int16 { return aLaw(b[0]) }
	default:
		return Audio{}, errors.New("the WAV file is neither 16 bit PCM nor µ-law nor A-law")
	}
	if f.channels < 1 || f.channels > 2 || f.rate < 4000 || f.rate > 192000 {
		return Audio{}, errors.New("the WAV file must have one or two channels and a rate of 4 to 192 kHz")
	}
	channels := int(f.channels)
	return resampled(len(body)/(width*channels), int(f.rate), func(i int) int16 {
		sum := 0
		for c := range channels {
			sum += int(sample(body[(i*channels+c)*width:]))
		}
		return int16(sum / channels)
	}), nil
}

func decodeMP3(data []byte) (audio Audio, err error) {
	defer func() {
		// The decoder indexes its tables with what it reads, so a broken file can
		// take it past their ends.
		if recover() != nil {
			audio, err = Audio{}, errors.New("the MP3 file is broken")
		}
	}()
	d, err := mp3.NewDecoder(io.MultiReader(bytes.NewReader(data))) // not a Seeker, which would be read twice
	if err != nil {
		return Audio{}, errors.New("the sound file is neither WAV nor MP3")
	}
	const longest = 30 * 60 * 48000 * 4 // half an hour
	pcm, err := io.ReadAll(io.LimitReader(d, longest))
	if err != nil {
		return Audio{}, fmt.Errorf("the MP3 file is broken: %w", err)
	}
	return resampled(len(pcm)/4, d.SampleRate(), func(i int) int16 {
		left := int(int16(binary.LittleEndian.Uint16(pcm[4*i:])))
		right := int(int16(binary.LittleEndian.Uint16(pcm[4*i+2:])))
		return int16((left + right) / 2)
	}), nil
}

// resampled brings so many frames of another rate to 8 kHz.
func resampled(frames, rate int, at func(int) int16) Audio {
	samples := make([]int16, int(int64(frames)*SampleRate/int64(rate)))
	for i := range samples {
		position := float64(i) * float64(rate) / SampleRate
		j := int(position)
		part := position - float64(j)
		samples[i] = int16(float64(at(j))*(1-part) + float64(at(min(j+1, frames-1)))*part)
	}
	length := time.Duration(len(samples)) * time.Second / SampleRate
	return Audio{Length: length, Samples: func() []int16 { return samples }}
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
