package client_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"testing/synctest"
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

// journal is a journal of package live, as the server of control requires it.
type journal struct{ *query.Journal }

func (journal) Stats() metrics.Journal { return metrics.Journal{} }
func (journal) StoreIn(*store.Store)   {}

func listening(_ string, now func() time.Time, next http.Handler) control.Journal {
	return journal{query.New(next, query.Options{Options: live.Options{
		Now: time.Now, World: now, // waiting has a deadline of the connection, by the wall
		Request: &callingside.Suite, Answer: &dispatchside.Suite,
	}})}
}

// serve serves a calm world whose clock the test moves. It returns its address and its token.
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

// problemOf requires that an error is a refusal with a status, and returns it.
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

// TestClientMakesEveryKindOfCall checks calls with and without a body, a query, ids and a response, in a sandbox.
func TestClientMakesEveryKindOfCall(t *testing.T) {
	ctx := t.Context()
	url, token := serve(ctx, t.Cleanup)
	main, err := client.New(url+"/", client.Options{Token: token})
	require.NoError(t, err)
	box, err := client.Do(ctx, main, control.MakeSandbox, control.SandboxOrder{Name: "ann", Cars: 4})
	require.NoError(t, err)
	require.Equal(t, 4, box.Cars)
	c := main.Sandbox("ann")
	require.Equal(t, box.ThirdPartyURL, c.URL())
	require.Equal(t, main, c.Main())

	clock, err := client.Do(ctx, c, control.ReadClock, nil)
	require.NoError(t, err)
	require.Equal(t, control.Manual, clock.Mode)
	booked, err := book(t, c.URL(), clock.Now)
	require.NoError(t, err)
	held, err := client.Do(ctx, c, control.HoldJourney, control.None{}, string(booked.JourneyID))
	require.NoError(t, err)
	require.True(t, held.Held)
	list, err := client.Do(ctx, c, control.ListJourneys, map[string][]string{"id": {"J0", string(booked.JourneyID)}, "phone": {"+44 20 7946 0000"}})
	require.NoError(t, err)
	require.Equal(t, []simulator.JourneyView{held}, list.Journeys)
	way, err := client.Do(ctx, c, control.ReadJourneyRoute, nil, "latest")
	require.NoError(t, err)
	require.NotEmpty(t, way.Features)
	user, err := client.Send(ctx, c, control.PutUser, map[string]any{"name": "Ada"}, "442079460000")
	require.NoError(t, err)
	require.Equal(t, "Ada", user.Name)
	_, err = client.Do(ctx, c, control.ReadJourney, nil, "J0")
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeJourneyNotFound})
	_, err = client.Do(ctx, c, control.SetClock, control.ClockOrder{Mode: "odd"})
	require.Equal(t, "/mode", problemOf(t, err, http.StatusUnprocessableEntity).Errors[0].Pointer)

	_, err = client.Do(ctx, c, control.TakeSnapshot, nil, "noon")
	require.NoError(t, err)
	file, err := client.Do(ctx, c, control.DownloadSnapshot, nil, "noon")
	require.NoError(t, err)
	text, err := io.ReadAll(file)
	require.NoError(t, errors.Join(err, file.Close()))
	require.True(t, bytes.HasPrefix(text, []byte("SQLite format 3")))
	document, err := client.Do(ctx, c, control.ReadDocument, nil)
	require.NoError(t, err)
	require.Equal(t, control.OpenAPI(), document)
	targets, err := client.Do(ctx, c, control.ReadTargets, nil)
	require.NoError(t, err, "only the main world has it")
	require.Len(t, targets, 2)

	faultsAndRequests(t, c)
	_, err = client.Do(ctx, c, control.EndSandbox, nil, "ann")
	require.NoError(t, err)
	_, err = client.Do(ctx, c, control.ReadClock, nil)
	refused(t, err, http.StatusNotFound)
}

