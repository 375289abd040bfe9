package phoning_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
)

const bookInAChat = `[{"write":"a taxi from Otterbridge Station to the Town Hall now"},{"expect":"Shall I book it?"},{"press":"Yes"},
	{"expect":"your taxi is booked"},{"write":"where is my taxi"},{"press":"cancel"},{"expect":"shall i cancel"},{"press":"cancel"},
	{"expect":"your taxi is cancelled"}]`

// TestATaxiInAChat books and cancels with the reference's own dispatch system.
func TestATaxiInAChat(t *testing.T) {
	d := dispatchtest.New(t, dispatchtest.Options{
		World:  simulator.Options{Start: cli.Now()},
		People: slices.DeleteFunc(fixtures.People(), func(p fixtures.Person) bool { return p.Bookings > 0 }),
	})
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
