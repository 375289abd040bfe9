package simulator_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// TestOrdersAndBookingsInAnyOrder mixes what callers do with the orders of whoever runs
// the world. Whatever the mix, cars and journeys fit one another after each step, and all ends
// when it is let go.
func TestOrdersAndBookingsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := simulator.Options{
			Seed: rapid.Uint64().Draw(rt, "seed"), Cars: chaosCars,
			Behaviour: rapid.SampledFrom([]simulator.Behaviour{simulator.Calm(), simulator.Stormy()}).Draw(rt, "behaviour"),
			Town:      rapid.SampledFrom([]*streetmap.Town{nil, smallTown}).Draw(rt, "town"),
		}
		var err error
		o.Assigner, err = simulator.ParseAssigner(rapid.SampledFrom([]string{"eta", "batch", "clear"}).Draw(rt, "policy"))
		require.NoError(rt, err)
		records := store.Memory()
		world, err := simulator.New(t.Context(), records, o)
		require.NoError(rt, err)
		seen, cancel := world.Subscribe(10_000)
		defer cancel()
		c := &chaos{
			T: rt, world: world, records: records, seen: seen,
			last: map[taxi.JourneyID]taxi.Journey{}, caused: map[taxi.JourneyID]bool{}, ordered: map[taxi.JourneyID]bool{},
		}
		rt.Repeat(map[string]func(*rapid.T){
			"book": c.book, "cancel": c.cancel, "edit": c.edit, "advance": c.advance, "step": c.step,
			"transition": c.transition, "force": c.transition, "hold": c.hold, "release": c.release, "reassign": c.reassign,
			"script": c.script, "duty": c.duty, "break down": c.breakDown, "place": c.placeCar, "user": c.user,
			"": c.check,
		})
		c.letGo()
		require.NoError(rt, world.Clock().UntilIdle(t.Context(), 5*24*time.Hour), "everything ends")
		c.check(rt)
	})
}

// letGo ends what orders keep from ending.
func (c *chaos) letGo() {
	_, all := c.world.Vehicles()
	for _, v := range all {
		if !v.Partner {
			_, err := c.world.SetDuty(c.Context(), v.ID, true)
			require.NoError(c, err)
		}
	}
	for _, j := range c.records.AllLive() {
		_, err := c.world.Script(c.Context(), simulator.ScriptOrder{Journey: j.JourneyID})
		require.NoError(c, err)
		_, err = c.world.Release(c.Context(), j.JourneyID)
		require.NoError(c, err)
	}
}

// mayRefuse lets refusals pass: they are answers.
func mayRefuse(t *rapid.T, err error) {
	var r *simulator.Refusal
	if err != nil && !errors.As(err, &r) {
		t.Fatalf("not refused but broken: %v", err)
	}
}

// about picks a journey that an order is about.
func (c *chaos) about(t *rapid.T) taxi.JourneyID {
	id := c.some(t).JourneyID
	c.ordered[id] = true
	return id
}

func (c *chaos) transition(t *rapid.T) {
	o := simulator.TransitionOrder{
		Journey: c.about(t), To: rapid.SampledFrom(taxi.Statuses()).Draw(t, "to"), Force: rapid.Bool().Draw(t, "force"),
		Event: rapid.SampledFrom([]dispatch.Event{"", "", "", dispatch.EventNoShow}).Draw(t, "event"),
	}
	v, err := c.world.Transition(t.Context(), o)
	mayRefuse(t, err)
	if err == nil {
		require.Equal(t, o.To, v.Status)
		requirePresence(t, v.Journey)
	} else if o.Force && o.Event == "" {
		require.ErrorContains(t, err, "already")
	}
}

func (c *chaos) hold(t *rapid.T) {
	v, err := c.world.Hold(t.Context(), c.about(t))
	mayRefuse(t, err)
	require.Equal(t, err == nil, v.Held)
	if err == nil && rapid.Bool().Draw(t, "look") {
		c.stays(t, v)
	}
}

// stays lets time pass and holds a journey that is held against how it was.
func (c *chaos) stays(t *rapid.T, v simulator.JourneyView) {
	require.NoError(t, c.world.Clock().Advance(t.Context(), 7*time.Minute))
	now, err := c.world.Journey(t.Context(), v.JourneyID)
	require.NoError(t, err)
	require.Equal(t, v, now)
}

