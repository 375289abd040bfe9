package simulator_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/store"
)

// reopened returns a world with the records and the orders of another, opened a while after
// that has ended.
func reopened(t *testing.T, before *town, kept *shelf, o simulator.Options, later time.Duration) *town {
	t.Helper()
	o.Start, o.Standing, o.Keep = before.clock.Now().Add(later), kept.orders, &shelf{}
	return openTown(t, store.FromImage(before.records.Image(), store.Options{}), o)
}

func steps(all ...simulator.ScriptStep) []simulator.ScriptStep { return all }

// in is a step to a status after a number of minutes.
func in(minutes int, to taxi.Status) simulator.ScriptStep {
	return simulator.ScriptStep{After: simulator.Span(minutes) * simulator.Span(time.Minute), To: to}
}

func (tn *town) script(ref taxi.JourneyRef, all ...simulator.ScriptStep) {
	tn.Helper()
	_, err := tn.world.Script(tn.Context(), simulator.ScriptOrder{Journey: ref.JourneyID, Steps: all})
	require.NoError(tn, err)
}

func (tn *town) hold(ref taxi.JourneyRef) {
	tn.Helper()
	_, err := tn.world.Hold(tn.Context(), ref.JourneyID)
	require.NoError(tn, err)
}

// TestAScriptGoesOnWhenItsStepsAreDue checks that the steps of a script happen when they are
// due after a restart, and at once if they fell due while no process ran the world.
func TestAScriptGoesOnWhenItsStepsAreDue(t *testing.T) {
	kept := &shelf{}
	o := simulator.Options{Seed: 1, Keep: kept}
	before := openTown(t, store.Memory(), o)
	ref := before.asap(1, station, hospital)
	before.until(ref, taxi.EnRoute)
	before.script(ref, in(60, taxi.Arrived), in(10, taxi.POB), in(10, taxi.Complete))
	before.advance(65 * time.Minute)

	soon := reopened(t, before, kept, o, time.Minute)
	soon.advance(4*time.Minute - time.Second)
	require.Equal(t, taxi.Arrived, soon.status(ref).Status)
	soon.advance(time.Second)
	require.Equal(t, taxi.POB, soon.status(ref).Status)

	late := reopened(t, before, kept, o, time.Hour)
	require.Equal(t, taxi.POB, late.status(ref).Status, "at once")
	late.advance(10*time.Minute - time.Second)
	require.Equal(t, taxi.POB, late.status(ref).Status, "the next step follows that")
	late.advance(time.Second)
	require.Equal(t, taxi.Complete, late.status(ref).Status)
}

// TestHeldJourneyResumesUnchangedAfterRestart checks that a held journey does not change over two
// restarts, and that after its release it takes as long, and costs as much, as without them.
func TestHeldJourneyResumesUnchangedAfterRestart(t *testing.T) {
	for _, status := range []taxi.Status{taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB} {
		kept := &shelf{}
		o := simulator.Options{Seed: 1, Town: smallTown, Keep: kept}
		before := openTown(t, store.Memory(), o)
		ref := before.asap(1, station, harbour)
		before.until(ref, status)
		before.advance(5 * time.Second)
		before.hold(ref)
		before.advance(10 * time.Minute)
		first := reopened(t, before, kept, o, 24*time.Hour)
		again := &shelf{}
		o.Keep = again
		o.Start, o.Standing = first.clock.Now(), kept.orders
		second := openTown(t, store.FromImage(first.records.Image(), store.Options{}), o)
		require.Zero(t, again.puts, "nothing about it has changed")
		second.advance(time.Hour)
		require.Equal(t, before.status(ref).Location, second.status(ref).Location)
		require.Equal(t, before.status(ref).ETA, second.status(ref).ETA)

		var ends []time.Duration
		var prices []*taxi.Price
		for _, tn := range []*town{before, second} {
			_, err := tn.world.Release(t.Context(), ref.JourneyID)
			require.NoError(t, err)
			released := tn.clock.Now()
			prices = append(prices, tn.until(ref, taxi.Complete).Price)
			ends = append(ends, tn.clock.Now().Sub(released))
		}
		require.Equal(t, ends[0], ends[1], status)
		if status != taxi.Arrived { // whose passenger pays for the wait
			require.Equal(t, prices[0], prices[1], status)
		}
	}
}

func (tn *town) journey(ref taxi.JourneyRef) simulator.JourneyView {
	tn.Helper()
	v, err := tn.world.Journey(tn.Context(), ref.JourneyID)
	require.NoError(tn, err)
	return v
}

