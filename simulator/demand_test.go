package simulator_test

import (
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// booked lets a town book for a while, with nobody driving, and returns what was
// booked.
func booked(t *testing.T, name string, d time.Duration) []*store.Snapshot {
	t.Helper()
	what, err := demand.Parse(name)
	require.NoError(t, err)
	monday := time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)
	tn := newTown(t, simulator.Options{
		Seed: 1, Town: smallTown, Cars: 1, Start: monday, Demand: what, Sweep: "0 * * * *",
	})
	tn.advance(d)
	all, err := tn.records.Journeys(t.Context(), 0)
	require.NoError(t, err)
	return all
}

func TestNobodyBooksUnlessAsked(t *testing.T) {
	require.Empty(t, booked(t, "none", 24*time.Hour))
	_, err := demand.Parse("plenty")
	require.Error(t, err)
	_, err = simulator.New(t.Context(), store.Memory(), simulator.Options{Demand: demand.Demand{PerHour: -1}})
	require.Error(t, err)
}

func TestAWeekOfBookings(t *testing.T) {
	all := booked(t, "quiet", 7*24*time.Hour)
	require.InEpsilon(t, 60*7*24, len(all), 0.03)
	byHour, weekendNight, weekNight, ahead := map[int]int{}, 0, 0, 0
	var leads []time.Duration
	policy := dispatch.DefaultPolicy()
	for _, j := range all {
		local := j.CreatedAt.In(policy.PickupLocation)
		switch day := local.Weekday(); {
		case local.Hour() == 23 && (day == time.Friday || day == time.Saturday):
			weekendNight++
		case local.Hour() == 23 && day < time.Friday:
			weekNight++
		}
		byHour[local.Hour()]++
		if lead := j.Date.Sub(j.CreatedAt); lead > 0 {
			ahead++
			leads = append(leads, lead)
		}
	}
	require.Greater(t, byHour[18], 4*byHour[4], "evenings are busy and nights are not")
	require.Greater(t, weekendNight*5, weekNight*3, "but for the weekend")
	require.InDelta(t, 20, 100*ahead/len(all), 2)
	shorter := 0
	for _, lead := range leads {
		if lead < 3*time.Hour {
			shorter++
		}
	}
	require.InDelta(t, 50, 100*shorter/len(leads), 4, "half of them by less than three hours")
}

func TestResidentsAreInvented(t *testing.T) {
	roads := road.Streets(smallTown)
	pickups := map[string]int{}
	for _, j := range booked(t, "town", 24*time.Hour) {
		number, err := phonenumbers.Parse(string(j.Passenger.PhoneNumber), "")
		require.NoError(t, err)
		require.True(t, phonenumbers.IsPossibleNumber(number))
		require.Regexp(t, `^\+44(1632960|1[46]14960|1914980|2890180|2920180)\d{3}$`, j.Passenger.PhoneNumber, "nobody can be rung by it")
		require.True(t, roads.Covers(road.SpotOf(*j.Pickup.Location)))
		require.NotEqual(t, *j.Pickup.Location, *j.Dropoffs[0].Location)
		pickups[j.Pickup.Address]++
	}
	station, ok := smallTown.PlaceOf("station")
	require.True(t, ok)
	require.Greater(t, pickups[smallTown.Wire(station.Address).Address], 100, "a third of those from places")
}

func TestSomeResidentsAreServed(t *testing.T) {
	tn := newTown(t, simulator.Options{
		Seed: 1, Town: smallTown, Demand: demand.Demand{PerHour: 60, Prebooked: 20}, Behaviour: simulator.Typical(),
	})
	tn.advance(24 * time.Hour)
	all, err := tn.records.Journeys(t.Context(), 0)
	require.NoError(t, err)
	complete := 0
	for _, j := range all {
		if j.Status == taxi.Complete {
			complete++
		}
	}
	require.Greater(t, complete*100, len(all)*80)
	require.Zero(t, tn.world.Stats().Void)
}
