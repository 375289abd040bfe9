package apidoc_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/cabrank/cabrank/simulator/platform/apidoc"
)

// TestPages makes the pages of the platform's own documents: each operation, schema
// and status is on them, each link leads somewhere, and nothing is loaded.
func TestPages(t *testing.T) {
	others := []string{"rest", "voice", "sim"}
	for _, name := range others {
		document, err := os.ReadFile(filepath.Join("..", "api", "openapi", name+".yaml"))
		require.NoError(t, err)
		page, err := apidoc.Page(name, document, others)
		require.NoError(t, err)
		ids, links := read(t, string(page))
		for _, link := range links {
			if at, inside := strings.CutPrefix(link, "#"); inside {
				require.True(t, ids[at], "%s: nothing is at %s", name, link)
			} else {
				require.Regexp(t, `^/(docs|openapi)/\w+(\.yaml)?$`, link)
			}
		}
		for _, path := range regexp.MustCompile(`(?m)^  (/\S+):$`).FindAllStringSubmatch(string(document), -1) {
			require.Contains(t, string(page), path[1])
		}
		for _, summary := range regexp.MustCompile(`(?m)^      summary: (.+)$`).FindAllStringSubmatch(string(document), -1) {
			require.Contains(t, string(page), "<b>"+html.EscapeString(summary[1])+"</b>")
		}
		require.Empty(t, regexp.MustCompile(`\*\*\w+|map\[`).FindString(string(page)), "Markdown, or Go")
		require.Less(t, len(page), 200<<10)
	}
	_, err := apidoc.Page("x", []byte("a: [}"), nil)
	require.ErrorContains(t, err, "apidoc: x")
}

// read parses a page and returns its ids and links.
func read(t *testing.T, page string) (ids map[string]bool, links []string) {
	t.Helper()
	ids = map[string]bool{}
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return ids, links
		case html.StartTagToken:
			token := tokens.Token()
			require.NotContains(t, []string{"script", "img", "link", "iframe"}, token.Data)
			for _, a := range token.Attr {
				switch a.Key {
				case "id":
					require.False(t, ids[a.Val], "two things are at #%s", a.Val)
					ids[a.Val] = true
				case "href":
					links = append(links, a.Val)
				}
			}
		}
	}
}

// TestText is the Markdown that the documents use.
func TestText(t *testing.T) {
	page, err := apidoc.Page("x", []byte("info: {title: T, description: \"A `<b>`, *so*.\\n\\n- **one**\\n- two\"}"), nil)
	require.NoError(t, err)
	require.Contains(t, string(page), "<p>A <code>&lt;b&gt;</code>, <em>so</em>.</p><ul><li><b>one</b><li>two</ul>")
}