func (c *chaos) release(t *rapid.T) {
	v, err := c.world.Release(t.Context(), c.about(t))
	mayRefuse(t, err)
	require.False(t, v.Held)
}

func (c *chaos) reassign(t *rapid.T) {
	_, err := c.world.Reassign(t.Context(), simulator.ReassignOrder{
		Journey: c.about(t), Vehicle: rapid.SampledFrom([]string{"", "car-1", "car-4", "car-9"}).Draw(t, "vehicle"),
	})
	mayRefuse(t, err)
}

func (c *chaos) script(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "next") == 0 {
		_, err := c.world.ScriptNext(t.Context(), simulator.NextScriptOrder{Steps: []simulator.ScriptStep{{To: taxi.Accepted}, {Hold: true}}})
		require.NoError(t, err)
		return
	}
	id := c.about(t)
	j, err := c.world.Journey(t.Context(), id)
	require.NoError(t, err)
	o := simulator.ScriptOrder{Journey: id}
	for at := j.Status; len(o.Steps) < 6; {
		ways := dispatch.Ways(at)
		if len(ways) == 0 || rapid.IntRange(0, 3).Draw(t, "end") == 0 {
			break
		}
		way := rapid.SampledFrom(ways).Draw(t, "way")
		o.Steps = append(o.Steps, simulator.ScriptStep{
			After: simulator.Span(rapid.IntRange(0, 300).Draw(t, "after")) * simulator.Span(time.Second),
			To:    way.To, Event: way.Event, Force: rapid.Bool().Draw(t, "force"),
		})
		at = way.To
	}
	_, err = c.world.Script(t.Context(), o)
	mayRefuse(t, err)
	require.Equal(t, j.Status.Terminal(), err != nil, "%v", err)
}

func (c *chaos) duty(t *rapid.T) {
	car := rapid.SampledFrom([]string{"car-1", "car-2", "car-3"}).Draw(t, "car")
	on := rapid.Bool().Draw(t, "on")
	v, err := c.world.SetDuty(t.Context(), car, on)
	require.NoError(t, err)
	require.Equal(t, !on, v.Grounded)
	if !on {
		require.NotEqual(t, simulator.CarFree, v.State)
	}
}

func (c *chaos) breakDown(t *rapid.T) {
	_, all := c.world.Vehicles()
	v := rapid.SampledFrom(all).Draw(t, "car")
	if v.Journey != "" {
		c.ordered[v.Journey] = true
	}
	is, err := c.world.BreakDown(t.Context(), simulator.BreakdownOrder{
		Vehicle: v.ID, For: simulator.Span(rapid.IntRange(0, 90).Draw(t, "minutes")) * simulator.Span(time.Minute),
	})
	mayRefuse(t, err)
	require.Equal(t, v.State == simulator.CarOnBoard || v.Partner, err != nil)
	if err == nil {
		require.Equal(t, simulator.CarOffDuty, is.State)
		require.Empty(t, is.Journey)
	}
}

func (c *chaos) placeCar(t *rapid.T) {
	_, all := c.world.Vehicles()
	v := rapid.SampledFrom(all).Draw(t, "car")
	if v.Journey != "" {
		c.ordered[v.Journey] = true
	}
	at := *c.spot(t, "at").Location
	is, err := c.world.PlaceVehicle(t.Context(), v.ID, at)
	mayRefuse(t, err)
	if err == nil {
		require.InDelta(t, at.Longitude, is.Location.Longitude, 1e-7)
	}
}

func (c *chaos) user(t *rapid.T) {
	key := string(request(rapid.IntRange(0, 3).Draw(t, "caller"), c.now, station).PhoneNumber)
	if rapid.Bool().Draw(t, "forget") {
		mayRefuse(t, c.world.ForgetUser(t.Context(), key))
		return
	}
	u, _, err := c.world.PutUser(t.Context(), key, dispatch.UserChange{Name: rapid.SampledFrom([]string{"", "Ada"}).Draw(t, "name")})
	require.NoError(t, err)
	require.Equal(t, key, string(u.PhoneNumber))
}
