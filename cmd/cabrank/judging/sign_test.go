package judging

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
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
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "result.json"), "signed with the key that is in it")
	require.True(t, json.Valid([]byte(s.OK("verify", "result.json", "--signer", "a.key.pub", "--json"))))
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "result.json", "--signer", "b.key.pub"), "another key")

	s.OK("check", url, "--out", "other.json", "--result", "old.json", "--sign", "a.key", "--good-for", "1ns", "--quiet")
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "old.json"), "expired")
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "result.json", "--run", "other.json"), "not the one that was signed")
	text, err := os.ReadFile("result.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("forged.json", []byte(strings.Replace(string(text), url, "https://mine.example", 1)), 0o600))
	require.Contains(t, s.Fails(cli.ExitFindings, "verify", "forged.json"), "changed")

	_, _, code := s.Run("check", wrong(t, "CANCELED"), "--result", "red.json", "--sign", "a.key", "--out", "bad.json", "--quiet")
	require.Equal(t, cli.ExitFindings, code)
	_, _, code = s.Run("verify", "red.json", "--signer", "a.key.pub")
	require.Equal(t, cli.ExitFindings, code, "genuine, and red")

	excuseAll(t, "bad.json", "known.json")
	s.OK("check", wrong(t, "CANCELED"), "--baseline", "known.json", "--result", "excused.json", "--sign", "a.key", "--quiet")
	told, said, code := s.Run("verify", "excused.json", "--signer", "a.key.pub")
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
		{"verify", "result.json", "--signer", "a.key"},
		{"verify", "result.json", "--new-key", "c"},
	} {
		s.Fails(cli.ExitUsage, row...)
	}
}
