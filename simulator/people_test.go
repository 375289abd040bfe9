package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

const always = 10_000 // of ten thousand

func TestDriversWhoSayNo(t *testing.T) {
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

func TestADriverDropsOutAndAnotherComes(t *testing.T) {
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

func TestNobodyAtTheDoor(t *testing.T) {
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

func TestPassengersWhoLosePatience(t *testing.T) {
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
