package simulator_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// refused requires that an error is a refusal of a kind, and returns it.
func refused(t *testing.T, err error, kind simulator.RefusalKind, says string) simulator.Refusal {
	t.Helper()
	var r *simulator.Refusal
	require.ErrorAs(t, err, &r)
	require.Equal(t, kind, r.Kind)
	require.ErrorContains(t, err, says)
	return *r
}

// order orders a journey into a status, which must be allowed.
func (tn *town) order(ref taxi.JourneyRef, to taxi.Status, force bool) simulator.JourneyView {
	tn.Helper()
	v, err := tn.world.Transition(tn.Context(), simulator.TransitionOrder{Journey: ref.JourneyID, To: to, Force: force})
	require.NoError(tn, err)
	require.Equal(tn, to, v.Status)
	requirePresence(tn, v.Journey)
	require.Equal(tn, v.Journey, tn.status(ref))
	return v
}

func TestTransitionOrdersFollowTheStatusTable(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	ref := tn.asap(1, station, hospital)
	quoted := tn.status(ref).Price.Value
	for _, s := range []taxi.Status{taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete} {
		v := tn.order(ref, s, false)
		switch s {
		case taxi.Arrived:
			require.Equal(t, *station.Location, *v.Location, "the car is where the status says")
		case taxi.Complete:
			require.InDelta(t, quoted, v.Price.Value, 0.6, "the meter has run")
			require.Empty(t, v.Ways)
		}
	}
	require.Equal(t, 40, tn.cars()[simulator.CarFree])
	require.Equal(t, simulator.Epoch, tn.clock.Now(), "in no time")
}

func TestIllegalTransitionNamesLegalOnes(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	ref := tn.asap(1, station, hospital)
	order := func(to taxi.Status, ev dispatch.Event) error {
		_, err := tn.world.Transition(t.Context(), simulator.TransitionOrder{Journey: ref.JourneyID, To: to, Event: ev})
		return err
	}
	r := refused(t, order(taxi.POB, ""), simulator.RefusedConflict, "WAITING does not become POB: from WAITING it goes to ACCEPTED by accept, CANCELLED by cancel, CANCELLED by no-driver")
	require.Equal(t, taxi.Waiting, r.Status)
	require.Equal(t, "/to", r.Field)
	require.Equal(t, simulator.Way{To: taxi.Accepted, Event: dispatch.EventAccept, When: "the booking has not changed since the job was offered"}, r.Legal[0])
	refused(t, order(taxi.Waiting, ""), simulator.RefusedConflict, "is WAITING already")
	refused(t, order("SOON", ""), simulator.RefusedInvalid, `"SOON" is none of`)
	refused(t, order(taxi.Cancelled, dispatch.EventNoShow), simulator.RefusedConflict, `by "no-show"`)
	refused(t, order(taxi.Cancelled, dispatch.EventNoDriver), simulator.RefusedConflict, "only when the pickup time, or the release if later, is longer ago")
	_, err := tn.world.Transition(t.Context(), simulator.TransitionOrder{Journey: "J0", To: taxi.POB})
	refused(t, err, simulator.RefusedUnknown, `no journey "J0"`)
	require.NoError(t, order(taxi.Cancelled, ""))
	r = refused(t, order(taxi.Waiting, ""), simulator.RefusedConflict, "nothing follows CANCELLED")
	require.Empty(t, r.Legal)
	_, err = tn.world.Hold(t.Context(), ref.JourneyID)
	refused(t, err, simulator.RefusedConflict, "is over, at CANCELLED")
}

func TestADriverFollowsAScript(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	ref := tn.asap(1, station, hospital)
	seen, cancel := tn.world.Subscribe(100)
	span := func(d time.Duration) simulator.Span { return simulator.Span(d) }
	v, err := tn.world.Script(t.Context(), simulator.ScriptOrder{Journey: ref.JourneyID, Steps: []simulator.ScriptStep{
		{After: span(30 * time.Second), To: taxi.Accepted},
		{After: span(2 * time.Minute), To: taxi.Arrived},
		{After: span(time.Hour), Drop: true},
	}})
	require.NoError(t, err)
	require.Len(t, v.Script, 3)
	tn.advance(31 * time.Second)
	require.InDelta(t, 2, tn.status(ref).ETA.Value, 0, "it says what the script says")
	require.NoError(t, tn.clock.UntilIdle(t.Context(), 3*time.Hour))
	cancel()
	var events []dispatch.Event
	var after []time.Duration
	for tr := range seen {
		events, after = append(events, tr.Event), append(after, tr.At.Sub(simulator.Epoch))
	}
	require.Equal(t, []dispatch.Event{"accept", "arrive", "drop"}, events[:3])
	require.Equal(t, []time.Duration{30 * time.Second, 150 * time.Second, 3750 * time.Second}, after[:3])
	require.Equal(t, dispatch.EventFinish, events[len(events)-1], "then it goes on by itself")
}

