package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
)

// The ceilings of the repository. They may only fall.
const (
	mostLines    = 5500 // of Go in a folder, without tests
	mostMethods  = 60   // of a type
	mostFiles    = 45   // of a folder, without tests
	mostCommands = 40   // besides their subcommands and actions, with help and completion
	mostActions  = 92   // commands, subcommands and actions
)

// mostFlags are the ceilings of the commands with the most flags.
var mostFlags = map[string]int{"serve": 38, "demo": 30, "check": 44}

// weightPage lists what the repository weighs.
const weightPage = "docs/weight.md"

var reason = flag.String("reason", "", "with -update: why the repository has grown, for "+weightPage)

// folderWeight is what a folder weighs.
type folderWeight struct {
	lines, tests int            // of Go
	files        int            // without tests
	exported     int            // names, with methods, without tests
	methods      map[string]int // by type
}

// largest returns the type with the most methods.
func (f *folderWeight) largest() (name string, methods int) {
	for _, t := range slices.Sorted(maps.Keys(f.methods)) {
		if f.methods[t] > methods {
			name, methods = t, f.methods[t]
		}
	}
	return name, methods
}

// TestFolderAndTypeSizesAreLimited checks that no folder and no type exceeds its limits.
func TestFolderAndTypeSizesAreLimited(t *testing.T) {
	folders := weighFolders(t)
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		f := folders[dir]
		if f.lines > mostLines {
			t.Errorf("%s has %d lines without tests, at most %d: move an idea to a folder of its own", dir, f.lines, mostLines)
		}
		require.LessOrEqual(t, f.files, mostFiles, "files of %s", dir)
		for _, name := range slices.Sorted(maps.Keys(f.methods)) {
			if f.methods[name] > mostMethods {
				t.Errorf("%s.%s has %d methods, at most %d: which of its parts is an idea of its own?", dir, name, f.methods[name], mostMethods)
			}
		}
	}
}

// TestRepositoryGrowthNeedsAReason compares the totals with those of docs/weight.md: a total may grow by one per cent before the page has
// to be written again. Writing a larger total needs a reason.
func TestRepositoryGrowthNeedsAReason(t *testing.T) {
	folders := weighFolders(t)
	was := readWeights(t)
	now := append(totals(folders), commandWeights()...)
	now = append(now, weight{"modules linked into the program", linkedModules(t)})
	var grown []string
	for _, w := range now {
		old := was[w.what].now
		allowed := old / 100
		if golden.Update() {
			allowed = 0
		}
		if w.n > old+allowed {
			grown = append(grown, fmt.Sprintf("%s: %d, was %d", w.what, w.n, old))
		}
	}
	if golden.Update() {
		require.True(t, len(grown) == 0 || *reason != "", "the repository has grown: say why with -reason: %q", grown)
		golden.Write(t, weightPage, []byte(page(t, now, was, folders)))
		return
	}
	require.Empty(t, grown, "the repository has grown; take something away, or run this test with -update -reason 'WHY'")
}

// weight is one total.
type weight struct {
	what string
	n    int
}

// totals adds up the folders.
func totals(folders map[string]*folderWeight) []weight {
	var lines, tests, exported, packages int
	for _, f := range folders {
		lines, tests, exported = lines+f.lines, tests+f.tests, exported+f.exported
		if f.lines > 0 {
			packages++
		}
	}
	return []weight{
		{"lines of Go", lines + tests},
		{"lines of Go without tests", lines},
		{"packages that are no tests", packages},
		{"exported names", exported},
	}
}

// weighFolders reads every file of Go.
func weighFolders(t *testing.T) map[string]*folderWeight {
	t.Helper()
	folders := map[string]*folderWeight{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || entry.IsDir() {
			if err == nil && entry.IsDir() && entry.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		require.NoError(t, err)
		f := folders[filepath.ToSlash(dir)]
		if f == nil {
			f = &folderWeight{methods: map[string]int{}}
			folders[filepath.ToSlash(dir)] = f
		}
		f.weigh(t, path)
		return nil
	})
	require.NoError(t, err)
	return folders
}

// weigh adds a file.
func (f *folderWeight) weigh(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(path))
	require.NoError(t, err)
	lines := bytes.Count(text, []byte("\n"))
	if strings.HasSuffix(path, "_test.go") {
		f.tests += lines
		return
	}
	f.files, f.lines = f.files+1, f.lines+lines
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			f.exported += exported(d.Name)
			if d.Recv != nil {
				f.methods[receiver(d.Recv.List[0].Type)]++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					f.exported += exported(s.Name)
				case *ast.ValueSpec:
					f.exported += exported(s.Names...)
				}
			}
		}
	}
}

