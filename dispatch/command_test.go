package dispatch_test

import (
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// observed is a house that admits unknown callers and writes down its commands.
func observed(t *testing.T) (*house, *[]dispatch.Command) {
	t.Helper()
	var seen []dispatch.Command
	policy := dispatch.DefaultPolicy()
	policy.CreateUnknown = true
	h := &house{t: t, now: morning, records: store.Memory(), fleet: &cab{}}
	clock := func() time.Time { return h.now }
	h.service = dispatch.New(h.records, dispatch.Options{
		Policy: &policy, Now: clock, Fleet: h.fleet, Seed: 1,
		Commands: func(c dispatch.Command) { seen = append(seen, c) },
	})
	server := httptest.NewServer(h.service.Handler(clock, dispatch.HTTPOptions{}))
	t.Cleanup(server.Close)
	h.url = server.URL
	var err error
	h.client, err = taxi.NewClient(h.url, taxi.ClientOptions{})
	require.NoError(t, err)
	return h, &seen
}

func TestCommandsAreObserved(t *testing.T) {
	h, seen := observed(t)
	r := h.request()
	j, ref := h.book(r)
	h.now = h.now.Add(time.Minute)
	r.JourneyID, r.UserID, r.Name = &j.JourneyID, ref.UserID, "Grace"
	_, err := h.client.Book(taxi.WithIdempotencyKey(t.Context(), "k-1"), r)
	require.NoError(t, err)
	_, err = h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460009"})
	require.NoError(t, err)
	h.service.SetSystem(taxi.ConfigResponse{Status: taxi.SystemClosed})
	_, err = h.client.Book(t.Context(), h.request())
	refusal(t, err, taxi.CodeServiceClosed)
	_, err = h.client.Cancel(t.Context(), ref)
	require.NoError(t, err)
	_, err = h.client.Status(t.Context(), ref)
	require.NoError(t, err)

	var ops []dispatch.Op
	for _, c := range *seen {
		ops = append(ops, c.Op)
	}
	require.Equal(t, []dispatch.Op{
		dispatch.OpBook, dispatch.OpBook, dispatch.OpAdmit, dispatch.OpSystem, dispatch.OpBook, dispatch.OpCancel,
	}, ops, "reading is no command")
	made, edited, admitted, refused, cancelled := (*seen)[0], (*seen)[1], (*seen)[2], (*seen)[4], (*seen)[5]
	require.Equal(t, j.JourneyID, made.Journey)
	require.NotZero(t, made.Fingerprint)
	require.Equal(t, morning, made.At)
	require.Equal(t, "k-1", edited.Key)
	require.NotZero(t, edited.Hash)
	require.Equal(t, h.now, edited.At)
	require.Equal(t, "Grace", edited.Book.Name)
	require.NotEmpty(t, admitted.User)
	require.Equal(t, taxi.E164("442079460009"), admitted.Phone)
	require.Equal(t, taxi.CodeServiceClosed, refused.Refused)
	require.Empty(t, refused.Journey)
	require.Equal(t, &ref, cancelled.Ref)
}

// TestObeyingCommandsMakesTheSameBookings gives what one service was asked to
// another.
func TestObeyingCommandsMakesTheSameBookings(t *testing.T) {
	h, seen := observed(t)
	later := h.request()
	later.PickupTime, later.Data = taxi.At(h.now.Add(5*time.Hour)), json.RawMessage(`{ "note" : "blue <coat>" }`)
	_, ref := h.book(later)
	h.book(h.request())
	_, err := h.client.Cancel(t.Context(), ref)
	require.NoError(t, err)
	_, err = h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460009"})
	require.NoError(t, err)
	_, err = h.client.Cancel(t.Context(), taxi.JourneyRef{UserID: "U", JourneyID: "J"})
	refusal(t, err, taxi.CodeJourneyNotFound)

	twin, idem := observed(t)
	for _, c := range *seen {
		require.NoError(t, twin.service.Execute(t.Context(), c))
	}
	require.Equal(t, *seen, *idem)
	require.Equal(t, journeys(t, h.records), journeys(t, twin.records))
	require.Error(t, twin.service.Execute(t.Context(), dispatch.Command{Op: "fly"}))
	require.Error(t, twin.service.Execute(t.Context(), dispatch.Command{Op: dispatch.OpBook}), "it lacks its request")
}

func journeys(t *testing.T, records *store.Store) (all []store.Journey) {
	t.Helper()
	snaps, err := records.Journeys(t.Context(), 0)
	require.NoError(t, err)
	for _, s := range snaps {
		all = append(all, *s.Journey)
	}
	return all
}

func TestDataIsComparedWithoutItsBlanks(t *testing.T) {
	h := newHouse(t)
	r := h.request()
	r.Data = json.RawMessage(`{"note": "blue coat"}`)
	j, _ := h.book(r)
	r.JourneyID = &j.JourneyID
	h.advance(j.JourneyID, drive[taxi.POB]...)
	changes := len(h.fleet.changes)
	r.Data = json.RawMessage(`{ "note":"blue coat" }`)
	_, err := h.client.Book(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, h.fleet.changes, changes)
	r.Data = json.RawMessage(`{`)
	_, err = h.service.Book(t.Context(), r)
	refusal(t, err, taxi.CodeValidationFailed)
}
