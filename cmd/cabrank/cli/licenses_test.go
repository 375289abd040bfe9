package cli

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPrintLicences checks that all notices are printed, and that a module without a notice is an error.
func TestPrintLicences(t *testing.T) {
	var text strings.Builder
	require.NoError(t, printLicences(&text, &debug.BuildInfo{}))
	for _, part := range []string{
		"The Go Authors", "Apache License", "Redistribution and use in source and binary forms", "modernc.org/sqlite v",
		"public domain", // what SQLite's authors say comes beside the translation's licence
	} {
		require.Contains(t, text.String(), part)
	}
	fork := &debug.Module{Path: "example.org/two", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/fork", Version: "v1.0.1"}}
	require.ErrorContains(t, printLicences(&text, &debug.BuildInfo{Deps: []*debug.Module{fork}}), "example.org/fork v1.0.1")
}
