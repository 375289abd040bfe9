package phoning_test

import (
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
)

const bookNow = `[{"expect":"where shall we"},{"press":"1"},{"expect":"for now, press 1"},{"press":"1"},{"expect":"where to"},
	{"press":"1"},{"expect":"to book it, press 1"},{"press":"1"},{"expect":"your taxi is booked"},{"wait":"20s"}]`

// TestATaxiByTelephone books with the reference's own dispatch system, which asks
// for credentials.
func TestATaxiByTelephone(t *testing.T) {
	d := dispatchtest.New(t, dispatchtest.Options{
		World:  simulator.Options{Start: cli.Now()},
		People: slices.DeleteFunc(fixtures.People(), func(p fixtures.Person) bool { return p.Bookings > 0 }),
		HTTP:   dispatch.HTTPOptions{Credentials: taxi.Credentials{Style: taxi.AuthBearer, Secret: "s3cret"}},
	})
	s := newShell(t)
	s.Write("token", "s3cret\n")
	s.Write("book.json", bookNow)
	url, stop := serve(s, "--third-party", d.URL(), "--third-party-auth", "bearer:@token", "--speed", "100")
	out := s.OK("call", "taxi", "--from", "442079460002", "--script", "book.json", "--platform", url)
	require.Contains(t, out, "Hello Desmond Achebe.")
	require.Contains(t, out, "Your taxi is booked.")
	require.Len(t, d.Journeys(), 1)
	require.NotContains(t, stop(), "s3cret")
}

// TestAThirdPartyOverTLS is trusted by its own certificate.
func TestAThirdPartyOverTLS(t *testing.T) {
	third := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"status":"OK"}`))
	}))
	third.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	third.StartTLS()
	t.Cleanup(third.Close)
	s := newShell(t)
	s.Write("ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: third.Certificate().Raw})))
	for ca, hears := range map[string]string{"": "we cannot take automatic bookings", "ca.pem": "What can I do for you?"} {
		flags := []string{"--third-party", third.URL, "--speed", "100"}
		if ca != "" {
			flags = append(flags, "--third-party-ca", ca)
		}
		url, stop := serve(s, flags...)
		s.Write("wait.json", `[{"wait":"5s"},{"hangup":true}]`)
		require.Contains(t, s.OK("call", "taxi", "--from", "442079460002", "--script", "wait.json", "--platform", url), hears)
		stop()
	}
}

func TestThirdPartyFlagsAreChecked(t *testing.T) {
	s := newShell(t)
	for want, args := range map[string][]string{
		"--third-party is missing":                                  {"--third-party-auth", "bearer:x"},
		`--third-party "dispatch" is not an address; want http://d`: {"--third-party", "dispatch"},
		"--third-party: holds credentials; give them apart":         {"--third-party", "http://u:secret@127.0.0.1:1"},
		"--third-party: has a query or a fragment; the operat":      {"--third-party", "http://127.0.0.1:1/?key=secret"},
		"--third-party-auth: want":                                  {"--third-party", "http://127.0.0.1:1", "--third-party-auth", "x"},
		"no certificate":                                            {"--third-party", "http://127.0.0.1:1", "--third-party-ca", "none.pem"},
	} {
		s.Write("none.pem", "nothing")
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"platform", "--listen", "127.0.0.1:0"}, args...)...), want)
	}
}