func TestAScriptWaitsForABooking(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	next := func(phone taxi.E164, steps ...simulator.ScriptStep) {
		t.Helper()
		_, err := tn.world.ScriptNext(t.Context(), simulator.NextScriptOrder{Phone: phone, Steps: steps})
		require.NoError(t, err)
	}
	next("+442079460002", simulator.ScriptStep{Hold: true})
	next("", simulator.ScriptStep{To: taxi.Accepted}, simulator.ScriptStep{Hold: true})
	next("", simulator.ScriptStep{To: taxi.Accepted})
	next("", simulator.ScriptStep{To: taxi.Cancelled})
	accepted, waits := tn.asap(1, station, hospital), tn.asap(2, station, hospital)
	held := tn.book(3, simulator.Epoch.Add(time.Hour), station, hospital)
	tn.advance(30 * time.Minute)
	require.Equal(t, taxi.Accepted, tn.status(accepted).Status)
	require.Equal(t, taxi.Waiting, tn.status(waits).Status)
	v, err := tn.world.Journey(t.Context(), held.JourneyID)
	require.NoError(t, err)
	require.Contains(t, v.ScriptStopped, "/steps/0: HELD does not become ACCEPTED")
	require.NoError(t, tn.world.ForgetScripts(t.Context()))
	tn.until(tn.asap(4, station, hospital), taxi.Complete)
	_, err = tn.world.ScriptNext(t.Context(), simulator.NextScriptOrder{Steps: []simulator.ScriptStep{{To: taxi.POB}}})
	refused(t, err, simulator.RefusedInvalid, "does not become POB")
	for i := range simulator.MaxNextScripts + 1 {
		_, err := tn.world.ScriptNext(t.Context(), simulator.NextScriptOrder{})
		require.Equal(t, i == simulator.MaxNextScripts, err != nil)
	}
}

func TestScriptsThatAreNone(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	ref := tn.asap(1, station, hospital)
	for says, steps := range map[string][]simulator.ScriptStep{
		"nothing comes after":             {{Hold: true}, {To: taxi.Accepted}},
		"33 steps":                        make([]simulator.ScriptStep, 33),
		"want one of to, drop and hold":   {{}},
		"only a step to a status":         {{Drop: true, Force: true}},
		`"SOON" is none of`:               {{To: "SOON"}},
		"WAITING does not become POB":     {{To: taxi.POB}},
		"ACCEPTED does not become HELD":   {{To: taxi.Accepted}, {To: taxi.Held}},
		"WAITING does not become WAITING": {{Drop: true}},
		"is 2161h0m0s, want":              {{To: taxi.Accepted, After: simulator.Span(2161 * time.Hour)}},
		"is -1s, want":                    {{To: taxi.Accepted, After: simulator.Span(-time.Second)}},
	} {
		_, err := tn.world.Script(t.Context(), simulator.ScriptOrder{Journey: ref.JourneyID, Steps: steps})
		require.Contains(t, refused(t, err, simulator.RefusedInvalid, says).Field, "/steps")
	}
}

func TestPendingOrdersAreCounted(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	require.Empty(t, tn.world.Standing().String())
	ref := tn.asap(1, station, hospital)
	_, err := tn.world.Script(t.Context(), simulator.ScriptOrder{Journey: ref.JourneyID, Steps: []simulator.ScriptStep{{After: simulator.Span(time.Minute), Hold: true}}})
	require.NoError(t, err)
	_, err = tn.world.ScriptNext(t.Context(), simulator.NextScriptOrder{Phone: "442079460099", Steps: []simulator.ScriptStep{{To: taxi.Accepted}}})
	require.NoError(t, err)
	for _, car := range []string{"car-1", "car-2"} {
		_, err = tn.world.SetDuty(t.Context(), car, false)
		require.NoError(t, err)
	}
	require.Equal(t, "1 journey with a script, 1 script for a booking to come, 2 cars put off duty", tn.world.Standing().String())
	require.NoError(t, tn.clock.Advance(t.Context(), time.Hour))
	require.Equal(t, simulator.Standing{Held: 1, Scripts: 1, OffDuty: 2}, tn.world.Standing(), "the script has held it")
	tn.order(ref, taxi.Complete, true)
	require.Zero(t, tn.world.Standing().Held)
}

