package dispatch_test

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// TestRoutesAreTheDocuments holds the routes served to the paths of the
// published document, both ways.
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

// TestEveryRefusalIsDocumented holds the codes that are refused with to those of
// the document's examples.
func TestEveryRefusalIsDocumented(t *testing.T) {
	for _, code := range dispatch.Codes() {
		require.Contains(t, string(taxi.OpenAPI()), "code: "+string(code)+"\n", "an example of %s", code)
	}
}
