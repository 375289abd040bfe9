//go:build ignore

// Debian packages, written here because dpkg-deb is not on every machine, and because what it
// writes differs between its versions.

package main

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the format asks for it
	"fmt"
	"strings"
	"time"
)

// debControl is what the package manager knows. The program is static, so it depends on
// nothing.
const debControl = `Package: cabrank
Version: %s
Architecture: %s
Maintainer: Cabrank <https://%s>
Installed-Size: %d
Section: utils
Priority: optional
Homepage: https://%s
Description: reference implementation of the bookable-taxi interface
 Cabrank is a dispatch system for bookable taxis with a simulated fleet, a voice
 platform that calls it, and the suites that judge yours.
`

// whereShellsLook are the folders in which Debian's shells look for the files of shells.
var whereShellsLook = map[string]string{
	"cabrank.bash": "usr/share/bash-completion/completions/cabrank",
	"_cabrank":     "usr/share/zsh/vendor-completions/_cabrank",
	"cabrank.fish": "usr/share/fish/vendor_completions.d/cabrank.fish",
}

// writeDeb writes the package of an architecture, whose names in Debian are those of Go.
func (r *release) writeDeb(arch string, binary []byte) error {
	version := strings.Replace(r.version, "-", "~", 1) // which sorts before the release itself
	files, err := r.debFiles(binary)
	if err != nil {
		return err
	}
	data, err := tarred(withFolders("./", files), r.date)
	if err != nil {
		return err
	}
	size := 0
	var sums bytes.Buffer
	for _, f := range files {
		size += len(f.text)
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.text), f.name)
	}
	control, err := tarred(withFolders("./", []file{
		{"control", 0o644, fmt.Appendf(nil, debControl, version, arch, module, (size+1023)/1024, module)},
		{"md5sums", 0o644, sums.Bytes()},
	}), r.date)
	if err != nil {
		return err
	}
	return r.write(r.name("linux/"+arch)+".deb", ar(r.date,
		file{"debian-binary", 0o100644, []byte("2.0\n")},
		file{"control.tar.gz", 0o100644, control},
		file{"data.tar.gz", 0o100644, data}))
}

// debFiles returns the installed files, sorted.
func (r *release) debFiles(binary []byte) ([]file, error) {
	files := []file{
		{"usr/bin/cabrank", 0o755, binary},
		{"usr/share/doc/cabrank/copyright", 0o644, r.notices},
	}
	for name, where := range whereShellsLook {
		files = append(files, file{where, 0o644, r.completions[name]})
	}
	for _, page := range r.pages {
		packed, err := gzipped(page.text)
		if err != nil {
			return nil, err
		}
		files = append(files, file{"usr/share/man/man1/" + page.name + ".gz", 0o644, packed})
	}
	sortByName(files)
	return files, nil
}

// ar is the format of a package's three members.
func ar(date time.Time, members ...file) []byte {
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, m := range members {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", m.name, date.Unix(), 0, 0, m.mode, len(m.text))
		b.Write(m.text)
		if len(m.text)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
