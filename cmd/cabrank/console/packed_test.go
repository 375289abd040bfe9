package console

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch/packed"
)

// TestPackedFiles compares the files in the program with those of static/; with -update, as go
// generate runs it, it writes them.
func TestPackedFiles(t *testing.T) {
	static := os.DirFS("static")
	want := map[string]string{}
	require.NoError(t, fs.WalkDir(static, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name = strings.TrimSuffix(name, zipped)
		text, err := plain(static, name)
		want[name] = string(lean(t, name, text))
		return err
	}))
	if golden.Update() {
		text, err := json.Marshal(want)
		require.NoError(t, err)
		golden.Write(t, "static.json.gz", packed.Zip(text))
		return
	}
	for name, text := range want {
		require.Equal(t, text, packedFiles()[name], "%s has changed: go generate ./cmd/cabrank/console", name)
	}
	require.Len(t, packedFiles(), len(want), "go generate ./cmd/cabrank/console")
}

// indents, closing and breaks match what minifying leaves in HTML templates: layout, which htm
// ignores, and the names of components in closing tags.
var (
	indents = regexp.MustCompile(`\n[ \t]+`)
	closing = regexp.MustCompile(`</\$\{\w+\}>`)
	breaks  = strings.NewReplacer(">\n", ">", "\n<", "<", "\n${\" \"}", "${\" \"}", " />", "/>")
)

// lean minifies a file: it removes comments and indentation, and shortens local names.
// The licences of vendored files are files beside them.
func lean(t *testing.T, name string, text []byte) []byte {
	t.Helper()
	var small bytes.Buffer
	switch {
	case path.Ext(name) == ".css":
		require.NoError(t, css.Minify(minify.New(), &small, bytes.NewReader(text), nil), name)
	case path.Ext(name) == ".js":
		require.NoError(t, js.Minify(minify.New(), &small, bytes.NewReader(text), nil), name)
	default:
		return text
	}
	if path.Ext(name) == ".js" && !strings.HasPrefix(name, "vendor/") {
		text := indents.ReplaceAllString(small.String(), "\n")
		return []byte(breaks.Replace(closing.ReplaceAllString(text, "<//>")))
	}
	return small.Bytes()
}
