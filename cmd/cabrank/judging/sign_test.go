package judging

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

func TestSignedResults(t *testing.T) {
	if testing.Short() {
		t.Skip("four whole runs, one after another")
	}
	s := newShell(t)
	url := wrong(t, "")
	s.OK("verify", "--new-key", "a.key")
	s.OK("verify", "--new-key", "b.key")
	require.Contains(t, s.Fails(cli.ExitUsage, "verify", "--new-key", "a.key"), "exists")
	info, err := os.Stat("a.key")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	s.OK("check", url, "--out", "run.json", "--result", "result.json", "--sign", "a.key", "--quiet")
	out := s.OK("verify", "result.json", "--signer", "a.key.pub", "--run", "run.json")
	require.Contains(t, out, "genuine, signed by the key given")
	require.Contains(t, out, url)
	told, said, code := s.Run("verify", "result.json", "--signer", "a.key.pub", "--suite", "platform")
	require.Equal(t, cli.ExitFindings, code)
	require.Contains(t, said, `for another suite: "third-party", not "platform"`)
	require.NotContains(t, told, "genuine")
	require.Contains(t, s.Fails(cli.ExitUsage, "verify", "result.json", "--signer", "a.key"), "a.key is a private key: give the public one, a.key.pub")
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "result.json"), "signed with the key that is in it")
	require.True(t, json.Valid([]byte(s.OK("verify", "result.json", "--signer", "a.key.pub", "--json"))))
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "result.json", "--signer", "b.key.pub"), "another key")

	s.OK("check", url, "--out", "other.json", "--result", "old.json", "--sign", "a.key", "--good-for", "1ns", "--quiet")
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "old.json"), "expired")
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "result.json", "--run", "other.json"), "not the one that was signed")
	text := clitest.Read(t, "result.json")
	s.Write("forged.json", strings.Replace(text, url, "https://mine.example", 1))
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "forged.json"), "changed")

	s.Ends(cli.ExitFindings, "check", wrong(t, "CANCELED"), "--result", "red.json", "--sign", "a.key", "--out", "bad.json", "--quiet")
	s.Ends(cli.ExitFindings, "verify", "red.json", "--signer", "a.key.pub")

	excuseAll(t, "bad.json", "known.json")
	s.OK("check", wrong(t, "CANCELED"), "--baseline", "known.json", "--result", "excused.json", "--sign", "a.key", "--quiet")
	told, said, code = s.Run("verify", "excused.json", "--signer", "a.key.pub")
	require.Equal(t, cli.ExitFindings, code)
	require.Contains(t, said, "by its own baseline")
	require.Contains(t, told, "CAN-01@cancel (must) fails; ann has taken it on until 2126-01-01")

	for _, row := range [][]string{
		{"check", url, "--sign", "a.key"},
		{"check", url, "--sign", "a.key.pub", "--result", "x"},
		{"check", url, "--sign", "a.key", "--result", "x", "--good-for", "0s"},
		{"check", url, "--sign", "a.key", "--result", "x", "--only", few},
		{"check", "traffic", "now.har", "--result", "x"},
		{"verify"},
		{"verify", "nothere"},
		{"verify", "run.json"},
		{"verify", "result.json", "--new-key", "c"},
		{"verify", "result.json", "--suite", "taxis"},
	} {
		s.Fails(cli.ExitUsage, row...)
	}
}

// TestASignedResultIsOfOneSuite has a voice platform pass its suite, which says nothing of
// another one.
func TestASignedResultIsOfOneSuite(t *testing.T) {
	s := newShell(t)
	url := voicePlatform(t, func(h http.Handler) http.Handler { return h })
	s.OK("verify", "--new-key", "a.key")
	s.OK("check", "platform", url, "--credentials-file", "credentials.json", "--quiet", "--result", "voice.json", "--sign", "a.key")
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "voice.json", "--signer", "a.key.pub"), `for another suite: "platform", not "third-party"`)
	require.Contains(t, s.OK("verify", "voice.json", "--signer", "a.key.pub", "--suite", "platform"), "suite         platform, requirements/")
}

// TestAResultOfOtherChecksIsGenuine signs what a program with another catalogue found: whoever
// verifies it is told that its checks are not today's.
func TestAResultOfOtherChecksIsGenuine(t *testing.T) {
	s := newShell(t)
	s.OK("verify", "--new-key", "a.key")
	key, err := readKey("a.key")
	require.NoError(t, err)
	signed, err := (&conformance.RunFile{
		Report: conformance.Report{Suite: &dispatchside.Suite, Started: cli.Now(), Target: "http://one.example"},
		Judge:  conformance.Judge{Name: "cabrank", Version: "0.1\x1b]0;p\a", Suite: dispatchside.Suite.Name, SHA256: "another"},
	}).Sign(key, cli.Now().Add(time.Hour))
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, signed.Write(&text))
	s.Write("other.json", text.String())
	told, said, _ := s.Run("verify", "other.json", "--signer", "a.key.pub")
	require.Contains(t, said, "are not those of this program")
	require.NotContains(t, told+said, "\x1b")
}
