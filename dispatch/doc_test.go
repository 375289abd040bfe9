package dispatch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// TestDocNamesExistingFunctions checks that each function in the drawing of the package document exists in the file that is
// named.
func TestDocNamesExistingFunctions(t *testing.T) {
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

// TestRoutesAreTheDocuments compares the served routes with the paths of the OpenAPI document, in both directions.
func TestRoutesAreTheDocuments(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(taxi.OpenAPI())
	require.NoError(t, err)
	var written []string
	for path, item := range document.Paths.Map() {
		for method := range item.Operations() {
			written = append(written, method+" "+path)
		}
	}
	clock := func() time.Time { return morning }
	handler := dispatch.New(store.Memory(), dispatch.Options{Now: clock}).Handler(clock, dispatch.HTTPOptions{})
	var served []string
	for _, route := range handler.(*gin.Engine).Routes() {
		served = append(served, route.Method+" "+regexp.MustCompile(`:(\w+)`).ReplaceAllString(route.Path, "{$1}"))
	}
	slices.Sort(written)
	slices.Sort(served)
	require.Equal(t, written, served)
}
