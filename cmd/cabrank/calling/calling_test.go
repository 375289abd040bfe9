package calling

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var newShell, _ = clitest.Shells(func(out cli.Outside) []cli.Group { return []cli.Group{{Title: "calling", Commands: Commands(out)}} })

func TestBookAndCancelSendFlagValues(t *testing.T) {
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

	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body); <-r.Context().Done() }))
	defer slow.Close()
	require.Contains(t, s.Fails(cli.ExitUnreachable, "book", "--url", slow.URL, "--timeout", "10ms"), "did not answer within 10ms")
}

// TestCommandsUseTLSFlags checks that each command needs --ca, --cert and --key for a server with a private authority that
// requires a client certificate, and explains wrong files and addresses.
func TestCommandsUseTLSFlags(t *testing.T) {
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

// TestSandboxFlagSelectsTheWorld checks that each command calls the world of --sandbox, even if the address is that of another
// sandbox.
func TestSandboxFlagSelectsTheWorld(t *testing.T) {
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

// answers is a dispatch system that gives one answer for each path.
func answers(t *testing.T, bodies map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, known := bodies[r.URL.Path]
		if !known {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestFollowPrintsTimesOfTheWorld follows a journey in a world that is two hours ahead: the lines have the time of
// the world, if the server tells it.
func TestFollowPrintsTimesOfTheWorld(t *testing.T) {
	world := cli.Now().Add(2 * time.Hour).Truncate(time.Second)
	journey := fmt.Sprintf(`{"journeyId":"j","status":"COMPLETE","date":%q,"price":{"value":5,"currency":"GBP","type":"FIXED"}}`, world.Format(time.RFC3339))
	for name, row := range map[string]struct{ version, line, note string }{
		"a cabrank":       {fmt.Sprintf(`{"now":%q}`, world.Format(time.RFC3339)), world.Format(time.TimeOnly) + "  COMPLETE   £5.00 fixed\n", "2h0m ahead of the wall"},
		"somebody else's": {`<html>`, "  COMPLETE   £5.00 fixed\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			url := answers(t, map[string]string{"/version": row.version, taxi.PathStatus: journey})
			out, said, code := newShell(t).Run("status", "j", "--user", "u", "--follow", "--url", url)
			require.Equal(t, cli.ExitOK, code, said)
			require.Equal(t, row.note != "", strings.HasPrefix(out, world.Format("15:")))
			require.Contains(t, out, row.line)
			require.Contains(t, said, row.note)
		})
	}
}

func TestOutputIsColouredOnlyOnRequest(t *testing.T) {
	url := answers(t, map[string]string{
		taxi.PathStatus: `{"journeyId":"j","status":"ARRIVED"}`, taxi.PathCancel: `{"journeyId":"j","status":"CANCELLED"}`,
		taxi.PathBook: `{"journeyId":"j","status":"WAITING"}`,
		taxi.PathUser: `{"userId":"u","name":"Robin 👩‍👧","activeBookings":[{"journeyId":"j","status":"HELD"}]}`,
	})
	s := newShell(t)
	for painted, args := range map[string][]string{
		"\x1b[35mARRIVED  \x1b[0m": {"status", "j", "--user", "u"}, "\x1b[31mCANCELLED\x1b[0m": {"cancel", "j", "--user", "u"},
		"\x1b[33mWAITING  \x1b[0m": {"book"}, "Robin 👩‍👧  ENABLED\n  j  \x1b[33mHELD     \x1b[0m": {"user", DemoCaller},
	} {
		args = append(args, "--url", url)
		require.Contains(t, s.OK(append(args, "--color", "always")...), painted)
		require.NotContains(t, s.OK(args...), "\x1b")
	}
}

// TestTimelineOverwritesPositionOnTerminal checks that on a terminal a new position of a car replaces the line of the
// previous position.
func TestTimelineOverwritesPositionOnTerminal(t *testing.T) {
	var out bytes.Buffer
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.Local)
	line := Timeline{W: &out, Clock: func() time.Time { return at }, InPlace: true}
	j := taxi.Journey{JourneyID: "j", Status: taxi.EnRoute, Date: taxi.At(at), ETA: &taxi.ETA{Value: 2, Unit: "minutes"}}
	for _, latitude := range []float64{1, 2, 3} {
		j.Location = &taxi.Point{Latitude: latitude}
		require.NoError(t, line.Show(j))
	}
	require.Equal(t, "10:00:00  EN_ROUTE   at 1.00000, 0.00000, 2 minutes to the pickup\n"+
		"10:00:00             at 2.00000, 0.00000, 2 minutes to the pickup\n"+
		lineAbove+"10:00:00             at 3.00000, 0.00000, 2 minutes to the pickup\n", out.String())
}

// TestPickupTimesUseTheLocalTimeZone checks that a pickup time is printed in the local time zone, whatever offset the
// response has; a time without an offset is printed unchanged.
func TestPickupTimesUseTheLocalTimeZone(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.Local)
	var out bytes.Buffer
	line := Timeline{W: &out, Clock: at.UTC}
	for status, zone := range []*time.Location{time.UTC, time.FixedZone("", 13*3600)} {
		date := taxi.At(at.In(zone))
		require.Contains(t, journeyLine(taxi.Journey{JourneyID: "j", Date: date}, false), "pickup Sat 21 Nov 10:00")
		require.NoError(t, line.Show(taxi.Journey{Status: []taxi.Status{taxi.Held, taxi.Waiting}[status], Date: date}))
	}
	require.Equal(t, "10:00:00  HELD       for Sat 21 Nov 10:00, the search for a car has not begun\n10:00:00  WAITING\n", out.String())

	without, err := taxi.ParseTime("2026-11-21T08:15:00")
	require.NoError(t, err)
	require.Equal(t, "Sat 21 Nov 08:15", dateWords(without))
}

func TestTimelineDescribesStatusPriceAndETA(t *testing.T) {
	at := taxi.At(time.Date(2026, 11, 21, 16, 57, 0, 0, time.Local))
	price := &taxi.Price{Value: 5.8, Currency: "GBP", Type: taxi.Fixed}
	for want, j := range map[string]taxi.Journey{
		"for Sat 21 Nov 16:57, the search for a car has not begun, £5.80 fixed": {Status: taxi.Held, Date: at, Price: price},
		"£5.80 fixed": {Status: taxi.Waiting, Price: price},
		"£5.80 fixed, a car in about 4 minutes to the pickup": {Status: taxi.Waiting, Price: price, ETA: &taxi.ETA{Value: 4, Unit: "minutes"}},
		"NO_SHOW, £5.80 fixed to pay":                         {Status: taxi.Cancelled, Data: &taxi.Outcome{Reason: taxi.ReasonNoShow, Charge: price}},
	} {
		require.Equal(t, want, new(Timeline).moment(j, true))
	}
}

// TestAmbiguousPlaceNameReportsChosenMatch books from "pub", the kind of two places and part of the name of a third:
// a note names the place that was chosen and the other match.
func TestAmbiguousPlaceNameReportsChosenMatch(t *testing.T) {
	url := answers(t, map[string]string{
		taxi.PathBook: `{"journeyId":"j","status":"WAITING"}`,
		"/places": `{"places":[{"name":"Rank at the Pub","kind":"taxi rank","address":"a","location":{"longitude":1,"latitude":2}},
			{"name":"The Dun Cow","kind":"pub","address":"b","location":{"longitude":1,"latitude":2}},
			{"name":"The Royal Oak","kind":"pub","address":"c","location":{"longitude":1,"latitude":2}}]}`,
	})
	s := newShell(t)
	_, said, code := s.Run("book", "--url", url, "--from", "pub", "--to", "the royal oak")
	require.Equal(t, cli.ExitOK, code, said)
	require.Equal(t, "note: --from pub is The Dun Cow, the first of 2 matches; the others are The Royal Oak\n", said)
	require.Contains(t, s.Fails(cli.ExitUsage, "book", "--url", url, "--from", "harbour"), `--from: no place "harbour" here`)
	require.Contains(t, s.Fails(cli.ExitUsage, "book", "--from", "a@1,1", "--to", "b@1,1", "--at", "-2h"), "or an ISO 8601 date-time such as 2026-11-21T10:30:00Z, not \"-2h\"")
}

// TestRefusalIsPrintedOnOneLine checks that line breaks and control characters in a server's refusal are replaced, so that no
// part of it looks like a line of this program.
func TestRefusalIsPrintedOnOneLine(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", taxi.ProblemContentType)
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"title":"no","detail":"first\ncabrank: all is well\u001b[2J"}`)
	}))
	defer server.Close()
	said := newShell(t).Fails(cli.ExitFindings, "status", "j", "--user", "u", "--url", server.URL)
	require.Equal(t, "cabrank: refused: 409 no: first cabrank: all is well\uFFFD[2J\n", said)
}
