// Package clitest runs command lines of cabrank in tests, as a user's shell would, with
// their own folder and environment.
package clitest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// Shell runs command lines in a temporary folder.
type Shell struct {
	T   *testing.T
	Env map[string]string // the environment of the commands
	Dir string            // folder of its files; also the working directory, except in a parallel test

	groups func(cli.Outside) []cli.Group
	files  int
}

// Shells returns two ways to make a shell for a test. groups creates the commands. The first changes to a new folder for
// the rest of the test. With the second, the test runs beside others: the working directory stays as it is, and the test
// names its files by [Shell.Path].
func Shells(groups func(cli.Outside) []cli.Group) (alone, parallel func(*testing.T) *Shell) {
	create := func(t *testing.T) *Shell {
		t.Helper()
		return &Shell{T: t, Env: map[string]string{"GOMEMLIMIT": "off"}, Dir: t.TempDir(), groups: groups}
	}
	alone = func(t *testing.T) *Shell {
		t.Helper()
		s := create(t)
		t.Chdir(s.Dir)
		return s
	}
	parallel = func(t *testing.T) *Shell {
		t.Helper()
		t.Parallel()
		return create(t)
	}
	return alone, parallel
}

// Path returns the path of a file in the shell's folder.
func (s *Shell) Path(name string) string { return filepath.Join(s.Dir, name) }

// Run executes one command line and returns its outputs and exit code.
func (s *Shell) Run(args ...string) (stdout, stderr string, code int) {
	s.T.Helper()
	var out, errs bytes.Buffer
	code = s.Exec(s.T.Context(), cli.Outside{Stdout: &out, Stderr: &errs}, args...)
	return out.String(), errs.String(), code
}

// Exec executes one command line with the given outputs, until ctx ends, in the shell's environment. It returns the
// exit code. Servers listen on a free port, since somebody may have one at the usual port.
func (s *Shell) Exec(ctx context.Context, out cli.Outside, args ...string) (code int) {
	if len(args) > 0 && slices.Contains([]string{"serve", "demo", "platform"}, args[0]) {
		out.Environ = append(out.Environ, "CABRANK_"+strings.ToUpper(args[0])+"_LISTEN=127.0.0.1:0")
	}
	for name, value := range s.Env {
		out.Environ = append(out.Environ, name+"="+value)
	}
	return cli.Run(ctx, args, out, s.groups)
}

// OK runs a command that must succeed, and returns its standard output.
func (s *Shell) OK(args ...string) string {
	s.T.Helper()
	out, errs, code := s.Run(args...)
	require.Equal(s.T, cli.ExitOK, code, "%v: %s%s", args, out, errs)
	return out
}

// Fails runs a command that must end with an exit code, and returns its standard error.
func (s *Shell) Fails(code int, args ...string) string {
	s.T.Helper()
	_, errs, got := s.Run(args...)
	require.Equal(s.T, code, got, "%v: %s", args, errs)
	return errs
}

// Ends runs a command that must end with an exit code, and returns its standard output.
func (s *Shell) Ends(code int, args ...string) string {
	s.T.Helper()
	out, errs, got := s.Run(args...)
	require.Equal(s.T, code, got, "%v: %s%s", args, out, errs)
	return out
}

// Begun is a command that [Shell.Begin] has started.
type Begun struct {
	Out  *Buffer    // both outputs
	Stop func()     // interrupts it and waits until it has ended
	Code func() int // waits until it has ended and returns its exit code
}

// Begin starts a command, which is interrupted at the end of the test.
func (s *Shell) Begin(args ...string) *Begun {
	s.T.Helper()
	ctx, cancel := context.WithCancel(s.T.Context())
	b, ended, code := &Begun{Out: &Buffer{}}, make(chan struct{}), 0
	go func() { // ends with Stop
		defer close(ended)
		code = s.Exec(ctx, cli.Outside{Stdout: b.Out, Stderr: b.Out}, args...)
	}()
	b.Code = func() int { <-ended; return code }
	b.Stop = func() { cancel(); <-ended }
	s.T.Cleanup(b.Stop)
	return b
}

// Write writes a file in the shell's folder.
func (s *Shell) Write(name, text string) {
	s.T.Helper()
	require.NoError(s.T, os.WriteFile(s.Path(name), []byte(text), 0o600))
}

// Serve runs 'cabrank serve' until the test ends. It returns the server's address, and a function that stops the server
// and returns its output.
func (s *Shell) Serve(args ...string) (url string, stop func() string) {
	s.T.Helper()
	var out Buffer
	url, end := s.Listen(cli.Outside{Stdout: &out, Stderr: &out}, append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "off"}, args...)...)
	return url, func() string {
		if code := end(); code != cli.ExitOK {
			s.T.Errorf("serve %v ended with %d: %s", args, code, &out)
		}
		return out.String()
	}
}

// Listen runs a server command with --url-file until the test ends. It returns the server's address, and a function
// that stops the server and returns its exit code. The file must be gone after the server has stopped.
func (s *Shell) Listen(out cli.Outside, args ...string) (url string, stop func() int) {
	s.T.Helper()
	s.files++
	file := s.Path("url-" + strconv.Itoa(s.files))
	ctx, cancel := context.WithCancel(s.T.Context())
	ended, code := make(chan struct{}), 0
	go func() { // ends with stop
		defer close(ended)
		code = s.Exec(ctx, out, append(args, "--url-file", file)...)
	}()
	stop = func() int {
		cancel()
		<-ended
		require.NoFileExists(s.T, file)
		return code
	}
	s.T.Cleanup(func() { stop() })
	var text []byte
	require.Eventually(s.T, func() bool {
		text, _ = os.ReadFile(file)
		select {
		case <-ended:
			return true
		default:
			return len(text) > 0
		}
	}, time.Minute, 5*time.Millisecond, "no url file")
	require.NotEmpty(s.T, text, "%v ended: %v", args, out.Stderr)
	return strings.TrimSpace(string(text)), stop
}

// Read returns the text of a file; a relative path is relative to the working directory, which is the shell's
// folder unless the test is parallel.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(path))
	require.NoError(t, err)
	return string(text)
}
