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

// chaos is a small town under random commands, and what has been seen of it.
type chaos struct {
	*rapid.T
	world    *simulator.World
	records  *store.Store
	journeys []taxi.JourneyRef
	last     map[taxi.JourneyID]taxi.Journey
	caused   map[taxi.JourneyID]bool // something happened since that may delay a car
	ordered  map[taxi.JourneyID]bool // an order was about it, so that it may go where no journey goes by itself
	seen     <-chan simulator.Transition
	now      time.Time
	callers  int
}

const chaosCars = 5

func TestAnythingMayHappenInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		records := store.Memory()
		behaviour := rapid.SampledFrom([]simulator.Behaviour{simulator.Calm(), simulator.Typical(), simulator.Stormy()}).Draw(rt, "behaviour")
		policy, err := simulator.ParseAssigner(rapid.SampledFrom([]string{"eta", "nearest", "batch", "rank", "clear"}).Draw(rt, "policy"))
		require.NoError(rt, err)
		world, err := simulator.New(t.Context(), records, simulator.Options{
			Seed: rapid.Uint64().Draw(rt, "seed"), Cars: chaosCars, Behaviour: behaviour, Assigner: policy,
			Town: rapid.SampledFrom([]*streetmap.Town{nil, smallTown}).Draw(rt, "town"),
		})
		require.NoError(rt, err)
		seen, cancel := world.Subscribe(10_000)
		defer cancel()
		c := &chaos{
			T: rt, world: world, records: records, seen: seen,
			last:   map[taxi.JourneyID]taxi.Journey{},
			caused: map[taxi.JourneyID]bool{},
		}
		rt.Repeat(map[string]func(*rapid.T){
			"book":    c.book,
			"cancel":  c.cancel,
			"edit":    c.edit,
			"advance": c.advance,
			"step":    c.step,
			"":        c.check,
		})
		require.NoError(rt, world.Clock().UntilIdle(t.Context(), 48*time.Hour), "everything ends")
		c.check(rt)
		require.Equal(rt, 0, world.Stats().Journeys)
	})
}

func (c *chaos) spot(t *rapid.T, name string) taxi.Address {
	spots := []taxi.Address{station, hospital, harbour, airport, york}
	for i := range 15 {
		spots = append(spots, place("Corner", float64(i%4)-1.5, float64(i/4)-1.7))
	}
	return rapid.SampledFrom(spots).Draw(t, name)
}

func (c *chaos) book(t *rapid.T) {
	ahead := rapid.SampledFrom([]time.Duration{0, 0, 5 * time.Minute, 20 * time.Minute, 2 * time.Hour}).Draw(t, "ahead")
	r := request(c.callers, c.world.Clock().Now().Add(ahead), c.spot(t, "from"), c.spot(t, "to"))
	if rapid.Bool().Draw(t, "via") {
		r.Dropoffs = append(r.Dropoffs, c.spot(t, "then"))
	}
	r.VehicleCategory = rapid.SampledFrom([]string{"", "", "saloon", "mpv", "accessible"}).Draw(t, "category")
	c.callers++
	j, err := c.world.Service().Book(t.Context(), r)
	require.NoError(t, err)
	u, err := c.world.Service().User(t.Context(), taxi.UserRequest{PhoneNumber: r.PhoneNumber})
	require.NoError(t, err)
	c.journeys = append(c.journeys, taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID})
}

// some picks one of the journeys booked so far.
func (c *chaos) some(t *rapid.T) taxi.JourneyRef {
	if len(c.journeys) == 0 {
		t.Skip("nothing booked yet")
	}
	return rapid.SampledFrom(c.journeys).Draw(t, "journey")
}

func (c *chaos) cancel(t *rapid.T) {
	_, err := c.world.Service().Cancel(t.Context(), c.some(t))
	refusedOnly(t, err)
}

func (c *chaos) edit(t *rapid.T) {
	ref := c.some(t)
	j, err := c.world.Service().Status(t.Context(), ref)
	require.NoError(t, err)
	r := taxi.BookRequest{
		JourneyID: &ref.JourneyID, UserID: ref.UserID,
		Name: j.Passenger.Name, PhoneNumber: j.Passenger.PhoneNumber,
		Pickup: j.Pickup, Dropoffs: j.Dropoffs, PickupTime: j.Date,
	}
	switch rapid.SampledFrom([]string{"time", "pickup", "dropoffs", "name"}).Draw(t, "field") {
	case "time":
		shift := rapid.SampledFrom([]time.Duration{-time.Hour, -5 * time.Minute, 5 * time.Minute, time.Hour}).Draw(t, "shift")
		r.PickupTime = taxi.At(j.Date.Add(shift))
	case "pickup":
		near := place("Nearby", 0.1, 0.1)
		r.Pickup = &near
	case "dropoffs":
		r.Dropoffs = []taxi.Address{c.spot(t, "to"), c.spot(t, "then")}
	default:
		r.Name += "!"
	}
	_, err = c.world.Service().Book(t.Context(), r)
	refusedOnly(t, err)
}

