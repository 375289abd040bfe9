package voice

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hajimehoshi/go-mp3"
)

// decodeMP3 decodes the beginning of a file.
func decodeMP3(ctx context.Context, data []byte, most time.Duration) (audio Audio, err error) {
	defer func() {
		// The decoder uses values of the file as indices, so an invalid file can make it
		// panic.
		if recover() != nil {
			audio, err = Audio{}, errors.New("the MP3 file is broken")
		}
	}()
	if mp3Time(data) > MaxAudioTime { // before decoding, which takes seconds
		return Audio{}, errLongAudio
	}
	d, err := mp3.NewDecoder(io.MultiReader(bytes.NewReader(data))) // not a Seeker, which the decoder would read twice
	if err != nil {
		return Audio{}, errors.New("the sound file is neither WAV nor MP3")
	}
	frames := resampler{rate: d.SampleRate()}
	var frame [4]byte // 16 bits for each channel
	for in := bufio.NewReaderSize(d, 1<<14); ; {
		if frames.frames%d.SampleRate() == 0 { // once per second of sound
			if ctx.Err() != nil || frames.frames >= int(most.Seconds())*d.SampleRate() {
				return frames.audio(), ctx.Err()
			}
		}
		switch _, err := io.ReadFull(in, frame[:]); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return frames.audio(), nil
		case err != nil:
			return Audio{}, fmt.Errorf("the MP3 file is broken: %w", err)
		}
		left := int(int16(binary.LittleEndian.Uint16(frame[:])))
		right := int(int16(binary.LittleEndian.Uint16(frame[2:])))
		if err := frames.add(int16((left + right) / 2)); err != nil {
			return Audio{}, err
		}
	}
}

// measureMP3 returns the duration of a file whose first second can be decoded.
func measureMP3(data []byte) (time.Duration, error) {
	total := mp3Time(data)
	if total > MaxAudioTime {
		return 0, errLongAudio
	}
	_, err := decodeMP3(context.Background(), data[:min(len(data), mp3Beginning(data))], time.Second)
	return total, err
}

// mp3Beginning returns how much of a file is decoded to validate it: what is before its
// first frame, and a second at the highest rate.
func mp3Beginning(data []byte) int { return tagSize(data) + 64<<10 }

// tagSize returns the length of the ID3 tag at the beginning of a file: pictures in it
// may look like frames.
func tagSize(data []byte) int {
	if len(data) < 10 || string(data[:3]) != "ID3" {
		return 0
	}
	size := 0
	for _, b := range data[6:10] {
		size = size<<7 | int(b&0x7F)
	}
	return 10 + size
}

// Values in the headers of MP3 frames, by the version of MPEG: 0 is 2.5, 2 is 2, 3 is 1.
var (
	mp3Kilobits = [4][15]int{
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
		{},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
		{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	}
	mp3Rates   = [4][3]int{{11025, 12000, 8000}, {}, {22050, 24000, 16000}, {44100, 48000, 32000}}
	mp3Samples = [4]int{576, 0, 576, 1152} // per frame
)

// mp3Time returns the duration of a file, computed from the headers of its frames.
func mp3Time(data []byte) (total time.Duration) {
	data = data[min(tagSize(data), len(data)):]
	for len(data) >= 4 {
		length, size := mp3Frame([4]byte(data))
		total += length
		if size == 0 { // skip what is not a frame
			size = 1 + max(0, bytes.IndexByte(data[1:], 0xFF))
		}
		data = data[min(size, len(data)):]
	}
	return total
}

// mp3Frame parses a frame's header: its duration and its size; 0 if it is not a frame.
func mp3Frame(h [4]byte) (length time.Duration, size int) {
	version, layer, bits, rate := h[1]>>3&3, h[1]>>1&3, h[2]>>4, h[2]>>2&3
	if h[0] != 0xFF || h[1]>>5 != 7 || version == 1 || layer != 1 || bits == 0 || bits == 15 || rate == 3 {
		return 0, 0
	}
	samples, hertz := mp3Samples[version], mp3Rates[version][rate]
	size = samples/8*mp3Kilobits[version][bits]*1000/hertz + int(h[2]>>1&1)
	return time.Duration(samples) * time.Second / time.Duration(hertz), size
}
