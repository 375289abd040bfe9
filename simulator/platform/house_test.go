package platform_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// morning is the time at which the tests start.
var morning = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

// house is a platform with a clock that a test sets, over real HTTP and a real
// database.
type house struct {
	t           *testing.T
	line        *voice.Virtual
	records     *records.Records
	platform    *platform.Platform
	handler     http.Handler
	url         string
	credentials platform.Credentials
	tokens      map[string]string // access tokens by user name
}

// template is a seeded platform's records, with tokens for its users. Seeding
// hashes passwords and makes a key, which takes as long as a whole test.
var template = sync.OnceValue(func() (h *house) {
	ctx := context.Background()
	h = &house{line: voice.NewVirtual(morning), tokens: map[string]string{}}
	var err error
	if h.records, err = records.Open(ctx, ""); err != nil {
		panic(err)
	}
	if h.platform, err = platform.New(ctx, platform.Options{Records: h.records, Now: h.line.Now, Random: rand.NewChaCha8([32]byte{1})}); err != nil {
		panic(err)
	}
	if err := h.platform.Seed(ctx); err != nil {
		panic(err)
	}
	if h.credentials, err = h.platform.Credentials(ctx, platform.Credentials{}); err != nil {
		panic(err)
	}
	h.handler = h.platform.Handler()
	for _, u := range h.credentials.Users {
		form := url.Values{"username": {u.Username}, "password": {u.Password}}
		req := httptest.NewRequest(http.MethodPost, "/api/v1/oauth/authorize", strings.NewReader(form.Encode()))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, req)
		var token api.Token
		if err := json.Unmarshal(w.Body.Bytes(), &token); err != nil {
			panic(err)
		}
		h.tokens[u.Username] = token.AccessToken
	}
	return h
})

// opened returns a house with the records of a file, or of memory if path is empty. stop closes it, as does the end
// of the test.
func opened(t *testing.T, path string, change ...func(*platform.Options)) (h *house, stop func()) {
	t.Helper()
	h = &house{t: t, line: voice.NewVirtual(morning), tokens: map[string]string{}}
	var err error
	h.records, err = records.Open(t.Context(), path)
	require.NoError(t, err)
	opts := platform.Options{
		Records: h.records, Now: h.line.Now, Line: h.line, Work: h.line, PrivateHooks: true,
		Random: rand.NewChaCha8([32]byte{2}), Version: "test",
	}
	for _, c := range change {
		c(&opts)
	}
	h.platform, err = platform.New(t.Context(), opts)
	require.NoError(t, err)
	stop = sync.OnceFunc(func() {
		require.NoError(t, h.platform.Close(context.Background()))
		require.NoError(t, h.records.Close())
	})
	t.Cleanup(stop)
	h.serve()
	return h, stop
}

// seeded returns an opened house with an organisation and its credentials.
func seeded(t *testing.T, path string, change ...func(*platform.Options)) (h *house, stop func()) {
	t.Helper()
	h, stop = opened(t, path, change...)
	require.NoError(t, h.platform.Seed(t.Context()))
	var err error
	h.credentials, err = h.platform.Credentials(t.Context(), platform.Credentials{})
	require.NoError(t, err)
	return h, stop
}

func newHouse(t *testing.T, change ...func(*platform.Options)) *house {
	t.Helper()
	from := template()
	copied := func(o *platform.Options) {
		require.NoError(t, o.Records.Write(t.Context(), func(tx *records.Tx) error { return copyRecords(t.Context(), tx, from.records, o.Records) }))
	}
	h, _ := opened(t, "", append([]func(*platform.Options){copied}, change...)...)
	h.tokens, h.credentials = maps.Clone(from.tokens), from.credentials
	h.credentials.Accounts = slices.Clone(from.credentials.Accounts)
	return h
}

