//go:build ignore

// The two commits, and what is built of them.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const baseFile = ".ci/figures.base"

// twoCommits returns the commit to compare with and HEAD.
func twoCommits(args []string) (before, head string, err error) {
	if head, err = git("rev-parse", "HEAD"); err != nil {
		return "", "", err
	}
	if changed, err := git("status", "--porcelain"); err == nil && changed != "" {
		fmt.Fprintln(os.Stderr, "figures: what is not committed is not measured")
	}
	name, err := namedCommit(args)
	if err != nil {
		return "", "", err
	}
	before, err = git("rev-parse", "--verify", "--quiet", name+"^{commit}")
	if err != nil {
		if shallow, _ := git("rev-parse", "--is-shallow-repository"); shallow == "true" {
			return "", "", fmt.Errorf("commit %s is not in this shallow clone: git fetch --unshallow", name)
		}
		return "", "", fmt.Errorf("there is no commit %s here", name)
	}
	return before, head, nil
}

// namedCommit is the commit of the command line, or the newest release before HEAD, or that of the file.
func namedCommit(args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	tags, err := git("-c", "versionsort.suffix=-", "tag", "--list", "v*", "--merged", "HEAD", "--no-contains", "HEAD", "--sort=-version:refname")
	if err != nil {
		return "", err
	}
	if newest, _, _ := strings.Cut(tags, "\n"); newest != "" {
		return newest, nil
	}
	text, err := os.ReadFile(baseFile)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line, nil
		}
	}
	return "", errors.New(baseFile + " names no commit")
}

// side is one of the two commits, in a clone of its own.
type side struct {
	commit string
	dir    string
}

func (s *side) binary() string { return filepath.Join(s.dir, "built", "cabrank") }

// test is the test binary of a package.
func (s *side) test(pkg string) string {
	return filepath.Join(s.dir, "built", filepath.Base(pkg)+".test")
}

// build makes the clone, the program and the test binaries, except those of packages that the
// commit does not have.
func (s *side) build(ctx context.Context, wanted []row) error {
	here, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if _, err := git("clone", "--quiet", "--shared", "--no-checkout", here, s.dir); err != nil {
		return err
	}
	if _, err := git("-C", s.dir, "checkout", "--quiet", "--detach", s.commit); err != nil {
		return err
	}
	var packages []string
	for _, r := range wanted {
		tests, err := filepath.Glob(filepath.Join(s.dir, r.pkg, "*_test.go"))
		if err != nil {
			return err
		}
		if name := "./" + r.pkg; len(tests) > 0 && !slices.Contains(packages, name) {
			packages = append(packages, name)
		}
	}
	if err := s.compile(ctx, "build", "-o", s.binary(), "./cmd/cabrank"); err != nil {
		return err
	}
	return s.compile(ctx, "test", append([]string{"-c", "-o", filepath.Dir(s.binary()) + "/"}, packages...)...)
}

// compile runs the go command. Without the folder's name in what is built, both clones share
// the cache.
func (s *side) compile(ctx context.Context, verb string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{verb, "-trimpath", "-buildvcs=false", "-tags", "nomsgpack"}, args...)...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %.12s: %w: %s", s.commit, err, out)
	}
	return nil
}
