package phoning_test

import (
	"bufio"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
)

const bookNow = `[{"expect":"where shall we"},{"press":"1"},{"expect":"for now, press 1"},{"press":"1"},{"expect":"where to"},
	{"press":"1"},{"expect":"to book it, press 1"},{"press":"1"},{"expect":"your taxi is booked"},{"wait":"20s"}]`

// dispatchSystem is the reference's own, in which nobody has booked, at this time.
func dispatchSystem(t *testing.T, o dispatch.HTTPOptions) *dispatchtest.Fake {
	t.Helper()
	return dispatchtest.New(t, dispatchtest.Options{
		World: simulator.Options{Start: cli.Now()}, HTTP: o,
		People: slices.DeleteFunc(fixtures.People(), func(p fixtures.Person) bool { return p.Bookings > 0 }),
	})
}

// TestPhoneCallBooksATaxi checks that a scripted call books a taxi with the reference's own dispatch system, which
// requires credentials.
func TestPhoneCallBooksATaxi(t *testing.T) {
	d := dispatchSystem(t, dispatch.HTTPOptions{Credentials: taxi.Credentials{Style: taxi.AuthBearer, Secret: "s3cret"}})
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

// TestThirdPartyCAIsUsedForTLS checks that a platform uses a third party over TLS only if --third-party-ca names its
// certificate.
func TestThirdPartyCAIsUsedForTLS(t *testing.T) {
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
		s.Write("script.json", `[{"expect":"`+hears+`"},{"hangup":true}]`)
		require.Contains(t, s.OK("call", "taxi", "--from", "442079460002", "--script", "script.json", "--platform", url), hears)
		stop()
	}
}

const bookInAChat = `[{"write":"a taxi from Otterbridge Station to the Town Hall now"},{"expect":"Shall I book it?"},{"press":"Yes"},
	{"expect":"your taxi is booked"},{"write":"where is my taxi"},{"press":"cancel"},{"expect":"shall i cancel"},{"press":"cancel"},
	{"expect":"your taxi is cancelled"}]`

// TestChatBooksAndCancelsATaxi books and cancels with the reference's own dispatch system.
func TestChatBooksAndCancelsATaxi(t *testing.T) {
	d := dispatchSystem(t, dispatch.HTTPOptions{})
	s := newShell(t)
	s.Write("chat.json", bookInAChat)
	url, stop := serve(s, "--third-party", d.URL(), "--speed", "100")
	out := s.OK("chat", "--from", "442079460030", "--script", "chat.json", "--platform", url)
	require.Contains(t, out, "Hello Arthur Penhaligon.")
	require.Contains(t, out, "[1] Yes")
	require.NotContains(t, out, "press 1", "a chat has buttons")
	require.Len(t, d.Journeys(), 1)
	require.Equal(t, taxi.Cancelled, d.Journeys()[0].Status)

	s.Write("one.json", `[{"write":"taxi please"},{"expect":"where"}]`)
	var messages []map[string]any
	require.NoError(t, json.Unmarshal([]byte(s.OK("chat", "--from", "442079460031", "--script", "one.json", "--json", "--platform", url)), &messages))
	require.Equal(t, "customer", messages[0]["from"])
	require.Equal(t, "taxi please", messages[0]["text"])
	s.Write("none.json", `[{"write":"hello"},{"press":"fly"}]`)
	require.Contains(t, s.Fails(cli.ExitFindings, "chat", "--from", "442079460031", "--script", "none.json", "--platform", url), `there is no button "fly"`)
	s.Write("off.json", `[{"write":"taxi please"},{"expect":"person"}]`)
	said := s.OK("chat", "--from", "442079460020", "--script", "off.json", "--platform", url)
	require.NotContains(t, said, "Where", "whoever may book by voice only")
	require.Contains(t, s.Fails(cli.ExitUsage, "chat", "--from", "nobody", "--platform", url), "/from is not a phone number")
	stop()
}

func TestChatScriptsAreChecked(t *testing.T) {
	s := newShell(t)
	for text, want := range map[string]string{
		`{}`: "want an array of steps", `[{}]`: "step 1: it must have exactly one of", `[{"write":"a","press":"b"}]`: "exactly one of",
		`[{"write":" "}]`: "step 1: it is empty", `[{"wait":"2h"}]`: "a wait is 0s to 1h0m0s", `[{"say":"x"}]`: "/0/say is not a known member",
	} {
		s.Write("s.json", text)
		require.Contains(t, s.Fails(cli.ExitUsage, "chat", "--from", "442079460001", "--script", "s.json"), want)
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "chat", "--from", ""), "--from is empty")
	require.Contains(t, s.Fails(cli.ExitUsage, "chat", "--from", "1", "--script", "nowhere.json"), "nowhere.json")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "chat", "--from", "442079460001", "--platform", "http://127.0.0.1:1"), "no answer")
}

