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

// TestAFirstStartIsOneCommit looks into the database at the moment at which credentials are
// staged: it is as empty as it was, and so is it when they cannot be.
func TestAFirstStartIsOneCommit(t *testing.T) {
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

// TestCredentialsThatCannotBeStagedStay renews a password where the new one could not be kept
// for anybody: it is refused, and the one before goes on being good.
func TestCredentialsThatCannotBeStagedStay(t *testing.T) {
	h := newHouse(t, func(o *platform.Options) {
		o.Made = func(platform.Credentials) (func(bool), error) { return nil, io.ErrShortWrite }
	})
	h.refused(h.post("/sim/v1/users/admin/password", ""), api.CodeStorage)
	h.refused(h.post("/sim/v1/accounts/"+h.credentials.Accounts[0].ID+"/client", ""), api.CodeStorage)
	h.login("admin")
	require.Equal(t, http.StatusCreated, h.place(minimal).status)
}
