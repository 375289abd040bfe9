package dispatchside_test

import (
	"crypto/tls"
	"crypto/x509"
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
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/report"
)

// secured is a server behind a certificate of a throw-away authority, and a target
// that trusts that authority.
func secured(t *testing.T, h http.Handler, good time.Duration, clients tls.ClientAuthType) (*client.Authority, dispatchside.Target) {
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
	return authority, dispatchside.Target{URL: server.URL, Now: now, Seed: 6, TLS: &tls.Config{RootCAs: authority.Roots()}, Timeout: 5 * time.Second}
}

const months = 90 * 24 * time.Hour

func TestTLS(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		good time.Duration
		want conformance.Outcome
	}{
		{"months to go", months, conformance.Pass},
		{"a week to go", 7 * 24 * time.Hour, conformance.Fail},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, target := secured(t, dated(dispatchsidetest.NewVendor(dispatchsidetest.None), now), row.good, tls.NoClientCert)
			report, err := dispatchside.Run(t.Context(), target)
			require.NoError(t, err)
			require.Equal(t, conformance.Pass, outcomeOf(report, "SEC-01"))
			require.Equal(t, row.want, outcomeOf(report, "SEC-02"))
			require.Equal(t, conformance.Pass, outcomeOf(report, "SEC-03"))
			second := 0
			for _, x := range report.Exchanges {
				if x.Response != nil && x.Response.Proto == "HTTP/2.0" {
					second++
				}
			}
			require.Positive(t, second, "HTTP/2 is on offer and was not tried")
			require.Less(t, second, len(report.Exchanges)/10, "and it is not what every caller speaks")
		})
	}
}

// TestClientCertificates has servers that want to see one, and servers that say
// so and do not look.
func TestClientCertificates(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name                    string
		clients                 tls.ClientAuthType
		withoutOne, withAForged conformance.Outcome
	}{
		{"looked at", tls.RequireAndVerifyClientCert, conformance.Pass, conformance.Pass},
		{"any will do", tls.RequireAnyClientCert, conformance.Pass, conformance.Fail},
		{"for who likes", tls.RequestClientCert, conformance.Fail, conformance.Fail},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			authority, target := secured(t, dated(dispatchsidetest.NewVendor(dispatchsidetest.None), now), months, row.clients)
			shown, err := authority.Issue(now(), now().Add(time.Hour), "platform")
			require.NoError(t, err)
			target.TLS.Certificates, target.Only = []tls.Certificate{shown}, []string{"SEC-05", "SEC-06"}
			report, err := dispatchside.Run(t.Context(), target)
			require.NoError(t, err)
			require.Equal(t, row.withoutOne, outcomeOf(report, "SEC-05"))
			require.Equal(t, row.withAForged, outcomeOf(report, "SEC-06"))
			require.Empty(t, report.Leftovers)
		})
	}
}

// TestPreflightOverTLS meets servers whose TLS keeps a run from making sense.
func TestPreflightOverTLS(t *testing.T) {
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
			_, target := secured(t, dispatchsidetest.NewVendor(dispatchsidetest.None), row.good, row.clients)
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

func TestAnAuthorityVouchesForItsOwn(t *testing.T) {
	t.Parallel()
	authority, err := client.NewAuthority(now())
	require.NoError(t, err)
	stranger, err := client.NewAuthority(now())
	require.NoError(t, err)
	issued, err := authority.Issue(now(), now().Add(time.Hour), "dispatch.example", "192.0.2.7")
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(issued.Certificate[0])
	require.NoError(t, err)
	for _, host := range []string{"dispatch.example", "192.0.2.7"} {
		_, err = leaf.Verify(x509.VerifyOptions{Roots: authority.Roots(), DNSName: host, CurrentTime: now()})
		require.NoError(t, err)
	}
	_, err = leaf.Verify(x509.VerifyOptions{Roots: authority.Roots(), DNSName: "other.example", CurrentTime: now()})
	require.ErrorAs(t, err, new(x509.HostnameError))
	_, err = leaf.Verify(x509.VerifyOptions{Roots: stranger.Roots(), CurrentTime: now()})
	require.ErrorAs(t, err, new(x509.UnknownAuthorityError))
	_, err = leaf.Verify(x509.VerifyOptions{Roots: authority.Roots(), CurrentTime: now().Add(2 * time.Hour)})
	require.ErrorAs(t, err, new(x509.CertificateInvalidError))
}

// TestTransportRules holds what no server on this machine can show against the
// rules.
func TestTransportRules(t *testing.T) {
	t.Parallel()
	exchange := func(url string, intent conformance.Intent, status int) conformance.Exchange {
		return conformance.Exchange{
			ID: 1, Operation: rules.OpConfig, Probe: "over the wire", Intent: intent,
			Request:  conformance.Request{Method: http.MethodPost, URL: url, Body: []byte("{}")},
			Response: &conformance.Response{Status: status, Body: []byte(`{"status":"OK"}`)},
			Started:  time.Now(),
		}
	}
	for _, row := range []struct {
		id, url string
		intent  conformance.Intent
		status  int
		want    conformance.Outcome
	}{
		{"SEC-01", "http://dispatch.example/config", "", 200, conformance.Fail},
		{"SEC-01", "http://127.0.0.1/config", "", 200, conformance.NotVerified},
		{"SEC-03", "http://dispatch.example/config", "plain-http", 200, conformance.Fail},
		{"SEC-03", "http://dispatch.example/config", "plain-http", 301, conformance.Warn},
		{"SEC-03", "http://dispatch.example/config", "plain-http", 401, conformance.Warn},
	} {
		for _, r := range dispatchside.Suite.Verdicts([]conformance.Exchange{exchange(row.url, row.intent, row.status)}) {
			if r.ID == row.id {
				require.Equal(t, row.want, r.Outcome, "%+v: %+v", row, r)
			}
		}
	}
}
