package taxi_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestDocumentIsAcceptedByAPublicValidator(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(taxi.OpenAPI())
	require.NoError(t, err)
	require.True(t, doc.IsOpenAPI31OrLater())
	require.NoError(t, doc.Validate(t.Context()))
	for _, path := range paths {
		require.NotNil(t, doc.Paths.Find(path).Post, path)
	}
}

func TestBrokenDocumentIsRefusedByIt(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(taxi.OpenAPI())
	require.NoError(t, err)
	doc.Paths.Find(taxi.PathBook).Post.RequestBody.Value.Content = nil
	require.Error(t, doc.Validate(t.Context()))
}
