package dispatchtest_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// unlucky is a test that may fail without the one around it.
type unlucky struct {
	testing.TB
	errors, logs []string
	cleanups     []func()
}

func (u *unlucky) Errorf(form string, args ...any) {
	u.errors = append(u.errors, fmt.Sprintf(form, args...))
}
func (u *unlucky) Fatalf(form string, args ...any) { u.Errorf(form, args...); panic(u) }
func (u *unlucky) Logf(form string, args ...any)   { u.logs = append(u.logs, fmt.Sprintf(form, args...)) }
func (u *unlucky) Failed() bool                    { return len(u.errors) > 0 }
func (u *unlucky) Cleanup(f func())                { u.cleanups = append(u.cleanups, f) }
func (u *unlucky) end() {
	for _, f := range slices.Backward(u.cleanups) {
		f()
	}
	u.cleanups = nil
}

func TestJournalRecordsRequests(t *testing.T) {
	t.Parallel()
	d := dispatchtest.New(t, dispatchtest.Options{})
	client := d.Client(taxi.ClientOptions{})
	waited := make(chan []dispatchtest.Request)
	go func() { waited <- d.Journal().Wait(t.Context(), 1, dispatchtest.Match{Op: "book", Status: 200}) }()
	_, err := client.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	booked, err := client.Book(t.Context(), aTaxi(d.Clock().Now()))
	require.NoError(t, err)
	found := <-waited
	require.Len(t, found, 1)
	require.Equal(t, booked.JourneyID, found[0].JourneyID)
	require.Contains(t, string(found[0].Body), `"pickup"`)
	require.Contains(t, string(found[0].Answer), string(booked.JourneyID))
	d.Journal().Verify(
		dispatchtest.Expect{Match: dispatchtest.Match{Op: "config"}, Times: 1},
		dispatchtest.Expect{Match: dispatchtest.Match{Op: "cancel"}, Never: true},
		dispatchtest.Expect{Match: dispatchtest.Match{Op: "book", JourneyID: booked.JourneyID, Body: map[string]any{"name": aTaxi(d.Clock().Now()).Name, "journeyId": nil}}},
		dispatchtest.Expect{Match: dispatchtest.Match{Fits: func(r dispatchtest.Request) bool { return r.Header.Get("Content-Type") != "" }}, Times: 2},
	)
	d.Journal().Clear()
	require.Empty(t, d.Journal().Requests(dispatchtest.Match{}))
}

// TestUnmetExpectationShowsNearestRequests checks that an unmet expectation says what is missing, which requests are nearest,
// and which came last.
func TestUnmetExpectationShowsNearestRequests(t *testing.T) {
	t.Parallel()
	u := &unlucky{TB: t}
	d := dispatchtest.New(u, dispatchtest.Options{})
	client := d.Client(taxi.ClientOptions{})
	_, err := client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460020"})
	require.NoError(t, err)
	_, err = client.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	d.Journal().Verify(
		dispatchtest.Expect{Match: dispatchtest.Match{Op: "user", Phone: "+44 20 7946 0021"}},
		dispatchtest.Expect{Match: dispatchtest.Match{Op: "config"}, Never: true},
		dispatchtest.Expect{Match: dispatchtest.Match{Op: "user", Body: map[string]any{"phoneNumber": "1"}}, Times: 2},
	)
	require.Len(t, u.errors, 3)
	require.Regexp(t, `^dispatchtest: none of /user with phone .*\nnearest to it:\n  1  .* POST /user …020 → 200: its phone is "442079460020", want "442079460021"\n  2  .* POST /config`, u.errors[0])
	require.Equal(t, "dispatchtest: 1 of /config, want none", u.errors[1])
	require.Contains(t, u.errors[2], `its phoneNumber is "442079460020", want "1"`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Panics(t, func() { d.Journal().Wait(ctx, 2, dispatchtest.Match{Op: "config", Status: 503}) })
	require.Contains(t, u.errors[3], "its status is 200, want 503")
	u.end()
	require.Contains(t, strings.Join(u.logs, "\n"), "what was called last, of 2 calls:\n  1  ")
	require.NotContains(t, strings.Join(u.logs, "\n"), "442079460020")
}

// TestJournalSizeIsLimited checks that the journal keeps at most 1000 requests, and at most 64 KiB of a body.
func TestJournalSizeIsLimited(t *testing.T) {
	t.Parallel()
	d := dispatchtest.New(t, dispatchtest.Options{People: []fixtures.Person{}})
	require.Empty(t, d.Journeys())
	body := `{"data":"` + strings.Repeat("x", 200<<10) + `"}`
	post := func(path, body string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.URL()+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		resp, err := d.HTTPClient().Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	post("/config", body)
	require.LessOrEqual(t, len(d.Journal().Requests(dispatchtest.Match{})[0].Body), 64<<10)
	for range 1010 {
		post("/nothing", "")
	}
	all := d.Journal().Requests(dispatchtest.Match{})
	require.Len(t, all, 1000)
	require.Equal(t, 1011, all[999].N)
	require.Empty(t, all[999].Op)
}
