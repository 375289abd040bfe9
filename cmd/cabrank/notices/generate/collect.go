package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is a third-party module that is linked into the program. Cabrank itself, and Go's standard library and
// runtime, have no version.
type module struct{ Path, Version string }

// String returns the path of the module, and its version if it has one.
func (m module) String() string { return strings.TrimSpace(m.Path + " " + m.Version) }

// notice is one text, and the modules that it covers.
type notice struct {
	modules []module
	text    string
}

// build is one way to build cabrank; each may link modules that others do not.
type build struct{ os, arch, tags string }

// released lists the builds that are given to others.
var released = []build{
	{"linux", "amd64", "nomsgpack"},
	{"linux", "amd64", ""},
	{"linux", "arm64", ""},
	{"darwin", "arm64", ""},
	{"windows", "amd64", ""},
}

// isNotice matches the names of licence and notice files.
var isNotice = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^notice|^patents|^third-party-notices`)

// underGosLicence is the path of a module whose licence and patent grant are also listed as those of Go itself, since
// not every installation of Go has its own.
const underGosLicence = "golang.org/x/sys"

// collect returns the notices of all modules that the command in a folder links in any of the builds.
func collect(command string, builds []build) ([]notice, error) {
	folders := map[module]map[string]bool{} // of linked packages
	for _, b := range builds {
		if err := linked(command, b, folders); err != nil {
			return nil, err
		}
	}
	if len(folders) == 0 {
		return nil, errors.New("the command links no module")
	}
	folders[module{Path: "github.com/cabrank/cabrank"}] = map[string]bool{filepath.Join(command, "..", ".."): true}
	texts := map[string][]module{}
	for of, dirs := range folders {
		found, err := read(dirs)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s has no licence file", of)
		}
		for _, text := range found {
			texts[text] = append(texts[text], of)
			if of.Path == underGosLicence {
				texts[text] = append(texts[text], module{Path: "Go"})
			}
		}
	}
	all := make([]notice, 0, len(texts))
	for text, modules := range texts {
		slices.SortFunc(modules, byName)
		all = append(all, notice{modules, text})
	}
	slices.SortFunc(all, func(a, b notice) int {
		if c := byName(a.modules[0], b.modules[0]); c != 0 {
			return c
		}
		return strings.Compare(a.text, b.text)
	})
	return all, nil
}

func byName(a, b module) int { return strings.Compare(a.String(), b.String()) }

// linked adds the folders of the packages that a build links, by module, with those
// above them as far as the module's own.
// The go command downloads modules that are missing: a module that only another platform
// needs is not there after a build for this one.
func linked(command string, b build, folders map[module]map[string]bool) error {
	const asked = `{{.Dir}}|{{with .Module}}{{if not .Main}}{{.Path}}|{{.Version}}|{{.Dir}}{{end}}{{end}}`
	cmd := exec.Command("go", "list", "-deps", "-mod=readonly", "-tags", b.tags, "-f", asked, ".")
	cmd.Dir = command
	cmd.Env = append(os.Environ(), "GOOS="+b.os, "GOARCH="+b.arch, "CGO_ENABLED=0", "GOFLAGS=")
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list for %s/%s: %w: %s", b.os, b.arch, err, &told)
	}
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		if len(part) != 4 {
			continue // one of ours, or of Go's
		}
		dir, top := part[0], part[3]
		of := module{Path: part[1], Version: part[2]}
		if folders[of] == nil {
			folders[of] = map[string]bool{}
		}
		for ; len(dir) >= len(top); dir = filepath.Dir(dir) {
			folders[of][dir] = true
		}
	}
	return nil
}

// read returns the texts of the notice files in folders, each text once.
func read(dirs map[string]bool) ([]string, error) {
	var found []string
	for dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || filepath.Ext(entry.Name()) == ".go" || !isNotice.MatchString(entry.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
			if err != nil {
				return nil, err
			}
			plain := strings.Trim(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
			if !slices.Contains(found, plain) {
				found = append(found, plain)
			}
		}
	}
	return found, nil
}
