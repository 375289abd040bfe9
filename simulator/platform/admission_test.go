package platform_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// TestRESTOperationsCheckRoles checks that each operation of the REST API refuses users without a suitable role, and requests without a
// token.
func TestRESTOperationsCheckRoles(t *testing.T) {
	h := newHouse(t)
	everyone, admin := "admin recorder voice", "admin"
	for _, row := range []struct{ method, path, users string }{
		{"GET", "/api/v1/userAccounts/me", everyone},
		{"GET", "/api/v1/account", everyone},
		{"GET", h.path(""), everyone},
		{"GET", h.path("/ddi"), everyone},
		{"POST", h.path("/channels/voice"), "admin voice"},
		{"GET", h.path("/address"), admin},
		{"PUT", h.path("/address"), admin},
		{"GET", h.path("/trunk"), admin},
		{"POST", h.path("/trunk"), admin},
		{"GET", h.path("/trunk/x"), admin},
		{"PUT", h.path("/trunk/x"), admin},
		{"GET", h.path("/hook"), admin},
		{"POST", h.path("/hook"), admin},
		{"GET", h.path("/hook/x"), admin},
		{"PUT", h.path("/hook/x"), admin},
		{"GET", h.path("/device"), admin},
		{"POST", h.path("/device"), admin},
		{"GET", h.path("/device/x"), admin},
		{"PUT", h.path("/device/x"), admin},
	} {
		for _, user := range []string{"admin", "recorder", "voice"} {
			a := h.as(user, row.method, row.path, "{}")
			if strings.Contains(row.users, user) {
				require.NotEqual(t, http.StatusForbidden, a.status, "%s %s as %s", row.method, row.path, user)
				continue
			}
			require.Contains(t, h.refused(a, api.CodeRole).Details.Role, api.RoleAdmin)
		}
		a := h.send(row.method, row.path, "{}", "Content-Type", "application/json")
		h.refused(a, api.CodeUnauthenticated)
	}
}

// TestResourcesOfOtherTenantsAreNotFound checks that resources of another account or organisation are not found, with the same answer as
// for an account that does not exist.
func TestResourcesOfOtherTenantsAreNotFound(t *testing.T) {
	h := newHouse(t)
	foreign := records.Account{Account: api.Account{ID: "foreign", Name: "F", MBN: "441632960900"}, Organisation: "other"}
	require.NoError(t, h.records.Write(t.Context(), func(tx *records.Tx) error {
		if err := h.records.AddOrganisation(t.Context(), tx, api.Organisation{ID: "other", Name: "Other"}); err != nil {
			return err
		}
		return h.records.PutAccount(t.Context(), tx, foreign)
	}))
	for _, path := range []string{"", "/address", "/ddi", "/trunk", "/hook", "/device"} {
		of := h.refused(h.as("admin", http.MethodGet, "/api/v1/account/foreign"+path, ""), api.CodeNotFound)
		none := h.refused(h.as("admin", http.MethodGet, "/api/v1/account/nobody"+path, ""), api.CodeNotFound)
		require.Equal(t, none.Detail, of.Detail, "nobody can tell which there are")
	}
	h.refused(h.as("voice", http.MethodPost, "/api/v1/account/foreign/channels/voice", minimal), api.CodeNotFound)
	id := h.made(h.path("/trunk"), goodTrunk)
	neighbour := "/api/v1/account/" + h.credentials.Accounts[1].ID + "/trunk/" + id
	h.refused(h.as("admin", http.MethodGet, neighbour, ""), api.CodeNotFound)
	h.refused(h.as("admin", http.MethodPut, neighbour, withID(goodTrunk, id)), api.CodeNotFound)
	require.NotContains(t, string(h.as("admin", http.MethodGet, "/api/v1/account", "").body), "foreign")
}

