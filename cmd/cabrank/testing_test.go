//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// recipe is a chapter of the guide for testers.
type recipe struct{ number, title, script string }

var (
	chapters  = regexp.MustCompile(`(?m)^## (\d+)\. (.+)\n`)
	shellCode = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
)

// recipes reads the guide. Each chapter has one block.
func recipes(t *testing.T) (all []recipe) {
	t.Helper()
	text := clitest.Read(t, "docs/testing.md")
	page := text
	at := chapters.FindAllStringSubmatchIndex(page, -1)
	for i, m := range at {
		end := len(page)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		blocks := shellCode.FindAllStringSubmatch(page[m[1]:end], -1)
		r := recipe{number: page[m[2]:m[3]], title: page[m[4]:m[5]]}
		require.Len(t, blocks, 1, r.title)
		require.Equal(t, fmt.Sprint(i+1), r.number, r.title)
		r.script = blocks[0][1]
		all = append(all, r)
	}
	return all
}

// quickRecipes are followed by every run of the tests; all of them are with MUST_RUN set.
var quickRecipes = []string{"3", "4", "23"}

// recipeWithin is how long a recipe may take on a busy machine, which ends one that waits
// for what does not come.
const recipeWithin = 2 * time.Minute

// TestRecipes does what the guide for testers says, each recipe with a server of its own.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts servers")
	}
	need(t, "bash", "curl")
	all := recipes(t)
	require.GreaterOrEqual(t, len(all), 20)
	t.Parallel()
	self, environ := onPath(t)
	for _, r := range all {
		if os.Getenv("MUST_RUN") == "" && !slices.Contains(quickRecipes, r.number) {
			continue
		}
		t.Run(r.title, func(t *testing.T) { r.follow(t, self, environ) })
	}
}

// onPath returns where this program is, and an environment whose path has it as cabrank.
func onPath(t *testing.T) (self string, environ []string) {
	t.Helper()
	self, path := program(t, false), t.TempDir()
	as := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", beTheProgram, self)
	require.NoError(t, os.WriteFile(filepath.Join(path, "cabrank"), []byte(as), 0o700))
	return self, append(os.Environ(), "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// follow runs a recipe as its reader would.
func (r *recipe) follow(t *testing.T, program string, environ []string) {
	p := serve(t, program)
	cmd := exec.CommandContext(t.Context(), "bash", "-eu", "-c", r.script)
	cmd.Dir, cmd.Env = t.TempDir(), append(slices.Clone(environ), "CABRANK_URL="+p.URL)
	out, err := runWhole(t, cmd)
	require.NoError(t, err, "recipe %s:\n%s\nprinted:\n%s", r.number, r.script, out)
}

// runWhole runs a command, and ends what it leaves running.
func runWhole(t *testing.T, cmd *exec.Cmd) (printed string, err error) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A file, and no pipe, which what it leaves running would hold open.
	file, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	require.NoError(t, err)
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	require.NoError(t, cmd.Start())
	end := func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	overdue := time.AfterFunc(recipeWithin, end)
	defer overdue.Stop()
	err = cmd.Wait()
	end()
	text, unread := os.ReadFile(file.Name())
	require.NoError(t, unread)
	return string(text), err
}

// TestRecipeForPytest runs the fixture for pytest, which starts a server itself.
func TestRecipeForPytest(t *testing.T) {
	if testing.Short() || os.Getenv("MUST_RUN") == "" {
		t.Skip("a step of the gate does it")
	}
	_, environ := onPath(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/pytest")))
	if exec.CommandContext(t.Context(), "python3", "-c", "import pytest").Run() != nil {
		t.Skip("there is no pytest here")
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider")
	cmd.Dir, cmd.Env = dir, environ
	out, err := runWhole(t, cmd)
	require.NoError(t, err, "%s", out)
	require.Contains(t, out, "3 passed")
}
