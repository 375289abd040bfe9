package platform_test

import (
	"io"
	"net/http"
	"strings"
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

// TestAdding adds a user, an account and a number, and uses them.
func TestAdding(t *testing.T) {
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

// TestRenewing gives a user a new password and an account a new client id: the old
// ones are good no more, and whoever runs the platform is told.
func TestRenewing(t *testing.T) {
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

// crossing is a house where a change of credentials waits in its commit, and a second one for it.
type crossing struct {
	*house
	inside, goOn, drawn chan struct{}
}

func newCrossing(t *testing.T) *crossing {
	x := &crossing{inside: make(chan struct{}), goOn: make(chan struct{}), drawn: make(chan struct{}, 1)}
	x.house = newHouse(t, func(o *platform.Options) {
		o.Random = announced{o.Random, x.drawn}
		o.Made = func(platform.Credentials) (func(bool), error) {
			x.inside <- struct{}{}
			<-x.goOn
			return nil, nil
		}
	})
	return x
}

// announced tells of what is read from it.
type announced struct {
	io.Reader
	read chan<- struct{}
}

func (a announced) Read(b []byte) (int, error) {
	select {
	case a.read <- struct{}{}:
	default:
	}
	return a.Reader.Read(b)
}

// cross makes two requests: the second has drawn its secret before the first is kept. It returns
// when the first is, and the second is in its commit.
func (x *crossing) cross(first, second func() answer) (a answer, b <-chan answer) {
	answers := [2]chan answer{make(chan answer, 1), make(chan answer, 1)}
	go func() { answers[0] <- first() }()
	<-x.inside
	select {
	case <-x.drawn:
	default:
	}
	go func() { answers[1] <- second() }()
	<-x.drawn
	x.goOn <- struct{}{}
	a = <-answers[0]
	<-x.inside
	return a, answers[1]
}

// Of two renewals of a password at once the later wins, and what the earlier gave is good no more.
func TestTwoRenewalsOfAPassword(t *testing.T) {
	x := newCrossing(t)
	renew := func() answer { return x.post("/sim/v1/users/admin/password", "") }
	a, b := x.cross(renew, renew)
	first := decoded[access.UserCredentials](t, a).Password
	between := decoded[api.Token](t, x.form("username", "admin", "password", first))
	require.Equal(t, http.StatusOK, x.me(between.AccessToken).status)
	x.goOn <- struct{}{}
	second := decoded[access.UserCredentials](t, <-b).Password
	x.refused(x.me(between.AccessToken), api.CodeTokenInvalid)
	x.refused(x.form("username", "admin", "password", first), api.CodeCredentials)
	require.Equal(t, http.StatusOK, x.form("username", "admin", "password", second).status)
}

// The credentials of a renewed client id have the number that was added meanwhile.
func TestAClientIsRenewedWhileANumberIsAdded(t *testing.T) {
	x := newCrossing(t)
	account := "/sim/v1/accounts/" + x.credentials.Accounts[0].ID
	a, b := x.cross(
		func() answer { return x.post(account+"/ddi", `{"name":"441632960301"}`) },
		func() answer { return x.post(account+"/client", "") })
	require.Equal(t, http.StatusCreated, a.status)
	x.goOn <- struct{}{}
	var names []string
	for _, n := range decoded[access.AccountCredentials](t, <-b).DDIs {
		names = append(names, n.Name)
	}
	require.Contains(t, names, "441632960301")
}

// me asks whose a token is.
func (h *house) me(token string) answer {
	h.t.Helper()
	return h.send(http.MethodGet, "/api/v1/userAccounts/me", "", "Authorization", "Bearer "+token)
}

// TestDeleting deletes what nothing refers to.
func TestDeleting(t *testing.T) {
	h := newHouse(t)
	account := "/sim/v1/accounts/" + h.credentials.Accounts[0].ID
	trunk := h.made(h.path("/trunk"), goodTrunk)
	hook := h.made(h.path("/hook"), `{"app":"flow.generic","url":"https://x.example/"}`)
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

// TestTheFirstPageNamesTheDocuments follows the links of the first page.
func TestTheFirstPageNamesTheDocuments(t *testing.T) {
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
