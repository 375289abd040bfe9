package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
