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

// mayImport says which packages of ours each package may import, besides those
// that are its own: every folder has a row. A row may be there before its folder.
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
		"simulator/platform/access", "simulator/platform/api", "simulator/platform/calls", "simulator/platform/chance",
		"simulator/platform/flow", "simulator/platform/hooks", "simulator/platform/numbers", "simulator/platform/phones",
		"simulator/platform/records", "simulator/platform/strict",
		"simulator/platform/voice", "simulator/platform/voice/simline",
	},
	"simulator/platform/access": {"simulator/platform/api"},
	"simulator/platform/api":    {},
	"simulator/platform/calls": {
		"simulator/platform/api", "simulator/platform/chance", "simulator/platform/flow", "simulator/platform/hooks",
		"simulator/platform/numbers", "simulator/platform/phones", "simulator/platform/records", "simulator/platform/strict",
		"simulator/platform/voice",
	},
	"simulator/platform/chance":        {},
	"simulator/platform/flow":          {"simulator/platform/api"},
	"simulator/platform/hooks":         {"simulator/platform/api", "simulator/platform/chance", "simulator/platform/records", "simulator/platform/voice"},
	"simulator/platform/numbers":       {"simulator/platform/api"},
	"simulator/platform/phones":        {"simulator/platform/voice", "simulator/platform/voice/simline"},
	"simulator/platform/records":       {"simulator/platform/access", "simulator/platform/api", "store/sqlitedb"},
	"simulator/platform/strict":        {"simulator/platform/api"},
	"simulator/platform/voice":         {},
	"simulator/platform/voice/simline": {"simulator/platform/voice"},
	"conformance":                      {"conformance/jsonvalue"},
	"conformance/jsonvalue":            {},
	"conformance/redact":               {"conformance", "conformance/jsonvalue"},
	"conformance/report":               {"conformance", "conformance/jsonvalue", "conformance/redact"},
	"conformance/client":               {"conformance", "conformance/jsonvalue", "conformance/redact"},
	"conformance/journal":              {"conformance", "conformance/jsonvalue", "conformance/redact"},
	"conformance/matrix":               {"conformance", "conformance/jsonvalue", "conformance/redact", "conformance/client"},
	"conformance/thirdparty": {
		"conformance", "conformance/jsonvalue", "conformance/redact", "conformance/report", "conformance/client",
		"conformance/journal", "conformance/matrix", "conformance/thirdparty/rules", "dispatch/taxi",
	},
	"conformance/thirdparty/rules": {"conformance", "conformance/jsonvalue", "dispatch/taxi"},
	"conformance/thirdparty/mutants": {
		"conformance", "conformance/jsonvalue", "conformance/client", "conformance/matrix", "conformance/thirdparty",
		"conformance/thirdparty/rules", "dispatch/taxi",
	},
	"conformance/platformapi": {
		"conformance", "conformance/jsonvalue", "conformance/redact", "conformance/client", "conformance/matrix", "conformance/platformapi/rules",
	},
	"conformance/platformapi/rules": {"conformance", "conformance/jsonvalue"},

	"dispatch/dispatchtest": {"dispatch", "dispatch/taxi", "store", "fixtures", "simulator", "simulator/host"},
	"cmd/cabrank":           anything,
	"cmd/cabrank/cli":       {},
	"cmd/cabrank/clitest":   {"cmd/cabrank/cli"},
	"cmd/cabrank/calling":   {"cmd/cabrank/cli", "dispatch/taxi", "fixtures"},
	"cmd/cabrank/judging":   anything,
	"cmd/cabrank/phoning": {
		"cmd/cabrank/cli", "simulator/platform", "simulator/platform/access", "simulator/platform/api",
		"simulator/platform/hooks", "simulator/platform/phones", "simulator/platform/records", "simulator/platform/voice",
	},
	"cmd/cabrank/serving": anything,
}

// anything is the row of a package that may import all others, as far as Go lets
// it.
var anything = []string{"*"}

// onlyIn says where a library's packages may be imported.
var onlyIn = map[string][]string{
	"github.com/gin-gonic/gin":        {"dispatch", "simulator/platform"},
	"database/sql":                    {"store", "store/sqlitedb", "simulator/platform/records"},
	"github.com/nyaruka/phonenumbers": {"dispatch", "simulator/platform/numbers"},
	"github.com/robfig/cron/v3":       {"simulator"},
	"github.com/spf13/cobra":          {"cmd/cabrank", "cmd/cabrank/cli", "cmd/cabrank/calling", "cmd/cabrank/judging", "cmd/cabrank/phoning", "cmd/cabrank/serving"},
	"github.com/stretchr/testify":     {"cmd/cabrank/clitest"},
	"testing":                         {"dispatch/dispatchtest", "cmd/cabrank/clitest"},
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
	allowed, ok := mayImport[dir]
	require.True(t, ok, "%s has no row in mayImport", dir)
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		if ours, ok := strings.CutPrefix(imported, module); ok {
			require.True(t, slices.Equal(allowed, anything) || slices.Contains(allowed, ours), "%s imports %s", path, ours)
		}
		for library, folders := range onlyIn {
			if imported == library || strings.HasPrefix(imported, library+"/") {
				require.Contains(t, folders, dir, "%s imports %s", path, imported)
			}
		}
	}
}
