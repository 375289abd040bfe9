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
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// size is how many files a folder has besides its tests, and how many of them are in its largest
// cycle: files of which each uses, perhaps by way of others, what the other ones declare.
type size struct{ files, cycle int }

// mostFiles is what a folder may have.
var mostFiles = size{45, 20}

// TestFoldersAreSmall counts with the type checker: a method, a field or a name of a package
// that a file uses is an arrow to the file that declares it.
func TestFoldersAreSmall(t *testing.T) {
	if testing.Short() { // with the race detector: it shares no memory
		t.Skip("the type checker takes half a minute under the race detector")
	}
	folders := map[string][]string{}
	eachFile(t, func(path, dir string) { folders[dir] = append(folders[dir], path) })
	c := newChecker(t)
	for dir, paths := range folders {
		if strings.HasPrefix(dir, ".") {
			continue
		}
		got := size{len(paths), largestCycle(c.arrows(t, module+dir, paths))}
		require.LessOrEqual(t, got.files, mostFiles.files, "files of %s", dir)
		require.LessOrEqual(t, got.cycle, mostFiles.cycle, "files of %s in one cycle, of %d", dir, got.files)
	}
}

// checker reads packages as the compiler does.
type checker struct {
	fset   *token.FileSet
	config types.Config
}

// newChecker asks the go command where the compiler has described each package.
func newChecker(t *testing.T) *checker {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", "./...")
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
	c := &checker{fset: token.NewFileSet()}
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
func (c *checker) arrows(t *testing.T, path string, paths []string) map[string]map[string]bool {
	t.Helper()
	var files []*ast.File
	for _, p := range paths {
		file, err := parser.ParseFile(c.fset, p, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
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
