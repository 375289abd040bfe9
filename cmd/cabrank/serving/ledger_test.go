package serving

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
)

// TestLedger counts what a request takes of what serve composes, without the network: as it
// is by default, and with everything off that can be off.
func TestLedger(t *testing.T) {
	var rows []ledger.Row
	for _, setting := range []struct {
		name string
		args []string
	}{{"", nil}, {", with nothing beside the operations", bare}} {
		c := compose(t, append([]string{"--seed", "1"}, setting.args...)...)
		rows = append(rows, ledger.Work("a /status"+setting.name, 2000, func() { c.answer(t, c.status) })...)
		rows = append(rows, ledger.Work("a /book"+setting.name, 500, func() { c.answer(t, c.book) })...)
	}
	ledger.Compare(t, "cmd/cabrank/serving", rows...)
}

// answer has one request answered, which must be accepted.
func (c *composed) answer(t *testing.T, request func() (string, []byte)) {
	path, body := request()
	w := &discarded{header: http.Header{}, status: http.StatusOK}
	c.handler().ServeHTTP(w, posted(path, body))
	require.Equal(t, http.StatusOK, w.status, path)
}
