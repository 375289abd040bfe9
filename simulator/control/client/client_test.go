package client_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/control/metrics"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var monday = time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)

// journal is one of package live, as the server of control wants it.
type journal struct{ *query.Journal }

func (journal) Stats() metrics.Journal { return metrics.Journal{} }
func (journal) StoreIn(*store.Store)   {}

func listening(_ string, now func() time.Time, next http.Handler) control.Journal {
	return journal{query.New(next, query.Options{Options: live.Options{
		Now: time.Now, World: now, // waiting has a deadline of the connection, by the wall
		Request: &callingside.Suite, Answer: &dispatchside.Suite,
	}})}
}

// serve serves a calm world, whose clock the test moves, and a token.
func serve(ctx context.Context, cleanup func(func())) (url, token string) {
	wall := func() time.Time { return monday }
	config := host.Default()
	config.Speed, config.Cars = 0, 5
	s, err := control.New(ctx, control.Options{
		Config: config, Now: wall, Journal: listening, Token: "s3cret",
		Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			return host.Open(ctx, o.Config, host.Deps{Now: wall})
		},
	})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(s)
	cleanup(func() {
		server.Close()
		_ = s.Close() // memory has nothing to lose
	})
	return server.URL, "s3cret"
}

func book(t *testing.T, url string, at time.Time) (taxi.Journey, error) {
	t.Helper()
	desk, err := taxi.NewClient(url, taxi.ClientOptions{})
	require.NoError(t, err)
	places := fixtures.Places()
	return desk.Book(t.Context(), taxi.BookRequest{
		Name: "Ann Other", PhoneNumber: "+442079460000",
		Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address}, PickupTime: taxi.At(at),
	})
}

// problemOf is the refusal that an error must be, with its status.
func problemOf(t *testing.T, err error, status int) *client.Problem {
	t.Helper()
	var p *client.Problem
	require.ErrorAs(t, err, &p)
	require.Equal(t, status, p.Status, p.Detail)
	return p
}

func refused(t *testing.T, err error, status int) {
	t.Helper()
	require.NotNil(t, problemOf(t, err, status))
}

// TestEveryCall goes through all calls, in a sandbox.
func TestEveryCall(t *testing.T) {
	ctx := t.Context()
	url, token := serve(ctx, t.Cleanup)
	main, err := client.New(url+"/", client.Options{Token: token})
	require.NoError(t, err)
	box, err := main.NewSandbox(ctx, control.SandboxOrder{Name: "ann", Cars: 4, TTL: host.Duration(time.Hour)})
	require.NoError(t, err)
	require.Equal(t, 4, box.Cars)
	c := main.Sandbox("ann")
	require.Equal(t, box.ThirdPartyURL, c.URL())
	require.Equal(t, main, c.Main())
	streets, err := c.Town(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, streets.Features)
	all, err := c.Sandboxes(ctx)
	require.NoError(t, err)
	require.Len(t, all, 1)
	other, err := main.NewSandbox(ctx, control.SandboxOrder{Name: "told", Scenario: "no-cars"})
	require.NoError(t, err)
	run, err := main.Sandbox("told").Run(ctx, other.Run.ID)
	require.NoError(t, err)
	require.Equal(t, "no-cars", run.Scenario)
	require.NoError(t, main.DeleteSandbox(ctx, "told"))

	clockAndJourneys(t, c)
	faultsAndRequests(t, c)
	snapshots(t, c)

	require.NoError(t, c.DeleteSandbox(ctx, "ann"))
	_, err = c.Clock(ctx)
	refused(t, err, http.StatusNotFound)
	all, err = main.Sandboxes(ctx)
	require.NoError(t, err)
	require.Empty(t, all)
}

