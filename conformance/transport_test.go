package conformance_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

// overTLS runs the suite against the vendor behind a certificate that is good for
// so many days.
func overTLS(t *testing.T, days int) map[string]conformance.Outcome {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(0, 0, days),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(vendor())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig, transport.DisableCompression = &tls.Config{RootCAs: roots}, true
	report, err := conformance.Run(t.Context(), conformance.Target{URL: server.URL, Now: time.Now, Seed: 6, Transport: transport})
	require.NoError(t, err)
	found := map[string]conformance.Outcome{}
	for _, c := range report.Checks {
		found[c.ID] = c.Outcome
	}
	return found
}

func TestTLS(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		days int
		want conformance.Outcome
	}{
		{"a year to go", 365, conformance.Pass},
		{"a week to go", 7, conformance.Fail},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			found := overTLS(t, row.days)
			require.Equal(t, conformance.Pass, found["SEC-01"])
			require.Equal(t, row.want, found["SEC-02"])
			require.Equal(t, conformance.Pass, found["SEC-03"])
		})
	}
}

// TestTransportRules holds what no server on this machine can show against the
// rules.
func TestTransportRules(t *testing.T) {
	t.Parallel()
	exchange := func(url string, intent conformance.Intent, status int) conformance.Exchange {
		return conformance.Exchange{
			ID: 1, Operation: conformance.OpConfig, Probe: "over the wire", Intent: intent,
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
	} {
		for _, r := range conformance.Judge([]conformance.Exchange{exchange(row.url, row.intent, row.status)}) {
			if r.ID == row.id {
				require.Equal(t, row.want, r.Outcome, "%+v: %+v", row, r)
			}
		}
	}
}
