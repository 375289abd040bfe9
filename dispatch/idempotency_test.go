package dispatch_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestSameBookingTwiceIsOneBooking(t *testing.T) {
	h := newHouse(t)
	body := encode(t, h.request())
	first, a := h.post("/book", body)
	require.Empty(t, first.Header.Get(dispatch.ReplayedHeader))

	h.now = h.now.Add(time.Minute)
	idem, b := h.post("/book", body)
	require.Equal(t, "true", idem.Header.Get(dispatch.ReplayedHeader))
	require.JSONEq(t, string(a), string(b))

	h.now = h.now.Add(time.Second)
	later, c := h.post("/book", body)
	require.Empty(t, later.Header.Get(dispatch.ReplayedHeader), "a minute later it is another booking")
	require.NotEqual(t, journeyID(t, a), journeyID(t, c))
}

func TestSameBookingTwiceWhenMeant(t *testing.T) {
	t.Run("by the caller", func(t *testing.T) {
		h := newHouse(t)
		r := h.request()
		r.Data = json.RawMessage(`{"allowDuplicate":true}`)
		_, a := h.post("/book", encode(t, r))
		_, b := h.post("/book", encode(t, r))
		require.NotEqual(t, journeyID(t, a), journeyID(t, b))
	})
	t.Run("by the office", func(t *testing.T) {
		h := newHouse(t, func(p *dispatch.Policy, _ *dispatch.HTTPOptions) { p.DuplicateWindow = 0 })
		_, a := h.post("/book", encode(t, h.request()))
		_, b := h.post("/book", encode(t, h.request()))
		require.NotEqual(t, journeyID(t, a), journeyID(t, b))
	})
	t.Run("after cancelling", func(t *testing.T) {
		h := newHouse(t)
		_, a := h.post("/book", encode(t, h.request()))
		_, err := h.client.Cancel(t.Context(), h.ref(taxi.Journey{JourneyID: journeyID(t, a)}, "442079460001"))
		require.NoError(t, err)
		_, b := h.post("/book", encode(t, h.request()))
		require.NotEqual(t, journeyID(t, a), journeyID(t, b))
	})
}

func journeyID(t *testing.T, body []byte) taxi.JourneyID {
	t.Helper()
	var j taxi.Journey
	require.NoError(t, json.Unmarshal(body, &j))
	require.NotEmpty(t, j.JourneyID, "%s", body)
	return j.JourneyID
}

func TestIdempotencyKey(t *testing.T) {
	h := newHouse(t)
	r := h.request()
	_, a := h.post("/book", encode(t, r), taxi.IdempotencyHeader, "k1")
	h.now = h.now.Add(24 * time.Hour)
	idem, b := h.post("/book", encode(t, r), taxi.IdempotencyHeader, "k1")
	require.Equal(t, "true", idem.Header.Get(dispatch.ReplayedHeader))
	require.Equal(t, string(a), string(b), "the stored answer, to the letter")

	h.now = h.now.Add(time.Second)
	fresh, c := h.post("/book", strings.Replace(encode(t, r), "2026-11-24", "2026-11-26", 1), taxi.IdempotencyHeader, "k1")
	require.Equal(t, http.StatusOK, fresh.StatusCode, "after a day the key is forgotten")
	require.NotEqual(t, journeyID(t, a), journeyID(t, c))
	r.PickupTime = taxi.At(h.now)

	r.Name = "Other"
	resp, body := h.post("/book", encode(t, r), taxi.IdempotencyHeader, "k1")
	require.Equal(t, taxi.CodeIdempotencyKeyReused, problem(t, resp, body).Code)

	resp, body = h.post("/book", encode(t, r), taxi.IdempotencyHeader, strings.Repeat("k", 256))
	require.Equal(t, taxi.CodeValidationFailed, problem(t, resp, body).Code)
}

func TestParallelBookingsWithOneKeyMakeOneJourney(t *testing.T) {
	h := newHouse(t)
	body := encode(t, h.request())
	var wg sync.WaitGroup
	statuses := make(chan int, 20)
	for range cap(statuses) {
		wg.Go(func() {
			resp, _ := h.post("/book", body, taxi.IdempotencyHeader, "same")
			statuses <- resp.StatusCode
		})
	}
	wg.Wait()
	close(statuses)
	for s := range statuses {
		require.Contains(t, []int{http.StatusOK, http.StatusConflict}, s)
	}
	u, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	require.NoError(t, err)
	require.Len(t, u.ActiveBookings, 1)
}

func TestParallelFirstBookingsMakeOneUser(t *testing.T) {
	h := newHouse(t)
	var wg sync.WaitGroup
	for i := range 20 {
		r := h.request()
		r.Name = strings.Repeat("A", i+1)
		wg.Go(func() {
			_, err := h.client.Book(t.Context(), r)
			require.NoError(t, err)
		})
	}
	wg.Wait()
	u, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	require.NoError(t, err)
	ids := map[taxi.JourneyID]bool{}
	for _, j := range u.ActiveBookings {
		ids[j.JourneyID] = true
	}
	require.Len(t, ids, 20)
}