// TestInvalidHTTPRequestsAreRefused checks the status and error code for requests with a wrong method, path, media type or body, and
// that they change nothing.
func TestInvalidHTTPRequestsAreRefused(t *testing.T) {
	h := newHouse(t)
	id := h.made(h.path("/trunk"), goodTrunk)
	bearer := []string{"Authorization", "Bearer " + h.token("admin")}
	with := func(method, path, body string, headers ...string) answer {
		return h.send(method, h.path(path), body, append(headers, bearer...)...)
	}
	const json = "application/json"
	for name, row := range map[string]struct {
		a      answer
		status int
		code   api.Code
	}{
		"id differs":      {with("PUT", "/trunk/"+id, withID(goodTrunk, "other"), "Content-Type", json), 400, api.CodeIDMismatch},
		"id is missing":   {with("PUT", "/trunk/"+id, goodTrunk, "Content-Type", json), 400, api.CodeIDMismatch},
		"no such trunk":   {with("PUT", "/trunk/x", withID(goodTrunk, "x"), "Content-Type", json), 404, api.CodeNotFound},
		"delete":          {with("DELETE", "/trunk/"+id, ""), 405, api.CodeMethodNotAllowed},
		"patch":           {with("PATCH", "/trunk/"+id, "{}"), 405, api.CodeMethodNotAllowed},
		"no such path":    {with("GET", "/trunks", ""), 404, api.CodeNotFound},
		"trailing slash":  {with("GET", "/trunk/", ""), 404, api.CodeNotFound},
		"form":            {with("POST", "/trunk", "ip=1", "Content-Type", "application/x-www-form-urlencoded"), 415, api.CodeMediaType},
		"no content type": {with("POST", "/trunk", goodTrunk), 415, api.CodeMediaType},
		"latin1":          {with("POST", "/trunk", goodTrunk, "Content-Type", json+"; charset=iso-8859-1"), 415, api.CodeMediaType},
		"gzip":            {with("POST", "/trunk", goodTrunk, "Content-Type", json, "Content-Encoding", "gzip"), 415, api.CodeMediaType},
		"too large":       {with("POST", "/trunk", `{"ip":"`+strings.Repeat("1", 70<<10)+`"}`, "Content-Type", json), 413, api.CodeTooLarge},
		"only XML":        {with("GET", "/trunk", "", "Accept", "application/xml"), 406, api.CodeNotAcceptable},
		"empty":           {with("POST", "/trunk", "", "Content-Type", json), 400, api.CodeMalformed},
		"array":           {with("POST", "/trunk", "[]", "Content-Type", json), 400, api.CodeMalformed},
		"truncated":       {with("POST", "/trunk", goodTrunk[:20], "Content-Type", json), 400, api.CodeMalformed},
		"trailing":        {with("POST", "/trunk", goodTrunk+"{}", "Content-Type", json), 400, api.CodeMalformed},
		"duplicate":       {with("POST", "/trunk", `{"ip":"192.0.2.1","ip":"192.0.2.2"}`, "Content-Type", json), 400, api.CodeMalformed},
		"bad UTF-8":       {with("POST", "/trunk", "{\"ip\":\"\xff\"}", "Content-Type", json), 400, api.CodeMalformed},
		"inner duplicate": {with("POST", "/device", `{"type":"X","name":"x","y":{"a":1,"a":2}}`, "Content-Type", json), 400, api.CodeMalformed},
	} {
		require.Equal(t, row.status, row.a.status, "%s: %s", name, row.a.body)
		h.refused(row.a, row.code)
		if row.status == http.StatusMethodNotAllowed {
			require.NotEmpty(t, row.a.header.Get("Allow"))
		}
	}
	require.JSONEq(t, "["+withID(goodTrunk, id)+"]", string(h.as("admin", "GET", h.path("/trunk"), "").body), "nothing changed")
}

// TestResourcesPerAccountAreLimited checks that an account cannot have more trunks than the limit for its resources.
func TestResourcesPerAccountAreLimited(t *testing.T) {
	h := newHouse(t, func(o *platform.Options) { o.Limits.Resources = 2 })
	h.made(h.path("/trunk"), goodTrunk)
	h.made(h.path("/trunk"), goodTrunk)
	h.refused(h.as("admin", http.MethodPost, h.path("/trunk"), goodTrunk), api.CodeLimit)
}

// TestControlAPIRequiresItsToken checks that the control API refuses requests with a missing or wrong token.
func TestControlAPIRequiresItsToken(t *testing.T) {
	h := newHouse(t, func(o *platform.Options) { o.ControlToken = "sesame" })
	h.refused(h.send(http.MethodPost, "/sim/v1/keys", ""), api.CodeControlForbidden)
	h.refused(h.send(http.MethodPost, "/sim/v1/keys", "", simapi.ControlHeader, "mustard"), api.CodeControlForbidden)
	require.Equal(t, http.StatusNoContent, h.send(http.MethodPost, "/sim/v1/keys", "", simapi.ControlHeader, "sesame").status)
}

// TestCrossSiteControlRequestsAreRefused checks that the control API refuses requests that a browser sends from another site's
// page. Such a page could otherwise send requests without a body, and where no token is set, none is required.
func TestCrossSiteControlRequestsAreRefused(t *testing.T) {
	h := newHouse(t)
	for _, headers := range [][]string{{"Origin", "https://other.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		h.refused(h.send(http.MethodPost, "/sim/v1/keys", "", headers...), api.CodeOrigin)
		h.refused(h.send(http.MethodPost, "/sim/v1/reset", "", headers...), api.CodeOrigin)
	}
	require.Equal(t, http.StatusNoContent, h.send(http.MethodPost, "/sim/v1/keys", "", "Sec-Fetch-Site", "same-origin").status)
}
