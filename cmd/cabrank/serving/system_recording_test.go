package serving

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestASecondServerLeavesTheRecordingAlone starts a server that cannot serve, over
// the recording of one that does.
func TestASecondServerLeavesTheRecordingAlone(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--record", "day.jsonl")
	s.OK("book", "--url", url)
	before := clitest.Read(t, "day.jsonl")
	require.NotEmpty(t, before)

	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--record", "day.jsonl"), "--record day.jsonl: another cabrank writes to it")
	require.Equal(t, before, clitest.Read(t, "day.jsonl")[:len(before)])
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
	s.Write("old.jsonl", "what was\n")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", url[len("http://"):], "--record", "old.jsonl"), "cannot listen")
	require.Equal(t, "what was\n", clitest.Read(t, "old.jsonl"))
}

// TestAServerThatCannotListenLeavesTheAddressOfAnother has both announce theirs
// in one file.
func TestAServerThatCannotListenLeavesTheAddressOfAnother(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve()
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", url[len("http://"):], "--url-file", "url-1"), "cannot listen")
	require.Equal(t, url+"\n", clitest.Read(t, "url-1"))
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

func TestARecordingThatCannotBeWrittenIsReported(t *testing.T) {
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

func TestErrorsNameTheSameFlagEachTime(t *testing.T) {
	s := newShell(t)
	for range 10 {
		require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--rate", "-1", "--duplicate-window", "-1s", "--area", "-1"), "--rate cannot be negative")
	}
}
