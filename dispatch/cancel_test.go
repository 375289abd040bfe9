package dispatch_test

import (
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

func TestNoShowKeepsItsReason(t *testing.T) {
	h := newHouse(t)
	_, ref := h.bookAt(taxi.Arrived)
	h.advance(ref.JourneyID, dispatch.EventContact)
	_, err := h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: dispatch.EventNoShow})
	require.ErrorIs(t, err, dispatch.ErrVoid, "the driver has only just arrived")
	h.now = h.now.Add(h.service.Policy().WaitASAP)
	h.advance(ref.JourneyID, dispatch.EventNoShow)
	got, err := h.client.Cancel(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, taxi.ReasonNoShow, got.Data.Reason)
	require.Equal(t, &taxi.Price{Value: 3.6, Currency: "GBP", Type: taxi.Fixed}, got.Data.Charge)
}

// The fee is the flag fall of the hour: at night no less than a ride.
func TestANoShowAtNightCostsTheNightsFlagFall(t *testing.T) {
	h := newHouse(t)
	h.now = h.now.Add(15 * time.Hour) // one at night
	_, ref := h.bookAt(taxi.Arrived)
	h.now = h.now.Add(6 * time.Minute)
	h.advance(ref.JourneyID, dispatch.EventContact)
	h.advance(ref.JourneyID, dispatch.EventNoShow)
	got, err := h.client.Status(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, &taxi.Price{Value: 4.8, Currency: "GBP", Type: taxi.Fixed}, got.Data.Charge)
}

func TestNobodyElseMayCancelOrRead(t *testing.T) {
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

func TestSweepCatchesUp(t *testing.T) {
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
	_, err = h.client.Status(t.Context(), ref)
	refusal(t, err, taxi.CodeJourneyNotFound)
	n, err = h.service.Prune(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	_, err = h.client.Status(t.Context(), ref)
	refusal(t, err, taxi.CodeJourneyNotFound)
}
