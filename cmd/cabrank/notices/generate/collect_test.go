package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/notices"
)

// TestNoticesAreUpToDate holds the texts in the program to the modules that are linked
// into it: "go generate ./cmd/cabrank/notices" writes them anew.
func TestNoticesAreUpToDate(t *testing.T) {
	want, err := collect("../..")
	require.NoError(t, err, "the modules are here after go mod download")
	got, err := notices.All()
	require.NoError(t, err)
	require.Equal(t, notices.Format(want), notices.Format(got), "go generate ./cmd/cabrank/notices")
	for _, n := range got {
		require.NotEmpty(t, n.Text, "%v", n.Modules)
		require.NotEmpty(t, n.Modules)
	}
}
