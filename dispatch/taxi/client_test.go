package taxi_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log/slog"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// thirdParty is somebody's server that answers every call alike and keeps what
// it was sent.
type thirdParty struct {
	*httptest.Server

	status int
	header http.Header
	body   string

	asked    *http.Request // the last request
	askedFor string        // its body
	calls    int
}

func answer(t testing.TB, status int, contentType, body string) *thirdParty {
	t.Helper()
	p := &thirdParty{status: status, header: http.Header{"Content-Type": {contentType}}, body: body}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *thirdParty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.asked, p.askedFor = r, string(body)
	p.calls++
	maps.Copy(w.Header(), p.header)
	w.WriteHeader(p.status)
	_, _ = io.WriteString(w, p.body)
}

func client(t testing.TB, base string, opts taxi.ClientOptions) *taxi.Client {
	t.Helper()
	c, err := taxi.NewClient(base, opts)
	require.NoError(t, err)
	return c
}

const mediaJSON = "application/json"

func TestClientCallsTheFiveOperations(t *testing.T) {
	ref := taxi.JourneyRef{UserID: "u-1", JourneyID: "j-1"}
	for name, row := range map[string]struct {
		path, sent, reply string
		call              func(*taxi.Client) (any, error)
		want              any
	}{
		"config": {
			taxi.PathConfig, `{}`, `{"status":"OK","eta":{"value":4,"unit":"minutes"}}`,
			func(c *taxi.Client) (any, error) { return c.Config(t.Context(), taxi.ConfigRequest{}) },
			taxi.ConfigResponse{Status: taxi.SystemOK, ETA: &taxi.ETA{Value: 4, Unit: taxi.UnitMinutes}},
		},
		"user": {
			taxi.PathUser, `{"phoneNumber":"442079460001"}`, `{"userId":"u-1","phoneNumber":"442079460001","name":"Ann","later":[1]}`,
			func(c *taxi.Client) (any, error) {
				return c.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
			},
			taxi.EndUser{UserID: "u-1", PhoneNumber: "442079460001", Name: "Ann"},
		},
		"book": {
			taxi.PathBook,
			`{"name":"Ann","phoneNumber":"442079460001",
			  "pickup":{"address":"Quay","location":{"longitude":2.1,"latitude":54.7}},
			  "dropoffs":[{"address":"Mill","location":{"longitude":0,"latitude":0}}],
			  "pickupTime":"2026-11-21T10:30:00Z"}`,
			`{"journeyId":"j-1","status":"WAITING"}`,
			func(c *taxi.Client) (any, error) { return c.Book(t.Context(), booking()) },
			taxi.Journey{JourneyID: "j-1", Status: taxi.Waiting},
		},
		"cancel": {
			taxi.PathCancel, `{"userId":"u-1","journeyId":"j-1"}`, `{"journeyId":"j-1","status":"CANCELLED"}`,
			func(c *taxi.Client) (any, error) { return c.Cancel(t.Context(), ref) },
			taxi.Journey{JourneyID: "j-1", Status: taxi.Cancelled},
		},
		"status": {
			taxi.PathStatus, `{"userId":"u-1","journeyId":"j-1"}`, `{"journeyId":"j-1","status":"PARKED"}`,
			func(c *taxi.Client) (any, error) { return c.Status(t.Context(), ref) },
			taxi.Journey{JourneyID: "j-1", Status: "PARKED"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := answer(t, http.StatusOK, mediaJSON, row.reply)
			got, err := row.call(client(t, p.URL, taxi.ClientOptions{}))
			require.NoError(t, err)
			require.Equal(t, row.want, got)
			require.Equal(t, http.MethodPost, p.asked.Method)
			require.Equal(t, row.path, p.asked.URL.Path)
			require.JSONEq(t, row.sent, p.askedFor)
			require.Equal(t, mediaJSON, p.asked.Header.Get("Content-Type"))
			require.Contains(t, p.asked.Header.Get("Accept"), taxi.ProblemContentType)
			require.Equal(t, "cabrank", p.asked.UserAgent())
			require.Empty(t, p.asked.Header.Get("Authorization"))
			require.NotContains(t, p.asked.Header, taxi.IdempotencyHeader)
		})
	}
}

func booking() taxi.BookRequest {
	return taxi.BookRequest{
		Name:        "Ann",
		PhoneNumber: "442079460001",
		Pickup:      &taxi.Address{Address: "Quay", Location: &taxi.Point{Longitude: 2.1, Latitude: 54.7}},
		Dropoffs:    []taxi.Address{{Address: "Mill", Location: &taxi.Point{}}},
		PickupTime:  taxi.At(time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)),
	}
}