func copyRecords(ctx context.Context, tx *records.Tx, from, to *records.Records) error {
	o := from.Organisations()[0]
	errs := []error{to.AddOrganisation(ctx, tx, o)}
	for _, u := range from.Users(o.ID) {
		errs = append(errs, to.PutUser(ctx, tx, *u))
	}
	for _, a := range from.Accounts(o.ID) {
		errs = append(errs, to.PutAccount(ctx, tx, *a))
		for _, n := range from.DDIs(a.ID) {
			errs = append(errs, to.AddDDI(ctx, tx, *n))
		}
	}
	for _, k := range from.Keys() {
		errs = append(errs, to.AddKey(ctx, tx, k))
	}
	return errors.Join(errs...)
}

func (h *house) serve() {
	h.handler = h.platform.Handler()
	server := httptest.NewServer(h.handler)
	h.t.Cleanup(server.Close)
	h.url = server.URL
}

// pass advances the clock, and runs what is due.
func (h *house) pass(d time.Duration) { h.line.Advance(d) }

// answer is an HTTP response whose body has been read.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request with exactly these headers, and checks the answer against the OpenAPI documents.
func (h *house) send(method, path, body string, headers ...string) answer {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, h.url+path, strings.NewReader(body))
	require.NoError(h.t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(h.t, err)
	defer resp.Body.Close()
	read, err := io.ReadAll(resp.Body)
	require.NoError(h.t, err)
	a := answer{resp.StatusCode, resp.Header, read}
	judge(h.t, method, path, a)
	return a
}

// as sends a JSON request as a user.
func (h *house) as(user, method, path, body string) answer {
	h.t.Helper()
	return h.send(method, path, body, "Authorization", "Bearer "+h.token(user), "Content-Type", "application/json")
}

func (h *house) form(fields ...string) answer {
	h.t.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Add(fields[i], fields[i+1])
	}
	return h.send(http.MethodPost, "/api/v1/oauth/authorize", values.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

func (h *house) password(user string) string {
	for _, u := range h.credentials.Users {
		if u.Username == user {
			return u.Password
		}
	}
	h.t.Fatalf("no user %s", user)
	return ""
}

func (h *house) login(user string) api.Token {
	h.t.Helper()
	a := h.form("username", user, "password", h.password(user))
	require.Equal(h.t, http.StatusOK, a.status, "%s", a.body)
	return decoded[api.Token](h.t, a)
}

func (h *house) token(user string) string {
	h.t.Helper()
	if h.tokens[user] == "" {
		h.tokens[user] = h.login(user).AccessToken
	}
	return h.tokens[user]
}

// path returns a path below the first account.
func (h *house) path(rest string) string {
	return "/api/v1/account/" + h.credentials.Accounts[0].ID + rest
}

// made creates a resource as the administrator and returns its id.
func (h *house) made(path, body string) string {
	h.t.Helper()
	a := h.as("admin", http.MethodPost, path, body)
	require.Equal(h.t, http.StatusCreated, a.status, "%s", a.body)
	id := decoded[api.Created](h.t, a).ID
	require.Equal(h.t, path+"/"+id, a.header.Get("Location"))
	return id
}

// refused checks that an answer is a problem document with this code, as the API promises, and returns it.
func (h *house) refused(a answer, code api.Code) api.Problem {
	h.t.Helper()
	require.Equal(h.t, api.ProblemContentType, a.header.Get("Content-Type"), "%s", a.body)
	p := decoded[api.Problem](h.t, a)
	require.Equal(h.t, code, p.Code, "%s", a.body)
	require.Equal(h.t, a.status, p.Status)
	require.Equal(h.t, "/problems/"+string(code), p.Type)
	require.Equal(h.t, a.header.Get(rest.RequestHeader), p.Instance)
	require.Equal(h.t, string(code), p.Short)
	require.NotEmpty(h.t, p.Title)
	if a.status == http.StatusUnauthorized {
		require.NotEmpty(h.t, a.header.Get("WWW-Authenticate"))
	}
	if a.status == http.StatusTooManyRequests {
		require.NotEmpty(h.t, a.header.Get("Retry-After"))
	}
	return p
}

func decoded[T any](t *testing.T, a answer) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal(a.body, &v), "%s", a.body)
	return v
}

// at returns the pointers of a problem's errors.
func at(p api.Problem) []string {
	list := make([]string, len(p.Errors))
	for i, e := range p.Errors {
		list[i] = e.Pointer
	}
	return list
}
