package speech

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// fakeSphinx is a program that records each of its runs, and recognises "yes" in any file.
const fakeSphinx = `#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in -hypseg) out=$2 ;; -cepdir) dir=$2 ;; esac
  shift
done
echo >>"$0.runs"
read -r name || exit 1
[ -s "$dir/$name.raw" ] && echo "$name S 0 T 0 A 0 L 0 0 0 0 yes 50" >"$out"
`

// TestRecognitionStartsDuringSpeech checks that the programs of a recognition are started before the speech is over, that such a
// recognition is used once, that their number is limited, and that they end with the call.
func TestRecognitionStartsDuringSpeech(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell's")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "sphinx")
	require.NoError(t, os.WriteFile(program, []byte(fakeSphinx), 0o700)) //nolint:gosec // it is a program
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cmudict-"+filepath.Base(dir)+".dict"), []byte("yes Y EH S\n"), 0o600))
	s := newSphinx(program, dir, "")
	runs := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool {
			lines, _ := os.ReadFile(program + ".runs")
			return strings.Count(string(lines), "\n") == n
		}, time.Minute, time.Millisecond, "%d programs", n)
	}
	yesOrNo := voice.Grammar{Expected: voice.Expected{Question: questionConfirm, YesOrNo: true}}
	ctx, cancel := context.WithCancel(t.Context())
	l := s.start(ctx, yesOrNo)
	runs(2) // the model of the question and the witness
	for n := range 2 {
		heard, err := l.Listen(ctx, make([]int16, 1600), yesOrNo)
		require.NoError(t, err)
		require.Equal(t, "yes", heard.Text)
		require.Equal(t, "yes", heard.Witness)
		runs(2 + 2*n)
	}

	var begun []Listener
	require.Eventually(t, func() bool { return len(early) == 0 }, time.Minute, time.Millisecond, "a recognition that is over counts for nothing")
	for range cap(early) {
		begun = append(begun, s.start(ctx, yesOrNo))
		require.NotSame(t, s, begun[len(begun)-1])
	}
	require.Same(t, s, s.start(ctx, yesOrNo), "there are not more than processors")
	require.Same(t, s, s.start(ctx, voice.Grammar{Language: "de-DE"}), "it understands English")
	cancel()
	require.Eventually(t, func() bool { return len(early) == 0 }, time.Minute, time.Millisecond, "nothing outlives its call")
	_, err := begun[0].Listen(ctx, make([]int16, 1600), yesOrNo)
	require.ErrorIs(t, err, context.Canceled)
}