// refusedOnly lets refusals pass: they are answers.
func refusedOnly(t *rapid.T, err error) {
	var p *taxi.Problem
	if err != nil && !errors.As(err, &p) {
		t.Fatalf("not refused but broken: %v", err)
	}
}

func (c *chaos) advance(t *rapid.T) {
	d := rapid.SampledFrom([]time.Duration{time.Second, 20 * time.Second, 3 * time.Minute, 15 * time.Minute}).Draw(t, "by")
	require.NoError(t, c.world.Clock().Advance(t.Context(), d))
}

func (c *chaos) step(t *rapid.T) {
	for range rapid.IntRange(1, 20).Draw(t, "events") {
		require.NoError(t, c.world.Clock().Step(t.Context()))
		c.check(t)
	}
}

// check holds the world against what must always be true of it.
func (c *chaos) check(t *rapid.T) {
	c.world.Clock().Now() // what is due at this moment happens first
	c.checkTransitions(t)
	c.checkFleet(t)
	for _, ref := range c.journeys {
		j, err := c.world.Service().Status(t.Context(), ref)
		require.NoError(t, err)
		c.checkJourney(t, j)
	}
	require.Zero(t, c.world.Stats().Void, "an event was sent in vain")
}

// checkTransitions replays what was told: every step is in the table, and time
// does not run back.
func (c *chaos) checkTransitions(t *rapid.T) {
	for len(c.seen) > 0 {
		tr := <-c.seen
		require.False(t, tr.At.Before(c.now))
		c.now = tr.At
		c.caused[tr.Journey] = true
		if tr.Event != dispatch.EventEdit && (tr.Event != dispatch.EventForce || !c.ordered[tr.Journey]) {
			require.True(t, legal(tr), "%s by %s to %s", tr.From, tr.Event, tr.To)
		}
	}
}

func legal(tr simulator.Transition) bool {
	for _, row := range dispatch.Transitions() {
		if row.From == tr.From && row.Event == tr.Event && row.To == tr.To {
			return true
		}
	}
	return false
}

// checkFleet holds each car against its journey.
func (c *chaos) checkFleet(t *rapid.T) {
	_, all := c.world.Vehicles()
	own, has := 0, map[taxi.JourneyID]bool{}
	for _, v := range all {
		if len(v.ID) < len("partner") || v.ID[:len("partner")] != "partner" {
			own++
		}
		if v.Journey == "" {
			require.Contains(t, []simulator.CarState{simulator.CarFree, simulator.CarAsked, simulator.CarOffDuty}, v.State)
			continue
		}
		require.False(t, has[v.Journey], "two cars for %s", v.Journey)
		has[v.Journey] = true
		j, err := c.records.Journey(t.Context(), v.Journey)
		require.NoError(t, err)
		require.Equal(t, v.ID, j.VehicleID)
		require.Contains(t, map[simulator.CarState][]taxi.Status{
			simulator.CarToPickup: {taxi.Accepted, taxi.EnRoute},
			simulator.CarAtPickup: {taxi.Arrived},
			simulator.CarOnBoard:  {taxi.POB},
		}[v.State], j.Status)
	}
	require.Equal(t, chaosCars, own)
	for _, j := range c.records.AllLive() {
		require.Equal(t, dispatch.Fields(j.Status).Crew, has[j.JourneyID], "%s at %s", j.JourneyID, j.Status)
	}
}

// checkJourney holds a journey against what was seen of it before.
func (c *chaos) checkJourney(t *rapid.T, j taxi.Journey) {
	requirePresence(t, j)
	before, known := c.last[j.JourneyID]
	c.last[j.JourneyID] = j
	if j.ETA != nil {
		require.GreaterOrEqual(t, j.ETA.Value, 0.0)
	}
	if !known || c.ordered[j.JourneyID] {
		return
	}
	require.True(t, before.Status.CanBecome(j.Status), "%s to %s", before.Status, j.Status)
	if before.Status == taxi.POB && j.Status == taxi.Complete {
		c.checkEnd(t, j)
	}
	if before.Status.Terminal() {
		require.Equal(t, before, j, "what is over stays as it is")
	}
	if before.ETA != nil && j.ETA != nil && !c.caused[j.JourneyID] {
		require.LessOrEqual(t, j.ETA.Value, before.ETA.Value+1, "the ETA rose for no reason")
	}
	delete(c.caused, j.JourneyID)
}

// checkEnd holds the end of a journey against where it was to go, unless that was
// left open.
func (c *chaos) checkEnd(t *rapid.T, j taxi.Journey) {
	last := j.Dropoffs[len(j.Dropoffs)-1]
	if len(j.Dropoffs) == 1 && *last.Location == *j.Pickup.Location {
		return
	}
	record, err := c.records.Journey(t.Context(), j.JourneyID)
	require.NoError(t, err)
	if !record.UpdatedAt.Equal(c.world.Clock().Now()) {
		return // the car has moved on
	}
	_, all := c.world.Vehicles()
	for _, v := range all {
		if v.ID == record.VehicleID {
			require.Equal(t, *last.Location, v.Location)
		}
	}
}
