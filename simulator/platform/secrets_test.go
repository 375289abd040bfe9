package platform_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// otherAddresses are origins that hidden secrets of https://real.example must not go to, and
// sameAddresses are that origin.
var (
	otherAddresses = []string{"http://real.example/x", "https://real.example:8443/x", "https://other.example/x", "https://real.example.evil.example/x"}
	sameAddresses  = []string{"https://real.example/elsewhere", "https://REAL.example:443/x", "https://real.example/x"}
)

// TestMaskedHookSecretsNeedTheSameOrigin checks that a hook's secrets are shown as ***, and that an update with ***
// keeps them only if the URL has the same origin; otherwise it is refused, so that nobody can have hidden secrets
// sent to another server.
func TestMaskedHookSecretsNeedTheSameOrigin(t *testing.T) {
	h := newHouse(t)
	hook := func(url, value, secret string) string {
		return fmt.Sprintf(`{"app":"event.generic","url":%q,"authType":"KEY","apiKeyName":"X-K","apiKeyValue":%q,"secret":%q}`, url, value, secret)
	}
	const secret = "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"
	id := h.made(h.path("/hook"), hook("https://real.example/x", "KEYVALUE", secret))
	kept := func() hookSecrets { return h.secretsOf(id) }
	for _, path := range []string{h.path("/hook"), h.path("/hook/" + id)} {
		shown := string(h.as("admin", http.MethodGet, path, "").body)
		require.NotContains(t, shown, "KEYVALUE")
		require.NotContains(t, shown, secret)
		require.Contains(t, shown, `"apiKeyValue":"***"`)
	}
	for _, url := range otherAddresses {
		p := h.refused(h.as("admin", http.MethodPut, h.path("/hook/"+id), withID(hook(url, "***", "***"), id)), api.CodeValidation)
		require.ElementsMatch(t, []string{"/apiKeyValue", "/secret"}, at(p), url)
		require.Equal(t, hookSecrets{"KEYVALUE", secret}, kept())
	}
	for _, url := range sameAddresses {
		a := h.as("admin", http.MethodPut, h.path("/hook/"+id), withID(hook(url, "***", "***"), id))
		require.Equal(t, http.StatusNoContent, a.status, "%s: %s", url, a.body)
		require.Equal(t, hookSecrets{"KEYVALUE", secret}, kept())
	}
	a := h.as("admin", http.MethodPut, h.path("/hook/"+id), withID(hook(otherAddresses[0], "NEW", ""), id))
	require.Equal(t, http.StatusNoContent, a.status, "%s", a.body)
	require.Equal(t, hookSecrets{"NEW", ""}, kept())
}

// hookSecrets are the stored secrets of a hook.
type hookSecrets struct{ key, secret string }

func (h *house) secretsOf(id string) hookSecrets {
	row, known := h.records.Hooks.Get(h.credentials.Accounts[0].ID, id)
	require.True(h.t, known)
	return hookSecrets{row.Value.APIKeyValue, row.Value.Secret}
}

// TestMaskedTaxiSecretNeedsTheSameOrigin checks the same for the secret in the taxi plugin's settings.
func TestMaskedTaxiSecretNeedsTheSameOrigin(t *testing.T) {
	h := newHouse(t)
	settings := func(url, auth string) string {
		text, err := json.Marshal(map[string]string{"third_party_url": url, "third_party_auth": auth})
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, http.StatusNoContent, h.setTaxi(settings("https://real.example/x", "bearer:TAXISECRET")).status)
	for _, url := range append(otherAddresses, "") {
		require.Equal(t, []string{"/third_party_auth"}, at(h.refused(h.setTaxi(settings(url, "***")), api.CodeValidation)), url)
	}
	for _, url := range sameAddresses {
		require.Equal(t, http.StatusNoContent, h.setTaxi(settings(url, "***")).status, url)
	}
	account := h.credentials.Accounts[0].ID
	row, known := h.records.Taxi.Get(account, account)
	require.True(t, known)
	require.Contains(t, string(row.Value), "bearer:TAXISECRET")
}
