//go:build ignore

// Release makes the files of a release: for each platform an archive of the program with
// its manual pages, completions and licences, and a bill of materials; for Linux a Debian
// package; the folder that "docker build" needs; and SHA256SUMS. .ci/release runs it.
//
// The same commit, version and compiler give the same bytes in any folder, on any day:
// whatever has a time has the commit's, names are sorted, and owners are root.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	module = "github.com/cabrank/cabrank"
	stamps = module + "/cmd/cabrank/cli."
)

// platforms are the platforms of a release by default.
var platforms = []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// versions matches semantic versions without build metadata.
var versions = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

func main() {
	out := flag.String("out", "", "folder for the files, which must be empty or absent (default dist/VERSION)")
	parallel := flag.Int("p", runtime.NumCPU(), "packages to compile at once")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: bash .ci/release [-out DIR] [-p N] VERSION [OS/ARCH …]")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *out, *parallel, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, parallel int, args []string) error {
	r, err := newRelease(args)
	if err != nil {
		return err
	}
	r.parallel = strconv.Itoa(parallel)
	if r.out = out; out == "" {
		r.out = filepath.Join("dist", r.version)
	}
	if left, err := os.ReadDir(r.out); err == nil && len(left) > 0 {
		return fmt.Errorf("%s is not empty: remove it first", r.out)
	}
	if r.work, err = os.MkdirTemp("", "release"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if err := r.make(ctx); err != nil {
		return err
	}
	fmt.Printf("%s of %s is in %s\n", r.version, r.commit[:12], r.out)
	return nil
}

// release describes the release and its sources.
type release struct {
	version, commit string
	date            time.Time // of the commit
	platforms       []string
	out, work       string
	parallel        string

	pages       []file // of manuals
	completions map[string][]byte
	notices     []byte // licences of all that is linked
}

// newRelease reads the command line, and the commit that is checked out.
func newRelease(args []string) (*release, error) {
	if len(args) == 0 {
		return nil, errors.New("which VERSION? For example: bash .ci/release 1.2.3")
	}
	r := &release{version: strings.TrimPrefix(args[0], "v"), platforms: args[1:]}
	if !versions.MatchString(r.version) {
		return nil, fmt.Errorf("VERSION %q is none: want one like 1.2.3 or 1.2.3-rc.1", args[0])
	}
	if len(r.platforms) == 0 {
		r.platforms = platforms
	}
	for _, p := range r.platforms {
		if !slices.Contains(platforms, p) {
			return nil, fmt.Errorf("platform %q is none of %s", p, strings.Join(platforms, ", "))
		}
	}
	return r, r.readCommit()
}

// readCommit refuses files that are in no commit, and a version that is another commit's.
func (r *release) readCommit() error {
	changed, err := git("status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("a release is made of a commit, and here are files that differ from it:\n%s", changed)
	}
	log, err := git("log", "-1", "--format=%H %ct")
	if err != nil {
		return err
	}
	commit, seconds, _ := strings.Cut(log, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("when commit %s was made: %w", commit, err)
	}
	r.commit, r.date = commit, time.Unix(unix, 0).UTC()
	tagged, err := git("rev-parse", "--verify", "--quiet", "refs/tags/v"+r.version+"^{commit}")
	if err == nil && tagged != commit {
		return fmt.Errorf("tag v%s is commit %.12s, and %.12s is checked out", r.version, tagged, commit)
	}
	return nil
}

// make makes all files. The manual pages and the completions are the program's own, so
// that one is also built for the machine that this runs on.
func (r *release) make(ctx context.Context) error {
	if err := r.readOwnTexts(ctx); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	for _, platform := range r.platforms {
		if err := r.makeFor(ctx, platform); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	if err := r.writeDocker(); err != nil {
		return err
	}
	return r.writeSums()
}

// makeFor makes the files of one platform.
func (r *release) makeFor(ctx context.Context, platform string) error {
	binary, err := r.build(ctx, platform)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	bill, err := r.bill(binary, text, platform)
	if err != nil {
		return err
	}
	if err := r.write(r.name(platform)+".cdx.json", bill); err != nil {
		return err
	}
	if err := r.writeArchive(platform, text, bill); err != nil {
		return err
	}
	if os, arch, _ := strings.Cut(platform, "/"); os == "linux" {
		return r.writeDeb(arch, text)
	}
	return nil
}

// name is what the files of a platform are called: cabrank_1.2.3_linux_amd64.
func (r *release) name(platform string) string {
	return "cabrank_" + r.version + "_" + strings.ReplaceAll(platform, "/", "_")
}

// build compiles the program, and returns where it is. Flags of whoever runs this,
// which might show in the binary, are left out; an empty GOFLAGS would leave those of "go env -w".
func (r *release) build(ctx context.Context, platform string) (string, error) {
	goos, goarch, _ := strings.Cut(platform, "/")
	binary := filepath.Join(r.work, goos+"-"+goarch, "cabrank")
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	link := "-s -w -X " + stamps + "version=" + r.version + " -X " + stamps + "commit=" + r.commit +
		" -X " + stamps + "date=" + r.date.Format(time.RFC3339)
	cmd := exec.CommandContext(ctx, "go", "build", "-p", r.parallel, "-trimpath", "-buildvcs=false", "-tags", "nomsgpack",
		"-ldflags", link, "-o", binary, "./cmd/cabrank")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch, "GOFLAGS=-trimpath", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return binary, cmd.Run()
}

// writeSums writes the checksums of all files as sha256sum does.
func (r *release) writeSums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, entry := range entries {
		if entry.IsDir() {
			continue // of docker: its files are in no archive
		}
		text, err := os.ReadFile(filepath.Join(r.out, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), entry.Name())
	}
	return r.write("SHA256SUMS", sums.Bytes())
}

func (r *release) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), text, 0o644)
}
