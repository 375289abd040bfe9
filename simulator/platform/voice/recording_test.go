package voice_test

import (
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// memoryFile is a file in memory. If broken is set, only its header can be written.
type memoryFile struct {
	data   []byte
	at     int
	closed bool
	broken bool
}

func (f *memoryFile) Write(p []byte) (int, error) {
	if f.broken && f.at >= 44 {
		return 0, errors.New("disk full")
	}
	f.data = append(f.data, make([]byte, max(0, f.at+len(p)-len(f.data)))...)
	copy(f.data[f.at:], p)
	f.at += len(p)
	return len(p), nil
}

func (f *memoryFile) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, errors.New("only from the start")
	}
	f.at = int(offset)
	return offset, nil
}

func (f *memoryFile) Close() error {
	f.closed = true
	return nil
}

// record runs a recorded dial: the caller says two words after 1 s, and the callee one word 3 s after the answer and
// hangs up after 5 s.
func record(t *testing.T, file *memoryFile, dial string) *lab {
	l := newLab(t, func(o *voice.Options) {
		o.Recorder = func(call voice.Info, id string) (voice.RecordingFile, error) {
			require.NotEmpty(t, call.ID+id)
			if file == nil {
				return nil, errors.New("no room")
			}
			return file, nil
		}
	})
	l.phones["101"] = l.person(0, `[{"wait":"3s"},{"say":"coming"},{"wait":"1600ms"},{"hangup":true}]`)
	l.receive(l.caller(`[{"wait":"1s"},{"say":"the station"}]`), voice.Program{Verbs: parsed(t, dial)}, nil)
	return l
}

// TestRecordingHasAChannelForEachParty checks the file of a recording: a stereo WAV file in which each party has its own channel, at the
// right times.
func TestRecordingHasAChannelForEachParty(t *testing.T) {
	file := &memoryFile{}
	record(t, file, `[{"dial":{"record":{"transcribe":true},"targets":[{"extension":{"extension":"101"}}]}}]`).golden("recording")
	require.True(t, file.closed)
	require.Equal(t, "RIFF", string(file.data[:4]))
	require.Len(t, file.data, int(binary.LittleEndian.Uint32(file.data[4:]))+8)
	require.Equal(t, uint16(2), binary.LittleEndian.Uint16(file.data[22:]), "caller and callee")
	require.Len(t, file.data, 44+5*voice.SampleRate*4)
	for _, row := range []struct {
		channel  int
		from, to time.Duration
		loud     bool
	}{
		{0, 0, 990 * time.Millisecond, false},
		{0, time.Second, 1300 * time.Millisecond, true},
		{0, 2 * time.Second, 5 * time.Second, false},
		{1, 0, 2990 * time.Millisecond, false},
		{1, 3 * time.Second, 3300 * time.Millisecond, true},
		{1, 3500 * time.Millisecond, 5 * time.Second, false},
	} {
		require.Equal(t, row.loud, loud(file.data, row.channel, row.from, row.to), "channel %d from %s", row.channel, row.from)
	}
	audio, err := voice.DecodeAudio(file.data)
	require.NoError(t, err)
	require.Equal(t, 5*time.Second, audio.Length)
}

func loud(wav []byte, channel int, from, to time.Duration) bool {
	for i := int(from * voice.SampleRate / time.Second); i < int(to*voice.SampleRate/time.Second); i++ {
		if binary.LittleEndian.Uint16(wav[44+4*i+2*channel:]) != 0 {
			return true
		}
	}
	return false
}

// TestRecordingStopsAtItsMaximumLength checks that a recording stops at its maximum length while the call continues.
func TestRecordingStopsAtItsMaximumLength(t *testing.T) {
	file := &memoryFile{}
	record(t, file, `[{"dial":{"record":{"maxLength":2,"playBeep":true},"targets":[{"extension":{"extension":"101"}}]}}]`).golden("recording-short")
	require.Len(t, file.data, 44+2*voice.SampleRate*4)
}

// TestFailedRecordingDoesNotEndTheCall checks that a call continues if its recording cannot be created or written.
func TestFailedRecordingDoesNotEndTheCall(t *testing.T) {
	const dial = `[{"dial":{"record":{},"targets":[{"extension":{"extension":"101"}}]}}]`
	record(t, nil, dial).golden("recording-none")
	l := record(t, &memoryFile{broken: true}, dial)
	l.clock.Run(time.Minute)
	for _, ev := range l.events {
		if ev.Type == voice.EventRecorded {
			require.True(t, ev.Recording.Interrupted)
			return
		}
	}
	t.Fatal("no recording.completed")
}
