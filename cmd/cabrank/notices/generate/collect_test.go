package main

import (
	"encoding/json"
	"os/exec"
	"regexp"
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
	for _, n := range want {
		require.Contains(t, notices.Texts, "\n\n"+strings.TrimRight(n.text, "\n")+"\n", cure)
		for _, m := range n.modules {
			require.Contains(t, notices.Texts, "\n"+m.String()+"\n", cure)
		}
	}
}

// TestNoticesNameTheVersionsOfGoMod also covers what only other platforms link.
func TestNoticesNameTheVersionsOfGoMod(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", "../../../../go.mod").Output()
	require.NoError(t, err)
	var mod struct{ Require []module }
	require.NoError(t, json.Unmarshal(out, &mod))
	for _, line := range regexp.MustCompile(`(?m)^(\S+\.\S+/\S+) (v\S+)$`).FindAllStringSubmatch(notices.Texts, -1) {
		require.Contains(t, mod.Require, module{line[1], line[2]}, cure)
	}
}
