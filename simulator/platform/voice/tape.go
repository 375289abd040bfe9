package voice

import (
	"encoding/binary"
	"io"
	"sync"
	"time"
)

// tape writes a WAV file with two channels while their samples arrive.
type tape struct {
	mu      sync.Mutex
	file    RecordingFile
	began   time.Time
	sparse  sparse     // the file, if it can be extended without writing; nil: it cannot
	frames  int        // written to the file, or skipped
	gap     int        // number of frames skipped since the last written one
	pending [2][]int16 // the following samples of each channel
	err     error
	closed  bool
}

const (
	lateness = SampleRate / 5   // how late frames may arrive
	ahead    = 120 * SampleRate // how far frames may be ahead of time
	chunk    = 16 << 10         // frames per write

	wavHeaderSize = 44
)

// newTape writes the header of a file that is still empty.
func newTape(file RecordingFile, began time.Time) (*tape, error) {
	if _, err := file.Write(wavHeader(2, 0)); err != nil {
		_ = file.Close()
		return nil, err
	}
	t := &tape{file: file, began: began}
	t.sparse, _ = file.(sparse)
	return t, nil
}

// add adds samples to a channel. Samples that are too late are dropped.
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

// write writes the frames before the frame number until. Missing samples are silence.
func (t *tape) write(until int) {
	for t.frames < until && t.err == nil {
		n := min(until-t.frames, chunk)
		if t.sparse != nil && t.silent(n) {
			if len(t.pending[0])+len(t.pending[1]) == 0 {
				n = until - t.frames
			}
			t.gap += n
		} else {
			t.fill()
			t.put(t.next(n))
		}
		for channel, pending := range t.pending {
			t.pending[channel] = pending[min(n, len(pending)):]
		}
		t.frames += n
	}
}

// sparse is a file that can be extended without writing: skipped parts are silence, and
// use no disk space.
type sparse interface{ Truncate(size int64) error }

// silent reports whether the next n frames are silent.
func (t *tape) silent(n int) bool {
	for _, pending := range t.pending {
		for _, sample := range pending[:min(n, len(pending))] {
			if sample != 0 {
				return false
			}
		}
	}
	return true
}

// next encodes the next n frames.
func (t *tape) next(n int) []byte {
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
	return data
}

func (t *tape) put(data []byte) {
	if t.err == nil {
		_, t.err = t.file.Write(data)
	}
}

// fill extends the file to its full length, including skipped frames.
func (t *tape) fill() {
	if t.gap == 0 || t.err != nil {
		return
	}
	size := int64(wavHeaderSize + 4*t.frames)
	if t.err = t.sparse.Truncate(size); t.err == nil {
		_, t.err = t.file.Seek(size, io.SeekStart)
	}
	t.gap = 0
}

// close ends the recording at a time, and closes the file.
func (t *tape) close(end time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.write(samplesIn(end.Sub(t.began)))
	t.fill()
	if t.err == nil {
		_, t.err = t.file.Seek(0, io.SeekStart)
	}
	t.put(wavHeader(2, t.frames))
	if err := t.file.Close(); t.err == nil {
		t.err = err
	}
	t.pending = [2][]int16{}
	return t.err
}

// wavHeader returns the header of a WAV file with samples of 16 bits.
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

// Recording is a recorded dial.
type Recording struct {
	ID          string  `json:"recordingId"`
	Duration    Seconds `json:"recordedDuration"`
	Transcript  []Line  `json:"transcript,omitempty"`  // with Record.Transcribe
	Interrupted bool    `json:"interrupted,omitempty"` // the file is incomplete because of a write error
}

// RecordingFile is the file of a recording: a WAV file, 8 kHz, 16 bits, stereo with the
// call's own leg on the left and the dialled one on the right. If it has the method
// Truncate of [os.File], silence is skipped by extending the file.
type RecordingFile interface {
	io.WriteSeeker
	io.Closer
}

// Recorder creates the file of a recording. The user of the engine decides how long the
// file is stored.
type Recorder func(call Info, id string) (RecordingFile, error)
