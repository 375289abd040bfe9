package serving

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// TestAddressesSayHowTheyAreReached asks a server that speaks TLS where a sandbox of its own is.
func TestAddressesSayHowTheyAreReached(t *testing.T) {
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

// TestCertificates serves https with a certificate that is made at the start, and with one from
// files.
func TestCertificates(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--tls", "self-signed", "--ca-out", "ca.pem")
	require.Regexp(t, "^https://", url)
	s.OK("user", "442079460020", "--url", url, "--ca", "ca.pem")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "user", "442079460020", "--url", url), "unknown authority")
	stop()

	all, ca, err := callingside.ThrowAway(cli.Now(), "127.0.0.1")
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

// TestBehindAnIngress expects addresses that begin with that of the ingress.
func TestBehindAnIngress(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--public-url", "https://taxis.example/")
	c, err := client.New(url, client.Options{})
	require.NoError(t, err)
	box, err := client.Do(t.Context(), c, control.MakeSandbox, control.SandboxOrder{Name: "a"})
	require.NoError(t, err)
	require.Equal(t, "https://taxis.example/s/a", box.ThirdPartyURL)
	require.Equal(t, "https://taxis.example/s/a"+control.Prefix, box.ControlURL)
	groups, err := client.Do(t.Context(), c, control.ReadTargets, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"taxis.example:443"}, groups[1].Targets)
	printed := stop()
	require.Contains(t, printed, "third_party_url  https://taxis.example  (")
	require.Contains(t, printed, "console          https://taxis.example/console/\n")
	url, stop = s.Serve("--town", "none", "--public-url", "https://taxis.example/a")
	require.Contains(t, stop(), "console          "+url+"/console/\n", "the page knows no prefix")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--public-url", "taxis.example"), "--public-url is")
}
