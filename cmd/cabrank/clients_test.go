//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestCurl has curl use the APIs of the platform, as somebody types it.
func TestCurl(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	need(t, "bash", "curl")
	r := newReader(t)
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "curl.sh"), []byte(clitest.Read(t, "testdata/curl.sh")), 0o600))
	r.environ = append(r.environ, "CREDENTIALS="+filepath.Join(r.dir, "credentials.json"))
	r.background(strings.Fields("cabrank platform --credentials-file credentials.json --log off"), r.platform)
	out, err := r.command("bash", "curl.sh").CombinedOutput()
	require.NoError(t, err, "%s", out)
}