// TestOrdersFailWhileTheDiskIsFull checks that orders return an error while nothing can be stored,
// and that a transition succeeds once there is room again.
func TestOrdersFailWhileTheDiskIsFull(t *testing.T) {
	disk := &fullDisk{Store: store.Memory()}
	w, err := simulator.New(t.Context(), disk, simulator.Options{Seed: 6})
	require.NoError(t, err)
	j, err := w.Service().Book(t.Context(), request(1, w.Clock().Now(), station, hospital))
	require.NoError(t, err)
	for i, o := range []simulator.TransitionOrder{{To: taxi.Accepted}, {To: taxi.POB, Force: true}, {To: taxi.Complete, Force: true}, {To: taxi.Waiting, Force: true}} {
		o.Journey = j.JourneyID
		disk.full = true
		_, err := w.Transition(t.Context(), o)
		require.ErrorIs(t, err, store.ErrUnavailable)
		_, err = w.Reassign(t.Context(), simulator.ReassignOrder{Journey: j.JourneyID})
		require.Equal(t, i < 2, errors.Is(err, store.ErrUnavailable), "%v", err)
		disk.full = false
		_, err = w.Transition(t.Context(), o)
		require.NoError(t, err)
	}
	require.NoError(t, w.Clock().UntilIdle(t.Context(), 2*time.Hour))
	_, all := w.Vehicles()
	require.False(t, slices.ContainsFunc(all, func(v simulator.Vehicle) bool { return v.State != simulator.CarFree }))
}

// TestVehicleOrdersAreAppliedOrRefused checks reassign, duty and placement orders for the two cars of a town,
// and that impossible orders and orders about unknown cars are refused.
func TestVehicleOrdersAreAppliedOrRefused(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Cars: 2})
	ref := tn.asap(1, station, hospital)
	tn.until(ref, taxi.EnRoute)
	reassign := func(vehicle string) (simulator.JourneyView, error) {
		return tn.world.Reassign(t.Context(), simulator.ReassignOrder{Journey: ref.JourneyID, Vehicle: vehicle})
	}
	first := tn.carOf(ref)
	_, err := reassign(first)
	refused(t, err, simulator.RefusedConflict, "cannot take the job: it is to-pickup")
	_, err = reassign("car-9")
	refused(t, err, simulator.RefusedUnknown, `no vehicle "car-9"`)
	v, err := reassign("")
	require.NoError(t, err)
	require.NotEqual(t, first, v.VehicleID)
	v, err = reassign("")
	require.NoError(t, err)
	require.Empty(t, v.VehicleID, "nobody is left")
	v, err = reassign(first)
	require.NoError(t, err)
	require.Equal(t, first, v.VehicleID)
	car, err := tn.world.SetDuty(t.Context(), first, false)
	require.NoError(t, err)
	require.Equal(t, simulator.CarToPickup, car.State, "it finishes its job first")
	eta := tn.until(ref, taxi.EnRoute).ETA.Value
	_, err = tn.world.PlaceVehicle(t.Context(), first, *york.Location)
	refused(t, err, simulator.RefusedInvalid, "not in town")
	_, err = tn.world.PlaceVehicle(t.Context(), first, *airport.Location)
	require.NoError(t, err)
	require.Greater(t, tn.status(ref).ETA.Value, eta)
	tn.until(ref, taxi.Arrived)
	_, err = tn.world.PlaceVehicle(t.Context(), first, *airport.Location)
	refused(t, err, simulator.RefusedConflict, "waits at a pickup")
	tn.until(ref, taxi.POB)
	_, err = reassign("")
	require.Equal(t, taxi.POB, refused(t, err, simulator.RefusedConflict, "from WAITING to ARRIVED").Status)
	tn.until(ref, taxi.Complete)
	require.Equal(t, 1, tn.cars()[simulator.CarOffDuty])
	_, err = tn.world.SetDuty(t.Context(), "car-3", true)
	refused(t, err, simulator.RefusedUnknown, "no vehicle")
}
