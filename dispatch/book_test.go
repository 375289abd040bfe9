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
	"github.com/cabrank/cabrank/store"
)

func TestFirstBookingMakesTheUser(t *testing.T) {
	h := newHouse(t)
	_, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	refusal(t, err, taxi.CodeUserNotFound)

	j, err := h.client.Book(t.Context(), h.request())
	require.NoError(t, err)
	require.Equal(t, taxi.Waiting, j.Status)

	u, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	require.NoError(t, err)
	require.Equal(t, "Ada", u.Name)
	require.Equal(t, taxi.Enabled, u.Status)
	require.Len(t, u.ActiveBookings, 1)
	require.Equal(t, j, u.ActiveBookings[0])
}

func TestBookingStoresTheRequest(t *testing.T) {
	h := newHouse(t)
	r := h.request()
	r.Name = "Zoë O’Brien \"الاسم\" 🚕"
	r.Dropoffs = []taxi.Address{hospital, station}
	j, ref := h.book(r)
	got, err := h.client.Status(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, j, got)
	require.Equal(t, r.Name, got.Passenger.Name)
	require.Equal(t, taxi.E164("+442079460001"), got.Passenger.PhoneNumber)
	require.Equal(t, r.Pickup, got.Pickup)
	require.Equal(t, r.Dropoffs, got.Dropoffs)
	require.True(t, got.Date.Equal(r.PickupTime.Time))
	require.InDelta(t, 7.4, got.Price.Value, 0)
	require.Equal(t, minutes(6), got.ETA)
}

func TestPickupTimeDecidesTheFirstStatus(t *testing.T) {
	for _, row := range []struct {
		name  string
		ahead time.Duration
		want  taxi.Status
		code  taxi.Code
	}{
		{"a little past is now", -5 * time.Minute, taxi.Waiting, ""},
		{"past", -5*time.Minute - time.Second, "", taxi.CodePickupInPast},
		{"at the lead time", 15 * time.Minute, taxi.Waiting, ""},
		{"beyond the lead time", 15*time.Minute + time.Second, taxi.Held, ""},
		{"the last day", 90 * 24 * time.Hour, taxi.Held, ""},
		{"beyond the last day", 90*24*time.Hour + time.Second, "", taxi.CodePickupTooFarAhead},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			r := h.request()
			r.PickupTime = taxi.At(h.now.Add(row.ahead))
			j, err := h.client.Book(t.Context(), r)
			if row.code != "" {
				p := refusal(t, err, row.code)
				require.Equal(t, "/pickupTime", p.Errors[0].Pointer)
				return
			}
			require.NoError(t, err)
			require.Equal(t, row.want, j.Status)
			require.Equal(t, dispatch.Fields(row.want).ETA, j.ETA != nil)
		})
	}
}

func TestTimeWithoutOffsetIsLondonTime(t *testing.T) {
	h := newHouse(t)
	h.now = time.Date(2026, 7, 1, 8, 0, 0, 0, time.UTC)
	_, body := h.post("/book", strings.Replace(encode(t, h.request()), `"2026-07-01T08:00:00Z"`, `"2026-07-01T09:05:00"`, 1))
	var j taxi.Journey
	require.NoError(t, json.Unmarshal(body, &j))
	require.Equal(t, "2026-07-01T09:05:00+01:00", j.Date.Format(time.RFC3339), "%s", body)
}

