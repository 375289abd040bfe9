package serving

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

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

// browse reads a page as somebody who accepts a media type.
func browse(t *testing.T, url, accept string) string {
	t.Helper()
	return clitest.Get(t, url, func(r *http.Request) { r.Header.Set("Accept", accept) }).Body
}
