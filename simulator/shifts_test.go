package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/crew"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

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

// All shifts begin at the full hour by the schedule; the drivers come by and by.
func TestDriversDoNotComeAllAtOnce(t *testing.T) {
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

func TestADriverFinishesHisJobBeforeHeGoes(t *testing.T) {
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

func TestShiftsThatMakeNoSense(t *testing.T) {
	for _, s := range []crew.Shift{{Begins: "soon", Ends: "0 5 * * *"}, {Begins: "0 5 * * *", Ends: "TZ=Europe/London 0 5 * * *"}} {
		_, err := simulator.New(t.Context(), store.Memory(), simulator.Options{Shifts: []crew.Shift{s}})
		require.Error(t, err)
	}
}

// While its signal is lost, for twenty seconds at most, a car seems to stand.
func TestACarIsNotHeardOfNowAndThen(t *testing.T) {
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
