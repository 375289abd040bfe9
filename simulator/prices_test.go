package simulator_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/fare"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

func TestFinalPriceHonoursTheQuotedType(t *testing.T) {
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

// TestMinimumPriceIsCharged checks that a minimum price is charged even if the fare is lower: the
// booking is made by the night tariff, and the ride, which the flag fall covers, begins by that
// of the day.
func TestMinimumPriceIsCharged(t *testing.T) {
	tariffs := fare.Council()
	tariffs.FlagMetres, tariffs.FreeWait = 1_000_000, time.Hour
	night := time.Date(2026, time.June, 3, 4, 59, 50, 0, time.UTC) // ten seconds to six in London
	tn := newTown(t, simulator.Options{Seed: 1, Start: night, Tariffs: &tariffs})
	ref := tn.asap(1, station, station)
	require.Equal(t, taxi.Price{Value: 4.80, Currency: "GBP", Type: taxi.Minimum}, *tn.status(ref).Price)
	require.Equal(t, taxi.Price{Value: 4.80, Currency: "GBP", Type: taxi.Fixed}, *tn.until(ref, taxi.Complete).Price)

	estimated := tn.asap(2, station, hospital)
	require.InDelta(t, 3.60, tn.until(estimated, taxi.Complete).Price.Value, 0, "the day's, where nothing was promised")
}

// TestMaximumPriceIsNotExceeded checks that a journey does not cost more than its quoted maximum,
// although the passenger keeps the car waiting with the meter running.
func TestMaximumPriceIsNotExceeded(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 2, Behaviour: simulator.Behaviour{Lateness: 4 * time.Minute}})
	ref := tn.asap(1, station, york)
	promised := tn.status(ref).Price
	require.Equal(t, taxi.Maximum, promised.Type)
	arrived := tn.until(ref, taxi.Arrived).Date
	tn.until(ref, taxi.POB)
	require.Greater(t, tn.clock.Now().Sub(arrived.Time), 4*time.Minute, "choose another seed")
	require.InDelta(t, promised.Value, tn.until(ref, taxi.Complete).Price.Value, 0)
}

func TestFareCoversEveryDrivenLeg(t *testing.T) {
	tariffs := fare.Council()
	tariffs.FreeWait = time.Hour // so that only driving counts
	tn := newTown(t, simulator.Options{Seed: 1, Tariffs: &tariffs})
	ref := tn.asap(1, station, harbour, station, hospital)
	estimated := tn.status(ref).Price
	require.Equal(t, taxi.Estimated, estimated.Type)
	require.InDelta(t, estimated.Value, tn.until(ref, taxi.Complete).Price.Value, 0)

	here := tn.asap(1, station, hospital)
	tn.until(here, taxi.POB)
	tn.advance(2 * time.Minute)
	at := tn.status(here).Location
	tn.edit(here, func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{{Address: "let me out", Location: at}} })
	require.InDelta(t, 4.20, tn.until(here, taxi.Complete).Price.Value, 0, "a kilometre")
}

// TestAirportExtraAppliesAfterAnEdit checks that a ride that is redirected to the airport
// has no agreed price, but pays the airport extra.
func TestAirportExtraAppliesAfterAnEdit(t *testing.T) {
	final := func(places []fixtures.Place) float64 {
		tn := newTown(t, simulator.Options{Seed: 8, Places: places})
		ref := tn.asap(1, station, hospital)
		tn.until(ref, taxi.POB)
		tn.advance(time.Minute)
		j := tn.edit(ref, func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{airport} })
		require.Equal(t, taxi.Estimated, j.Price.Type)
		return tn.until(ref, taxi.Complete).Price.Value
	}
	elsewhere := final([]fixtures.Place{{Address: york, Kind: "airport"}})
	require.InDelta(t, elsewhere+2.50, final([]fixtures.Place{{Address: airport, Kind: "airport"}}), 0.001)
}

func TestLargeCarsAndNightRidesCostMore(t *testing.T) {
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

// TestPricesAreMultiplesOfTenPence checks that quoted and final prices are multiples of ten pence.
func TestPricesAreMultiplesOfTenPence(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Start: simulator.Epoch.Add(16 * time.Hour)}) // one at night
	kinds := []streetmap.PlaceKind{streetmap.Station, streetmap.Hospital, streetmap.Harbour, streetmap.Hotel}
	for i := range kinds {
		ref := tn.asap(i+1, tn.place(kinds[i]), tn.place(kinds[(i+1)%len(kinds)]))
		quoted, paid := tn.status(ref).Price.Value, tn.until(ref, taxi.Complete).Price.Value
		for _, price := range []float64{quoted, paid} {
			require.InDelta(t, math.Round(price*10), price*10, 1e-9)
		}
	}
}

// TestETAOfABusyCarFollowsItsCurrentRide checks that the ETA of a booking made while the only
// car has a passenger depends on where that car is, and falls as it drives on.
func TestETAOfABusyCarFollowsItsCurrentRide(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Cars: 1, Town: smallTown})
	station, airport := tn.place(streetmap.Station), tn.place(streetmap.Airport)
	tn.advance(time.Minute)
	riding := tn.asap(1, station, airport)
	tn.until(riding, taxi.POB)
	wait := func() float64 { return tn.status(tn.asap(2, airport, station)).ETA.Value }
	first := wait()
	require.Less(t, first, 20.0)
	tn.advance(2 * time.Minute)
	require.Less(t, wait(), first)
}

// TestPriceAfterEditsAndLateCancellation checks the price after a drop-off is edited, and the fee of a
// cancellation when the car has arrived.
func TestPriceAfterEditsAndLateCancellation(t *testing.T) {
	policy := dispatch.DefaultPolicy()
	policy.LateCancelFee = 400
	tariffs := fare.Council()
	tariffs.FreeWait = time.Hour
	tn := newTown(t, simulator.Options{
		Seed: 8, Policy: &policy, Tariffs: &tariffs, Places: []fixtures.Place{{Address: airport, Kind: "airport"}},
	})
	directed := tn.asap(1, station, station)
	require.Equal(t, taxi.Price{Value: 3.60, Currency: "GBP", Type: taxi.Minimum}, *tn.status(directed).Price)
	tn.edit(directed, func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{airport} })
	agreed := *tn.status(directed).Price
	require.Equal(t, taxi.Fixed, agreed.Type)
	tn.edit(directed, func(r *taxi.BookRequest) { r.Name = "Caller 1, again" })
	require.Equal(t, agreed, *tn.until(directed, taxi.Complete).Price)
	late := tn.asap(2, station, york)
	require.Equal(t, taxi.Maximum, tn.status(late).Price.Type)
	tn.until(late, taxi.Arrived)
	cancelled, err := tn.desk.Cancel(t.Context(), late)
	require.NoError(t, err)
	require.Equal(t, taxi.Price{Value: 4, Currency: "GBP", Type: taxi.Fixed}, *cancelled.Price)
}
