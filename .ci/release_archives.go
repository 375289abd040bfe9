//go:build ignore

// What is in an archive, and how it is written.

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// file is one that is packed; a folder has no text and a name that ends in a slash.
type file struct {
	name string
	mode int64
	text []byte
}

// shells are the shells with completion, and the names of their files.
var shells = map[string]string{"bash": "cabrank.bash", "zsh": "_cabrank", "fish": "cabrank.fish", "powershell": "cabrank.ps1"}

// readOwnTexts has the program write its manual pages and completions, and reads the licences.
func (r *release) readOwnTexts(ctx context.Context) error {
	binary, err := r.build(ctx, runtime.GOOS+"/"+runtime.GOARCH)
	if err != nil {
		return err
	}
	r.completions = map[string][]byte{}
	for shell, name := range shells {
		if r.completions[name], err = output(ctx, binary, "completion", shell); err != nil {
			return err
		}
	}
	dir := filepath.Join(r.work, "man")
	if _, err := output(ctx, binary, "man", dir); err != nil {
		return err
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		r.pages = append(r.pages, file{filepath.Base(page), 0o644, text})
	}
	r.notices, err = unpacked("cmd/cabrank/notices/notices.txt.gz")
	return err
}

// output runs the program without an environment, which could change what it prints.
func output(ctx context.Context, binary string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = []string{}
	cmd.Dir = filepath.Dir(binary) // where no settings file is
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cabrank %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

func unpacked(name string) ([]byte, error) {
	packed, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(z)
}

// writeArchive writes what somebody unpacks who has no package manager.
func (r *release) writeArchive(platform string, binary, bill []byte) error {
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	program := "cabrank"
	if strings.HasPrefix(platform, "windows/") {
		program += ".exe"
	}
	files := []file{
		{program, 0o755, binary}, {"LICENSE", 0o644, licence}, {"LICENSES", 0o644, r.notices}, {"cabrank.cdx.json", 0o644, bill},
	}
	for name, text := range r.completions {
		files = append(files, file{"completions/" + name, 0o644, text})
	}
	for _, page := range r.pages {
		files = append(files, file{"man/man1/" + page.name, page.mode, page.text})
	}
	files = withFolders(r.name(platform)+"/", files)
	if strings.HasPrefix(platform, "windows/") {
		text, err := zipped(files, r.date)
		if err != nil {
			return err
		}
		return r.write(r.name(platform)+".zip", text)
	}
	text, err := tarred(files, r.date)
	if err != nil {
		return err
	}
	return r.write(r.name(platform)+".tar.gz", text)
}

// withFolders puts files below a folder, sorted by their names, each after the folders that
// it is in.
func withFolders(top string, files []file) []file {
	folders := map[string]bool{}
	var all []file
	for _, f := range files {
		f.name = top + f.name
		all = append(all, f)
		for i, c := range f.name {
			if dir := f.name[:i+1]; c == '/' && !folders[dir] {
				folders[dir] = true
				all = append(all, file{dir, 0o755, nil})
			}
		}
	}
	sortByName(all)
	return all
}

func sortByName(files []file) {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// tarred is a tar.gz of the files, in which nothing says who made it, where and when.
func tarred(files []file, date time.Time) ([]byte, error) {
	var tape bytes.Buffer
	w := tar.NewWriter(&tape)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.text)), ModTime: date, Format: tar.FormatGNU, Typeflag: tar.TypeReg}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return gzipped(tape.Bytes())
}

// gzipped packs without a name and a time, as "gzip -n" does.
func gzipped(text []byte) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	err = z.Close()
	return packed.Bytes(), err
}

func zipped(files []file, date time.Time) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		mode := os.FileMode(f.mode)
		if strings.HasSuffix(f.name, "/") {
			h.Method, mode = zip.Store, mode|os.ModeDir
		}
		h.SetMode(mode)
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if _, err := to.Write(f.text); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	err := w.Close()
	return packed.Bytes(), err
}
