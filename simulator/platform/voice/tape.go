package voice

import (
	"encoding/binary"
	"io"
	"sync"
	"time"
)

// tape writes a WAV file of two channels while they come in.
type tape struct {
	mu      sync.Mutex
	file    RecordingFile
	began   time.Time
	frames  int        // written to the file
	pending [2][]int16 // what follows them, in each channel
	err     error
	closed  bool
}

const (
	lateness = SampleRate / 5   // frames that may still come after others
	ahead    = 120 * SampleRate // frames that a line may be ahead of time
	chunk    = 16 << 10         // frames written at once
)

// newTape writes the header of a file that is still empty.
func newTape(file RecordingFile, began time.Time) (*tape, error) {
	if _, err := file.Write(wavHeader(2, 0)); err != nil {
		_ = file.Close()
		return nil, err
	}
	return &tape{file: file, began: began}, nil
}

// add puts samples where they belong in a channel. What comes too late is lost.
func (t *tape) add(channel int, at time.Time, pcm []int16) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.err != nil {
		return
	}
	start := samplesIn(at.Sub(t.began))
	t.write(start - lateness)
	offset := start - t.frames
	if offset < 0 {
		pcm = pcm[min(-offset, len(pcm)):]
		offset = 0
	}
	pcm = pcm[:max(0, min(len(pcm), ahead-offset))]
	if need := offset + len(pcm); need > len(t.pending[channel]) {
		t.pending[channel] = append(t.pending[channel], make([]int16, need-len(t.pending[channel]))...)
	}
	copy(t.pending[channel][min(offset, len(t.pending[channel])):], pcm)
}

// write brings the file up to a frame. Nothing said is silence.
func (t *tape) write(until int) {
	for t.frames < until && t.err == nil {
		n := min(until-t.frames, chunk)
		data := make([]byte, 0, 4*n)
		for i := range n {
			for channel := range t.pending {
				var sample int16
				if i < len(t.pending[channel]) {
					sample = t.pending[channel][i]
				}
				data = binary.LittleEndian.AppendUint16(data, uint16(sample))
			}
		}
		for channel, pending := range t.pending {
			t.pending[channel] = pending[min(n, len(pending)):]
		}
		_, t.err = t.file.Write(data)
		t.frames += n
	}
}

// close ends the recording at a time, and the file with it.
func (t *tape) close(end time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.write(samplesIn(end.Sub(t.began)))
	if t.err == nil {
		_, t.err = t.file.Seek(0, io.SeekStart)
	}
	if t.err == nil {
		_, t.err = t.file.Write(wavHeader(2, t.frames))
	}
	if err := t.file.Close(); t.err == nil {
		t.err = err
	}
	t.pending = [2][]int16{}
	return t.err
}

// wavHeader is that of a WAV file of 16 bit samples.
func wavHeader(channels, frames int) []byte {
	size := frames * channels * 2
	h := append([]byte(nil), "RIFF"...)
	h = binary.LittleEndian.AppendUint32(h, uint32(36+size))
	h = append(h, "WAVEfmt "...)
	h = binary.LittleEndian.AppendUint32(h, 16)
	h = binary.LittleEndian.AppendUint16(h, 1) // PCM
	h = binary.LittleEndian.AppendUint16(h, uint16(channels))
	h = binary.LittleEndian.AppendUint32(h, SampleRate)
	h = binary.LittleEndian.AppendUint32(h, uint32(SampleRate*channels*2))
	h = binary.LittleEndian.AppendUint16(h, uint16(channels*2))
	h = binary.LittleEndian.AppendUint16(h, 16)
	h = append(h, "data"...)
	return binary.LittleEndian.AppendUint32(h, uint32(size))
}