func clockAndJourneys(t *testing.T, c *client.Client) {
	t.Helper()
	ctx := t.Context()
	clock, err := c.SetClock(ctx, control.ClockOrder{Callers: "world"})
	require.NoError(t, err)
	require.Equal(t, simulator.CallersByWorld, clock.Callers)
	clock, err = c.Clock(ctx)
	require.NoError(t, err)
	require.Equal(t, control.Manual, clock.Mode)
	booked, err := book(t, c.URL(), clock.Now)
	require.NoError(t, err)

	held, err := c.Hold(ctx, booked.JourneyID)
	require.NoError(t, err)
	require.True(t, held.Held)
	released, err := c.Release(ctx, "latest")
	require.NoError(t, err)
	require.False(t, released.Held)
	until := &control.Until{Journey: booked.JourneyID, Status: taxi.Accepted}
	advanced, err := c.Advance(ctx, control.Advance{Until: until, Within: host.Duration(time.Hour)})
	require.NoError(t, err)
	require.True(t, advanced.Now.After(clock.Now))
	require.NotEmpty(t, advanced.Events)
	one, err := c.Journey(ctx, booked.JourneyID)
	require.NoError(t, err)
	broken, err := c.BreakDown(ctx, one.VehicleID, control.BreakdownBody{For: simulator.Span(time.Hour)})
	require.NoError(t, err)
	require.Equal(t, simulator.CarOffDuty, broken.State)
	one, err = c.Journey(ctx, booked.JourneyID)
	require.NoError(t, err)
	require.Equal(t, taxi.Waiting, one.Status)
	repaired, err := c.SetVehicle(ctx, broken.ID, control.VehicleBody{OnDuty: new(true)})
	require.NoError(t, err)
	require.True(t, repaired.OnDuty)
	seen, err := c.Vehicle(ctx, broken.ID)
	require.NoError(t, err)
	require.Equal(t, repaired, seen)
	moved, err := c.Transition(ctx, booked.JourneyID, control.TransitionBody{To: taxi.Complete, Force: true})
	require.NoError(t, err)
	require.Equal(t, taxi.Complete, moved.Status)
	one, err = c.Journey(ctx, booked.JourneyID)
	require.NoError(t, err)
	require.Equal(t, taxi.Complete, one.Status)
	list, err := c.Journeys(ctx, client.JourneyQuery{IDs: []taxi.JourneyID{"J0", booked.JourneyID}})
	require.NoError(t, err)
	require.Equal(t, []simulator.JourneyView{one}, list.Journeys)
	way, err := c.JourneyRoute(ctx, booked.JourneyID)
	require.NoError(t, err)
	require.Equal(t, true, way.Features[0].Properties["done"])
	list, err = c.Journeys(ctx, client.JourneyQuery{
		Statuses: []taxi.Status{taxi.Complete, taxi.Cancelled}, Phone: "+44 20 7946 0000", Since: clock.Now, Limit: 3,
	})
	require.NoError(t, err)
	require.Len(t, list.Journeys, 1)
	require.Equal(t, booked.JourneyID, list.Journeys[0].JourneyID)
	page, err := c.Journeys(ctx, client.JourneyQuery{Limit: 1})
	require.NoError(t, err)
	page, err = c.Journeys(ctx, client.JourneyQuery{Limit: 1, After: page.Next})
	require.NoError(t, err)
	require.NotEqual(t, booked.JourneyID, page.Journeys[0].JourneyID)

	_, err = c.Journey(ctx, "J0")
	refused(t, err, http.StatusNotFound)
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeJourneyNotFound})
	_, err = c.SetClock(ctx, control.ClockOrder{Mode: "odd"})
	require.Equal(t, "/mode", problemOf(t, err, http.StatusUnprocessableEntity).Errors[0].Pointer)
}

func faultsAndRequests(t *testing.T, c *client.Client) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, c.ClearRequests(ctx))
	rule, err := c.AddFault(ctx, fault.Rule{Match: fault.Match{Op: fault.Book}, Do: fault.Do{Kind: "status", Status: 503}})
	require.NoError(t, err)
	_, err = book(t, c.URL(), monday.Add(time.Hour))
	require.Error(t, err)
	rules, err := c.Faults(ctx)
	require.NoError(t, err)
	require.Positive(t, rules[0].Hits)
	require.ErrorContains(t, c.RemoveFault(ctx, ""), "empty", "it would remove all")
	require.NoError(t, c.RemoveFault(ctx, rule.ID))
	refused(t, c.RemoveFault(ctx, rule.ID), http.StatusNotFound)
	require.NoError(t, c.ClearFaults(ctx))

	told := eventsOf(t, c, control.EventFault, 3)
	what := map[fault.Happened]string{}
	for _, e := range told { // a hit is told once it is over, perhaps after the removal
		what[e.Fault.What] = e.Fault.ID
	}
	require.Equal(t, map[fault.Happened]string{fault.Added: rule.ID, fault.Hit: rule.ID, fault.Removed: rule.ID}, what)
	require.NotNil(t, eventsOf(t, c, control.EventJourney, 1)[0].Journey)
	require.NotNil(t, eventsOf(t, c, control.EventClock, 1)[0].Clock)

	found, err := c.WaitForRequests(ctx, query.Waiting{Match: jsontext.Value(`{"op":"book"}`), Brief: true})
	require.NoError(t, err)
	require.Nil(t, found.Requests[0].Sent)
	limit := 1
	found, err = c.Requests(ctx, query.Question{Match: jsontext.Value(`{"op":"book","status":503}`), Limit: &limit})
	require.NoError(t, err)
	require.Len(t, found.Requests, 1)
	require.Equal(t, rule.ID, found.Requests[0].Fault)
	require.Equal(t, "442079460000", found.Requests[0].Phone)
	require.Contains(t, string(found.Requests[0].Sent.Body), "Ann Other")
	_, err = c.WaitForRequests(ctx, query.Waiting{Match: jsontext.Value(`{"op":"cancel"}`), Timeout: "0s"})
	p := problemOf(t, err, http.StatusRequestTimeout)
	require.Zero(t, *p.Count)
	require.Equal(t, "book", p.Nearest[0].Request.Op)

	op, none := "book", "cancel"
	_, err = c.Verify(ctx, query.Verification{Expect: []query.Expectation{{Op: &op}, {Op: &none, Times: jsontext.Value("0")}}})
	require.NoError(t, err)
	_, err = c.Verify(ctx, query.Verification{Expect: []query.Expectation{{Op: &none}}})
	p = problemOf(t, err, http.StatusConflict)
	require.Zero(t, p.Failed[0].Got)
}

