package simulator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// A partner's car takes the place of one that has gone home, so that a year of
// pickups out of town takes no more space than a day.
func TestPartnersMakeRoomForOneAnother(t *testing.T) {
	w, err := New(t.Context(), store.Memory(), Options{Seed: 1, Cars: 1})
	require.NoError(t, err)
	abroad, nearby := road.Spot{Lon: -10_815_000, Lat: 539_583_000}.Point(), road.Spot{Lon: -10_823_000, Lat: 539_623_000}.Point()
	for range 3 {
		for _, caller := range []taxi.E164{"442079460001", "442079460002"} {
			_, err := w.Service().Book(t.Context(), taxi.BookRequest{
				Name: "Ada", PhoneNumber: caller, PickupTime: taxi.At(w.Clock().Now()),
				Pickup:   &taxi.Address{Address: "York", Location: &abroad},
				Dropoffs: []taxi.Address{{Address: "York Minster", Location: &nearby}},
			})
			require.NoError(t, err)
		}
		require.NoError(t, w.Clock().UntilIdle(t.Context(), time.Hour))
		require.Len(t, w.fleet.cars, 3, "the firm's and two")
	}
}
