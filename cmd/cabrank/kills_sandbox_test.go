//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFilesOfSandboxesGoAfterAKill has a server killed, and one that ends in good order: the journal
// files of the first one's sandboxes are removed at the next start, and no others.
func TestFilesOfSandboxesGoAfterAKill(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls.jsonl")
	args := []string{"--town", "none", "--journal-file", calls}
	here := func() []string {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		var names []string
		for _, e := range entries {
			names = append(names, strings.TrimPrefix(e.Name(), "calls.jsonl"))
		}
		return names
	}
	require.NoError(t, os.WriteFile(calls+"-mine", nil, 0o600))
	s := newShell(t)
	p := serve(t, program(t, false), args...)
	s.OK("sandbox", "add", "ann", "--url", p.URL)
	s.OK("sandbox", "add", "bob", "--url", p.URL)
	s.OK("user", "442079460020", "--url", p.URL, "--sandbox", "ann")
	require.Equal(t, []string{"", "-ann", "-bob", "-mine", ".sandboxes"}, here())
	other := serve(t, program(t, false), args...) // it leaves alone what a server writes
	other.Stop()
	require.Equal(t, []string{"", "-ann", "-bob", "-mine", ".sandboxes"}, here())
	p.Kill()

	p = serve(t, program(t, false), args...)
	require.Equal(t, []string{"", "-mine"}, here())
	s.OK("sandbox", "add", "cid", "--url", p.URL)
	p.Stop()
	require.Equal(t, []string{"", "-cid", "-mine"}, here())
	serve(t, program(t, false), args...).Stop()
	require.Equal(t, []string{"", "-cid", "-mine"}, here(), "a server that ended in good order has left its file")
}