// TestRepairsAndDutyOrdersSurviveARestart checks that a repair, a duty order and a shift that an order has made
// longer end at the same time if the process is restarted meanwhile.
func TestRepairsAndDutyOrdersSurviveARestart(t *testing.T) {
	kept := &shelf{}
	o := simulator.Options{Seed: 1, Cars: 4, Keep: kept, Shifts: []crew.Shift{{Begins: "0 20 * * *", Ends: "0 6 * * *"}}}
	before := openTown(t, store.Memory(), o)
	state := func(tn *town, car string) simulator.CarState {
		v, err := tn.world.Vehicle(car)
		require.NoError(t, err)
		return v.State
	}
	for _, car := range []string{"car-1", "car-2", "car-3"} {
		_, err := before.world.SetDuty(t.Context(), car, true)
		require.NoError(t, err)
	}
	_, err := before.world.BreakDown(t.Context(), simulator.BreakdownOrder{Vehicle: "car-1", For: simulator.Span(time.Hour)})
	require.NoError(t, err)
	_, err = before.world.SetDuty(t.Context(), "car-3", false)
	require.NoError(t, err)
	require.Equal(t, simulator.CarOffDuty, state(before, "car-4"), "the shift is over")

	for later, want := range map[time.Duration][]simulator.CarState{
		59 * time.Minute:              {simulator.CarOffDuty, simulator.CarFree, simulator.CarOffDuty, simulator.CarOffDuty},
		60 * time.Minute:              {simulator.CarFree, simulator.CarFree, simulator.CarOffDuty, simulator.CarOffDuty},
		12*time.Hour + 30*time.Minute: {simulator.CarFree, simulator.CarFree, simulator.CarOffDuty, simulator.CarFree},
		25 * time.Hour:                {simulator.CarOffDuty, simulator.CarOffDuty, simulator.CarOffDuty, simulator.CarOffDuty},
	} {
		for _, away := range []time.Duration{0, later / 2, later} {
			after := reopened(t, before, kept, o, away)
			after.advance(later - away)
			var is []simulator.CarState
			for _, car := range []string{"car-1", "car-2", "car-3", "car-4"} {
				is = append(is, state(after, car))
			}
			require.Equal(t, want, is, "after %v, of which nobody saw %v", later, away)
		}
	}
}

// TestOutdatedOrdersAreReconciledAfterAKill checks that a world continues with orders that are older than its
// records: the process was killed after the records were stored and before the orders were.
func TestOutdatedOrdersAreReconciledAfterAKill(t *testing.T) {
	kept := &shelf{}
	o := simulator.Options{Seed: 1, Keep: kept}
	before := openTown(t, store.Memory(), o)
	scripted, held, over := before.asap(1, station, hospital), before.asap(2, station, hospital), before.asap(3, station, hospital)
	before.until(scripted, taxi.EnRoute)
	before.script(scripted, in(1, taxi.Arrived), in(2, taxi.POB))
	before.hold(held)
	before.hold(over)
	old := &shelf{orders: kept.orders}
	before.order(held, taxi.Arrived, true)
	before.order(over, taxi.Cancelled, true)
	before.advance(time.Minute)

	after := reopened(t, before, old, o, 0)
	require.Equal(t, steps(in(2, taxi.POB)), after.journey(scripted).Script, "the first step has happened")
	require.True(t, after.journey(held).Held)
	require.Equal(t, taxi.Arrived, after.journey(held).Status)
	after.advance(2*time.Minute - time.Second)
	require.Equal(t, taxi.Arrived, after.status(scripted).Status)
	after.advance(time.Second)
	require.Equal(t, taxi.POB, after.status(scripted).Status)
	require.Equal(t, simulator.Standing{Held: 1}, after.world.Standing())
}

// TestUnreadableOrdersAreIgnoredAndLogged checks that a world is opened without orders if the stored ones
// cannot be read, and that this is logged.
func TestUnreadableOrdersAreIgnoredAndLogged(t *testing.T) {
	var log bytes.Buffer
	tn := openTown(t, store.Memory(), simulator.Options{Standing: []byte(`{"journeys":7}`), Log: slog.New(slog.NewTextHandler(&log, nil))})
	require.Zero(t, tn.world.Standing())
	require.Contains(t, log.String(), "without its orders for later")
}

// TestOrdersAreStoredOnlyWhenTheyChange checks that the orders are stored when they change, and
// only then.
func TestOrdersAreStoredOnlyWhenTheyChange(t *testing.T) {
	kept := &shelf{}
	tn := openTown(t, store.Memory(), simulator.Options{Seed: 1, Keep: kept})
	ref := tn.asap(1, station, hospital)
	tn.until(ref, taxi.EnRoute)
	require.Zero(t, kept.puts)
	require.Equal(t, tn.clock.Now(), kept.now)
	changes := func(by int, do func()) {
		t.Helper()
		was := kept.puts
		do()
		require.Equal(t, by, kept.puts-was, string(kept.orders))
	}
	changes(1, func() { tn.hold(ref) })
	changes(0, func() { tn.hold(ref) })
	changes(0, func() { tn.advance(time.Hour) })
	changes(0, func() { tn.world.Standing() })
	changes(1, func() { _, _ = tn.world.Release(t.Context(), ref.JourneyID) }) // the car is later than its stored drive
	changes(1, func() { tn.until(ref, taxi.Arrived) })
	require.Equal(t, "{}", string(kept.orders))
	changes(2, func() { // it is booked and given its script
		_, err := tn.world.ScriptNext(t.Context(), simulator.NextScriptOrder{Steps: steps(in(1, taxi.Accepted), simulator.ScriptStep{Hold: true})})
		require.NoError(t, err)
		ref = tn.asap(2, station, hospital)
	})
	changes(2, func() { tn.advance(2 * time.Minute) })
	changes(1, func() { tn.order(ref, taxi.Cancelled, true) })
}

// full is a [simulator.Keeper] whose disk is full.
type full struct{}

func (full) KeepOrders([]byte) (store.Ticket, error) { return store.Ticket{}, store.ErrUnavailable }

func (full) KeepTime(time.Time) (store.Ticket, error) { return store.Ticket{}, store.ErrUnavailable }

// TestUnstoredOrdersAreNotAcknowledged checks that an order, and a change of the clock, return an error
// if they cannot be stored.
func TestUnstoredOrdersAreNotAcknowledged(t *testing.T) {
	tn := openTown(t, store.Memory(), simulator.Options{Seed: 1, Keep: full{}})
	_, err := tn.world.SetDuty(t.Context(), "car-1", false)
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorIs(t, tn.clock.Advance(t.Context(), time.Minute), store.ErrUnavailable)
	require.ErrorIs(t, tn.clock.Step(t.Context()), store.ErrUnavailable)
}
