package speech

import (
	"encoding/binary"
	"errors"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// waveReader reads a WAV file while it is written. It ignores the length in the header,
// which a program that writes to a pipe does not know.
type waveReader struct {
	bare     int // the sample rate of files without a header
	rate     int
	channels int
	header   []byte // the header so far
	begun    bool
	odd      []byte // the beginning of an incomplete sample
	resample *voice.Resampler
}

const mostHeader = 64 << 10

var (
	errWave   = errors.New("the program has not written WAV of 16 bit samples")
	errHeader = errors.New("the WAV file has no samples")
)

// read returns the samples of a piece of the file, converted to a rate.
func (w *waveReader) read(data []byte, rate int) ([]int16, error) {
	if !w.begun {
		w.header = append(w.header, data...)
		n, err := w.parse()
		if err != nil || n < 0 {
			return nil, err
		}
		data, w.header, w.begun = w.header[n:], nil, true
		w.resample = voice.NewResampler(w.rate, rate)
	}
	return w.resample.Add(nil, w.samples(data)), nil
}

// samples decodes a piece. It keeps an incomplete sample for the next piece.
func (w *waveReader) samples(data []byte) []int16 {
	data = append(w.odd, data...)
	width := 2 * w.channels
	whole := len(data) / width * width
	w.odd = append([]byte(nil), data[whole:]...)
	pcm := make([]int16, 0, whole/width)
	for at := 0; at < whole; at += width {
		sum := 0
		for c := range w.channels {
			sum += int(int16(binary.LittleEndian.Uint16(data[at+2*c:])))
		}
		pcm = append(pcm, int16(sum/w.channels))
	}
	return pcm
}

// parse returns the offset of the samples; -1: the header is not complete.
func (w *waveReader) parse() (int, error) {
	if len(w.header) < 12 {
		return -1, nil
	}
	if string(w.header[:4]) != "RIFF" {
		w.rate, w.channels = w.bare, 1
		return 0, nil
	}
	for at := 12; at+8 <= len(w.header); {
		name, size := string(w.header[at:at+4]), int(binary.LittleEndian.Uint32(w.header[at+4:]))
		body := w.header[at+8:]
		if name == "data" {
			if w.rate == 0 {
				return 0, errWave
			}
			return at + 8, nil
		}
		if len(body) < size {
			break
		}
		if name == "fmt " && size >= 16 {
			if binary.LittleEndian.Uint16(body[14:]) != 16 {
				return 0, errWave
			}
			w.channels, w.rate = int(binary.LittleEndian.Uint16(body[2:])), int(binary.LittleEndian.Uint32(body[4:]))
			if w.channels < 1 || w.channels > 2 || w.rate < 4000 || w.rate > 192000 {
				return 0, errWave
			}
		}
		at += 8 + size + size%2
	}
	if len(w.header) > mostHeader {
		return 0, errHeader
	}
	return -1, nil
}

// rest returns the last samples, after the end of the file.
func (w *waveReader) rest() []int16 {
	if w.resample == nil {
		return nil
	}
	return w.resample.Flush(nil)
}

// Wave returns a WAV file of mono samples.
func Wave(pcm []int16, rate int) []byte {
	size := 2 * len(pcm)
	h := append(make([]byte, 0, 44+size), "RIFF"...)
	h = binary.LittleEndian.AppendUint32(h, uint32(36+size))
	h = append(h, "WAVEfmt "...)
	h = binary.LittleEndian.AppendUint32(h, 16)
	h = binary.LittleEndian.AppendUint16(h, 1) // PCM
	h = binary.LittleEndian.AppendUint16(h, 1)
	h = binary.LittleEndian.AppendUint32(h, uint32(rate))
	h = binary.LittleEndian.AppendUint32(h, uint32(2*rate))
	h = binary.LittleEndian.AppendUint16(h, 2)
	h = binary.LittleEndian.AppendUint16(h, 16)
	h = append(h, "data"...)
	h = binary.LittleEndian.AppendUint32(h, uint32(size))
	return append(h, bare(pcm)...)
}

// bare returns samples as bytes without a WAV header.
func bare(pcm []int16) []byte {
	data := make([]byte, 0, 2*len(pcm))
	for _, v := range pcm {
		data = binary.LittleEndian.AppendUint16(data, uint16(v))
	}
	return data
}

// ReadWave returns the samples of a WAV file and their rate.
func ReadWave(data []byte) (pcm []int16, rate int, err error) {
	w := &waveReader{header: data}
	n, err := w.parse()
	switch {
	case err != nil:
		return nil, 0, err
	case n <= 0:
		return nil, 0, errHeader
	}
	return w.samples(data[n:]), w.rate, nil
}
