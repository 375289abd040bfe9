package calling

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

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

// TestFollowingTellsTheWorldsTime follows a journey in a world that is two hours ahead.
func TestFollowingTellsTheWorldsTime(t *testing.T) {
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

func TestColoursAreForThoseWhoWantThem(t *testing.T) {
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

// TestMovesReplaceOneAnotherInATerminal shows a car at three points.
func TestMovesReplaceOneAnotherInATerminal(t *testing.T) {
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

// TestTimesAreThoseOfOneZone shows a pickup as two answers tell it, which write the same
// instant at different offsets.
func TestTimesAreThoseOfOneZone(t *testing.T) {
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

func TestMoments(t *testing.T) {
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

// TestAWordForSeveralPlacesSaysWhichWasTaken has four pubs, three of which are no pub's
// name.
func TestAWordForSeveralPlacesSaysWhichWasTaken(t *testing.T) {
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
}

func TestTimesThatAreNone(t *testing.T) {
	said := newShell(t).Fails(cli.ExitUsage, "book", "--from", "a@1,1", "--to", "b@1,1", "--at", "-2h")
	require.Contains(t, said, `--at: want now, +DURATION such as +90m, or an ISO 8601 date-time such as 2026-11-21T10:30:00Z, not "-2h"`)
}

// TestARefusalIsOneLine: a line of somebody else's server must not look like one of ours.
func TestARefusalIsOneLine(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", taxi.ProblemContentType)
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"title":"no","detail":"first\ncabrank: all is well\u001b[2J"}`)
	}))
	defer server.Close()
	said := newShell(t).Fails(cli.ExitFindings, "status", "j", "--user", "u", "--url", server.URL)
	require.Equal(t, "cabrank: refused: 409 no: first cabrank: all is well\uFFFD[2J\n", said)
}
