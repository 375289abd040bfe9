package speech_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/speech"
)

// TestNaturalVoicesArePreferredForEnglish checks that flite, or festival if it has a voice, is chosen for English, and
// espeak-ng for other languages. Each fake program makes a sound of a different length.
func TestNaturalVoicesArePreferredForEnglish(t *testing.T) {
	dir := t.TempDir()
	put := func(name, script string, samples int) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".wav"), speech.Wave(slices.Repeat([]int16{1000}, samples), 8000), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700)) //nolint:gosec // it is a program
	}
	put("flite", `/bin/cp "$0.wav" "$6"`, 100)
	t.Setenv("PATH", dir)
	length := func(voice string) (samples int) {
		speaker, err := speech.OpenSpeaker("")
		require.NoError(t, err)
		require.NoError(t, speaker.Speak(t.Context(), "x", voice, 8000, func(more []int16) error { samples += len(more); return nil }))
		return samples
	}
	require.Equal(t, 100, length("en-GB-Standard-B"))
	require.Equal(t, 100, length("de-DE-Standard-A"), "there is nothing else")
	put("espeak-ng", `/bin/cat "$0.wav"`, 50)
	require.Equal(t, 100, length("en-GB-Standard-B"))
	require.Equal(t, 100, length("slt"))
	require.Equal(t, 50, length("de-DE-Standard-A"))
	put("text2wave", `/bin/cp "$0.wav" "$4"`, 70)
	require.NoError(t, os.Remove(filepath.Join(dir, "flite")))
	speech.FestivalVoices(dir)
	require.Equal(t, 50, length("en-GB-Standard-B"), "festival has no voice")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "us", "cmu_us_slt_arctic_hts"), 0o700))
	require.Equal(t, 70, length("en-GB-Standard-B"))
	require.Equal(t, 50, length("de-DE-Standard-A"))
}
