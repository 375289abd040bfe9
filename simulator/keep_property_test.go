package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// shelf is a [simulator.Keeper] in memory.
type shelf struct {
	orders []byte
	puts   int
	now    time.Time
}

func (s *shelf) KeepOrders(text []byte) (store.Ticket, error) {
	s.orders = text
	s.puts++
	return store.Ticket{}, nil
}

func (s *shelf) KeepTime(now time.Time) (store.Ticket, error) {
	s.now = now
	return store.Ticket{}, nil
}

// TestOrdersOutliveTheirWorld reopens a world under random orders at a random moment, and
// compares it with the world that goes on. These may differ, as after any restart: where
// cars without a job are, which of them is asked, what people decide from then on, and when
// a journey goes on that an order has delayed but does not hold any more.
func TestOrdersOutliveTheirWorld(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := drawOptions(rt)
		o.Assigner = nil
		o.Behaviour.Silent, o.Behaviour.Shifts = 0, false // a lost signal is a car's, and a partner's car gets another number
		before := openMachine(rt, o, store.Memory())
		rt.Repeat(map[string]func(*rapid.T){
			"book": before.book, "cancel": before.cancel, "edit": before.edit, "advance": before.advance, "step": before.step,
			"transition": before.transition, "hold": before.hold, "release": before.release, "reassign": before.reassign,
			"script": before.script, "duty": before.duty, "break down": before.breakDown, "place": before.placeCar,
			"": before.check,
		})
		before.check(rt)

		o.Start, o.Standing = before.now, before.kept.orders
		after := openMachine(rt, o, store.FromImage(before.records.Image(), store.Options{}))
		after.rides, after.seen = before.rides, before.durable()
		for id := range after.seen {
			after.ordered[id] = true
		}
		requireSameOrders(rt, before.world, after.world, before.records.Store)
		requireSameCourse(rt, before, after)
		after.check(rt)
		after.letGo()
		require.NoError(rt, after.world.Clock().UntilIdle(t.Context(), 5*24*time.Hour), "everything ends")
		after.check(rt)
	})
}

// requireSameOrders compares what orders have set, and the journeys that they are about.
func requireSameOrders(t *rapid.T, before, after *simulator.World, records *store.Store) {
	require.Equal(t, before.Standing(), after.Standing())
	for _, live := range records.AllLive() {
		was, err := before.Journey(t.Context(), live.JourneyID)
		require.NoError(t, err)
		is, err := after.Journey(t.Context(), live.JourneyID)
		require.NoError(t, err)
		byItself := !was.Held && len(was.Script) == 0
		if byItself && was.Status != is.Status && was.Status.CanBecome(is.Status) {
			continue // what an order has delayed happens at once
		}
		require.Equal(t, ordersOf(was), ordersOf(is))
		if was.Held || len(was.Script) > 0 {
			require.Equal(t, was, is)
		}
		require.Equal(t, was.Location, is.Location, "%+v", was)
	}
	_, cars := before.Vehicles()
	for _, v := range cars {
		if v.Partner {
			continue
		}
		one, err := after.Vehicle(v.ID)
		require.NoError(t, err)
		require.Equal(t, v.Grounded, one.Grounded)
	}
}

// ordersOf is what orders have set about a journey.
func ordersOf(v simulator.JourneyView) simulator.JourneyView {
	return simulator.JourneyView{
		Journey: taxi.Journey{JourneyID: v.JourneyID, Status: v.Status}, VehicleID: v.VehicleID,
		Held: v.Held, Script: v.Script, ScriptStopped: v.ScriptStopped,
	}
}

// requireSameCourse moves both worlds on: a journey that is held, or whose script needs no
// other car, does the same in both.
func requireSameCourse(t *rapid.T, before, after *machine) {
	followed := map[taxi.JourneyID]bool{}
	for _, snap := range before.records.AllLive() {
		v, err := before.world.Journey(t.Context(), snap.JourneyID)
		require.NoError(t, err)
		followed[v.JourneyID] = (v.Held || len(v.Script) > 0) && dispatch.Fields(v.Status).Crew && needsNoCar(v.Script)
	}
	for _, by := range []time.Duration{time.Second, time.Minute, 7 * time.Minute} {
		require.NoError(t, before.world.Clock().Advance(t.Context(), by))
		require.NoError(t, after.world.Clock().Advance(t.Context(), by))
		for id, same := range followed {
			if !same {
				continue
			}
			was, err := before.world.Journey(t.Context(), id)
			require.NoError(t, err)
			is, err := after.world.Journey(t.Context(), id)
			require.NoError(t, err)
			if !was.Held && len(was.Script) == 0 { // it goes on by itself
				followed[id] = false
				require.Equal(t, was.ScriptStopped, is.ScriptStopped)
				continue
			}
			require.Equal(t, was, is)
		}
	}
}

// needsNoCar reports whether no step of a script looks for another car.
func needsNoCar(steps []simulator.ScriptStep) bool {
	for _, s := range steps {
		if s.Drop || s.Force || s.To == taxi.Waiting || s.To == taxi.Held {
			return false
		}
	}
	return true
}
