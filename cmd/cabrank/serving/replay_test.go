package serving

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// load books, edits, cancels and reads from many callers at once, with and
// without Idempotency-Keys.
func load(t *testing.T, url string, callers, calls int) {
	t.Helper()
	c, err := taxi.NewClient(url, taxi.ClientOptions{})
	require.NoError(t, err)
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for n := range calls {
				if err := oneRide(t, c, caller, n); err != nil {
					t.Errorf("caller %d, ride %d: %v", caller, n, err)
				}
			}
		})
	}
	all.Wait()
}

func oneRide(t *testing.T, c *taxi.Client, caller, n int) error {
	ctx := t.Context()
	pickup, err := calling.ParsePlace("station")
	if err != nil {
		return err
	}
	dropoff, err := calling.ParsePlace("hospital")
	if err != nil {
		return err
	}
	r := taxi.BookRequest{Name: "Load", PhoneNumber: taxi.E164(fmt.Sprintf("+4420794600%02d", 20+caller)), Pickup: &pickup, Dropoffs: []taxi.Address{dropoff}}
	r.PickupTime = taxi.At(time.Now().Add(time.Duration(n%3) * time.Hour))
	r.Data = json.RawMessage(fmt.Sprintf(`{ "ride": %d }`, n))
	if n%2 == 0 {
		ctx = taxi.WithIdempotencyKey(ctx, fmt.Sprintf("%d-%d", caller, n))
	}
	j, err := c.Book(ctx, r)
	if err != nil {
		return err
	}
	if again, err := c.Book(ctx, r); err != nil || n%2 == 0 && again.JourneyID != j.JourneyID {
		return fmt.Errorf("a repeat booked %s: %w", again.JourneyID, err)
	}
	u, err := c.User(ctx, taxi.UserRequest{PhoneNumber: r.PhoneNumber.Digits()})
	if err != nil {
		return err
	}
	r.JourneyID, r.Name = &j.JourneyID, "Somebody else"
	_, edited := c.Book(t.Context(), r)
	_, cancelled := c.Cancel(ctx, taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID})
	for _, err := range []error{edited, cancelled} {
		if p := (*taxi.Problem)(nil); err != nil && !errors.As(err, &p) {
			return err
		}
	}
	return nil
}

// TestALiveRunIsReplayed records a server with a running clock and many callers, and replays the
// recording.
func TestALiveRunIsReplayed(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--speed", "3000", "--record", "day.jsonl", "--behaviour", "stormy", "--seed", "9", "--cars", "15",
		"--unknown-user", "create", "--demand", "quiet", "--assign", "batch", "--config-data", `{"skipDropOff":true}`, "--duplicate-window", "30s")
	load(t, url, 8, 6)
	clitest.Post(t, url+taxi.PathUser, `{"phoneNumber":"442079460999"}`)
	stop()

	require.Regexp(t, `^identical: \d+ commands, \d+ transitions, sha256 [0-9a-f]{64}\n$`, s.OK("replay", "day.jsonl", "--out", "again.jsonl"))
	was := clitest.Read(t, "day.jsonl")
	require.Equal(t, was, clitest.Read(t, "again.jsonl"))
	for _, op := range []string{"people", "book", "cancel", "admit"} {
		require.Contains(t, was, `"op":"`+op+`"`)
	}
	require.Greater(t, strings.Count(was, `"op":"book"`), 8*6*3)
}

func TestALongMemoryIsReplayedToo(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--speed", "1000", "--record", "day.jsonl", "--duplicate-window", "1h")
	load(t, url, 2, 2)
	stop()
	require.Contains(t, s.OK("replay", "day.jsonl"), "identical: ")
}

func TestADifferentRunIsShown(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--speed", "1000", "--record", "day.jsonl")
	load(t, url, 1, 1)
	stop()
	was := clitest.Read(t, "day.jsonl")
	changed := strings.Replace(was, `"event":"book"`, `"event":"boot"`, 1)
	s.Write("changed.jsonl", changed)
	said := s.Ends(cli.ExitFindings, "replay", "changed.jsonl")
	require.Regexp(t, `(?s)^different from line \d+ on\n  was  .*"event":"boot".*\n  is   .*"event":"book"`, said)

	other := strings.Replace(was, `"behaviour":"calm"`, `"behaviour":"stormy"`, 1)
	s.Write("other.jsonl", other)
	said, errs, code := s.Run("replay", "other.jsonl")
	require.Equal(t, cli.ExitFindings, code)
	require.Contains(t, said, "different from line 1 on")
	require.Contains(t, errs, "not made like the one")
}

func TestRecordingsThatCannotBeReplayed(t *testing.T) {
	s := newShell(t)
	for range 2 { // the second goes on from the first
		_, stop := s.Serve("--db", "cabs.db", "--record", "day.jsonl")
		stop()
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "replay", "day.jsonl"), "went on from a database")
	require.Contains(t, s.Fails(cli.ExitUsage, "replay", "none.jsonl"), "no such file")
	for text, want := range map[string]string{
		"":      "it is empty",
		"hello": "line 1 is cut off",
		`{"version":5,"options":"x","recipe":{"host":{"wings":2}}}` + "\n":             `unknown field "wings"`,
		`{"version":5,"options":"x"}` + "\n":                                           "does not say what its world was made from",
		`{"version":3,"options":"x"}` + "\n":                                           "record the run again",
		`{"version":5,"options":"x"}` + "\n" + `{"at":1577000000000,"write":1}` + "\n": "line 2: it is more than 50 years after the beginning",
		`{"version":9,"options":"x"}` + "\n":                                           "a newer cabrank wrote version 9",
	} {
		s.Write("bad.jsonl", text)
		require.Contains(t, s.Fails(cli.ExitUsage, "replay", "bad.jsonl"), want)
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "replay"), "RECORDING")
	require.Contains(t, s.Fails(cli.ExitUsage, "replay", "run.json#CAN-01"), "'cabrank repeat run.json#CAN-01'")
	s.Fails(cli.ExitUnreachable, "check", "http://127.0.0.1:9", "--out", "run.json")
	require.Contains(t, s.Fails(cli.ExitUsage, "replay", "run.json"), "'cabrank repeat run.json#ID'")
}