// eventsOf are the first events of a type since the sandbox was made.
func eventsOf(t *testing.T, c *client.Client, name string, n int) (told []client.Event) {
	t.Helper()
	for e, err := range c.Events(t.Context(), client.EventQuery{Types: []string{name}, Since: new(uint64)}) {
		require.NoError(t, err)
		require.Equal(t, name, e.Name)
		require.NotZero(t, e.ID)
		if told = append(told, e); len(told) == n {
			break
		}
	}
	return told
}

func snapshots(t *testing.T, c *client.Client) {
	t.Helper()
	ctx := t.Context()
	taken, err := c.TakeSnapshot(ctx, "noon")
	require.NoError(t, err)
	clock, err := c.Clock(ctx)
	require.NoError(t, err)
	one, err := c.Snapshot(ctx, "noon")
	require.NoError(t, err)
	require.Equal(t, taken, one)
	var file bytes.Buffer
	require.NoError(t, c.DownloadSnapshot(ctx, "noon", &file))
	require.True(t, bytes.HasPrefix(file.Bytes(), []byte("SQLite format 3")))
	_, err = c.Advance(ctx, control.Advance{By: host.Duration(15 * time.Minute)})
	require.NoError(t, err)
	restored, err := c.RestoreSnapshot(ctx, "noon")
	require.NoError(t, err)
	require.Equal(t, clock.Now, restored.Clock.Now)
	require.NoError(t, c.DeleteSnapshot(ctx, "noon"))
	all, err := c.Snapshots(ctx)
	require.NoError(t, err)
	require.Empty(t, all)

	seed := uint64(7)
	world, err := c.Reset(ctx, control.ResetOrder{To: "empty", Seed: &seed, Keep: []control.Kept{control.KeepJournal}})
	require.NoError(t, err)
	require.Equal(t, seed, world.Config.Seed)
}

func TestWhoeverElseAnswers(t *testing.T) {
	url, token := serve(t.Context(), t.Cleanup)
	c, err := client.New(url, client.Options{})
	require.NoError(t, err)
	_, err = c.Clock(t.Context())
	refused(t, err, http.StatusUnauthorized)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, err = client.New(url, client.Options{Token: token})
	require.NoError(t, err)
	for e, err := range c.Events(ctx, client.EventQuery{Vehicles: true, Every: 200 * time.Millisecond, Types: []string{control.EventFault}}) {
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
			break
		}
		require.NotEmpty(t, e.Positions.Vehicles)
		cancel()
	}
	require.Error(t, ctx.Err())
	for _, err := range c.Events(t.Context(), client.EventQuery{Types: []string{"odd"}}) {
		refused(t, err, http.StatusUnprocessableEntity)
	}

	for body, want := range map[string]error{
		"<html>": client.ErrStranger,
		"":       client.ErrStranger,
		"event: end\ndata: {\"reason\":\"stop\"}\n\n": client.ErrEnded,
	} {
		page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }))
		c, err := client.New(page.URL, client.Options{HTTP: page.Client()})
		require.NoError(t, err)
		if errors.Is(want, client.ErrStranger) {
			_, err = c.Clock(t.Context())
		} else {
			for _, err = range c.Events(t.Context(), client.EventQuery{}) {
			}
		}
		require.ErrorIs(t, err, want, body)
		page.Close()
	}
	for _, base := range []string{"127.0.0.1:8080", "/s/ann", "ftp://127.0.0.1", "http://127.0.0.1/?a=b", "http://%"} {
		_, err := client.New(base, client.Options{})
		require.Error(t, err, base)
	}
}
