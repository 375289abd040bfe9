package platform_test

import (
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// TestResourcesAndTokensSurviveARestart checks that all resources, credentials and tokens are the same and still valid after a restart.
func TestResourcesAndTokensSurviveARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "platform.db")
	paths := []string{"", "/address", "/ddi", "/trunk", "/hook", "/device"}
	read := func(h *house) (all []string) {
		for _, p := range paths {
			all = append(all, string(h.as("admin", http.MethodGet, h.path(p), "").body))
		}
		return all
	}

	h, stop := seeded(t, path)
	unknownUsers, unknownAccounts := h.credentials.Unknown()
	require.Empty(t, unknownUsers)
	require.Empty(t, unknownAccounts)
	trunk := h.made(h.path("/trunk"), goodTrunk)
	h.made(h.path("/hook"), goodHook)
	h.made(h.path("/device"), gateway(trunk, ""))
	h.made(h.path("/device"), `{"type":"FAX","name":"Fax","paper":{"size":"A4"}}`)
	before, token := read(h), h.login("admin")
	stop()

	again, _ := opened(t, path)
	var err error
	again.credentials, err = again.platform.Credentials(t.Context(), h.credentials)
	require.NoError(t, err)
	require.Equal(t, h.credentials, again.credentials)
	require.Equal(t, before, read(again))
	a := again.send(http.MethodGet, "/api/v1/account", "", "Authorization", "Bearer "+token.AccessToken)
	require.Equal(t, http.StatusOK, a.status)

	forgotten, err := again.platform.Credentials(t.Context(), platform.Credentials{})
	require.NoError(t, err)
	unknownUsers, unknownAccounts = forgotten.Unknown()
	require.Equal(t, []string{"admin", "recorder", "voice"}, unknownUsers)
	require.Len(t, unknownAccounts, 2)
	again.login("admin")                                // what nobody kept goes on being good
	again.refused(again.place("[]"), api.CodeMalformed) // and not for its credentials
}

// TestSameSeedGivesTheSameCredentials checks that two platforms that are seeded from the same random bytes get the same
// credentials.
func TestSameSeedGivesTheSameCredentials(t *testing.T) {
	h, _ := seeded(t, "", func(o *platform.Options) { o.Random = rand.NewChaCha8([32]byte{1}) })
	require.Equal(t, template().credentials, h.credentials)
}
