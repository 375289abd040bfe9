package judging

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
)

// behindTLS serves the small vendor to callers with a certificate of its
// authority, and writes what they need: ca.pem, cert.pem and key.pem.
func behindTLS(t *testing.T) (url string) {
	t.Helper()
	authority, err := client.NewAuthority(cli.Now())
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(dispatchsidetest.NewVendor(dispatchsidetest.None))
	own, err := authority.Issue(cli.Now().Add(-time.Hour), cli.Now().Add(90*24*time.Hour), "127.0.0.1")
	require.NoError(t, err)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{own}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: authority.Roots()}
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	t.Cleanup(server.Close)

	shown, err := authority.Issue(cli.Now().Add(-time.Hour), cli.Now().Add(time.Hour), "platform")
	require.NoError(t, err)
	key, err := x509.MarshalPKCS8PrivateKey(shown.PrivateKey)
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{
		"ca.pem": {Type: "CERTIFICATE", Bytes: authority.Certificate()}, "cert.pem": {Type: "CERTIFICATE", Bytes: shown.Certificate[0]},
		"key.pem": {Type: "PRIVATE KEY", Bytes: key},
	} {
		require.NoError(t, os.WriteFile(name, pem.EncodeToMemory(block), 0o600))
	}
	return server.URL
}

// TestCheckOverMutualTLS calls a server that requires a client certificate, with one and without.
func TestCheckOverMutualTLS(t *testing.T) {
	s := newShell(t)
	url := behindTLS(t)
	out := s.OK("check", url, "--ca", "ca.pem", "--cert", "cert.pem", "--key", "key.pem", "--only", "SEC-*", "--out", "run.json", "-v")
	require.Regexp(t, `ok +TLS +TLS 1\.3.*certificate good until`, out)
	run, err := readRun("run.json")
	require.NoError(t, err)
	for _, c := range run.Checks {
		switch c.ID {
		case "SEC-01", "SEC-02", "SEC-03", "SEC-04", "SEC-05", "SEC-06":
			require.Equal(t, conformance.Pass, c.Outcome, "%s: %+v", c.ID, c.Findings)
		}
	}
	require.Empty(t, run.Leftovers)

	out, errs, code := s.Run("check", url, "--ca", "ca.pem")
	require.Equal(t, cli.ExitUnreachable, code)
	require.Regexp(t, `FAIL +auth +the server wants to see a client certificate`, out)
	require.Contains(t, out, "give the certificate and its key (--cert and --key)")
	require.Contains(t, errs, "cannot be tested")
	out = s.Ends(cli.ExitUnreachable, "check", url, "--cert", "cert.pem", "--key", "key.pem")
	require.Contains(t, out, "for an authority of your own give its certificate (--ca)")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--ca", "missing.pem"), "missing.pem")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--cert", "cert.pem", "--key", "cert.pem"), "client certificate")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--ca", "key.pem"), "no certificate in PEM form")
}