func faultsAndRequests(t *testing.T, c *client.Client) {
	t.Helper()
	ctx := t.Context()
	_, err := client.Do(ctx, c, client.ClearRequests, nil)
	require.NoError(t, err)
	rule, err := client.Do(ctx, c, control.AddFault, fault.Rule{Match: fault.Match{Op: fault.Book}, Do: fault.Do{Kind: "status", Status: 503}})
	require.NoError(t, err)
	_, err = book(t, c.URL(), monday.Add(time.Hour))
	require.Error(t, err)
	_, err = client.Do(ctx, c, control.RemoveFault, nil, "")
	require.ErrorContains(t, err, "empty", "it would remove all")
	_, err = client.Do(ctx, c, control.RemoveFault, nil)
	require.ErrorContains(t, err, "has 1 ids, got 0")
	_, err = client.Do(ctx, c, control.RemoveFault, nil, rule.ID)
	require.NoError(t, err)

	told := eventsOf(t, c, control.EventFault, 3)
	what := map[fault.Happened]string{}
	for _, e := range told { // a hit is told once it is over, perhaps after the removal
		what[e.Fault.What] = e.Fault.ID
	}
	require.Equal(t, map[fault.Happened]string{fault.Added: rule.ID, fault.Hit: rule.ID, fault.Removed: rule.ID}, what)
	require.NotNil(t, eventsOf(t, c, control.EventJourney, 1)[0].Journey)

	found, err := client.Do(ctx, c, client.WaitForRequests, query.Waiting{Match: jsontext.Value(`{"op":"book"}`), Brief: true})
	require.NoError(t, err)
	require.Nil(t, found.Requests[0].Sent)
	limit := 1
	found, err = client.Do(ctx, c, client.FindRequests, query.Question{Match: jsontext.Value(`{"op":"book","status":503}`), Limit: &limit})
	require.NoError(t, err)
	require.Equal(t, rule.ID, found.Requests[0].Fault)
	one, err := client.Do(ctx, c, client.ReadRequest, nil, strconv.Itoa(found.Requests[0].ID))
	require.NoError(t, err)
	require.Contains(t, string(one.Sent.Body), "Ann Other")
	counted, err := client.Do(ctx, c, client.CountRequests, query.Question{})
	require.NoError(t, err)
	require.Equal(t, 1, counted.Count)
	all, err := client.Do(ctx, c, client.ListRequests, map[string][]string{"op": {"book"}})
	require.NoError(t, err)
	require.Equal(t, found.Requests, all.Requests)
	summary, err := client.Do(ctx, c, client.ReadReport, nil)
	require.NoError(t, err)
	require.Equal(t, 1, summary.Calls)
	check, err := client.Do(ctx, c, client.ReadRule, nil, "P-05")
	require.NoError(t, err)
	require.NotEmpty(t, check.Requirement)

	op, none := "book", "cancel"
	_, err = client.Do(ctx, c, client.VerifyRequests, query.Verification{Expect: []query.Expectation{{Op: &op}, {Op: &none, Times: jsontext.Value("0")}}})
	require.NoError(t, err)
	_, err = client.Do(ctx, c, client.VerifyRequests, query.Verification{Expect: []query.Expectation{{Op: &none}}})
	require.Zero(t, problemOf(t, err, http.StatusConflict).Failed[0].Got)
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

// TestASnapshotOfAnyLengthIsRead checks that a download may be longer than other responses.
func TestASnapshotOfAnyLengthIsRead(t *testing.T) {
	const length = 65 << 20
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, length)) }))
	defer server.Close()
	c, err := client.New(server.URL, client.Options{HTTP: server.Client()})
	require.NoError(t, err)
	file, err := client.Do(t.Context(), c, control.DownloadSnapshot, nil, "noon")
	require.NoError(t, err)
	n, err := io.Copy(io.Discard, file)
	require.NoError(t, errors.Join(err, file.Close()))
	require.EqualValues(t, length, n)
}

// team answers like a replica that woke a moment ago: it refuses the first two requests, and
// executes the third.
type team int

func (n *team) RoundTrip(*http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if *n++; *n < 3 {
		p := taxi.NewProblem(http.StatusServiceUnavailable, taxi.Code(worlds.Moving), "it was not executed; ask again")
		p.Retryable = true
		p.Send(w)
	}
	return w.Result(), nil
}

func TestClientRetriesRetryableRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n team
		c, err := client.New("http://team", client.Options{HTTP: &http.Client{Transport: &n}})
		require.NoError(t, err)
		_, err = client.Do(t.Context(), c, control.ReadDocument, nil)
		require.NoError(t, err)
		require.EqualValues(t, 3, n)
	})
}

func TestClientRecognisesRefusalsAndForeignServers(t *testing.T) {
	url, token := serve(t.Context(), t.Cleanup)
	c, err := client.New(url, client.Options{})
	require.NoError(t, err)
	_, err = client.Do(t.Context(), c, control.ReadClock, nil)
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
			_, err = client.Do(t.Context(), c, control.ReadClock, nil)
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
