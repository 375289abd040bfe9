package controlling

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

func TestEventsAreFollowed(t *testing.T) {
	url, s := serve(t), newShell(t)
	id := string(book(t, url))
	s.OK("fault", "add", "close", "--op", "book", "--id", "shut", "--url", url)
	s.OK("clock", "advance", "--by", "1s", "--url", url)
	at := func(args ...string) []string {
		return append(append([]string{"events", "--url", url}, args...), "--since", "0")
	}
	require.Equal(t, `     1  08:00:00  world   the world was reset; the clock: stands still
     2  08:00:00  `+id+`  WAITING    book
     3  08:00:00  fault   shut (close) added, /book
     4  08:00:01  clock   stands still
`, s.OK(at("--count", "4")...))
	type line struct {
		ID    uint64
		Event string
		Data  struct{ What, JourneyID string }
	}
	require.Equal(t, line{ID: 3, Event: "fault", Data: struct{ What, JourneyID string }{What: "added"}},
		as[line](t, s.OK(at("--types", "fault", "--count", "1", "--json")...)))
	require.Equal(t, id, as[line](t, s.OK("events", "--url", url, "--since", "1", "--types", "journey,clock", "--count", "1", "--json")).Data.JourneyID)
	require.Regexp(t, `^     -  08:00:01  2 cars without a journey\n$`, s.OK("events", "--url", url, "--vehicles", "--types", "fault", "--count", "1"))
	require.Regexp(t, `^     -  earlier events are no longer stored\n     -  08:00:01  2 cars`, s.OK("events", "--url", url, "--since", "99", "--vehicles", "--types", "fault", "--count", "1"))
	s.OK("clock", "advance", "--until", "ACCEPTED", "--url", url)
	require.Regexp(t, `car-\d at \d+\.\d{5},\d\.\d{5} for `+id+`  1 cars without`, s.OK("events", "--url", url, "--vehicles", "--types", "fault", "--count", "1"))

	s.OK("sandbox", "add", "ann", "--cars", "1", "--town", "none", "--url", url)
	require.Contains(t, s.OK(at("--sandbox", "ann", "--count", "1")...), "was reset")
	require.Contains(t, s.OK("__complete", "events", "--types", "j"), "journey\n")
	for says, args := range map[string][]string{
		`--types has "cars"`: {"--types", "journey,cars"},
		"--count is -1":      {"--count", "-1"},
		"no sandbox":         {"--sandbox", "bob"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, at(args...)...), says)
	}
	require.Contains(t, s.Fails(cli.ExitUnreachable, "events", "--url", "http://127.0.0.1:1"), "'cabrank serve' starts one")
}
