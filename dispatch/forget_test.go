package dispatch_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

const day = 24 * time.Hour

// TestUsersWithoutJourneysAreForgotten has a caller who rode once, one who has booked
// ahead, and one who only asked.
func TestUsersWithoutJourneysAreForgotten(t *testing.T) {
	h := newHouse(t, func(p *dispatch.Policy, _ *dispatch.HTTPOptions) { p.CreateUnknown = true })
	_, once := h.book(h.request())
	_, err := h.client.Cancel(t.Context(), once)
	require.NoError(t, err)
	ahead := h.request()
	ahead.PhoneNumber, ahead.PickupTime = "+442079460002", taxi.At(h.now.Add(80*day))
	_, held := h.book(ahead)
	asked, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460003"})
	require.NoError(t, err)

	h.now = h.now.Add(33 * day)
	h.service.Forget(h.now)
	for _, deleted := range []bool{false, true} { // what is forgotten counts as deleted, whenever it is
		if deleted {
			_, err := h.service.Prune(t.Context())
			require.NoError(t, err)
		}
		_, err := h.client.Status(t.Context(), once)
		refusal(t, err, taxi.CodeJourneyNotFound)
		_, err = h.client.Cancel(t.Context(), once)
		refusal(t, err, taxi.CodeJourneyNotFound)
		gone := h.request()
		gone.UserID = once.UserID
		_, err = h.client.Book(t.Context(), gone)
		refusal(t, err, taxi.CodeUserNotFound)
		_, err = h.client.Status(t.Context(), held)
		require.NoError(t, err)
	}
	again, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460003"})
	require.NoError(t, err)
	require.NotEqual(t, asked.UserID, again.UserID, "no id is given twice")
}

// TestAForgottenNumberIsANewUsers books between forgetting and deleting.
func TestAForgottenNumberIsANewUsers(t *testing.T) {
	h := newHouse(t)
	_, once := h.book(h.request())
	_, err := h.client.Cancel(t.Context(), once)
	require.NoError(t, err)
	h.now = h.now.Add(33 * day)
	h.service.Forget(h.now)
	_, err = h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
	refusal(t, err, taxi.CodeUserNotFound)
	_, ref := h.book(h.request())
	require.NotEqual(t, once.UserID, ref.UserID)
	_, err = h.service.Prune(t.Context())
	require.NoError(t, err)
	_, err = h.client.Status(t.Context(), ref)
	require.NoError(t, err)
}

func TestAUserHasSoManyBookingsAtOnce(t *testing.T) {
	h := newHouse(t, func(p *dispatch.Policy, _ *dispatch.HTTPOptions) { p.MaxLive = 3 })
	r := h.request()
	var first taxi.JourneyRef
	for i := range 3 {
		r.Name = "Ada " + strconv.Itoa(i)
		_, first = h.book(r)
	}
	r.Name = "Ada again"
	_, err := h.client.Book(t.Context(), r)
	refusal(t, err, taxi.CodeTooManyBookings)
	r.Name = "Ada 0"
	_, err = h.client.Book(t.Context(), r)
	require.NoError(t, err, "one that was made is answered again")
	_, err = h.client.Cancel(t.Context(), first)
	require.NoError(t, err)
	r.Name = "Ada again"
	_, err = h.client.Book(t.Context(), r)
	require.NoError(t, err)
}
