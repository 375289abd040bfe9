package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// TestDocumentsAreThoseOfTheSources: whoever edits a source writes the documents again.
func TestDocumentsAreThoseOfTheSources(t *testing.T) {
	for name, written := range api.Documents() {
		text, err := document(name)
		require.NoError(t, err)
		require.Equal(t, string(text), string(written), "%s is old: go generate ./simulator/platform/api", name)
	}
}
