package serving

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// TestSandboxURLsUseTheServersScheme checks that the addresses of a sandbox begin with https on a server with TLS.
func TestSandboxURLsUseTheServersScheme(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--tls", "self-signed")
	defer stop()
	trusting := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true,
	}}
	c, err := client.New(url, client.Options{HTTP: trusting})
	require.NoError(t, err)
	box, err := client.Do(t.Context(), c, control.MakeSandbox, control.SandboxOrder{Name: "a", Scenario: "no-cars"})
	require.NoError(t, err)
	require.Regexp(t, "^https://", url)
	require.Equal(t, url+"/s/a", box.ThirdPartyURL)
	require.Equal(t, url+"/s/a"+control.Prefix, box.ControlURL)
	require.Equal(t, box.ControlURL+"/scenarios/runs/run-1", box.Run.URL)
	resp, err := trusting.Get(box.Run.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

// TestServeUsesGeneratedAndGivenCertificates serves https with a certificate that is made at the start, and with one from
// files.
func TestServeUsesGeneratedAndGivenCertificates(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--tls", "self-signed", "--ca-out", "ca.pem")
	require.Regexp(t, "^https://", url)
	s.OK("user", "442079460020", "--url", url, "--ca", "ca.pem")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "user", "442079460020", "--url", url), "unknown authority")
	stop()

	all, ca, err := callingside.TemporaryCertificates(cli.Now(), "127.0.0.1")
	require.NoError(t, err)
	key, err := x509.MarshalPKCS8PrivateKey(all.Good.PrivateKey)
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{
		"ca.pem": {Type: "CERTIFICATE", Bytes: ca}, "cert.pem": {Type: "CERTIFICATE", Bytes: all.Good.Certificate[0]}, "key.pem": {Type: "PRIVATE KEY", Bytes: key},
	} {
		s.Write(name, string(pem.EncodeToMemory(block)))
	}
	url, _ = s.Serve("--town", "none", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
	s.OK("user", "442079460020", "--url", url, "--ca", "ca.pem")

	for flags, says := range map[string]string{
		"--tls yes": `--tls is "yes", want self-signed`, "--tls-cert cert.pem": "--tls-cert and --tls-key go together",
		"--tls self-signed --tls-cert cert.pem --tls-key key.pem": "take one", "--ca-out ca.pem": "--ca-out needs --tls self-signed",
		"--tls-cert key.pem --tls-key key.pem": "--tls-cert and --tls-key: ",
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"serve", "--listen", "127.0.0.1:0"}, strings.Fields(flags)...)...), says)
	}
}

// TestPublicURLIsUsedBehindAnIngress expects addresses that begin with that of the ingress.
func TestPublicURLIsUsedBehindAnIngress(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--public-url", "https://taxis.example/")
	c, err := client.New(url, client.Options{})
	require.NoError(t, err)
	box, err := client.Do(t.Context(), c, control.MakeSandbox, control.SandboxOrder{Name: "a"})
	require.NoError(t, err)
	require.Equal(t, "https://taxis.example/s/a", box.ThirdPartyURL)
	require.Equal(t, "https://taxis.example/s/a"+control.Prefix, box.ControlURL)
	printed := stop()
	require.Contains(t, printed, "third_party_url  https://taxis.example  (")
	require.Contains(t, printed, "console          https://taxis.example/console/\n")
	url, stop = s.Serve("--town", "none", "--public-url", "https://taxis.example/a")
	require.Contains(t, stop(), "console          "+url+"/console/\n", "the page knows no prefix")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--public-url", "taxis.example"), "--public-url is")
}

// TestForwardedForNeedsATrustedProxy checks that guesses of one client behind a proxy do not lock out another if the
// proxy is trusted, and that X-Forwarded-For has no effect otherwise.
func TestForwardedForNeedsATrustedProxy(t *testing.T) {
	s := newShell(t)
	for flags, want := range map[string]int{
		"":                           http.StatusTooManyRequests,
		"--trusted-proxy 10.0.0.0/8": http.StatusTooManyRequests,
		"--trusted-proxy 127.0.0.1":  http.StatusOK,
		"--trusted-proxy 127.0.0.0/8,198.51.100.7": http.StatusOK,
	} {
		url, stop := s.Serve(append([]string{"--town", "none", "--auth", "bearer:right"}, strings.Fields(flags)...)...)
		call := func(client, token string) int {
			return clitest.Post(t, url+"/config", "{}", func(r *http.Request) {
				r.Header.Set("Authorization", "Bearer "+token)
				r.Header.Set("X-Forwarded-For", "192.0.2.1, "+client+", 198.51.100.7")
				if !strings.Contains(flags, "198.51.100.7") {
					r.Header.Set("X-Forwarded-For", "192.0.2.1, "+client)
				}
			}).Status
		}
		for range 25 {
			call("203.0.113.1", "wrong")
		}
		require.Equal(t, http.StatusTooManyRequests, call("203.0.113.1", "wrong"), flags)
		require.Equal(t, want, call("203.0.113.2", "right"), flags)
		stop()
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--trusted-proxy", "nobody"), `--trusted-proxy is "nobody"`)
}

// TestRateLimitsApplyPerNetwork expects clients behind a proxy to share a limit if their addresses
// belong to one network.
func TestRateLimitsApplyPerNetwork(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--rate", "0.01", "--trusted-proxy", "127.0.0.1")
	defer stop()
	for _, row := range []struct {
		client string
		want   int
	}{
		{"2001:db8::1", http.StatusOK},
		{"2001:db8::2", http.StatusTooManyRequests},
		{"2001:db8::ffff:ffff:ffff:ffff", http.StatusTooManyRequests},
		{"2001:db8:0:1::1", http.StatusOK},
		{"203.0.113.1", http.StatusOK},
		{"203.0.113.2", http.StatusOK},
		{"::ffff:203.0.113.2", http.StatusTooManyRequests},
	} {
		require.Equal(t, row.want, clitest.Post(t, url+"/config", "{}", func(r *http.Request) { r.Header.Set("X-Forwarded-For", row.client) }).Status, row.client)
	}
}

// TestWarningsAreJSONWithAJSONLog checks that with --log json, the warnings on the error output are lines of JSON, too.
func TestWarningsAreJSONWithAJSONLog(t *testing.T) {
	s := newShell(t)
	s.Env["CABRANK_AUTH"] = "bearer:x"
	var out, said clitest.Buffer
	_, stop := s.Listen(cli.Outside{Stdout: &out, Stderr: &said}, "serve", "--listen", "0.0.0.0:0", "--town", "none", "--log", "json")
	require.Zero(t, stop())
	for _, warning := range []string{"CABRANK_AUTH is what clients send", "without credentials", "its token goes over the network"} {
		require.Contains(t, said.String(), warning)
	}
	for line := range strings.Lines(said.String()) {
		require.True(t, json.Valid([]byte(line)), line)
	}
}
