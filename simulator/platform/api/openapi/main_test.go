package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// TestGeneratedDocumentsAreUpToDate checks that the generated documents are up to date with their sources.
func TestGeneratedDocumentsAreUpToDate(t *testing.T) {
	for name, written := range api.Documents() {
		text, err := document(name)
		require.NoError(t, err)
		require.Equal(t, string(text), string(written), "%s is old: go generate ./simulator/platform/api", name)
	}
}
