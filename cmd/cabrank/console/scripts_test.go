package console_test

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// The modules have the types that their comments say, by the TypeScript compiler.
func TestScriptTypes(t *testing.T) {
	inGate(t)
	compile(t, ".")
}

// The page's types of responses agree with the OpenAPI documents.
func TestScriptTypesAreThoseOfTheDocuments(t *testing.T) {
	inGate(t)
	dir := t.TempDir()
	for name, text := range map[string][]byte{"control.json": control.OpenAPI(), "sim.yaml": api.Documents()["sim.yaml"]} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	for _, name := range []string{"testdata/scripts/held.ts", "types/wire.d.ts"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o600))
	}
	const settings = `{"compilerOptions": {"noEmit": true, "strict": true, "target": "es2024", "types": []}, "include": ["*.ts"]}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tsconfig.json"), []byte(settings), 0o600))
	for document, types := range map[string]string{"control.json": "control.d.ts", "sim.yaml": "sim.d.ts"} {
		run(t, program(t, "openapi-typescript"), filepath.Join(dir, document), "--default-non-nullable", "false", "-o", filepath.Join(dir, types))
	}
	compile(t, dir)
}

// The parts of the page that need no browser, in Node.
func TestScriptUnits(t *testing.T) {
	tests, err := filepath.Glob("testdata/scripts/*.test.js")
	require.NoError(t, err)
	require.NotEmpty(t, tests)
	run(t, node(t), append([]string{"--import", "./testdata/scripts/browserless.js", "--test"}, tests...)...)
}

// compile checks the types of a folder with a tsconfig.json.
func compile(t *testing.T, dir string) {
	t.Helper()
	run(t, program(t, "tsc"), "-p", dir)
}

// inGate skips what takes the compiler's time, except in the gate's step for it.
func inGate(t *testing.T) {
	t.Helper()
	if os.Getenv("MUST_RUN") == "" {
		t.Skip("a step of the gate does it; MUST_RUN=1 does it here")
	}
}

// program is a program of npm's that is installed.
func program(t *testing.T, name string) string {
	t.Helper()
	node(t)
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	cache = filepath.Join(cache, "cabrank-typescript")
	installed, err := os.ReadFile(filepath.Join(cache, "installed"))
	require.NoError(t, err, ".ci/typescript installs it")
	require.Equal(t, clitest.Read(t, "testdata/typescript/package-lock.json"), string(installed), ".ci/typescript installs it")
	return filepath.Join(cache, "node_modules", ".bin", name)
}

// node is Node, without which a test is skipped, or fails if MUST_RUN is set.
func node(t *testing.T) string {
	t.Helper()
	found, err := exec.LookPath("node")
	if err != nil {
		const missing = "there is no node on the path"
		require.Empty(t, os.Getenv("MUST_RUN"), missing)
		t.Skip(missing)
	}
	return found
}

// run runs a program, which must succeed.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v:\n%s", name, args, out)
}

// Modules in a cycle could not be read, tested or loaded alone.
func TestModulesDoNotImportInACircle(t *testing.T) {
	all := modules(t)
	const (
		begun = iota + 1
		done
	)
	state := map[string]int{}
	var visit func(name string, above []string)
	visit = func(name string, above []string) {
		above = append(above, name)
		require.NotEqual(t, begun, state[name], "a circle: %s", strings.Join(above, " -> "))
		if state[name] == done {
			return
		}
		state[name] = begun
		for _, needed := range all[name] {
			require.Contains(t, all, needed, "%s imports what is not there", name)
			visit(needed, above)
		}
		state[name] = done
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		visit(name, nil)
	}
	require.Contains(t, all["app.js"], "world.js")
	require.Contains(t, all["screens.js"], "screens/live.js", "imports that are made when they are needed count, too")
}

var imports = regexp.MustCompile(`(?m)(?:^import\s|^\} from |^import [^"]* from |\bimport\()"(\.[^"]+)"`)

// modules are our modules, each with those that it imports, at once or later.
func modules(t *testing.T) map[string][]string {
	t.Helper()
	all, root := map[string][]string{}, os.DirFS("static")
	require.NoError(t, fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".js" || strings.HasPrefix(name, "vendor/") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		all[name] = []string{}
		for _, m := range imports.FindAllStringSubmatch(string(text), -1) {
			if needed := path.Join(path.Dir(name), m[1]); !strings.HasPrefix(needed, "vendor/") {
				all[name] = append(all[name], needed)
			}
		}
		return err
	}))
	return all
}
