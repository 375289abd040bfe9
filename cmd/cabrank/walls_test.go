package main

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// size is how many files a folder has besides its tests, and how many of them are in its largest
// cycle: files of which each uses, perhaps by way of others, what the other ones declare.
type size struct{ files, cycle int }

// TestFoldersAreSmall counts with the type checker: a method, a field or a name of a package
// that a file uses is an arrow to the file that declares it.
func TestFoldersAreSmall(t *testing.T) {
	if testing.Short() { // with the race detector: it shares no memory
		t.Skip("the type checker takes half a minute under the race detector")
	}
	folders, fset := map[string][]*ast.File{}, token.NewFileSet()
	eachFile(t, func(path, dir string) {
		if strings.HasPrefix(dir, ".") {
			return
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		folders[dir] = append(folders[dir], file)
	})
	c := newChecker(t, fset, folders)
	for dir, files := range folders {
		got := size{len(files), largestCycle(c.arrows(module+dir, files))}
		require.LessOrEqual(t, got.files, mostFiles, "files of %s", dir)
		require.LessOrEqual(t, got.cycle, mostInCycle, "files of %s in one cycle, of %d", dir, got.files)
	}
}

// checker reads packages as the compiler does.
type checker struct {
	fset   *token.FileSet
	config types.Config
}

// newChecker asks the go command where the compiler has described each package that is imported.
// Most of them are parts of this test, so that they need not be compiled again.
func newChecker(t *testing.T, fset *token.FileSet, folders map[string][]*ast.File) *checker {
	t.Helper()
	args := []string{"list", "-export", "-f", "{{.ImportPath}}={{.Export}}"}
	for _, files := range folders {
		for _, file := range files {
			for _, i := range file.Imports {
				args = append(args, strings.Trim(i.Path.Value, `"`))
			}
		}
	}
	slices.Sort(args[4:]) // after the flags
	cmd := exec.CommandContext(t.Context(), "go", slices.Compact(args)...)
	cmd.Dir = filepath.Join("..", "..")
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	require.NoError(t, err, "%s", &failed)
	described := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		described[path] = file
	}
	c := &checker{fset: fset}
	c.config = types.Config{
		Importer: importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
			file, err := os.Open(described[path])
			if err != nil {
				t.Errorf("the compiler has no description of %s: %v", path, err)
			}
			return file, err
		}),
		Error: func(error) {}, // files for two systems declare a name twice
	}
	return c
}

// arrows are the files of a package, each with those that declare what it uses.
func (c *checker) arrows(path string, files []*ast.File) map[string]map[string]bool {
	uses := map[*ast.Ident]types.Object{}
	pkg, _ := c.config.Check(path, c.fset, files, &types.Info{Uses: uses})
	arrows := map[string]map[string]bool{}
	for id, o := range uses {
		from, to := c.fset.Position(id.Pos()).Filename, c.fset.Position(o.Pos()).Filename
		if from == to || !declaredIn(pkg, o) {
			continue
		}
		if arrows[from] == nil {
			arrows[from] = map[string]bool{}
		}
		arrows[from][to] = true
	}
	return arrows
}

// declaredIn reports a name of a package, or a field or method of one of its types.
func declaredIn(pkg *types.Package, o types.Object) bool {
	field, isField := o.(*types.Var)
	method, isMethod := o.(*types.Func)
	return o.Pkg() == pkg && (o.Parent() == pkg.Scope() || isField && field.IsField() || isMethod && method.Signature().Recv() != nil)
}

// largestCycle is how many files are in the largest set of which each reaches each other one; 0:
// no file reaches itself.
func largestCycle(arrows map[string]map[string]bool) int {
	reached := map[string]map[string]bool{}
	for from := range arrows {
		reached[from] = map[string]bool{}
		for next := []string{from}; len(next) > 0; {
			at := next[0]
			next = next[1:]
			for to := range arrows[at] {
				if !reached[from][to] {
					reached[from][to] = true
					next = append(next, to)
				}
			}
		}
	}
	largest := 0
	for from := range arrows {
		n := 0
		for to := range reached[from] {
			if reached[to][from] {
				n++
			}
		}
		largest = max(largest, n)
	}
	return largest
}
