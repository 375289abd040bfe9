package simulator_test

import (
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/simulator/road"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

const always = 10_000 // of ten thousand

func TestDecliningDriversAreAskedOnlyOnce(t *testing.T) {
	for name, b := range map[string]simulator.Behaviour{
		"reject":  {Reject: always},
		"silence": {Silence: always},
	} {
		t.Run(name, func(t *testing.T) {
			tn := newTown(t, simulator.Options{Seed: 1, Cars: 3, Behaviour: b})
			seen, cancel := tn.world.Subscribe(100)
			ref := tn.asap(1, station, hospital)
			j := tn.until(ref, taxi.Cancelled)
			require.Equal(t, taxi.ReasonNoDriver, j.Data.Reason)
			cancel()
			n := map[dispatch.Event]int{}
			for tr := range seen {
				n[tr.Event]++
			}
			require.Equal(t, 3, n[dispatch.EventReoffer], "each is asked once")
		})
	}
}

func TestJourneyIsReassignedWhenADriverDropsOut(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 3, Cars: 40, Behaviour: simulator.Behaviour{Drop: 5000}})
	ref := tn.asap(1, station, hospital)
	crews := map[string]bool{}
	seen, cancel := tn.world.Subscribe(100)
	tn.until(ref, taxi.Complete)
	cancel()
	drops := 0
	for tr := range seen {
		switch tr.Event {
		case dispatch.EventDrop:
			drops++
			require.Equal(t, taxi.Waiting, tr.To)
		case dispatch.EventAccept:
			require.False(t, crews[tr.VehicleID], "a driver who dropped out is not asked again")
			crews[tr.VehicleID] = true
		}
	}
	require.Positive(t, drops, "choose another seed")
	require.Len(t, crews, drops+1)
}

func TestABrokenCarIsOffDutyForAWhile(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 2, Cars: 1, Behaviour: simulator.Behaviour{Breakdown: always}})
	ref := tn.asap(1, station, hospital)
	tn.until(ref, taxi.Accepted)
	tn.until(ref, taxi.Waiting)
	require.Equal(t, 1, tn.cars()[simulator.CarOffDuty])
	tn.advance(time.Hour)
	require.Equal(t, 1, tn.cars()[simulator.CarFree])
}

func TestNoShowIsCancelledAfterTheWait(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"now": 0, "ahead": time.Hour} {
		t.Run(name, func(t *testing.T) {
			tn := newTown(t, simulator.Options{Seed: 1, Behaviour: simulator.Behaviour{NoShow: always}})
			pickup := tn.clock.Now().Add(ahead)
			ref := tn.book(1, pickup, station, hospital)
			tn.until(ref, taxi.Arrived)
			from, wait := tn.clock.Now(), 5*time.Minute
			if ahead > 0 {
				from, wait = pickup, 10*time.Minute
			}
			j := tn.until(ref, taxi.Cancelled)
			require.Equal(t, from.Add(wait), tn.clock.Now())
			require.Equal(t, taxi.ReasonNoShow, j.Data.Reason)
			require.Equal(t, 40, tn.cars()[simulator.CarFree])
		})
	}
}

func TestImpatientPassengersCancel(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Cars: 1, Behaviour: simulator.Behaviour{Reject: always, Cancel: always}})
	cancelled := 0
	for caller := range 10 {
		ref := tn.asap(caller, station, hospital)
		if j := tn.until(ref, taxi.Cancelled); j.Data.Reason == taxi.ReasonPassenger {
			cancelled++
		}
	}
	require.Greater(t, cancelled, 5)
}

func TestDriversWorkByTheRoster(t *testing.T) {
	tn := newTown(t, simulator.Options{
		Seed: 1, Town: smallTown, Cars: 40, Start: simulator.Epoch.Truncate(24 * time.Hour), Shifts: crew.Roster(),
	})
	out := make([]int, 24)
	for hour := range out {
		tn.advance(30 * time.Minute)
		out[hour] = tn.cars()[simulator.CarFree]
		tn.advance(30 * time.Minute)
	}
	require.Equal(t, 10, out[2], "the night's")
	require.InDelta(t, 20, out[11], 6, "half, but for those on their break")
	require.InDelta(t, 20, out[20], 6)
	require.Positive(t, out[5])
	require.Less(t, out[12], 20, "some have their break")
}

// TestShiftStartsAreSpreadOut checks that drivers whose shift begins at the same hour come at
// different times.
func TestShiftStartsAreSpreadOut(t *testing.T) {
	shift := []crew.Shift{{Begins: "0 9 * * *", Ends: "0 17 * * *"}}
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 40, Shifts: shift})
	free := func(after time.Duration) int {
		tn.advance(after)
		return tn.cars()[simulator.CarFree]
	}
	require.Zero(t, free(time.Hour-time.Millisecond))
	require.InDelta(t, 20, free(10*time.Minute), 8)
	require.Equal(t, 40, free(10*time.Minute+time.Second))
}

func TestShiftEndsOnlyAfterTheCurrentJob(t *testing.T) {
	soon := []crew.Shift{{Begins: "0 0 * * *", Ends: "30 8 * * *"}}
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 1, Shifts: soon})
	tn.advance(29 * time.Minute)
	ref := tn.asap(1, tn.place(streetmap.Station), york)
	tn.advance(40 * time.Minute) // beyond the time that shifts take to end
	require.Equal(t, taxi.POB, tn.status(ref).Status)
	tn.until(ref, taxi.Complete)
	tn.advance(5 * time.Hour)
	require.Equal(t, 1, tn.cars()[simulator.CarOffDuty], "back in town, and at home")
	tn.advance(10 * time.Hour)
	require.Equal(t, 1, tn.cars()[simulator.CarFree], "a new day")
}

// TestLostSignalFreezesThePositionBriefly checks that a car seems to stand still while its signal is
// lost, and for twenty seconds at most.
func TestLostSignalFreezesThePositionBriefly(t *testing.T) {
	still := func(silent int) (longest, total time.Duration) {
		tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 1, Behaviour: simulator.Behaviour{Silent: silent}})
		ref := tn.asap(1, tn.place(streetmap.Station), york)
		j := tn.until(ref, taxi.POB)
		last, since := *j.Location, time.Duration(0)
		tn.advance(20 * time.Second)
		for range 1800 {
			tn.advance(time.Second)
			j := tn.status(ref)
			if since += time.Second; *j.Location != last {
				last, since = *j.Location, 0
			} else {
				total += time.Second
			}
			longest = max(longest, since)
		}
		return longest, total
	}
	longest, total := still(0)
	require.Zero(t, total)
	require.Zero(t, longest)
	longest, total = still(always)
	require.LessOrEqual(t, longest, 20*time.Second)
	require.Greater(t, total, 30*5*time.Second)
}

// booked runs a town with a demand and a single car for a while, and returns all bookings.
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

func TestDemandNoneMakesNoBookings(t *testing.T) {
	require.Empty(t, booked(t, "none", 24*time.Hour))
}

func TestWeeklyDemandHasExpectedDistribution(t *testing.T) {
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

func TestResidentBookingsUseFictionalNumbers(t *testing.T) {
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

func TestMostResidentBookingsAreCompleted(t *testing.T) {
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
