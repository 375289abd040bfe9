package judging

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance/dispatchside/mutants"
)

func newShell(t *testing.T) *clitest.Shell {
	t.Helper()
	return clitest.New(t, func(out cli.Outside) []cli.Group { return []cli.Group{{Title: "judging", Commands: Commands(out)}} })
}

// wrong serves the reference's small cousin with a fault of the matrix, or none.
func wrong(t *testing.T, fault string) string {
	t.Helper()
	server := httptest.NewServer(wrongHandler(fault))
	t.Cleanup(server.Close)
	return server.URL
}

// wrongHandler is what wrong serves.
func wrongHandler(fault string) http.Handler {
	var h http.Handler
	for _, v := range mutants.Variants() {
		if v.Name == "another vendor" {
			h = v.Wrap(nil)
		}
	}
	for _, m := range mutants.All() {
		if m.Name == fault {
			h = m.Wrap(h)
		}
	}
	return h
}
