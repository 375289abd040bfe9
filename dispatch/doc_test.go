package dispatch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocNamesWhatIsThere holds each stop of the drawing in the package document
// to the source: the file has a function of that name.
func TestDocNamesWhatIsThere(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, drawing, ok := strings.Cut(string(doc), "# A booking")
	require.True(t, ok)
	stops := regexp.MustCompile(`(?m) ([A-Za-z.]+) +((?:\w+/)?\w+\.go)$`).FindAllStringSubmatch(drawing, -1)
	require.Greater(t, len(stops), 20)
	for _, stop := range stops {
		name, file := stop[1], stop[2]
		if strings.Contains(file, "/") {
			file = filepath.Join("..", file)
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		receiver, method, ok := strings.Cut(name, ".")
		declared := `(?m)^func ` + regexp.QuoteMeta(name) + `[\[(]`
		if ok {
			declared = `(?m)^func \(\w* ?\*?` + receiver + `\) ` + method + `\(`
		}
		require.Regexp(t, declared, string(source), "%s in %s", name, stop[2])
	}
}
