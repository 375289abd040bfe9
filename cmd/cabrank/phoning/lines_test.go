package phoning_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
)

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

// TestAProgramTalks books a taxi line by line: what is said is said when the platform
// listens, and each moment at which it does tells what it asks and what it has understood.
func TestAProgramTalks(t *testing.T) {
	d := dispatchtest.New(t, dispatchtest.Options{
		World:  simulator.Options{Start: cli.Now()},
		People: slices.DeleteFunc(fixtures.People(), func(p fixtures.Person) bool { return p.Bookings > 0 }),
	})
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

// TestAProgramGoes has the end of the input hang up.
func TestAProgramGoes(t *testing.T) {
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

// TestCallersGoWhereTheThirdPartyServes takes the places that the third party lists.
func TestCallersGoWhereTheThirdPartyServes(t *testing.T) {
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
