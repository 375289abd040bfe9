package hooks_test

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
)

// newClient returns a client that may connect to addresses of this machine.
func newClient(t *testing.T) *hooks.Client {
	client := hooks.NewClient(func() time.Time { return morning }, true)
	t.Cleanup(client.Close)
	return client
}

// TestHooksAtForbiddenAddressesAreNotCalled checks that hooks and files at addresses of this machine or its network are not
// requested unless private addresses are allowed, and that those of cloud metadata services never are.
func TestHooksAtForbiddenAddressesAreNotCalled(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was called") }))
	t.Cleanup(inside.Close)
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	require.NoError(t, err)
	metadata := []string{"169.254.169.254", "[::ffff:169.254.169.254]", "[fe80::a9fe:a9fe]", "[fd00:ec2::254]", "[fd20:ce::254]", "100.100.100.200", "0.0.0.0"}
	for _, row := range []struct {
		private bool
		hosts   []string
		why     error // nil: any
	}{
		{false, []string{"127.0.0.1", "localhost", "[::1]", "10.0.0.1", "192.168.1.1", "[::ffff:127.0.0.1]", "2130706433", "0x7f000001"}, nil},
		{false, metadata, nil},
		{true, metadata, outbound.ErrNever},
	} {
		client := hooks.NewClient(time.Now, row.private)
		t.Cleanup(client.Close)
		for _, host := range row.hosts {
			_, err := client.Ask(t.Context(), api.Hook{URL: "http://" + host + ":" + port}, "", "id", nil)
			require.ErrorIs(t, err, cmp.Or(row.why, hooks.ErrTurn), host)
			_, err = client.Fetch(t.Context(), "http://"+host+":"+port, 1)
			require.ErrorIs(t, err, cmp.Or(row.why, hooks.ErrFetch), host)
		}
	}
}

// TestRedirectsAreNotFollowed checks that an HTTP redirect of a hook is a failure and is not followed.
func TestRedirectsAreNotFollowed(t *testing.T) {
	h := newHouse(t)
	h.answer = func(_ received, w http.ResponseWriter) {
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
	client := newClient(t)
	_, err := client.Ask(t.Context(), api.Hook{URL: h.url}, "", "id", nil)
	require.ErrorContains(t, err, "it answered 307")
	require.Len(t, h.got, 1)
}

func TestFlowHookAnswersAreChecked(t *testing.T) {
	reply := func(status int, contentType, body string) func(received, http.ResponseWriter) {
		return func(_ received, w http.ResponseWriter) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	const json = "application/json"
	for _, row := range []struct {
		name     string
		answer   func(received, http.ResponseWriter)
		document string
		failure  string
		attempts int
	}{
		{"a document", reply(200, json+"; charset=utf-8", `[{"hangup":{}}]`), `[{"hangup":{}}]`, "", 1},
		{"nothing to do", reply(204, "", ""), "[]", "", 1},
		{"created", reply(201, json, "[]"), "", "it answered 201", 1},
		{"text", reply(200, "text/plain", "[]"), "", `"text/plain"`, 1},
		{"no type", reply(200, "", ""), "", "type", 1},
		{"too long", reply(200, json, strings.Repeat(" ", 65<<10)), "", "longer than", 1},
		{"an error", reply(500, json, "[]"), "", "it answered 500", 1},
		{"busy", reply(503, json, "[]"), "", "it answered 503", 2},
		{"bad gateway, then good", failing(1, 502), "", "type", 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			h.answer = row.answer
			client := newClient(t)
			document, err := client.Ask(t.Context(), api.Hook{URL: h.url}, "", "id", []byte("{}"))
			if row.failure == "" {
				require.NoError(t, err)
				require.Equal(t, row.document, string(document))
			} else {
				require.ErrorIs(t, err, hooks.ErrTurn)
				require.ErrorContains(t, err, row.failure)
			}
			require.Len(t, h.got, row.attempts)
			require.Equal(t, h.got[0].header.Get(hooks.HeaderID), h.got[len(h.got)-1].header.Get(hooks.HeaderID))
		})
	}
}

// TestHookCredentialsStayWithinTheirOrigin checks that a turn that is redirected to another origin is sent without
// the hook's credentials and signature.
func TestHookCredentialsStayWithinTheirOrigin(t *testing.T) {
	h, other := newHouse(t), newHouse(t)
	client := newClient(t)
	hook := api.Hook{URL: h.url + "/a/b", AuthType: api.AuthKey, APIKeyName: "X-Key", APIKeyValue: "k", Secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"}
	for _, to := range []string{"", "c", h.url + "/d"} {
		_, _ = client.Ask(t.Context(), hook, to, "id", nil)
		require.Equal(t, "k", h.got[len(h.got)-1].header.Get("X-Key"))
	}
	_, _ = client.Ask(t.Context(), hook, other.url, "id", nil)
	require.Empty(t, other.got[0].header.Get("X-Key"))
	require.Empty(t, other.got[0].header.Get(hooks.HeaderSignature))
	_, err := client.Ask(t.Context(), hook, "ftp://x/", "id", nil)
	require.ErrorIs(t, err, hooks.ErrTurn)
}

// TestSlowDownloadTimesOut checks that fetching a file that starts, but never ends, fails after the timeout.
func TestSlowDownloadTimesOut(t *testing.T) {
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("RIFF"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(slow.Close)
	client := newClient(t)
	require.Equal(t, 5*time.Second, client.FetchWithin)
	client.FetchWithin = 20 * time.Millisecond
	_, err := client.Fetch(t.Context(), slow.URL, 1<<20)
	require.ErrorIs(t, err, hooks.ErrFetch)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}
