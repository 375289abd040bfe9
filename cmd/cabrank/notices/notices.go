// Package notices contains the licences of the third-party software that is linked into
// cabrank: anybody who distributes the program must distribute these texts with it.
//
// The texts are collected from the modules themselves by "go generate", and a test
// compares them with the modules that the go command says are linked.
package notices

import (
	_ "embed" // for the texts
	"runtime/debug"
	"slices"
	"strings"
)

//go:generate go run ./generate notices.txt

// Texts contains the notices of all linked modules, on any platform, each below the modules that it covers.
//
//go:embed notices.txt
var Texts string

// Missing returns the modules in info that no notice covers: none, unless the program was built
// with modules that cabrank's go.mod does not name.
func Missing(info *debug.BuildInfo) []string {
	var missing []string
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		if module := dep.Path + " " + dep.Version; !strings.Contains(Texts, "\n"+module+"\n") {
			missing = append(missing, module)
		}
	}
	slices.Sort(missing)
	return missing
}