// TestPickupTimesFollowTheCallersClock books in a world that has run ahead of the wall: the
// caller's "now" is the world's now, Date says what was asked for, and repeating it
// edits nothing.
func TestPickupTimesFollowTheCallersClock(t *testing.T) {
	h := newHouse(t)
	wall := h.now
	h.now = wall.Add(3 * time.Hour)
	ahead := dispatch.New(h.records, dispatch.Options{
		Now: func() time.Time { return h.now }, ClientNow: func(time.Time) (time.Time, bool) { return wall, true }, Seed: 1,
	})
	r := h.request()
	r.PickupTime = taxi.At(wall.Add(-2 * time.Minute))
	j, err := ahead.Book(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, taxi.Waiting, j.Status)
	require.True(t, j.Date.Equal(r.PickupTime.Time))
	require.True(t, due(t, h, j).Equal(h.now.Add(-2*time.Minute)))

	h.now = h.now.Add(time.Minute)
	r.JourneyID, r.Name = &j.JourneyID, "Grace"
	edited, err := ahead.Book(t.Context(), r)
	require.NoError(t, err)
	require.True(t, edited.Date.Equal(j.Date.Time))
	require.True(t, due(t, h, edited).Equal(h.now.Add(-3*time.Minute)), "it is where it was")
	require.Equal(t, "Grace", edited.Passenger.Name)

	r.JourneyID, r.PickupTime = nil, taxi.At(wall.Add(2*time.Hour))
	later, err := ahead.Book(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, taxi.Held, later.Status)
	require.True(t, due(t, h, later).Equal(h.now.Add(2*time.Hour)), "as far ahead as the caller meant")
	require.True(t, later.Date.Equal(r.PickupTime.Time))
	kept, err := h.records.Journey(t.Context(), later.JourneyID)
	require.NoError(t, err)
	ref := taxi.JourneyRef{UserID: kept.UserID, JourneyID: later.JourneyID}
	shown, err := ahead.Status(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, later.Date, shown.Date)

	r.JourneyID, r.PickupTime = &later.JourneyID, taxi.At(wall.Add(3*time.Hour))
	moved, err := ahead.Book(t.Context(), r)
	require.NoError(t, err)
	require.True(t, moved.Date.Equal(r.PickupTime.Time))
	require.True(t, due(t, h, moved).Equal(h.now.Add(3*time.Hour)))
	cancelled, err := ahead.Cancel(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, moved.Date, cancelled.Date)
	r.JourneyID = nil

	r.PickupTime = taxi.At(wall.Add(-time.Hour))
	_, err = ahead.Book(t.Context(), r)
	refusal(t, err, taxi.CodePickupInPast)
}

// due is when a journey is to be driven, by the service's clock.
func due(t *testing.T, h *house, j taxi.Journey) time.Time {
	t.Helper()
	kept, err := h.records.Journey(t.Context(), j.JourneyID)
	require.NoError(t, err)
	return kept.Date.Time
}

// TestLaterRequestIsNotServedEarlier checks that a request for a later pickup is not served before one for an earlier
// pickup, while the world runs ahead of the callers' clock.
func TestLaterRequestIsNotServedEarlier(t *testing.T) {
	h := newHouse(t)
	began, passed, speed := h.now, time.Duration(0), time.Duration(60)
	ahead := dispatch.New(h.records, dispatch.Options{
		Now:       func() time.Time { return began.Add(passed * speed) },
		ClientNow: func(time.Time) (time.Time, bool) { return began.Add(passed), true },
		Seed:      1,
	})
	var last time.Time
	for _, ask := range []struct{ after, ahead time.Duration }{
		{0, 0},
		{0, time.Minute},
		{time.Second, time.Minute},
		{4 * time.Second, 2 * time.Minute},
		{5 * time.Second, 2 * time.Minute},
		{6 * time.Second, 4 * time.Minute},
		{4 * time.Minute, 4 * time.Minute},
		{4 * time.Minute, 4 * time.Hour},
		{5 * time.Minute, 6 * time.Hour},
		{time.Hour, 6 * time.Hour},
		{7 * time.Hour, 7*time.Hour - 4*time.Minute},
	} {
		passed = ask.after
		r := h.request()
		r.PickupTime = taxi.At(began.Add(ask.ahead))
		j, err := ahead.Book(t.Context(), r)
		require.NoError(t, err)
		require.True(t, j.Date.Equal(r.PickupTime.Time), "what was asked for is what is said")
		at := due(t, h, j)
		require.False(t, at.Before(last), "%v ahead, asked after %v", ask.ahead, ask.after)
		last = at
	}
}

func TestBarredUsersCannotBook(t *testing.T) {
	for status, code := range map[taxi.UserStatus]taxi.Code{
		taxi.Disabled: taxi.CodeUserDisabled, taxi.Blacklisted: taxi.CodeUserBlacklisted,
	} {
		h := newHouse(t)
		j, ref := h.book(h.request())
		h.standing(ref.UserID, status)

		_, err := h.client.Book(t.Context(), h.request())
		refusal(t, err, code)
		edit := h.request()
		edit.JourneyID, edit.Name = &j.JourneyID, "Somebody else"
		_, err = h.client.Book(t.Context(), edit)
		refusal(t, err, code)

		u, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
		require.NoError(t, err)
		require.Equal(t, status, u.Status)
		_, err = h.client.Status(t.Context(), ref)
		require.NoError(t, err, "what is booked can be followed")
		_, err = h.client.Cancel(t.Context(), ref)
		require.NoError(t, err, "and cancelled")
	}
}

