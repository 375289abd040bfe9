package voice_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// wav returns a WAV file with an unknown chunk before the data.
func wav(code, channels uint16, rate uint32, bits uint16, data []byte) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00")
	b = binary.LittleEndian.AppendUint16(b, code)
	b = binary.LittleEndian.AppendUint16(b, channels)
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, rate*uint32(channels*bits/8))
	b = binary.LittleEndian.AppendUint16(b, channels*bits/8)
	b = binary.LittleEndian.AppendUint16(b, bits)
	b = append(b, "LIST\x03\x00\x00\x00abc\x00data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	return append(b, data...)
}

func TestWAVFormatsAreDecoded(t *testing.T) {
	for _, row := range []struct {
		name string
		in   []byte
		want []int16
	}{
		{"16 bit", wav(1, 1, 8000, 16, []byte{1, 0, 0xFF, 0xFF}), []int16{1, -1}},
		{"stereo", wav(1, 2, 8000, 16, []byte{10, 0, 20, 0}), []int16{15}},
		{"16 kHz", wav(1, 1, 16000, 16, []byte{10, 0, 20, 0, 30, 0, 40, 0}), voice.Resampled([]int16{10, 20, 30, 40}, 16000, 8000)},
		{"4 kHz", wav(1, 1, 4000, 16, []byte{10, 0, 20, 0}), voice.Resampled([]int16{10, 20}, 4000, 8000)},
		{"µ-law", wav(7, 1, 8000, 8, []byte{0x00, 0x80, 0xFF, 0x7F}), []int16{-32124, 32124, 0, 0}},
		{"A-law", wav(6, 1, 8000, 8, []byte{0x2A, 0xAA, 0xD5, 0x55}), []int16{-32256, 32256, 8, -8}},
		{"empty", wav(1, 1, 8000, 16, nil), nil},
	} {
		audio, err := voice.DecodeAudio(row.in)
		require.NoError(t, err, row.name)
		require.Equal(t, row.want, audio.Samples(), row.name)
		require.Equal(t, time.Duration(len(row.want))*time.Second/voice.SampleRate, audio.Length, row.name)
		length, err := voice.MeasureAudio(row.in)
		require.NoError(t, err, row.name)
		require.Equal(t, audio.Length, length, row.name)
	}
}

func TestInvalidSoundFilesAreRefused(t *testing.T) {
	for _, row := range []struct {
		in   []byte
		want string
	}{
		{nil, "the sound file is not WAV"},
		{[]byte("<html>"), "the sound file is not WAV"},
		{[]byte("ID3\x04\x00\x00\x00\x00\x00\x00\xFF\xFB\x90\x64"), "the sound file is not WAV"},
		{[]byte("RIFF"), "the sound file is not WAV"},
		{[]byte("RIFF\x00\x00\x00\x00WAVE"), "the WAV file has no data"},
		{wav(3, 1, 8000, 32, []byte{0, 0, 0, 0}), "the WAV file is neither 16 bit PCM nor µ-law nor A-law"},
		{wav(1, 6, 8000, 16, nil), "the WAV file must have one or two channels and a rate of 4 to 192 kHz"},
		{make([]byte, voice.MaxAudioBytes+1), "the sound file is longer than 10485760 bytes"},
	} {
		_, err := voice.DecodeAudio(row.in)
		require.EqualError(t, err, row.want)
	}
}

func FuzzDecodeAudio(f *testing.F) {
	f.Add(wav(1, 2, 44100, 16, make([]byte, 64)))
	f.Add(wav(7, 1, 8000, 8, make([]byte, 64)))
	f.Add([]byte("\xFF\xFB\x90\x64"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if audio, err := voice.DecodeAudio(data); err == nil {
			require.Equal(t, audio.Length, time.Duration(len(audio.Samples()))*time.Second/voice.SampleRate)
			length, err := voice.MeasureAudio(data)
			require.NoError(t, err)
			require.Equal(t, audio.Length, length)
		} else {
			_, _ = voice.MeasureAudio(data) // it must not panic
		}
	})
}

// TestTooLongSoundFilesAreRefused checks that a sound of more than 22 minutes is refused, since decoding even a small file could use
// much memory.
func TestTooLongSoundFilesAreRefused(t *testing.T) {
	_, err := voice.DecodeAudio(wav(7, 1, 4000, 8, make([]byte, 22*60*4000+1)))
	require.ErrorContains(t, err, "plays for more than 22 minutes")
	audio, err := voice.DecodeAudio(wav(7, 1, 4000, 8, make([]byte, 22*60*4000)))
	require.NoError(t, err)
	require.Equal(t, voice.MaxAudioTime, audio.Length)
}
