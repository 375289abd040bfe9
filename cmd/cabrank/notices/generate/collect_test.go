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
	covers := map[string]string{} // the modules above each text
	for _, part := range strings.Split(notices.Texts, strings.Repeat("=", 80)+"\n")[1:] {
		modules, text, _ := strings.Cut(part, "\n\n")
		covers[strings.TrimSpace(text)] = "\n" + modules + "\n"
	}
	for _, n := range want {
		for _, m := range n.modules {
			require.Contains(t, covers[strings.TrimSpace(n.text)], "\n"+m.String()+"\n", cure)
		}
	}
}

// TestNoticesNameTheVersionsOfGoMod checks that the notices name modules in the versions of go.mod, also modules that
// only other platforms link.
func TestNoticesNameTheVersionsOfGoMod(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", "../../../../go.mod").Output()
	require.NoError(t, err)
	var mod struct{ Require []module }
	require.NoError(t, json.Unmarshal(out, &mod))
	versions := regexp.MustCompile(`(?m)^(\S+\.\S+/\S+) (v\S+)$`).FindAllStringSubmatch(notices.Texts, -1)
	require.Greater(t, len(versions), 50)
	for _, line := range versions {
		require.Contains(t, mod.Require, module{line[1], line[2]}, cure)
	}
}
