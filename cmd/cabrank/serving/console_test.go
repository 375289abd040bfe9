package serving

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

func TestConsoleIsServedWithControl(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve()
	index := browse(t, url+"/", "text/html")
	require.Contains(t, index, `src="/console/app.js"`, "a browser is sent there")
	require.NotContains(t, browse(t, url+"/", "*/*"), "<html", "a program is not")
	require.Contains(t, browse(t, url+"/console/requests", "text/html"), `src="/console/app.js"`, "every screen is the page")
	require.Contains(t, stop(), "console          "+url+"/console/", "the banner says where it is")

	url, stop = s.Serve("--no-console")
	require.NotContains(t, browse(t, url+"/", "text/html"), "<html")
	require.NotContains(t, stop(), "console ")
}

func TestConsoleFromAFolder(t *testing.T) {
	s := newShell(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "index.html")
	require.NoError(t, os.WriteFile(file, []byte("one"), 0o600))
	url, stop := s.Serve("--console-dir", dir)
	require.Equal(t, "one", browse(t, url+"/console/", "text/html"))
	require.NoError(t, os.WriteFile(file, []byte("two"), 0o600))
	require.Equal(t, "two", browse(t, url+"/console/", "text/html"), "read anew")
	stop()

	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--console-dir", filepath.Join(dir, "none")), "want the folder of the page's files")
	s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--console-dir", dir, "--no-control")
}

// browse reads a page as somebody who accepts a media type.
func browse(t *testing.T, url, accept string) string {
	t.Helper()
	return clitest.Get(t, url, func(r *http.Request) { r.Header.Set("Accept", accept) }).Body
}
