//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// ciJob is what a job of GitHub Actions or of GitLab runs, as docs/ci.md shows it.
type ciJob struct {
	Env       map[string]string `yaml:"env"`
	Variables map[string]string `yaml:"variables"`
	Steps     []struct {
		Run string `yaml:"run"`
	} `yaml:"steps"`
	Before []string `yaml:"before_script"`
	Script []string `yaml:"script"`
	After  []string `yaml:"after_script"`
}

// commands are what the job runs once cabrank is installed, on a port that is free here.
func (j *ciJob) commands(address string) string {
	lines := append(append(j.Before, j.Script...), j.After...)
	for _, s := range j.Steps {
		if !strings.Contains(s.Run, "go install") {
			lines = append(lines, s.Run)
		}
	}
	text := "export THIRD_PARTY_URL=" + j.Env["THIRD_PARTY_URL"] + j.Variables["THIRD_PARTY_URL"] + "\n" + strings.Join(lines, "\n")
	return strings.ReplaceAll(text, "127.0.0.1:8080", address)
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(platform-tests:.*?)^```$")

// TestPlatformTestsInCI runs the two jobs that docs/ci.md has for the tests of a platform,
// with one that calls as it should and with one that does not.
func TestPlatformTestsInCI(t *testing.T) {
	if testing.Short() || os.Getenv("MUST_RUN") == "" {
		t.Skip("a step of the gate does it")
	}
	need(t, "bash", "curl")
	_, environ := onPath(t)
	page := clitest.Read(t, "docs/ci.md")
	blocks := yamlBlock.FindAllStringSubmatch(page, -1)
	require.Len(t, blocks, 2, "GitHub Actions and GitLab")
	platforms := map[string]string{
		"cabrank book --url $THIRD_PARTY_URL":                                          "\nmet      1  ",
		`curl -sS "$THIRD_PARTY_URL/book" -H "Content-Type: application/json" -d "{}"`: "not met  1  ",
	}
	for i, b := range blocks {
		var jobs map[string]ciJob
		require.NoError(t, yaml.Unmarshal([]byte(b[1]), &jobs))
		job := jobs["platform-tests"]
		for platform, says := range platforms {
			dir, address := t.TempDir(), clitest.FreePort(t)
			script := job.commands(address)
			require.Contains(t, script, "npm test")
			script = strings.ReplaceAll(script, "npm test", platform)
			cmd := exec.CommandContext(t.Context(), "bash", "-u", "-c", script)
			cmd.Dir = dir
			cmd.Env = append(slices.Clone(environ), "CABRANK_SERVE_LISTEN="+address, "CABRANK_URL=http://"+address)
			out, err := runWhole(t, cmd)
			require.NoError(t, err, "%s", out)
			require.Contains(t, out, says, "job %d", i)
			for _, name := range []string{"junit.xml", "report.html", "taxis.log"} {
				require.FileExists(t, filepath.Join(dir, name))
			}
		}
	}
}
