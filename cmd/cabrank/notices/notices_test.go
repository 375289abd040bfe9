package notices

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinked leaves out what a program does not link, and tells what has no notice.
func TestLinked(t *testing.T) {
	one, two := Module{"example.org/one", "v1.0.0"}, Module{"example.org/two", "v2.0.0"}
	all := []Notice{
		{[]Module{{Path: Own}, {Path: Go}}, "Copyright the authors\n"},
		{[]Module{one, two}, "MIT\n\ntext\n"},
		{[]Module{two}, "NOTICE\n"},
	}
	require.Equal(t, all, parse(Format(all)), "what is written is read again")

	linked, missing := Linked(all, &debug.BuildInfo{Deps: []*debug.Module{
		{Path: one.Path, Version: one.Version},
		{Path: "example.org/three", Version: "v0.1.0"},
		{Path: "example.org/four", Version: "v0.1.0", Replace: &debug.Module{Path: two.Path, Version: "v2.0.1"}},
	}})
	require.Equal(t, []Notice{all[0], {[]Module{one}, "MIT\n\ntext\n"}}, linked)
	require.Equal(t, []Module{{"example.org/three", "v0.1.0"}, {two.Path, "v2.0.1"}}, missing)
}

// TestAll reads the texts that are in the program.
func TestAll(t *testing.T) {
	texts := map[string]string{}
	for _, n := range All() {
		for _, m := range n.Modules {
			texts[m.Path] += n.Text
		}
	}
	require.Contains(t, texts[Go], "The Go Authors")
	require.Contains(t, texts[Own], "Apache License")
	require.Contains(t, texts["modernc.org/sqlite"], "public domain", "what SQLite's authors say comes beside the translation's licence")
}
