package outbound_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/outbound"
)

// get makes a request and returns the status of the answer.
func get(t *testing.T, o outbound.Options, url string) (status int, err error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	client := outbound.New(o)
	t.Cleanup(client.CloseIdleConnections)
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// odd is a server that redirects, or has headers of so many bytes.
func odd(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "/here", http.StatusTemporaryRedirect)
		case "/long":
			w.Header().Set("X-Long", strings.Repeat("x", 2*outbound.MostHeaders))
		default:
			_, _ = io.WriteString(w, "here")
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestClientIgnoresRedirectsAndLimitsHeaders(t *testing.T) {
	t.Parallel()
	url := odd(t)
	status, err := get(t, outbound.Options{}, url+"/away")
	require.NoError(t, err)
	require.Equal(t, http.StatusTemporaryRedirect, status)
	_, err = get(t, outbound.Options{}, url+"/long")
	require.ErrorContains(t, err, "exceeded")
	_, err = get(t, outbound.Options{MostHeaders: 4 * outbound.MostHeaders}, url+"/long")
	require.NoError(t, err)
}

func TestThisMachineGuardRefusesOtherMachines(t *testing.T) {
	t.Parallel()
	url := odd(t)
	_, err := get(t, outbound.Options{Guard: outbound.ThisMachine()}, url)
	require.NoError(t, err)
	_, err = get(t, outbound.Options{Guard: outbound.ThisMachine()}, strings.Replace(url, "127.0.0.1", "localhost", 1))
	require.NoError(t, err)
	_, err = get(t, outbound.Options{Guard: outbound.ThisMachine()}, "http://192.0.2.1/")
	require.ErrorIs(t, err, outbound.ErrElsewhere)
	require.ErrorIs(t, outbound.ThisMachine()("tcp", "nonsense", nil), outbound.ErrElsewhere)
}

func TestReachAllowsPrivateNetworksOnRequest(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]error{
		"127.0.0.1:80": nil, "93.184.215.14:80": nil, "10.99.99.99:80": outbound.ErrPrivate, "[fd12::1]:80": outbound.ErrPrivate,
		"169.254.169.254:80": outbound.ErrNever, "[fd00:ec2::254]:80": outbound.ErrNever, "nonsense": outbound.ErrNever,
	} {
		require.ErrorIs(t, outbound.Reach(false)("tcp", address, nil), want, address)
		if want == outbound.ErrPrivate { //nolint:errorlint // our own row
			want = nil
		}
		require.ErrorIs(t, outbound.Reach(true)("tcp", address, nil), want, address)
	}
}

// TestEnvironmentProxyIsUsedOnlyIfProxied checks that a client uses the proxy of the environment only with Options.Proxied. It runs
// itself in another process, since net/http reads the environment once.
func TestEnvironmentProxyIsUsedOnlyIfProxied(t *testing.T) {
	if os.Getenv("HTTP_PROXY") == "" {
		self := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestEnvironmentProxyIsUsedOnlyIfProxied$")
		self.Env = append(os.Environ(), "HTTP_PROXY=http://127.0.0.1:1", "NO_PROXY=")
		out, err := self.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	const url = "http://192.0.2.1/"
	_, err := get(t, outbound.Options{Guard: outbound.ThisMachine()}, url)
	require.ErrorIs(t, err, outbound.ErrElsewhere, "called without the proxy")
	_, err = get(t, outbound.Options{Guard: outbound.ThisMachine(), Proxied: true}, url)
	require.NotErrorIs(t, err, outbound.ErrElsewhere)
	require.ErrorContains(t, err, "127.0.0.1:1")
}
