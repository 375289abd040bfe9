package dispatchside_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/report"
)

// secured starts a server with a certificate of a temporary authority, and returns a target that trusts that authority.
func secured(t *testing.T, h http.Handler, good time.Duration, clients tls.ClientAuthType) dispatchside.Target {
	t.Helper()
	authority, err := client.NewAuthority(now())
	require.NoError(t, err)
	certificate, err := authority.Issue(now().Add(-time.Hour), now().Add(good), "127.0.0.1")
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(h)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: clients, ClientCAs: authority.Roots(), Time: now}
	server.Config.ErrorLog = quiet
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return dispatchside.Target{URL: server.URL, Now: now, Seed: 6, TLS: &tls.Config{RootCAs: authority.Roots()}, Timeout: 5 * time.Second}
}

const months = 90 * 24 * time.Hour

// TestHTTP2IsTriedInFewCalls checks that a run over TLS makes some of its calls with HTTP/2, but fewer than a tenth.
func TestHTTP2IsTriedInFewCalls(t *testing.T) {
	t.Parallel()
	target := secured(t, dated(dispatchsidetest.NewVendor(dispatchsidetest.None), now), months, tls.NoClientCert)
	report, err := dispatchside.Run(t.Context(), target)
	require.NoError(t, err)
	for _, id := range []string{"SEC-01", "SEC-02", "SEC-03"} {
		require.Equal(t, conformance.Pass, outcomeOf(report, id))
	}
	second := 0
	for _, x := range report.Exchanges {
		if x.Response != nil && x.Response.Proto == "HTTP/2.0" {
			second++
		}
	}
	require.Positive(t, second, "HTTP/2 is on offer and was not tried")
	require.Less(t, second, len(report.Exchanges)/10, "and it is not what every caller speaks")
}

// TestPreflightExplainsTLSFailures checks that the preflight says what is wrong, and what to do, if a run fails because of
// TLS or a certificate.
func TestPreflightExplainsTLSFailures(t *testing.T) {
	t.Parallel()
	stranger, err := client.NewAuthority(now())
	require.NoError(t, err)
	odd, err := stranger.Issue(now(), now().Add(time.Hour), "platform")
	require.NoError(t, err)
	for _, row := range []struct {
		name                      string
		good                      time.Duration
		clients                   tls.ClientAuthType
		change                    func(*dispatchside.Target)
		step, check, detail, cure string
	}{
		{"ran out", -time.Minute, tls.NoClientCert, nil, "TLS", "SEC-02", "expired on 2026-10-12", "renew"},
		{"unknown authority", months, tls.NoClientCert, func(t *dispatchside.Target) { t.TLS = nil }, "TLS", "SEC-02", "nobody whom this machine trusts", "--ca"},
		{"another host", months, tls.NoClientCert, func(t *dispatchside.Target) { t.TLS.ServerName = "dispatch.example" }, "TLS", "SEC-02", "is for 127.0.0.1, not for dispatch.example", "this host name"},
		{"no client certificate", months, tls.RequireAndVerifyClientCert, nil, "auth", "", "wants to see a client certificate", "--cert and --key"},
		{"no client certificate, TLS 1.2", months, tls.RequireAndVerifyClientCert, func(t *dispatchside.Target) { t.TLS.MaxVersion = tls.VersionTLS12 }, "TLS", "", "wants to see a client certificate", "--cert and --key"},
		{"a client certificate of a stranger", months, tls.RequireAndVerifyClientCert, func(t *dispatchside.Target) { t.TLS.Certificates = []tls.Certificate{odd} }, "auth", "", "client certificate", "signed, for clients, by the authority"},
		{"plain http to a port of TLS", months, tls.NoClientCert, func(t *dispatchside.Target) { t.URL = "http" + t.URL[len("https"):] }, "HTTP", "", "400", "use an https:// address"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			target := secured(t, dispatchsidetest.NewVendor(dispatchsidetest.None), row.good, row.clients)
			if row.change != nil {
				row.change(&target)
			}
			_, err := dispatchside.Run(t.Context(), target)
			var unreachable *conformance.Unreachable
			require.ErrorAs(t, err, &unreachable)
			last := unreachable.Steps[len(unreachable.Steps)-1]
			require.Equal(t, row.step, last.Name)
			require.Equal(t, row.check, last.Check)
			require.Contains(t, last.Detail, row.detail)
			var out strings.Builder
			(&report.Terminal{W: &out}).Step(last)
			require.Contains(t, out.String(), row.cure)
		})
	}
}
