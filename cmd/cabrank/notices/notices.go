// Package notices contains the licences of the third-party software that is linked into
// cabrank: anybody who distributes the program must distribute these texts with it.
//
// The texts are collected from the modules themselves by "go generate", and a test
// compares them with the modules that the go command says are linked.
package notices

import (
	_ "embed" // for the texts
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
)

//go:generate go run ./generate notices.txt

//go:embed notices.txt
var texts string

// Names of notices that are not of a versioned module.
const (
	Own = "github.com/cabrank/cabrank" // cabrank itself
	Go  = "Go"                         // the standard library and the runtime, which come with the compiler
)

// between separates two notices, and the parts of a notice's head.
var between = "\n" + strings.Repeat("=", 80) + "\n"

// Notice is one text, and the modules that it covers.
type Notice struct {
	Modules []Module
	Text    string
}

// Module is a third-party module that is linked into the program.
type Module struct{ Path, Version string }

// String returns the path of the module, and its version if it has one.
func (m Module) String() string { return strings.TrimSpace(m.Path + " " + m.Version) }

// All returns the notices for every platform that cabrank is built for.
func All() []Notice { return parse(texts) }

// Format writes notices as text that All can read.
func Format(notices []Notice) string {
	var b strings.Builder
	b.WriteString("Cabrank, the software of others that is part of it, and the licences.\n")
	for _, n := range notices {
		b.WriteString(between)
		for _, m := range n.Modules {
			fmt.Fprintln(&b, m)
		}
		b.WriteString("\n" + strings.TrimRight(n.Text, "\n") + "\n")
	}
	return b.String()
}

func parse(text string) []Notice {
	var all []Notice
	for _, part := range strings.Split(text, between)[1:] {
		head, body, _ := strings.Cut(part, "\n\n")
		var n Notice
		for line := range strings.Lines(head) {
			path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
			n.Modules = append(n.Modules, Module{path, version})
		}
		n.Text = body
		all = append(all, n)
	}
	return all
}

// Linked returns the notices of the modules in info, and the modules that no notice
// covers: none, unless the program was built with modules that cabrank's go.mod does not
// name.
func Linked(all []Notice, info *debug.BuildInfo) (linked []Notice, missing []Module) {
	want := map[Module]bool{{Path: Own}: false, {Path: Go}: false}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		want[Module{dep.Path, dep.Version}] = false
	}
	for _, n := range all {
		n.Modules = slices.DeleteFunc(slices.Clone(n.Modules), func(m Module) bool {
			_, is := want[m]
			return !is
		})
		for _, m := range n.Modules {
			want[m] = true
		}
		if len(n.Modules) > 0 {
			linked = append(linked, n)
		}
	}
	for m, covered := range want {
		if !covered {
			missing = append(missing, m)
		}
	}
	slices.SortFunc(missing, func(a, b Module) int { return strings.Compare(a.String(), b.String()) })
	return linked, missing
}