func TestClientPutsPathsBelowTheBase(t *testing.T) {
	p := answer(t, http.StatusOK, mediaJSON, `{"status":"OK"}`)
	for base, want := range map[string]string{
		"":             "/config",
		"/":            "/config",
		"/taxi":        "/taxi/config",
		"/taxi/":       "/taxi/config",
		"/s/a%2Fb/v2/": "/s/a%2Fb/v2/config",
	} {
		_, err := client(t, p.URL+base, taxi.ClientOptions{}).Config(t.Context(), taxi.ConfigRequest{})
		require.NoError(t, err)
		require.Equal(t, want, p.asked.URL.EscapedPath(), base)
	}
}

func TestClientRefusesAddressesThatCannotBeABase(t *testing.T) {
	for name, base := range map[string]string{
		"empty":               "",
		"no scheme":           "dispatch.example/taxi",
		"another scheme":      "ftp://dispatch.example/taxi",
		"no host":             "https:///taxi",
		"credentials":         "https://user:" + secret + "@dispatch.example",
		"scheme, credentials": "ftp://user:" + secret + "@dispatch.example",
		"not a URL":           "https://user:" + secret + "%zz@dispatch.example",
		"query":               "https://dispatch.example/taxi?key=" + secret,
		"fragment":            "https://dispatch.example/taxi#" + secret,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := taxi.NewClient(base, taxi.ClientOptions{})
			require.ErrorContains(t, err, "third-party address")
			require.NotContains(t, err.Error(), secret)
		})
	}
}

func TestClientSendsAuthKeyAndUserAgent(t *testing.T) {
	p := answer(t, http.StatusOK, mediaJSON, `{"journeyId":"j-1","status":"WAITING"}`)
	ctx := taxi.WithIdempotencyKey(t.Context(), "again-1")
	_, err := client(t, p.URL, taxi.ClientOptions{UserAgent: "test/1", Auth: taxi.Bearer(secret)}).Book(ctx, booking())
	require.NoError(t, err)
	require.Equal(t, "Bearer "+secret, p.asked.Header.Get("Authorization"))
	require.Equal(t, "again-1", p.asked.Header.Get("Idempotency-Key"))
	require.Equal(t, "test/1", p.asked.UserAgent())
}

// A call to a server that never answers ends at the client's timeout, at the caller's deadline, and when the caller
// cancels it.
func TestClientHonoursTimeoutAndCancellation(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)

	t.Run("when its own time is up", func(t *testing.T) {
		c := client(t, silent.URL, taxi.ClientOptions{Timeout: 20 * time.Millisecond})
		_, err := c.Status(t.Context(), taxi.JourneyRef{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
	t.Run("when the caller's time is up", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := client(t, silent.URL, taxi.ClientOptions{}).Status(ctx, taxi.JourneyRef{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorAs(t, err, new(*taxi.Problem), "the outcome is unknown, not refused")
	})
	t.Run("when the caller hangs up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := client(t, silent.URL, taxi.ClientOptions{}).Status(ctx, taxi.JourneyRef{})
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestClientFollowsNoRedirect(t *testing.T) {
	elsewhere := answer(t, http.StatusOK, mediaJSON, `{"status":"OK"}`)
	for _, status := range []int{301, 302, 303, 307, 308} {
		p := answer(t, status, "text/plain", "")
		p.header.Set("Location", elsewhere.URL+"/config")
		_, err := client(t, p.URL, taxi.ClientOptions{Auth: taxi.Bearer(secret)}).Config(t.Context(), taxi.ConfigRequest{})
		var problem *taxi.Problem
		require.ErrorAs(t, err, &problem)
		require.Equal(t, status, problem.Status)
		require.Zero(t, elsewhere.calls)
	}
}

func TestClientNeverRepeatsACall(t *testing.T) {
	p := answer(t, http.StatusServiceUnavailable, "text/plain", "")
	p.header.Set("Retry-After", "0")
	_, err := client(t, p.URL, taxi.ClientOptions{}).Book(t.Context(), booking())
	require.Error(t, err)
	require.Equal(t, 1, p.calls)
}

const secret = "hunter2"

// quiet takes what a server has to say of handshakes that fail on purpose.
var quiet = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)

var authStyles = map[string]taxi.Auth{
	"none": nil, "basic": taxi.Basic("cab", secret), "bearer": taxi.Bearer(secret), "api key": taxi.Header("X-API-Key", secret),
}

func TestClientKeepsCredentialsOutOfErrors(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, auth := range authStyles {
		for failure, base := range map[string]string{
			"refused":      answer(t, http.StatusUnauthorized, "text/plain", "no").URL,
			"broken reply": answer(t, http.StatusOK, mediaJSON, "{").URL,
			"redirect":     answer(t, http.StatusFound, "text/plain", "").URL,
			"no server":    gone.URL,
		} {
			_, err := client(t, base, taxi.ClientOptions{Auth: auth}).Config(t.Context(), taxi.ConfigRequest{})
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

func TestClientSendsItsCertificate(t *testing.T) {
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
