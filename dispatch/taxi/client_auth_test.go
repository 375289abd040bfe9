package taxi_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

const secret = "hunter2"

// quiet takes what a server has to say of handshakes that fail on purpose.
var quiet = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)

var authStyles = map[string]struct {
	auth         taxi.Auth
	header, want string
}{
	"none":    {nil, "Authorization", ""},
	"basic":   {taxi.Basic("cab", secret), "Authorization", "Basic Y2FiOmh1bnRlcjI="},
	"bearer":  {taxi.Bearer(secret), "Authorization", "Bearer " + secret},
	"api key": {taxi.Header("X-API-Key", secret), "X-Api-Key", secret},
}

func TestClientProvesWhoCalls(t *testing.T) {
	for name, style := range authStyles {
		t.Run(name, func(t *testing.T) {
			p := answer(t, http.StatusOK, mediaJSON, `{"status":"OK"}`)
			_, err := client(t, p.URL, taxi.ClientOptions{Auth: style.auth}).Config(t.Context(), taxi.ConfigRequest{})
			require.NoError(t, err)
			require.Equal(t, style.want, p.asked.Header.Get(style.header))
		})
	}
}

func TestClientKeepsCredentialsOutOfErrors(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, style := range authStyles {
		for failure, base := range map[string]string{
			"refused":      answer(t, http.StatusUnauthorized, "text/plain", "no").URL,
			"broken reply": answer(t, http.StatusOK, mediaJSON, "{").URL,
			"redirect":     answer(t, http.StatusFound, "text/plain", "").URL,
			"no server":    gone.URL,
		} {
			_, err := client(t, base, taxi.ClientOptions{Auth: style.auth}).Config(t.Context(), taxi.ConfigRequest{})
			require.Error(t, err, "%s, %s", name, failure)
			require.NotContains(t, err.Error(), secret, "%s, %s", name, failure)
			require.NotContains(t, err.Error(), "Y2FiOmh1bnRlcjI=", "%s, %s", name, failure)
		}
	}
	_, err := client(t, "http://dispatch.invalid", taxi.ClientOptions{Auth: taxi.Bearer(secret + "\n")}).
		Config(t.Context(), taxi.ConfigRequest{})
	require.Error(t, err, "a header cannot hold a line break")
	require.NotContains(t, err.Error(), secret)
}

func TestClientShowsItsCertificate(t *testing.T) {
	var caller string
	p := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller = r.TLS.PeerCertificates[0].Subject.CommonName
		_, _ = w.Write([]byte(`{"status":"OK"}`))
	}))
	mine, issuer := certificate(t, "voice platform")
	p.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: issuer}
	p.Config.ErrorLog = quiet
	p.StartTLS()
	t.Cleanup(p.Close)
	roots := x509.NewCertPool()
	roots.AddCert(p.Certificate())

	with := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{mine}}
	_, err := client(t, p.URL, taxi.ClientOptions{TLS: with}).Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	require.Equal(t, "voice platform", caller)

	without := &tls.Config{RootCAs: roots}
	_, err = client(t, p.URL, taxi.ClientOptions{TLS: without}).Config(t.Context(), taxi.ConfigRequest{})
	require.Error(t, err)
}

func TestClientTrustsNoUnknownServer(t *testing.T) {
	p := httptest.NewUnstartedServer(http.NotFoundHandler())
	p.Config.ErrorLog = quiet
	p.StartTLS()
	t.Cleanup(p.Close)
	_, err := client(t, p.URL, taxi.ClientOptions{}).Config(t.Context(), taxi.ConfigRequest{})
	require.ErrorAs(t, err, new(*tls.CertificateVerificationError))
}

// certificate makes a caller's certificate and the pool that vouches for it.
func certificate(t *testing.T, name string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:              time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA:                  true,
		BasicConstraintsValid: true,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}
