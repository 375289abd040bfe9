//go:build unix

package main

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// block is a fenced block of a document.
type block struct{ language, text, file string }

var fenced = regexp.MustCompile("(?ms)(?:^Save this as `([^`]+)`:\n\n)?^```(\\w+)\n(.*?)^```$")

// tutorial reads the blocks of the tutorial.
func tutorial(t *testing.T) (blocks []block) {
	t.Helper()
	text := clitest.Read(t, "docs/tutorial.md")
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, block{file: m[1], language: m[2], text: m[3]})
	}
	return blocks
}

// reader follows the tutorial with one of its programs.
type reader struct {
	t        *testing.T
	dir      string
	platform string // its address
	program  string // its address
	environ  []string
}

// TestTutorial does what the tutorial says, once for each language: it saves the
// programs and runs the commands as they stand there, but for the two ports. With
// MUST_RUN set a language that is not installed is a failure.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	need(t, "curl", "bash")
	blocks := tutorial(t)
	programs := 0
	for i, b := range blocks {
		if b.file == "" {
			continue
		}
		programs++
		t.Run(b.language, func(t *testing.T) {
			require.LessOrEqual(t, strings.Count(b.text, "\n"), 10, "ten lines")
			command := strings.Fields(blocks[i+1].text)
			need(t, command[0])
			newReader(t).follow(blocks, b, command)
		})
	}
	require.Equal(t, 3, programs, "Go, Python and Node")
}

// need skips a test that cannot run here.
func need(t *testing.T, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			if os.Getenv("MUST_RUN") != "" {
				t.Fatalf("MUST_RUN is set, and there is no %s here", c)
			}
			t.Skipf("there is no %s here", c)
		}
	}
}

func newReader(t *testing.T) *reader {
	t.Helper()
	r := &reader{t: t, dir: t.TempDir(), platform: clitest.FreePort(t), program: clitest.FreePort(t)}
	_, environ := onPath(t)
	r.environ = append(environ,
		"CABRANK_PLATFORM_LISTEN="+r.platform, "CABRANK_PLATFORM_SPEED=50", "CABRANK_CALL_PLATFORM=http://"+r.platform)
	return r
}

// here puts this reader's ports in place of the tutorial's.
func (r *reader) here(text string) string {
	_, port, _ := net.SplitHostPort(r.program)
	return strings.NewReplacer("127.0.0.1:8090", r.platform, "127.0.0.1:9000", r.program, `"127.0.0.1", 9000`, `"127.0.0.1", `+port,
		`9000, "127.0.0.1"`, port+`, "127.0.0.1"`).Replace(text)
}

// follow does all that the tutorial says with one program.
func (r *reader) follow(blocks []block, program block, command []string) {
	require.NoError(r.t, os.WriteFile(filepath.Join(r.dir, program.file), []byte(r.here(program.text)), 0o600))
	var third strings.Builder // what is typed in the third terminal
	var expected []string
	for _, b := range blocks {
		first, _, _ := strings.Cut(b.text, " ")
		switch {
		case b.language == "text":
			expected = append(expected, b.text)
		case b.language != "sh" || strings.HasPrefix(b.text, "go install"):
		case strings.HasPrefix(b.text, "cabrank platform"):
			r.background(strings.Fields(b.text), r.platform)
		case strings.HasPrefix(b.text, strings.Join(command, " ")):
			r.background(command, r.program)
		case first == "cabrank" || first == "curl" || strings.Contains(first, "="):
			third.WriteString(r.here(b.text))
		}
	}
	cmd := r.command("bash", "-e", "-o", "pipefail", "-c", third.String())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(r.t, cmd.Run(), "%s\n%s", out.String(), errs.String())
	transcripts := regexp.MustCompile(`(?ms)call [0-9a-f]{24} from.*?^completed.*?\n`).FindAllString(out.String(), -1)
	require.Len(r.t, transcripts, len(expected), "%s", out.String())
	require.Equal(r.t, timeless(expected[0]), timeless(transcripts[0]))
	said := regexp.MustCompile(`Hello from \w+\.`).FindString(program.text)
	require.Equal(r.t, strings.ReplaceAll(timeless(expected[1]), "Hello from Python.", said), timeless(transcripts[1]))
}

// background runs what is left running, until the test ends, and waits until it
// answers.
func (r *reader) background(command []string, address string) {
	r.t.Helper()
	var out clitest.Buffer
	cmd := r.command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(r.t, cmd.Start())
	r.t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	require.Eventually(r.t, func() bool {
		resp, err := http.Get("http://" + address)
		if err == nil {
			_ = resp.Body.Close()
		}
		return err == nil
	}, time.Minute, 20*time.Millisecond, "%v does not answer: %s", command, &out)
}

func (r *reader) command(name string, args ...string) *exec.Cmd {
	command := append([]string{name}, args...)
	cmd := exec.CommandContext(context.WithoutCancel(r.t.Context()), "env", command...) // which looks in the reader's path
	cmd.Dir, cmd.Env = r.dir, r.environ
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // go run has a child
	return cmd
}

var (
	moments = regexp.MustCompile(`\d+\.\ds`)
	callIDs = regexp.MustCompile(`[0-9a-f]{24}`)
)

// timeless leaves out what is different each time: the ids of calls, and moments.
func timeless(transcript string) string {
	text := moments.ReplaceAllString(callIDs.ReplaceAllString(transcript, "ID"), "TIME")
	return regexp.MustCompile(` +TIME`).ReplaceAllString(text, " TIME")
}

// TestCurl runs testdata/curl.sh, which uses the APIs of the platform with curl.
func TestCurl(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	need(t, "bash", "curl")
	r := newReader(t)
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "curl.sh"), []byte(clitest.Read(t, "testdata/curl.sh")), 0o600))
	r.environ = append(r.environ, "CREDENTIALS="+filepath.Join(r.dir, "credentials.json"))
	r.background(strings.Fields("cabrank platform --credentials-file credentials.json --log off"), r.platform)
	out, err := r.command("bash", "curl.sh").CombinedOutput()
	require.NoError(t, err, "%s", out)
}
