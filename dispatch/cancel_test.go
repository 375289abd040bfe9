package dispatch_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestCancelInEachStatus(t *testing.T) {
	refused := map[taxi.Status]taxi.Code{taxi.POB: taxi.CodeJourneyInProgress, taxi.Complete: taxi.CodeJourneyClosed}
	for _, status := range taxi.Statuses() {
		t.Run(string(status), func(t *testing.T) {
			h := newHouse(t)
			before, ref := h.bookAt(status)
			got, err := h.client.Cancel(t.Context(), ref)
			if code, no := refused[status]; no {
				p := refusal(t, err, code)
				require.Equal(t, ref.JourneyID, p.JourneyID)
				require.Equal(t, status, p.JourneyStatus)
				after, err := h.client.Status(t.Context(), ref)
				require.NoError(t, err)
				require.Equal(t, before, after)
				return
			}
			require.NoError(t, err)
			require.Equal(t, taxi.Cancelled, got.Status)
			require.Equal(t, taxi.ReasonPassenger, got.Data.Reason)
			require.Equal(t, status == taxi.Arrived, got.Price != nil, "a car at the door is paid for")
			holdsToPresence(t, got)

			idem, err := h.client.Cancel(t.Context(), ref)
			require.NoError(t, err)
			require.Equal(t, got, idem)
			after, err := h.client.Status(t.Context(), ref)
			require.NoError(t, err)
			require.Equal(t, got, after)
			u, err := h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
			require.NoError(t, err)
			require.Empty(t, u.ActiveBookings)
		})
	}
}

func TestCancelAtTheDoorCanBeRefused(t *testing.T) {
	h := newHouse(t, func(p *dispatch.Policy, _ *dispatch.HTTPOptions) { p.RefuseLate = true })
	_, ref := h.bookAt(taxi.Arrived)
	_, err := h.client.Cancel(t.Context(), ref)
	refusal(t, err, taxi.CodeCancelRefused)
}

// TestNoShowKeepsItsReason checks, by day and at night, that a cancelled no-show keeps its reason, and that its fee
// is the flag fall of that hour.
func TestNoShowKeepsItsReason(t *testing.T) {
	for later, fee := range map[time.Duration]float64{0: 3.6, 15 * time.Hour: 4.8} {
		h := newHouse(t)
		h.now = h.now.Add(later)
		_, ref := h.bookAt(taxi.Arrived)
		h.advance(ref.JourneyID, dispatch.EventContact)
		_, err := h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: dispatch.EventNoShow})
		require.ErrorIs(t, err, dispatch.ErrVoid, "the driver has only just arrived")
		h.now = h.now.Add(h.service.Policy().WaitASAP)
		h.advance(ref.JourneyID, dispatch.EventNoShow)
		got, err := h.client.Cancel(t.Context(), ref)
		require.NoError(t, err)
		require.Equal(t, taxi.ReasonNoShow, got.Data.Reason)
		require.Equal(t, &taxi.Price{Value: fee, Currency: "GBP", Type: taxi.Fixed}, got.Data.Charge)
	}
}

func TestOnlyTheOwnerMayReadOrCancel(t *testing.T) {
	h := newHouse(t)
	_, mine := h.book(h.request())
	other := h.request()
	other.PhoneNumber = "+442079460002"
	_, theirs := h.book(other)
	for name, ref := range map[string]taxi.JourneyRef{
		"foreign":       {UserID: theirs.UserID, JourneyID: mine.JourneyID},
		"unknown":       {UserID: mine.UserID, JourneyID: "J0000000"},
		"unknown user":  {UserID: "nobody", JourneyID: mine.JourneyID},
		"case changed":  {UserID: mine.UserID, JourneyID: taxi.JourneyID("j" + string(mine.JourneyID)[1:])},
		"space added":   {UserID: mine.UserID, JourneyID: mine.JourneyID + " "},
		"user in lower": {UserID: taxi.UserID("u" + string(mine.UserID)[1:]), JourneyID: mine.JourneyID},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := h.client.Cancel(t.Context(), ref)
			refusal(t, err, taxi.CodeJourneyNotFound)
			_, err = h.client.Status(t.Context(), ref)
			refusal(t, err, taxi.CodeJourneyNotFound)
		})
	}
	j, err := h.client.Status(t.Context(), mine)
	require.NoError(t, err)
	require.Equal(t, taxi.Waiting, j.Status)
}

func TestSweepReleasesAndEndsOverdueJourneys(t *testing.T) {
	h := newHouse(t)
	r := h.request()
	r.PickupTime = taxi.At(h.now.Add(time.Hour))
	_, ref := h.book(r)
	status := func() taxi.Journey {
		require.NoError(t, h.service.Sweep(h.now))
		j, err := h.client.Status(t.Context(), ref)
		require.NoError(t, err)
		return j
	}
	require.Equal(t, taxi.Held, status().Status)
	h.now = h.now.Add(45 * time.Minute)
	require.Equal(t, taxi.Waiting, status().Status)
	h.now = h.now.Add(35 * time.Minute)
	over := status()
	require.Equal(t, taxi.Cancelled, over.Status)
	require.Equal(t, taxi.ReasonNoDriver, over.Data.Reason)

	h.now = h.now.Add(29 * 24 * time.Hour)
	h.service.Forget(h.now)
	n, err := h.service.Prune(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	h.now = h.now.Add(2 * 24 * time.Hour)
	h.service.Forget(h.now)
	n, err = h.service.Prune(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

const day = 24 * time.Hour

// TestUsersWithoutJourneysAreForgotten checks that users without journeys are forgotten: one whose only booking was
// cancelled and one who never booked, but not one with a booking ahead.
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

// TestForgottenNumberGetsANewUser checks that a booking from a forgotten user's number creates a new user, even
// before the old record is deleted.
func TestForgottenNumberGetsANewUser(t *testing.T) {
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

func TestActiveBookingsPerUserAreLimited(t *testing.T) {
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
