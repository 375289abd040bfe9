package platform_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// magicSpeed is how fast people talk here. An answer of the dispatch system may take as long
// as a busy machine needs without being late for them.
const magicSpeed = 100

// magicEnds are a dispatch system to which callers' numbers mean something, and a
// platform whose callers book with it.
type magicEnds struct {
	t        *testing.T
	host     *host.Host
	platform http.Handler
}

func newMagicEnds(t *testing.T) *magicEnds {
	t.Helper()
	c := host.Default()
	c.Speed, c.Cars = 0, 10
	h, err := host.Open(t.Context(), c, host.Deps{Now: func() time.Time { return morning }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	set := fault.New(fault.Options{
		Now:   h.World().Clock().Now,
		Pause: func(ctx context.Context, _ time.Duration) bool { return ctx.Err() == nil },
		PhoneOf: func(ctx context.Context, id taxi.UserID) taxi.E164 {
			user, err := h.Records().User(ctx, id)
			if err != nil {
				return ""
			}
			return user.PhoneNumber
		},
	})
	third := httptest.NewServer(fault.Handler(set, h))
	t.Cleanup(third.Close)

	began := time.Now()
	line := voice.NewWall(func() time.Time { return morning.Add(time.Since(began)) }, magicSpeed)
	kept, err := records.Open(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, kept.Close()) })
	p, err := platform.New(t.Context(), platform.Options{
		Records: kept, Now: line.Now, Line: line, Work: line, PrivateHooks: true, Random: rand.NewChaCha8([32]byte{5}),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close(context.Background())) })
	require.NoError(t, p.Seed(t.Context()))
	require.NoError(t, p.UseThirdParty(t.Context(), platform.ThirdParty{URL: third.URL}))
	return &magicEnds{t, h, p.Handler()}
}

// drive has somebody book a taxi, and returns how that ended and what they were told.
func (e *magicEnds) drive(t *testing.T, from, channel string) (outcome, said string) {
	t.Helper()
	places := fixtures.Places()
	asked, err := json.Marshal(map[string]any{
		"scene": "magic", "from": from, "withheld": false, "channel": channel, "want": "book", "name": "Ann Other",
		"pickup": places[0].Address, "dropoffs": []taxi.Address{places[1].Address},
	})
	require.NoError(t, err)
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/sim/v1/drive", strings.NewReader(string(asked)))
	req.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	e.platform.ServeHTTP(answer, req)
	require.Equal(t, http.StatusOK, answer.Code, "%s", answer.Body)
	var told struct {
		Outcome string
		Said    []string
	}
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &told))
	return told.Outcome, strings.Join(told.Said, " ")
}

// booked are a caller's journeys that have not ended.
func (e *magicEnds) booked(phone string) int {
	user, err := e.host.Records().UserByPhone(e.t.Context(), taxi.E164(phone))
	if err != nil {
		return 0
	}
	return len(e.host.Records().Live(e.t.Context(), user.UserID))
}

// TestMagicNumbersByTelephone has people ring up, or write, whose numbers mean something.
func TestMagicNumbersByTelephone(t *testing.T) {
	e := newMagicEnds(t)
	t.Run("calls", func(t *testing.T) { allMagicCalls(t, e) })
	require.NoError(t, e.host.World().Clock().Advance(t.Context(), time.Hour))
	require.Zero(t, e.booked(fault.MagicBase+"200"), "no car came")
}

// allMagicCalls has all of them call at once: they mostly wait.
func allMagicCalls(t *testing.T, e *magicEnds) {
	for _, test := range []struct {
		digits         int
		channel        string
		outcome, hears string
		booked         int
	}{
		{20, "voice", "completed", "Your taxi is booked.", 1},
		{101, "voice", "person", "Automatic booking is switched off for your account.", 0},
		{200, "voice", "completed", "Your taxi is booked.", 1},
		{225, "voice", "completed", "in about twenty-five minutes.", 1},
		{503, "voice", "person", "I am not sure that your booking was taken.", 0},
		{504, "messaging", "person", "I am not sure that your booking was taken.", 0},
		{605, "voice", "completed", "Your taxi is booked.", 1},
		{711, "voice", "completed", "Your taxi is booked.", 1}, // the answer was garbage, and /user lists the journey
		{800, "voice", "completed", "Your taxi is booked.", 1}, // the answer was lost, and there is one journey
	} {
		t.Run(fmt.Sprintf("%03d by %s", test.digits, test.channel), func(t *testing.T) {
			t.Parallel()
			from := fmt.Sprintf("%s%03d", fault.MagicBase, test.digits)
			outcome, said := e.drive(t, from, test.channel)
			require.Equal(t, test.outcome, outcome, said)
			require.Contains(t, said, test.hears)
			require.Equal(t, test.booked, e.booked(from))
		})
	}
}
