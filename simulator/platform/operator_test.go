package platform_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

func (h *house) post(path, body string) answer {
	h.t.Helper()
	return h.send(http.MethodPost, path, body, "Content-Type", "application/json")
}

// TestOperatorAddsUsersAccountsAndNumbers checks that the control API creates users, accounts and numbers that can be used at once, and refuses
// invalid ones and duplicates.
func TestOperatorAddsUsersAccountsAndNumbers(t *testing.T) {
	h := newHouse(t)
	a := h.post("/sim/v1/users", `{"username":"Night","roles":["VoiceChannel"]}`)
	require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
	night := decoded[access.UserCredentials](t, a)
	require.Equal(t, http.StatusOK, h.form("username", "night", "password", night.Password).status)
	h.refused(h.post("/sim/v1/users", `{"username":"night","roles":["VoiceChannel"]}`), api.CodeConflict)
	p := h.refused(h.post("/sim/v1/users", `{"roles":["King"],"password":"short"}`), api.CodeValidation)
	require.ElementsMatch(t, []string{"/username", "/roles/0", "/password"}, at(p))

	a = h.post("/sim/v1/accounts", `{"name":"Airport Cars","mbn":"441632960300"}`)
	require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
	account := decoded[access.AccountCredentials](t, a)
	h.credentials.Accounts[0] = account
	h.placed(minimal)
	p = h.refused(h.post("/sim/v1/accounts", `{"mbn":"0","country":"zz"}`), api.CodeValidation)
	require.ElementsMatch(t, []string{"/name", "/mbn", "/country"}, at(p))

	a = h.post("/sim/v1/accounts/"+account.ID+"/ddi", `{"name":"441632960301"}`)
	require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
	require.JSONEq(t, "["+string(a.body)+"]", string(h.as("voice", http.MethodGet, h.path("/ddi"), "").body))
	h.refused(h.post("/sim/v1/accounts/"+account.ID+"/ddi", `{"name":"441632960301"}`), api.CodeConflict)
	h.refused(h.post("/sim/v1/accounts/nobody/ddi", `{"name":"441632960302"}`), api.CodeNotFound)
	h.refused(h.post("/sim/v1/accounts/"+account.ID+"/ddi", `{"name":"+44"}`), api.CodeValidation)
}

// TestRenewedCredentialsReplaceTheOldOnes checks that a new password or client id replaces the old one, invalidates the tokens of that user
// only, and is passed to the operator of the platform.
func TestRenewedCredentialsReplaceTheOldOnes(t *testing.T) {
	var told platform.Credentials
	h := newHouse(t, func(o *platform.Options) {
		o.Made = func(c platform.Credentials) (func(bool), error) {
			return func(kept bool) {
				require.True(t, kept)
				told.Merge(c)
			}, nil
		}
	})
	earlier, others := h.login("admin"), h.login("voice")
	a := h.post("/sim/v1/users/ADMIN/password", "")
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	admin := decoded[access.UserCredentials](t, a)
	h.refused(h.form("username", "admin", "password", h.password("admin")), api.CodeCredentials)
	require.Equal(t, http.StatusOK, h.form("username", "admin", "password", admin.Password).status)
	h.refused(h.post("/sim/v1/users/nobody/password", ""), api.CodeNotFound)

	h.refused(h.me(earlier.AccessToken), api.CodeTokenInvalid)
	h.refused(h.form("token", earlier.RefreshToken), api.CodeTokenInvalid)
	newer := decoded[api.Token](t, h.form("username", "admin", "password", admin.Password))
	require.Equal(t, http.StatusOK, h.me(newer.AccessToken).status)
	require.Equal(t, http.StatusOK, h.form("token", newer.RefreshToken).status)
	require.Equal(t, http.StatusOK, h.me(others.AccessToken).status, "others keep theirs")

	before := h.credentials.Accounts[0]
	a = h.post("/sim/v1/accounts/otterbridge%20taxis/client", "")
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	after := decoded[access.AccountCredentials](t, a)
	h.refused(h.place(minimal), api.CodeCredentials)
	h.credentials.Accounts[0] = after
	h.placed(minimal)
	h.refused(h.post("/sim/v1/accounts/nobody/client", ""), api.CodeNotFound)

	h.post("/sim/v1/accounts/"+after.ID+"/ddi", `{"name":"441632960301"}`)
	require.Equal(t, []access.UserCredentials{admin}, told.Users)
	require.Len(t, told.Accounts, 1)
	require.Equal(t, after.ClientID, told.Accounts[0].ClientID)
	require.Len(t, told.Accounts[0].DDIs, len(before.DDIs)+1)
}

