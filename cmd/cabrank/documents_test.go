package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	callers "github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/platformapi"
	platforms "github.com/cabrank/cabrank/conformance/platformapi/mutants"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	vendors "github.com/cabrank/cabrank/conformance/thirdparty/mutants"
	"github.com/cabrank/cabrank/simulator"
)

var (
	markdownLink = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	codePath     = regexp.MustCompile("`((?:cmd|dispatch|store|simulator|fixtures|conformance)/[\\w./-]+)`")
)

// TestDocumentsPointAtWhatIsThere holds each relative link of the documents, and each
// path in code type, to the files of the repository.
func TestDocumentsPointAtWhatIsThere(t *testing.T) {
	const top = "../.."
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	pages = append(pages, filepath.Join(top, "README.md"), filepath.Join(top, "CONTRIBUTING.md"))
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		links := markdownLink.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, links, page)
		for _, link := range links {
			require.FileExists(t, existing(filepath.Join(filepath.Dir(page), link[1])), "%s links to %s", page, link[1])
		}
		for _, path := range codePath.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(path[1], "NNNN") { // a pattern for names
				require.FileExists(t, existing(filepath.Join(top, path[1])), "%s speaks of %s", page, path[1])
			}
		}
	}
}

// existing names a file: of a folder, some file in it.
func existing(path string) string {
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) == 0 {
		return path
	}
	return existing(filepath.Join(path, entries[0].Name()))
}

// TestDocumentsCountRight holds the figures of the suites in the README and the
// changelog to the suites.
func TestDocumentsCountRight(t *testing.T) {
	calls, err := filepath.Glob("../../fixtures/calls/*.json")
	require.NoError(t, err)
	checks := func(s conformance.Suite) int { return len(s.Checks) }
	requireSays(t, "CHANGELOG.md",
		fmt.Sprintf("%d checks and %d verdicts, proved by %d servers", checks(thirdparty.Suite), len(thirdparty.Suite.Verdicts(nil)), len(vendors.All())),
		fmt.Sprintf("spared by %d that are unusual and valid. `check self`", len(vendors.Variants())),
		fmt.Sprintf("%d checks, proved by %d platforms that are wrong", checks(callingside.Suite), len(callers.All(callers.Clock{}))),
		fmt.Sprintf("(`check matrix --suite caller`) and spared by %d", len(callers.Variants(callers.Clock{}))),
		fmt.Sprintf("%d checks of the REST and Voice APIs", checks(platformapi.Suite)),
		fmt.Sprintf("proved by %d platforms broken", len(platforms.All())),
		fmt.Sprintf("(`check matrix --suite platform`) and spared by %d", len(platforms.Variants())))
	requireSays(t, "README.md",
		fmt.Sprintf("%d checks, proved by %d platforms", checks(platformapi.Suite), len(platforms.All())),
		fmt.Sprintf("judges whoever calls it by %d checks", checks(callingside.Suite)),
		fmt.Sprintf("`calls`: %d scripted calls", len(calls)))
}

// TestDocumentsListWhatCanGoWrong holds what a booking can ask to go wrong, in the README
// and in the contract, to what the simulator does.
func TestDocumentsListWhatCanGoWrong(t *testing.T) {
	var names []string
	for _, f := range simulator.BookedFaults() {
		names = append(names, f.Behaviour)
		requireSays(t, "README.md", strings.Join(strings.Fields("| `"+f.Behaviour+"` | "+f.Street+" |"), " "))
	}
	requireSays(t, "dispatch/taxi/openapi.yaml", "enum: ["+strings.Join(names, ", ")+"]", fmt.Sprintf("maximum: %d", simulator.MaxSpeed))
}

// requireSays looks for phrases in a document, wherever its lines end.
func requireSays(t *testing.T, document string, phrases ...string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", document))
	require.NoError(t, err)
	words := strings.Join(strings.Fields(string(text)), " ")
	for _, phrase := range phrases {
		if !strings.Contains(words, phrase) { // require would print the whole document
			t.Errorf("%s does not say: %s", document, phrase)
		}
	}
}

// TestTheReadmeHasEveryFolder holds its table of folders, but for what is deep inside
// one of them.
func TestTheReadmeHasEveryFolder(t *testing.T) {
	for _, pattern := range []string{"*/*.go", "*/*/*.go"} {
		files, err := fs.Glob(os.DirFS("../.."), pattern)
		require.NoError(t, err)
		for _, file := range files {
			if folder := filepath.Dir(file); !strings.HasPrefix(folder, "cmd") && !strings.HasPrefix(folder, ".") {
				requireSays(t, "README.md", "| `"+folder+"` |")
			}
		}
	}
}
