// Package notices holds the licences of other people's software that is linked into
// cabrank: whoever passes the program on has to pass these texts on with it.
//
// The texts are collected from the modules themselves by "go generate", and a test
// holds them to what the go command says is linked.
package notices

import (
	_ "embed" // for the texts
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/packed"
)

//go:generate go run ./generate notices.txt.gz

//go:embed notices.txt.gz
var zipped []byte

// What has no version among the modules.
const (
	Own = "github.com/cabrank/cabrank" // cabrank itself
	Go  = "Go"                         // the standard library and the runtime, which come with the compiler
)

// between stands between two notices, and what follows it in a notice's head.
var between = "\n" + strings.Repeat("=", 80) + "\n"

// Notice is one text, and the modules that it covers.
type Notice struct {
	Modules []Module
	Text    string
}

// Module is one module of others.
type Module struct{ Path, Version string }

// String is how a module is shown: its path, and its version if it has one.
func (m Module) String() string { return strings.TrimSpace(m.Path + " " + m.Version) }

// All returns the notices for every platform that cabrank is built for.
func All() ([]Notice, error) {
	text, err := packed.Text(zipped)
	if err != nil {
		return nil, fmt.Errorf("notices: %w", err)
	}
	return parse(string(text)), nil
}

// Format writes notices as text that All reads again.
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

// Linked returns the notices of what is in the program that info tells of, and the
// modules of it that no notice covers: none, unless it was built with others than
// cabrank's go.mod names.
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
