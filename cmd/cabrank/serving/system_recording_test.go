package serving

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestASecondServerLeavesTheRecordingAlone starts a server that cannot serve, over
// the recording of one that does.
func TestASecondServerLeavesTheRecordingAlone(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--record", "day.jsonl")
	s.OK("book", "--url", url)
	before, err := os.ReadFile("day.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, before)

	said := s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--record", "day.jsonl")
	require.Contains(t, said, "--record day.jsonl: another cabrank writes to it")
	after, err := os.ReadFile("day.jsonl")
	require.NoError(t, err)
	require.Equal(t, string(before), string(after[:len(before)]))
	stop()
	require.Contains(t, s.OK("replay", "day.jsonl"), "identical")

	_, stop = s.Serve("--record", "day.jsonl") // it is nobody's now
	stop()
	require.Contains(t, s.OK("replay", "day.jsonl"), "identical")
}

// TestAServerThatCannotListenLeavesAnOldRecordingAlone keeps what an earlier run has
// written until a new one really begins.
func TestAServerThatCannotListenLeavesAnOldRecordingAlone(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve()
	require.NoError(t, os.WriteFile("old.jsonl", []byte("what was\n"), 0o600))
	said := s.Fails(cli.ExitUsage, "serve", "--listen", url[len("http://"):], "--record", "old.jsonl")
	require.Contains(t, said, "cannot listen")
	kept, err := os.ReadFile("old.jsonl")
	require.NoError(t, err)
	require.Equal(t, "what was\n", string(kept))
}

// TestAServerThatCannotListenLeavesTheAddressOfAnother has both announce theirs
// in one file.
func TestAServerThatCannotListenLeavesTheAddressOfAnother(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve()
	said := s.Fails(cli.ExitUsage, "serve", "--listen", url[len("http://"):], "--url-file", "url-1")
	require.Contains(t, said, "cannot listen")
	kept, err := os.ReadFile("url-1")
	require.NoError(t, err)
	require.Equal(t, url+"\n", string(kept))
}

func TestARecordingThatCannotBeReplayedIsAnnounced(t *testing.T) {
	s := newShell(t)
	const warning = "'cabrank replay' cannot repeat this run"
	_, stop := s.Serve("--db", "cabs.db", "--record", "day.jsonl")
	require.NotContains(t, stop(), warning)
	_, stop = s.Serve("--db", "cabs.db", "--record", "day.jsonl")
	require.Contains(t, stop(), warning)
	_, stop = s.Serve("--db", "cabs.db")
	require.NotContains(t, stop(), warning)
}

func TestARecordingThatCannotBeWrittenIsTold(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no device here is always full")
	}
	s := newShell(t)
	url, stop := s.Serve("--record", "/dev/full")
	s.OK("book", "--url", url)
	said := stop()
	require.Contains(t, said, "--record: the recording ends here: write /dev/full: no space left on device")
	require.Contains(t, said, "stopped; every request was answered")
}

func TestWhichFlagIsBlamedDoesNotVary(t *testing.T) {
	s := newShell(t)
	for range 10 {
		require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--rate", "-1", "--duplicate-window", "-1s", "--area", "-1"), "--rate cannot be negative")
	}
}
