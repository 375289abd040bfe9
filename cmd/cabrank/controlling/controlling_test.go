package controlling

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

var monday = time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)

var newShell, _ = clitest.Shells(func(out cli.Outside) []cli.Group { return []cli.Group{{Title: "controlling", Commands: Commands(out)}} })

// serve serves a world whose clock stands still.
func serve(t *testing.T) string { return serveWith(t, "") }

// serveWith is serve with a token that callers must show.
func serveWith(t *testing.T, token string) string {
	t.Helper()
	c := host.Default()
	c.Speed, c.Cars = 0, 2
	now := func() time.Time { return monday }
	s, err := control.New(t.Context(), control.Options{Config: c, Token: token, Now: now, Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
		return host.Open(ctx, o.Config, host.Deps{Now: now})
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func TestFaultsAreAddedListedAndRemoved(t *testing.T) {
	url, s := serve(t), newShell(t)
	require.Equal(t, "no faults\n", s.OK("fault", "list", "--url", url))
	out := s.OK("fault", "add", "status", "status=503", "retryAfter=90s", "asDate=true", "--url", url, "--op", "book", "--phone", "+442079460020",
		"--user", "u-1", "--journey", "J1", "--nth", "2", "--probability", "0.5", "--skip", "1", "--times", "3",
		"--from", "2026-06-01T07:00:00Z", "--to", "2026-06-01T09:00:00Z", "--ttl", "30m", "--id", "mine")
	require.Equal(t, "mine  status  /book, journey J1, of ***020, user u-1, no. 2, 50% of them  at-work, hit 0, 3 left, ends in 30m0s\n", out)
	var listed control.Faults
	require.NoError(t, json.Unmarshal([]byte(s.OK("fault", "list", "--url", url, "--json")), &listed))
	require.Equal(t, fault.Do{Kind: "status", Status: 503, RetryAfter: host.Duration(90 * time.Second), AsDate: true}, listed.Faults[0].Do)
	require.Equal(t, fault.Match{
		Op: fault.Book, Phone: "+442079460020", User: "u-1", Journey: "J1", Nth: 2, Probability: 0.5,
	}, listed.Faults[0].Match)
	require.Equal(t, 1, listed.Faults[0].Window.Skip)

	require.Contains(t, s.OK("fault", "add", "garbage", "--url", url), "f-1  garbage  any call  at-work, hit 0, ends in 15m0s")
	require.Contains(t, s.OK("__complete", "fault", "rm", "--url", url, ""), "mine\tstatus\nf-1\tgarbage\n")
	require.Equal(t, "removed mine\nremoved f-1\n", s.OK("fault", "rm", "mine", "f-1", "--url", url))
	require.JSONEq(t, `{"removed":"all"}`, s.OK("fault", "rm", "--all", "--json", "--url", url))
	require.Equal(t, "no faults\n", s.OK("fault", "list", "--url", url))
}

func TestInvalidFaultCommandsAreRefused(t *testing.T) {
	url, s := serve(t), newShell(t)
	for says, args := range map[string][]string{
		"perhaps commit-then-drop is meant":            {"add", "drop"},
		"it is now: close reset=true":                  {"add", "refuse"},
		"/do/status is 700, want 200 to 599":           {"add", "status", "status=700"},
		"/do/status wants a number, not a string":      {"add", "status", "status=many"},
		`"status" is not a parameter; want NAME=VALUE`: {"add", "status", "status"},
		"--op is not one of":                           {"add", "close", "--op", "fly"},
		`--from is "noon", want a time`:                {"add", "close", "--from", "noon"},
		"--times is 0, want 1 or more":                 {"add", "close", "--times", "0"},
		"--probability is 0":                           {"add", "close", "--probability", "0"},
		"want the name of a fault":                     {"add"},
		"f-9: there is no such rule":                   {"rm", "f-9"},
		"want the ids of faults":                       {"rm"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append(append([]string{"fault"}, args...), "--url", url)...), says, args)
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "fault", "catalogue", "bomb"), "the nearest is")
	require.Contains(t, s.Fails(cli.ExitUsage, "fault", "catalogue", "bom"), "bad-json form=bom")
	require.Contains(t, s.OK("fault", "catalogue", "close"), "example     close part=body reset=true            STA-01   the connection is reset in the middle")
}

func TestUnreachableServerIsExplained(t *testing.T) {
	s := newShell(t)
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	require.Contains(t, s.Fails(cli.ExitUnreachable, "fault", "list", "--url", down.URL), "'cabrank serve' starts one")
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	require.Contains(t, s.Fails(cli.ExitUnreachable, "fault", "list", "--url", other.URL), "is not a server of 'cabrank serve'")
	require.Contains(t, s.Fails(cli.ExitUsage, "fault", "list", "--url", "http://[::1"), "--url")
}

func TestFaultCatalogueNeedsNoServer(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.OK("fault", "catalogue"), "outcome    commit-then-drop                      BOK-01   the request is processed once")
	one := s.OK("fault", "catalogue", "driver-cancels")
	require.Contains(t, one, "happens to  book")
	require.Contains(t, one, "at          string: the status at which it happens; WAITING: the driver rejects the job (one of ACCEPTED, EN_ROUTE, ARRIVED, WAITING; usually ACCEPTED)")
	require.Contains(t, s.OK("fault", "catalogue", "hang"), "1ms to 10m0s; usually 1m0s")
	var all []fault.Fault
	require.NoError(t, json.Unmarshal([]byte(s.OK("fault", "catalogue", "--json")), &all))
	require.Len(t, all, len(fault.Catalogue()))
	require.Contains(t, s.OK("__complete", "fault", "add", ""), "dribble\t")
	require.Contains(t, s.OK("__complete", "fault", "add", "status", ""), "retryAfter=\t")
	require.Contains(t, s.OK("__complete", "fault", "add", "--op", ""), "cancel\n")
}

func TestMagicNumbersAreListed(t *testing.T) {
	s := newShell(t)
	out := s.OK("magic")
	require.Contains(t, out, "442079460200      no car is found: CANCELLED with NO_DRIVER after 20 minutes [book: no-cars]")
	require.Contains(t, out, "442079460400–599  /book returns that HTTP status")
	require.Contains(t, out, "447700900NNN has the same meaning from 200 on")
	var table control.Magic
	require.NoError(t, json.Unmarshal([]byte(s.OK("magic", "--json")), &table))
	require.Len(t, table.Numbers, len(fault.MagicNumbers()))

	url := serve(t)
	c, err := client.New(url, client.Options{})
	require.NoError(t, err)
	_, err = client.Do(t.Context(), c, control.DefineMagic, fault.Do{}, "987")
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeValidationFailed})
	_, err = client.Do(t.Context(), c, control.DefineMagic, fault.Do{Kind: "bad-json", Form: "bom"}, "987")
	require.NoError(t, err)
	require.Contains(t, s.OK("magic", "--url", url), "442079460987      a byte-order mark before the JSON")
}