// event is a line of --json-lines.
type event struct {
	AtMs  *int64
	Party string
	Kind  string
	Text  *string
	Asks  []string
	Frame *struct {
		Pickup   *struct{ Name, Formatted string }
		Dropoffs []struct{ Name, Formatted string }

		PickupTime string
		People     int
	}
}

// TestProgramBooksTaxiOverJSONLines checks that a program books a taxi with --json-lines: each line of input is
// spoken when the platform listens, and each "listens" event has the questions asked and the request understood so
// far.
func TestProgramBooksTaxiOverJSONLines(t *testing.T) {
	d := dispatchSystem(t, dispatch.HTTPOptions{})
	s := newParallelShell(t)
	url, stop := serve(s, "--third-party", d.URL(), "--speed", "20")
	in := strings.NewReader("from the station to the town hall\nfor three people in half an hour\nno make it four people\nyes please\n")
	var out clitest.Buffer
	code := s.Exec(t.Context(), cli.Outside{Stdin: in, Stdout: &out, Stderr: &out}, "call", "taxi", "--from", "442079460002", "--platform", url, "--json-lines")
	require.Equal(t, cli.ExitOK, code, out.String())
	var listens []event
	var said, heard []string
	for lines := bufio.NewScanner(strings.NewReader(out.String())); lines.Scan(); {
		var e event
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e), lines.Text())
		require.NotNil(t, e.AtMs)
		switch e.Kind {
		case "listens":
			require.NotNil(t, e.Frame, lines.Text())
			require.NotEmpty(t, e.Asks)
			listens = append(listens, e)
			continue
		case "say":
			said = append(said, *e.Text)
		case "speech":
			heard = append(heard, *e.Text)
		}
		require.Contains(t, []string{"say", "speech", "press", "ring", "answer", "bridge", "hangup"}, e.Kind)
		require.NotNil(t, e.Text)
	}
	require.Len(t, heard, 4, out.String())
	require.Len(t, listens, 4)
	require.Equal(t, [][]string{{"pickup"}, {"time"}, {"confirm"}, {"confirm"}}, [][]string{listens[0].Asks, listens[1].Asks, listens[2].Asks, listens[3].Asks})
	last := listens[3].Frame
	require.Equal(t, "Otterbridge Station", last.Pickup.Name)
	require.Contains(t, last.Pickup.Formatted, "Station Road")
	require.Equal(t, "Town Hall", last.Dropoffs[0].Name)
	require.Equal(t, 4, last.People)
	at, err := time.Parse(time.RFC3339, last.PickupTime)
	require.NoError(t, err)
	require.WithinDuration(t, cli.Now().Add(30*time.Minute), at, 5*time.Minute)
	require.Contains(t, strings.Join(said, " "), "We have your booking")
	require.Len(t, d.Journeys(), 1)
	stop()
}

// TestEndOfInputHangsUp checks that the end of the input hangs up with --json-lines.
func TestEndOfInputHangsUp(t *testing.T) {
	s := newShell(t)
	url, _ := serve(s, "--third-party", "http://127.0.0.1:1", "--speed", "100")
	for _, in := range []io.Reader{strings.NewReader(""), strings.NewReader("hello\n")} {
		var out clitest.Buffer
		code := s.Exec(t.Context(), cli.Outside{Stdin: in, Stdout: &out, Stderr: &out}, "call", "taxi", "--from", "442079460002", "--platform", url, "--json-lines")
		require.Equal(t, cli.ExitOK, code, out.String())
		require.Contains(t, out.String(), `"hangup"`)
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "call", "taxi", "--json-lines", "--json", "--platform", url), "--json-lines goes with none of")
}

// TestCallersUsePlacesOfTheThirdParty checks that a destination is recognised among the places that the third party
// lists.
func TestCallersUsePlacesOfTheThirdParty(t *testing.T) {
	third := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := map[string]string{
			"/places": `{"town":"X","places":[{"name":"Zanzibar Club","kind":"club","address":"Zanzibar Club, Dock Road, X","location":{"longitude":2,"latitude":54}}]}`,
			"/config": `{"status":"OK"}`, "/user": `{"userId":"u","name":"Ada"}`,
		}[r.URL.Path]
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(third.Close)
	s := newShell(t)
	url, _ := serve(s, "--third-party", third.URL, "--speed", "100")
	var out clitest.Buffer
	code := s.Exec(t.Context(), cli.Outside{Stdin: strings.NewReader("to the zanzibar\n"), Stdout: &out, Stderr: &out}, "call", "taxi", "--from", "442079460002", "--platform", url, "--json-lines")
	require.Equal(t, cli.ExitOK, code, out.String())
	require.Contains(t, out.String(), `"dropoffs":[{"formatted":"Zanzibar Club, Dock Road, X"`)
}
