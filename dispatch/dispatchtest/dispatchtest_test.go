package dispatchtest_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/vary"
)

// aTaxi is a booking for now, as a platform would send it.
func aTaxi(now time.Time) taxi.BookRequest {
	places := fixtures.Places()
	return taxi.BookRequest{
		Name: "Ann Other", PhoneNumber: "+442079460000",
		Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address}, PickupTime: taxi.At(now),
	}
}

func TestTheTaxiComesWhenTheClockMoves(t *testing.T) {
	d := dispatchtest.New(t, dispatchtest.Options{VirtualClock: true})
	resp, err := http.Post(d.URL()+"/config", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)

	before := len(d.Journeys())
	booked, err := d.Client(taxi.ClientOptions{}).Book(t.Context(), aTaxi(d.Clock().Now()))
	require.NoError(t, err)
	require.Equal(t, taxi.Waiting, booked.Status)
	require.Len(t, d.Journeys(), before+1)
	require.Equal(t, booked.JourneyID, d.Journeys()[before].JourneyID)

	for _, s := range []taxi.Status{taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete} {
		require.NoError(t, d.Clock().UntilStatus(t.Context(), booked.JourneyID, s, time.Hour))
		require.Equal(t, s, d.Journey(booked.JourneyID).Status)
	}
}

// TestAnswersMayVary reads a journey from a fake whose answers vary, and one whose do not.
func TestAnswersMayVary(t *testing.T) {
	for _, level := range []vary.Level{vary.None, vary.Rich} {
		d := dispatchtest.New(t, dispatchtest.Options{VirtualClock: true, Variation: level, World: simulator.Options{Seed: 2}})
		c := d.Client(taxi.ClientOptions{})
		booked, err := c.Book(t.Context(), aTaxi(d.Clock().Now()))
		require.NoError(t, err)
		require.Len(t, booked.JourneyID, map[vary.Level]int{vary.None: 9, vary.Rich: 36}[level])
		_, err = c.Status(t.Context(), taxi.JourneyRef{UserID: d.Latest().UserID, JourneyID: booked.JourneyID})
		require.NoError(t, err)
	}
}

func TestCredentialsAndNobodyKnown(t *testing.T) {
	credentials := taxi.Credentials{Style: taxi.AuthBearer, Secret: "s3cret"}
	d := dispatchtest.New(t, dispatchtest.Options{
		HTTP: dispatch.HTTPOptions{Credentials: credentials}, People: []fixtures.Person{},
	})
	who := taxi.UserRequest{PhoneNumber: "442079460000"}
	_, err := d.Client(taxi.ClientOptions{}).User(t.Context(), who)
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeUnauthenticated})
	_, err = d.Client(taxi.ClientOptions{Auth: taxi.Bearer("s3cret")}).User(t.Context(), who)
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeUserNotFound})
}

// TestADayInABubble runs a live world, ×1, on the bubble's time: a day of the
// taxi's life takes no time at all.
func TestADayInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := dispatchtest.New(t, dispatchtest.Options{
			InMemory: true, World: simulator.Options{Wall: time.Now, Speed: 1},
		})
		c := d.Client(taxi.ClientOptions{})
		r := aTaxi(time.Now())
		r.PickupTime = taxi.At(time.Now().Add(23 * time.Hour))
		j, err := c.Book(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, taxi.Held, j.Status)
		<-time.After(24 * time.Hour)
		// A platform that makes its own calls is given the client: the address alone leads nowhere.
		resp, err := d.HTTPClient().Post(d.URL()+taxi.PathConfig, "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode)
		u, err := c.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
		require.NoError(t, err)
		got, err := c.Status(t.Context(), taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID})
		require.NoError(t, err)
		require.Equal(t, taxi.Complete, got.Status)
	})
}
