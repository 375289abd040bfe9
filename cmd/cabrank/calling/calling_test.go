package calling

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

func newShell(t *testing.T) *clitest.Shell {
	t.Helper()
	return clitest.New(t, func(out cli.Outside) []cli.Group { return []cli.Group{{Title: "calling", Commands: Commands(out)}} })
}

func TestBookSendsWhatIsAsked(t *testing.T) {
	var body map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body = nil
		_ = json.NewDecoder(r.Body).Decode(&body)
		_, _ = w.Write([]byte(`{"journeyId":"j","status":"WAITING","driver":{"name":"Eve\u001b[2J","phoneNumber":"+441134960000","badgeNumber":"1"}}`))
	}))
	defer server.Close()
	s := newShell(t)
	out := s.OK("book", "--url", server.URL, "--category", "minibus", "--user", "u1", "--data", `{"note":"x"}`, "--name", "Ada", "--phone", "+441134960001")
	require.NotContains(t, out, "\x1b", "nobody else's commands to the terminal")
	require.Equal(t, "minibus", body["vehicleCategory"])
	require.Equal(t, "u1", body["userId"])
	require.Equal(t, map[string]any{"note": "x"}, body["data"])
	require.Equal(t, "Ada", body["name"])
	require.Equal(t, "+441134960001", body["phoneNumber"])

	s.OK("cancel", "j", "--user", "u2", "--url", server.URL)
	require.Equal(t, map[string]any{"userId": "u2", "journeyId": "j"}, body)
}

// TestCallsOverTLS calls a server that an authority of its own has signed for and
// that wants to see a client certificate, here the same one.
func TestCallsOverTLS(t *testing.T) {
	s := newShell(t)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"userId":"u","journeyId":"j","status":"WAITING","name":"Ada","activeBookings":[]}`))
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	t.Cleanup(server.Close)
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	require.NoError(t, err)
	s.Write("ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
	s.Write("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	for _, command := range [][]string{{"book"}, {"user", DemoCaller}, {"status", "j", "--user", "u"}, {"cancel", "j", "--user", "u"}} {
		args := append(command, "--url", server.URL, "--ca", "ca.pem")
		s.Fails(cli.ExitUnreachable, args...)
		s.OK(append(args, "--cert", "ca.pem", "--key", "key.pem")...)
		s.Fails(cli.ExitUnreachable, append(command, "--url", server.URL, "--cert", "ca.pem", "--key", "key.pem")...)
		require.Contains(t, s.Fails(cli.ExitUsage, append(command, "--url", server.URL, "--ca", "key.pem")...), "no certificate in PEM form")
		require.Contains(t, s.Fails(cli.ExitUsage, append(command, "--url", "127.0.0.1:9600")...), `--url "127.0.0.1:9600" is not an address; want http://127.0.0.1:9600`)
	}
}

// TestASandboxIsCalled asks each command for a sandbox of the server.
func TestASandboxIsCalled(t *testing.T) {
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		_, _ = w.Write([]byte(`{"journeyId":"j","status":"WAITING","userId":"u","name":"Ada","phoneNumber":"442079460020"}`))
	}))
	defer server.Close()
	s := newShell(t)
	for _, base := range []string{"", "/", "/s/bob"} {
		for _, args := range [][]string{
			{"book", "--from", "A@1,2", "--to", "B@1,2"}, {"user", "442079460020"}, {"status", "j"}, {"cancel", "j"},
		} {
			paths = nil
			s.OK(append(args, "--url", server.URL+base, "--sandbox", "ann")...)
			require.Subset(t, []string{"/s/ann/version", "/s/ann/places", "/s/ann/user", "/s/ann/" + args[0]}, paths)
			require.Contains(t, paths, "/s/ann/"+args[0])
		}
	}
	paths = nil
	s.OK("user", "442079460020", "--url", server.URL+"/s/bob/")
	require.Equal(t, []string{"/s/bob/user"}, paths)
}