// standing changes what the office thinks of a user.
func (h *house) standing(id taxi.UserID, s taxi.UserStatus) {
	h.t.Helper()
	_, err := h.records.Apply(func(tx *store.Tx) error {
		u, err := tx.User(id)
		if err != nil {
			return err
		}
		u.Status = s
		tx.PutUser(u)
		return nil
	})
	require.NoError(h.t, err)
}

func TestBookingForSomebodyElseIsListedUnderTheUser(t *testing.T) {
	h := newHouse(t)
	_, ref := h.book(h.request())
	r := h.request()
	r.UserID, r.Name, r.PhoneNumber = ref.UserID, "Grandma", "+442079460777"
	j, err := h.client.Book(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "Grandma", j.Passenger.Name)

	u, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	require.NoError(t, err)
	require.Len(t, u.ActiveBookings, 2)
	_, err = h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460777"})
	refusal(t, err, taxi.CodeUserNotFound)
}

func TestClosedSystemRefusesBookings(t *testing.T) {
	for status, code := range map[taxi.SystemStatus]taxi.Code{
		taxi.SystemOK: "", taxi.SystemBusy: "", taxi.SystemClosed: taxi.CodeServiceClosed, taxi.SystemMaintenance: taxi.CodeDispatchPaused,
	} {
		h := newHouse(t)
		h.service.SetSystem(taxi.ConfigResponse{Status: status})
		_, err := h.client.Book(t.Context(), h.request())
		if code == "" {
			require.NoError(t, err)
			continue
		}
		p := refusal(t, err, code)
		require.Equal(t, http.StatusServiceUnavailable, p.Status)
		require.True(t, p.Retryable)
		require.Positive(t, p.RetryAfter)
	}
}

func TestARetryAfterClosingTimeFindsItsBooking(t *testing.T) {
	h := newHouse(t)
	body := encode(t, h.request())
	_, a := h.post("/book", body)
	h.service.SetSystem(taxi.ConfigResponse{Status: taxi.SystemClosed})
	resp, b := h.post("/book", body)
	require.Equal(t, "true", resp.Header.Get(dispatch.ReplayedHeader))
	require.Equal(t, journeyID(t, a), journeyID(t, b))
}

func TestPickupOutsideServiceAreaIsRefused(t *testing.T) {
	h := newHouse(t, func(p *dispatch.Policy, _ *dispatch.HTTPOptions) { p.AreaRadius = 10_000 })
	r := h.request()
	r.Pickup = &taxi.Address{Address: "1 Far Away", Location: &taxi.Point{Longitude: -0.12, Latitude: 51.5}}
	_, err := h.client.Book(t.Context(), r)
	require.Equal(t, "/pickup/location", refusal(t, err, taxi.CodeOutsideServiceArea).Errors[0].Pointer)
}

// TestBookingTextSizeIsLimited checks that all ASCII texts of a booking may have their maximum length, while the
// total of other texts is limited to 16384 bytes.
func TestBookingTextSizeIsLimited(t *testing.T) {
	h := newHouse(t)
	long := func(text string, dropoffs int) string {
		r := h.request()
		r.Name, r.Pickup.Address, r.Dropoffs = strings.Repeat(text, 256), strings.Repeat(text, 1000), nil
		for range dropoffs {
			r.Dropoffs = append(r.Dropoffs, *r.Pickup)
		}
		body, err := json.Marshal(r)
		require.NoError(t, err)
		return string(body)
	}
	resp, _ := h.post(taxi.PathBook, long("x", 10))
	require.Equal(t, http.StatusOK, resp.StatusCode)
	resp, body := h.post(taxi.PathBook, long("長", 10))
	p := problem(t, resp, body)
	require.Equal(t, taxi.CodeValidationFailed, p.Code)
	require.Equal(t, "/dropoffs/4/address", p.Errors[0].Pointer)
	require.Contains(t, p.Errors[0].Detail, "16384 bytes")
	resp, _ = h.post(taxi.PathBook, long("長", 4))
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

func TestRepeatedBookingIsReplayedForAMinute(t *testing.T) {
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

func TestIntendedDuplicatesAreBooked(t *testing.T) {
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
