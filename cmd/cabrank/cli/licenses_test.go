package cli

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/notices"
)

// TestPrintLicences expects the notices of the linked modules only, and the names of modules that
// have no notice.
func TestPrintLicences(t *testing.T) {
	var deps []*debug.Module
	for _, n := range notices.All() {
		for _, m := range n.Modules {
			if strings.HasPrefix(m.Path, "modernc.org/sqlite") {
				deps = append(deps, &debug.Module{Path: m.Path, Version: m.Version})
			}
		}
	}
	var text strings.Builder
	require.NoError(t, printLicences(&text, &debug.BuildInfo{Deps: deps}))
	require.Contains(t, text.String(), "modernc.org/sqlite v")
	require.Contains(t, text.String(), "Redistribution and use in source and binary forms")
	require.NotContains(t, text.String(), "github.com/gin-gonic/gin")

	deps = append(deps, &debug.Module{Path: "example.org/fork", Version: "v1.0.0"})
	require.ErrorContains(t, printLicences(&text, &debug.BuildInfo{Deps: deps}), "example.org/fork v1.0.0")
}