// exported counts the names that other packages may use.
func exported(names ...*ast.Ident) (n int) {
	for _, name := range names {
		if name.IsExported() {
			n++
		}
	}
	return n
}

// receiver returns the name of a method's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// commandWeights counts commands, their actions, and flags.
func commandWeights() []weight {
	var commands, withActions, flags int
	root := cli.Root(cli.Outside{}, groups)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	cli.Walk(root, func(cmd *cobra.Command) {
		if cmd.Parent() == root {
			commands++
		}
		if cmd.HasParent() {
			withActions += 1 + len(cli.Actions(cmd))
		}
		flags += flagsOf(cmd)
	})
	return []weight{
		{"commands", commands},
		{"commands, with subcommands and actions", withActions},
		{"flags of all commands", flags},
	}
}

// flagsOf counts the flags of a command, without --help.
func flagsOf(cmd *cobra.Command) (n int) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" {
			n++
		}
	})
	return n
}

// TestCommandAndFlagCountsAreLimited counts commands and actions, and the flags of those that have many.
func TestCommandAndFlagCountsAreLimited(t *testing.T) {
	counted := commandWeights()
	require.LessOrEqual(t, counted[0].n, mostCommands, "commands: is it an action or a flag of one that there is?")
	require.LessOrEqual(t, counted[1].n, mostActions, "commands, subcommands and actions: is it a flag of one that there is?")
	for _, cmd := range cli.Root(cli.Outside{}, groups).Commands() {
		if most, bounded := mostFlags[cmd.Name()]; bounded {
			require.LessOrEqual(t, flagsOf(cmd), most, "flags of %s", cmd.Name())
		}
	}
}

// linkedModules counts the modules of others whose code is in the program.
func linkedModules(t *testing.T) int {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")
	var failed bytes.Buffer
	list.Stderr = &failed
	out, err := list.Output()
	require.NoError(t, err, "%s", &failed)
	modules := map[string]bool{}
	for path := range strings.FieldsSeq(string(out)) {
		modules[path] = true
	}
	return len(modules)
}

// weighed is a row of the page: a total now, and before.
type weighed struct{ now, before int }

var (
	weightRow    = regexp.MustCompile(`(?m)^\| ([^|]+) \| ([\d,]+) \| ([\d,]+) \|$`)
	weightReason = regexp.MustCompile(`(?m)^Why it last grew: (.*)$`)
)

// readWeights reads the totals of the page.
func readWeights(t *testing.T) map[string]weighed {
	t.Helper()
	rows := map[string]weighed{}
	for _, row := range weightRow.FindAllStringSubmatch(clitest.Read(t, weightPage), -1) {
		rows[row[1]] = weighed{figure(t, row[2]), figure(t, row[3])}
	}
	return rows
}

// figure reads 12,345.
func figure(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	require.NoError(t, err)
	return n
}

// thousands writes 12,345.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// page writes the page.
func page(t *testing.T, now []weight, was map[string]weighed, folders map[string]*folderWeight) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, weightHead, mostLines, mostMethods, mostFiles, mostCommands, mostFlags["serve"], mostFlags["demo"], mostFlags["check"])
	why := *reason
	if why == "" {
		why = weightReason.FindStringSubmatch(clitest.Read(t, weightPage))[1]
	}
	fmt.Fprintf(&b, "Why it last grew: %s\n\n| total | now | before |\n| --- | ---: | ---: |\n", why)
	for _, w := range now {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", w.what, thousands(w.n), thousands(was[w.what].before))
	}
	b.WriteString("\n| folder | lines | of tests | exported names | most methods of a type |\n| --- | ---: | ---: | ---: | --- |\n")
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		f := folders[dir]
		name, methods := f.largest()
		largest := ""
		if methods > 0 {
			largest = fmt.Sprintf("%d, `%s`", methods, name)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", dir, thousands(f.lines), thousands(f.tests), thousands(f.exported), largest)
	}
	return b.String()
}

const weightHead = `# Weight

What the repository weighs; [How the code is organised](house.md) says what each folder is for. ` + "`go test ./cmd/cabrank -run TestRepositoryGrowthNeedsAReason -update`" + ` writes this page. A total that grows by more than one per
cent fails that test until the page is written again, with ` + "`-reason 'WHY'`" + `. "Before" are the totals at commit 537eccfb, as
there is no release yet; each release puts its own there.

Ceilings, which may only fall: %d lines of Go in a folder without tests, %d methods of a type, %d files in a folder, %d commands; %d
flags of ` + "`serve`, %d of `demo`, %d of `check`" + `.

`
