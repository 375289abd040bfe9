//go:build ignore

// Release packs the folder of a platform for .ci/release: as an archive and, for Linux, as a Debian package,
// beside its bill of materials. The packages are written here because dpkg-deb is not on every machine, and
// because what it writes differs between its versions.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/md5" //nolint:gosec // the format asks for it
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

const module = "github.com/cabrank/cabrank"

// file is a file of an archive; a folder has no text and a name that ends in a slash.
type file struct {
	name string
	mode os.FileMode
	text []byte
}

// release describes a release and one of its platforms, by the arguments of the program.
type release struct {
	dir, program, version, commit, stamp, platform, out string
	date                                                time.Time // of the commit
}

func main() {
	a := os.Args[1:]
	r := release{dir: a[0], program: a[1], version: a[2], commit: a[3], stamp: a[4], platform: a[5], out: a[6]}
	if err := r.pack(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) pack() (err error) {
	if r.date, err = time.Parse(time.RFC3339, r.stamp); err != nil {
		return err
	}
	name, texts := filepath.Base(r.dir), map[string][]byte{}
	bill, err := r.bill()
	if err != nil {
		return err
	}
	files := []file{{"cabrank.cdx.json", 0o644, bill}}
	err = fs.WalkDir(os.DirFS(r.dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f := file{name: path, mode: 0o644}
		if path == r.program {
			f.mode = 0o755
		}
		f.text, err = os.ReadFile(filepath.Join(r.dir, path))
		files = append(files, f)
		return err
	})
	texts[name+".cdx.json"] = bill
	if system, arch, _ := strings.Cut(r.platform, "/"); system == "windows" {
		texts[name+".zip"] = zipped(withFolders(name+"/", files), r.date)
	} else {
		texts[name+".tar.gz"] = tarred(withFolders(name+"/", files), r.date)
		if system == "linux" {
			texts[name+".deb"] = r.deb(arch, files)
		}
	}
	for name, text := range texts {
		err = errors.Join(err, os.WriteFile(filepath.Join(r.out, name), text, 0o644))
	}
	return err
}

// withFolders puts files below a folder, sorted by their names, each after the folders that
// it is in.
func withFolders(top string, files []file) (all []file) {
	folders := map[string]bool{}
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
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all
}

// must panics if there is an error. Writing to memory fails only if the format does not allow what is written.
func must(errs ...error) {
	if err := errors.Join(errs...); err != nil {
		panic(err)
	}
}

// tarred returns a tar.gz of the files, which does not depend on the user, the machine or the time of packing.
func tarred(files []file, date time.Time) []byte {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	must(err)
	w := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.text)), ModTime: date, Format: tar.FormatGNU, Typeflag: tar.TypeReg}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		must(w.WriteHeader(h))
		_, err := w.Write(f.text)
		must(err)
	}
	must(w.Close(), z.Close())
	return packed.Bytes()
}

func zipped(files []file, date time.Time) []byte {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(f.mode)
		if strings.HasSuffix(f.name, "/") {
			h.Method = zip.Store
			h.SetMode(f.mode | os.ModeDir)
		}
		to, err := w.CreateHeader(h)
		must(err)
		_, err = to.Write(f.text)
		must(err)
	}
	must(w.Close())
	return packed.Bytes()
}

// debControl is the control file of the Debian package. The program is static, so it depends on
// nothing.
const debControl = `Package: cabrank
Version: %s
Architecture: %s
Maintainer: Cabrank <https://` + module + `>
Installed-Size: %d
Section: utils
Priority: optional
Homepage: https://` + module + `
Description: reference implementation of the bookable-taxi interface
 Cabrank is a dispatch system for bookable taxis with a simulated fleet, a voice
 platform that calls it, and the suites that judge yours.
`

// installed maps the files of an archive to the paths where the Debian package installs them; other files are not in
// it.
var installed = map[string]string{
	"cabrank":                  "usr/bin/cabrank",
	"LICENSES":                 "usr/share/doc/cabrank/copyright",
	"completions/cabrank.bash": "usr/share/bash-completion/completions/cabrank",
	"completions/_cabrank":     "usr/share/zsh/vendor-completions/_cabrank",
	"completions/cabrank.fish": "usr/share/fish/vendor_completions.d/cabrank.fish",
}

// deb returns the Debian package for an architecture. Debian and Go have the same names for those of the releases.
func (r *release) deb(arch string, archived []file) []byte {
	var files []file
	var sums bytes.Buffer
	size := 0
	for _, f := range archived {
		if where, ok := installed[f.name]; ok {
			files = append(files, file{where, f.mode, f.text})
			size += len(f.text)
			fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.text), where)
		}
	}
	version := strings.Replace(r.version, "-", "~", 1) // which sorts before the release itself
	control := []file{{"control", 0o644, fmt.Appendf(nil, debControl, version, arch, (size+1023)/1024)}, {"md5sums", 0o644, sums.Bytes()}}
	b := bytes.NewBufferString("!<arch>\n") // the format of ar
	for _, m := range []file{
		{"debian-binary", 0, []byte("2.0\n")},
		{"control.tar.gz", 0, tarred(withFolders("./", control), r.date)},
		{"data.tar.gz", 0, tarred(withFolders("./", files), r.date)},
	} {
		fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", m.name, r.date.Unix(), 0, 0, 0o100644, len(m.text), m.text)
		if len(m.text)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// object is an object of JSON, whose members are written in the order of their names.
type object map[string]any

func component(kind, path, version string, sum []byte) object {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	c := object{"type": kind, "bom-ref": purl, "name": path, "version": version, "purl": purl}
	if sum != nil {
		c["hashes"] = []object{{"alg": "SHA-256", "content": fmt.Sprintf("%x", sum)}}
	}
	return c
}

// bill returns the bill of materials of the program in CycloneDX 1.6: the modules that the compiler recorded, with
// the checksums of go.sum, and the standard library. Its serial number follows from the binary, so that it is
// the same each time.
func (r *release) bill() ([]byte, error) {
	binary, err := os.ReadFile(filepath.Join(r.dir, r.program))
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, err
	}
	std := component("library", "std", strings.TrimPrefix(info.GoVersion, "go"), nil)
	components, refs := []object{std}, []any{std["bom-ref"]} // what they need of each other is not recorded in a binary
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		text, found := strings.CutPrefix(dep.Sum, "h1:")
		sum, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !found {
			return nil, fmt.Errorf("%s has no checksum but %q", dep.Path, dep.Sum)
		}
		c := component("library", dep.Path, dep.Version, sum)
		components, refs = append(components, c), append(refs, c["bom-ref"])
	}
	sum := sha256.Sum256(binary)
	own := component("application", module, "v"+r.version, sum[:])
	own["licenses"] = []object{{"license": object{"id": "Apache-2.0"}}}
	own["properties"] = []object{{"name": "cabrank:platform", "value": r.platform}, {"name": "cabrank:commit", "value": r.commit}}
	text, err := json.MarshalIndent(object{
		"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"serialNumber": uuid.NewSHA1(uuid.NameSpaceURL, sum[:]).URN(),
		"metadata":     object{"timestamp": r.stamp, "component": own},
		"components":   components,
		"dependencies": []object{{"ref": own["bom-ref"], "dependsOn": refs}},
	}, "", "  ")
	return append(text, '\n'), err
}