// TestConcurrentCredentialRenewals checks that exactly one password is valid after several simultaneous renewals, and that no
// number is lost that was added to an account while its client id was renewed.
func TestConcurrentCredentialRenewals(t *testing.T) {
	h := newHouse(t)
	account := "/sim/v1/accounts/" + h.credentials.Accounts[0].ID
	var all sync.WaitGroup
	passwords := make([]string, 4)
	for i := range passwords {
		all.Go(func() {
			passwords[i] = decoded[access.UserCredentials](t, h.post("/sim/v1/users/admin/password", "")).Password
		})
		all.Go(func() { h.post(account+"/client", "") })
		all.Go(func() { h.post(account+"/ddi", fmt.Sprintf(`{"name":"44163296030%d"}`, i)) })
	}
	all.Wait()
	good := 0
	for _, password := range passwords {
		if h.form("username", "admin", "password", password).status == http.StatusOK {
			good++
		}
	}
	require.Equal(t, 1, good)
	last := decoded[access.AccountCredentials](t, h.post(account+"/client", ""))
	require.Len(t, last.DDIs, len(h.credentials.Accounts[0].DDIs)+len(passwords))
}

// me requests the organisation of a token.
func (h *house) me(token string) answer {
	h.t.Helper()
	return h.send(http.MethodGet, "/api/v1/userAccounts/me", "", "Authorization", "Bearer "+token)
}

// TestOnlyUnusedResourcesAreDeleted checks that trunks, hooks and devices can be deleted only when no device refers to them.
func TestOnlyUnusedResourcesAreDeleted(t *testing.T) {
	h := newHouse(t)
	account := "/sim/v1/accounts/" + h.credentials.Accounts[0].ID
	trunk := h.made(h.path("/trunk"), goodTrunk)
	hook := h.made(h.path("/hook"), `{"app":"flow.generic","url":"https://x.example/"}`)
	for _, url := range []string{"https://x.example:99999/", "https://x.example:0/", "https://x.example/a b"} {
		h.refused(h.as("admin", http.MethodPost, h.path("/hook"), `{"app":"flow.generic","url":"`+url+`"}`), api.CodeValidation)
	}
	last := h.made(h.path("/device"), gateway(trunk, ""))
	first := h.made(h.path("/device"), plugin(hook, `,"onError":"`+last+`"`))
	for _, path := range []string{"/trunk/" + trunk, "/hook/" + hook, "/device/" + last} {
		h.refused(h.send(http.MethodDelete, account+path, ""), api.CodeInUse)
	}
	for _, path := range []string{"/device/" + first, "/device/" + last, "/hook/" + hook, "/trunk/" + trunk} {
		require.Equal(t, http.StatusNoContent, h.send(http.MethodDelete, account+path, "").status)
		h.refused(h.as("admin", http.MethodGet, h.path(path), ""), api.CodeNotFound)
		h.refused(h.send(http.MethodDelete, account+path, ""), api.CodeNotFound)
	}
	require.JSONEq(t, "[]", string(h.as("admin", http.MethodGet, h.path("/device"), "").body))
}

// TestFirstPageLinksToTheOpenAPIDocuments checks that the first page names the OpenAPI documents, and that they are served
// in YAML and JSON.
func TestFirstPageLinksToTheOpenAPIDocuments(t *testing.T) {
	h := newHouse(t)
	first := string(h.send(http.MethodGet, "/", "").body)
	for path, holds := range map[string]string{
		"/openapi/rest.yaml": "/api/v1/account/{account}/trunk", "/openapi/voice.yaml": "/channels/voice", "/openapi/sim.yaml": "/sim/v1/phones",
	} {
		require.Contains(t, first, path)
		a := h.send(http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, a.status, path)
		require.Contains(t, string(a.body), holds, path)
		require.Equal(t, "application/yaml", a.header.Get("Content-Type"))
		inJSON := h.send(http.MethodGet, strings.TrimSuffix(path, "yaml")+"json", "")
		require.Equal(t, "application/json", inJSON.header.Get("Content-Type"))
		require.Contains(t, string(inJSON.body), holds, path)
	}
}
