package simulator_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

func TestHowFirmAPriceIs(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 10})
	station, hospital, airport := tn.place(streetmap.Station), tn.place(streetmap.Hospital), tn.place(streetmap.Airport)
	for i, c := range []struct {
		name string
		to   taxi.Address
		data string
		want taxi.PriceType
	}{
		{"the meter tells", hospital, "", taxi.Estimated},
		{"the airport is agreed", airport, "", taxi.Fixed},
		{"as directed", hospital, `{"dropOffUnknown": true}`, taxi.Minimum},
		{"back to where it begins", station, "", taxi.Minimum},
		{"out of the district", york, "", taxi.Maximum},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(i, tn.clock.Now(), station, c.to)
			r.Data = json.RawMessage(c.data)
			j, err := tn.desk.Book(t.Context(), r)
			require.NoError(t, err)
			require.Equal(t, c.want, j.Price.Type)
			u, err := tn.desk.User(t.Context(), taxi.UserRequest{PhoneNumber: r.PhoneNumber})
			require.NoError(t, err)
			final := tn.until(taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}, taxi.Complete).Price
			require.Equal(t, taxi.Fixed, final.Type)
			switch c.want {
			case taxi.Fixed:
				require.Equal(t, j.Price, final)
			case taxi.Minimum:
				require.InDelta(t, 3.60, j.Price.Value, 0)
				require.Greater(t, final.Value, j.Price.Value, "they went somewhere")
			case taxi.Maximum:
				require.LessOrEqual(t, final.Value, j.Price.Value)
			default:
				require.InDelta(t, j.Price.Value, final.Value, 0.6)
			}
		})
	}
}

func TestALargeCarAtNightCostsMore(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown})
	station, hospital := tn.place(streetmap.Station), tn.place(streetmap.Hospital)
	price := func(caller int, at time.Time, category string) float64 {
		r := request(caller, at, station, hospital)
		r.VehicleCategory = category
		j, err := tn.desk.Book(t.Context(), r)
		require.NoError(t, err)
		return j.Price.Value
	}
	day := price(1, simulator.Epoch.Add(4*time.Hour), "")
	require.InDelta(t, day*1.5, price(2, simulator.Epoch.Add(4*time.Hour), "mpv"), 0.01)
	require.InEpsilon(t, day*1.33, price(3, simulator.Epoch.Add(15*time.Hour), ""), 0.03)
}
