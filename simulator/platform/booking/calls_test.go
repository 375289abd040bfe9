package booking_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/calls"
)

// scene is a file of fixtures/calls: the answers of a third party, and a caller.
type scene struct {
	About    string             `json:"about"`
	From     string             `json:"from"`
	Settings map[string]any     `json:"settings"`
	Answers  map[string][]reply `json:"answers"`
	Nobody   bool               `json:"nobody"` // there is no third party
	Script   json.RawMessage    `json:"script"`
	Then     json.RawMessage    `json:"then"` // what the caller does in a second call
}

// TestCallScenesMatchTheirGoldenFiles checks each scene of fixtures/calls against its golden file: the requests to the third party, and the
// transcript.
func TestCallScenesMatchTheirGoldenFiles(t *testing.T) {
	files, err := filepath.Glob("../../../fixtures/calls/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			s := decoded[scene](t, text)
			require.NotEmpty(t, s.About)
			golden.Equal(t, strings.TrimSuffix(file, ".json")+".golden", s.play(t))
		})
	}
}

// play plays a scene and returns its requests and transcripts.
func (s scene) play(t *testing.T) string {
	third := newParty(t, s.Answers)
	at := third.url
	if s.Nobody {
		at = ""
	}
	w := newTown(t, at)
	for member, value := range s.Settings {
		text, err := json.Marshal(value)
		require.NoError(t, err)
		w.set(member, string(text))
	}
	for _, script := range []json.RawMessage{s.Script, s.Then} {
		if script == nil {
			continue
		}
		v := w.call(s.From, string(script))
		require.Equal(t, "done", v.Script, "%s", written(w.calls()[0]))
	}
	all := w.calls()
	slices.SortStableFunc(all, func(a, b calls.View) int { return a.Began.Compare(b.Began) })
	parts := []string{"# " + s.About + "\n\n" + third.requests()}
	for _, c := range all {
		parts = append(parts, written(c))
	}
	return strings.Join(parts, "\n")
}
