package main

import (
	"encoding/json"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/notices"
)

const cure = "go generate ./cmd/cabrank/notices"

// TestEveryLinkedModuleHasItsNotice compares what this platform links with the texts in
// the program. The modules of other platforms are not downloaded for a test: the next
// test compares their versions, and the gate generates the file anew.
func TestEveryLinkedModuleHasItsNotice(t *testing.T) {
	want, err := collect("../..", []build{{runtime.GOOS, runtime.GOARCH, ""}})
	require.NoError(t, err)
	texts := map[string][]notices.Module{}
	for _, n := range notices.All() {
		require.NotEmpty(t, n.Text, "%v", n.Modules)
		texts[strings.TrimSpace(n.Text)] = n.Modules
	}
	for _, n := range want {
		require.Subset(t, texts[strings.TrimSpace(n.Text)], n.Modules, cure)
	}
}

// TestNoticesNameTheVersionsOfGoMod also covers what only other platforms link.
func TestNoticesNameTheVersionsOfGoMod(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", "../../../../go.mod").Output()
	require.NoError(t, err)
	var mod struct{ Require []notices.Module }
	require.NoError(t, json.Unmarshal(out, &mod))
	for _, n := range notices.All() {
		require.NotEmpty(t, n.Modules)
		for _, m := range n.Modules {
			if m.Version != "" {
				require.Contains(t, mod.Require, m, cure)
			}
		}
	}
}
