package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/cabrank/cabrank/"

// mayImport says which packages of ours each package may import. A folder
// stands for everything below it that has no row of its own.
var mayImport = map[string][]string{
	"dispatch/taxi":   {},
	"store":           {"dispatch/taxi", "store/sqlitedb"},
	"store/sqlitedb":  {},
	"fixtures":        {"dispatch/taxi"},
	"dispatch":        {"dispatch/taxi", "store"},
	"simulator":       {"dispatch", "dispatch/taxi", "store", "fixtures", "simulator/town"},
	"simulator/town":  {"dispatch/taxi"},
	"simulator/host":  {"dispatch", "dispatch/taxi", "store", "fixtures", "simulator", "simulator/town"},
	"simulator/trial": {"dispatch", "dispatch/taxi", "simulator/town", "store", "fixtures", "simulator"},
	"simulator/platform": {
		"simulator/platform/access", "simulator/platform/api", "simulator/platform/chance", "simulator/platform/flow",
		"simulator/platform/hooks", "simulator/platform/numbers", "simulator/platform/records", "simulator/platform/strict",
		"simulator/platform/voice", "simulator/platform/voice/simline",
	},
	"simulator/platform/access":        {"simulator/platform/api"},
	"simulator/platform/api":           {},
	"simulator/platform/chance":        {},
	"simulator/platform/flow":          {"simulator/platform/api"},
	"simulator/platform/hooks":         {"simulator/platform/api", "simulator/platform/chance", "simulator/platform/records", "simulator/platform/voice"},
	"simulator/platform/numbers":       {"simulator/platform/api"},
	"simulator/platform/records":       {"simulator/platform/access", "simulator/platform/api", "store/sqlitedb"},
	"simulator/platform/strict":        {"simulator/platform/api"},
	"simulator/platform/voice":         {},
	"simulator/platform/voice/simline": {"simulator/platform/voice"},
	"conformance":                      {"dispatch/taxi"},
	"conformance/journal":              {"conformance", "dispatch/taxi"},
	"dispatch/dispatchtest":            {"dispatch", "dispatch/taxi", "store", "fixtures", "simulator", "simulator/host"},
	"cmd":                              nil, // anything
}

// onlyIn says where a library's packages may be imported.
var onlyIn = map[string][]string{
	"github.com/gin-gonic/gin":        {"dispatch", "simulator/platform"},
	"database/sql":                    {"store", "store/sqlitedb", "simulator/platform/records"},
	"github.com/nyaruka/phonenumbers": {"dispatch", "simulator/platform/numbers"},
	"github.com/robfig/cron/v3":       {"simulator"},
	"github.com/spf13/cobra":          {"cmd"},
	"github.com/stretchr/testify":     {},
	"testing":                         {"dispatch/dispatchtest"},
}

// TestWhoImportsWhom reads every file; asking the go command would be answered
// from the test cache.
func TestWhoImportsWhom(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && path != root) {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		rel, err := filepath.Rel(root, filepath.Dir(path))
		require.NoError(t, err)
		checkImports(t, path, filepath.ToSlash(rel))
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 50)
}

func checkImports(t *testing.T, path, dir string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	require.NoError(t, err)
	room := roomOf(dir)
	require.NotEmpty(t, room, "%s belongs to no room of the layout", path)
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		if ours, ok := strings.CutPrefix(imported, module); ok {
			allowed := mayImport[room]
			require.True(t, room == "cmd" || ours == room || slices.Contains(allowed, ours), "%s imports %s", path, ours)
		}
		for library, rooms := range onlyIn {
			if imported == library || strings.HasPrefix(imported, library+"/") {
				require.Contains(t, rooms, room, "%s imports %s", path, imported)
			}
		}
	}
}

// roomOf returns the row of mayImport that a folder belongs to.
func roomOf(dir string) string {
	for d := dir; d != "."; d = filepath.ToSlash(filepath.Dir(d)) {
		if _, ok := mayImport[d]; ok {
			return d
		}
	}
	return ""
}
