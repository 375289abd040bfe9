package phoning_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/speech"
)

// TestVoice: the command speaks into a file and reads one back, with programs of the test's own.
func TestVoice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are a shell's")
	}
	dir := t.TempDir()
	prompt, out := filepath.Join(dir, "prompt.wav"), filepath.Join(dir, "out.wav")
	require.NoError(t, os.WriteFile(prompt, speech.Wave(make([]int16, 16000), 16000), 0o600))
	res := newShell(t).OK("voice", "--json", "--say", "Where from?", "--out", out, "--rate", "8000", "--voice", "anna", "--say-with", "sh -c 'test {voice} = anna && cat "+prompt+"'",
		"--hear", out, "--hints", "town hall,the station", "--hear-with", "echo {hints}")
	var report struct {
		Programs []speech.Program
		Spoken   struct{ Seconds float64 }
		Heard    speech.Heard
	}
	require.NoError(t, json.Unmarshal([]byte(res), &report))
	require.Len(t, report.Programs, 4)
	require.InDelta(t, 1, report.Spoken.Seconds, 0.001)
	require.Equal(t, "town hall, the station", report.Heard.Text)
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	pcm, rate, err := speech.ReadWave(data)
	require.NoError(t, err)
	require.Equal(t, 8000, rate)
	require.Len(t, pcm, 8000)
}
