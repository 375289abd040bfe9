package platform_test

import (
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// TestFirstStartIsASingleTransaction checks that the first start creates the organisation in one transaction: the database is
// still empty while the credentials are staged, and stays empty if staging them fails.
func TestFirstStartIsASingleTransaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "platform.db")
	h, _ := opened(t, path)
	p := h.platform
	refused := errors.New("there is no room for a file")
	_, err := p.Open(t.Context(), platform.Credentials{}, func(platform.Credentials) (func(bool), error) { return nil, refused })
	require.Equal(t, refused, err)
	require.Empty(t, h.records.Organisations())

	var settled []bool
	killed := ""
	c, err := p.Open(t.Context(), platform.Credentials{}, func(platform.Credentials) (func(bool), error) {
		killed = clitest.Killed(t, path)
		return func(kept bool) { settled = append(settled, kept) }, nil
	})
	require.NoError(t, err)
	require.Equal(t, []bool{true}, settled)
	users, accounts := c.Unknown()
	require.Empty(t, users)
	require.Empty(t, accounts)
	then, err := records.Open(t.Context(), killed)
	require.NoError(t, err)
	require.Empty(t, then.Organisations())
	require.NoError(t, then.Close())
}

// TestFailedRenewalKeepsTheOldCredentials checks that a password or client id is not renewed if the new one cannot be
// saved for the operator: the request fails, and the old one remains valid.
func TestFailedRenewalKeepsTheOldCredentials(t *testing.T) {
	h := newHouse(t, func(o *platform.Options) {
		o.Made = func(platform.Credentials) (func(bool), error) { return nil, io.ErrShortWrite }
	})
	h.refused(h.post("/sim/v1/users/admin/password", ""), api.CodeStorage)
	h.refused(h.post("/sim/v1/accounts/"+h.credentials.Accounts[0].ID+"/client", ""), api.CodeStorage)
	h.login("admin")
	require.Equal(t, http.StatusCreated, h.place(minimal).status)
}
