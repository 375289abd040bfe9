package console_test

import (
	"net/http"
	"path"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/cmd/cabrank/console"
)

var (
	linked   = regexp.MustCompile(`(?:href|src)="/console/([^"]+)"`)
	imported = regexp.MustCompile(`(?:from|import)\s*"(\.[^"]+)"`)
)

// TestLedger counts what a browser fetches, compressed, until the first screen is there: the
// page, what it links to, what that imports, and the screen itself.
func TestLedger(t *testing.T) {
	ledger.Countable(t)
	c := console.New(console.Options{Guard: shut})
	var names []string
	bytes := 0
	var fetch func(name string)
	fetch = func(name string) {
		if slices.Contains(names, name) {
			return
		}
		names = append(names, name)
		bytes += ask(t, c, http.MethodGet, "/console/"+name, "Accept-Encoding", "gzip").Body.Len()
		sent := ask(t, c, http.MethodGet, "/console/"+name)
		require.Equal(t, http.StatusOK, sent.Code, name)
		text := sent.Body.String()
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			fetch(m[1])
		}
		if path.Ext(name) == ".js" {
			for _, m := range imported.FindAllStringSubmatch(text, -1) {
				fetch(path.Join(path.Dir(name), m[1]))
			}
		}
	}
	fetch("")
	fetch("screens/live.js")
	ledger.Compare(t, "cmd/cabrank/console",
		ledger.Row{What: "the first screen, without the world's data", Count: float64(len(names)), Unit: "requests"},
		ledger.Row{What: "the first screen, without the world's data", Count: float64(bytes), Unit: "bytes sent"},
	)
}
