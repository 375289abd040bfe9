package town_test

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// golden is what testdata/digest prints. It changes with every change to what
// is generated, and must not change with anything else: then recorded runs of
// the simulator could not be replayed.
const golden = `
c60b55458bb850b32b464d1db0de8c67fca0695d0a1ed7e54c913a12bbf5f778
267cbf3278a466a72fd9aaa49899f7543bac6b85a12b35fe0db6aeda15116e67
`

// TestSameTownOnEveryProcessor runs the generator as compiled for the oldest
// processors and for those with fused multiply-add.
func TestSameTownOnEveryProcessor(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program twice")
	}
	levels := []string{"v1", "v3"}
	if runtime.GOARCH != "amd64" {
		levels = levels[:1] // has no meaning there; one run under this processor's own rules
	}
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			var out, complaint bytes.Buffer
			run := exec.CommandContext(t.Context(), "go", "run", "./testdata/digest")
			run.Env = append(os.Environ(), "GOAMD64="+level)
			run.Stdout, run.Stderr = &out, &complaint
			err := run.Run()
			if strings.Contains(complaint.String(), "microarchitecture support") {
				t.Skipf("this processor does not run GOAMD64=%s", level)
			}
			require.NoError(t, err, complaint.String())
			require.Equal(t, strings.TrimSpace(golden), strings.TrimSpace(out.String()))
		})
	}
}
