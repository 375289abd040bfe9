package simulator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// followed is what was last seen of a journey.
type followed struct {
	status   taxi.Status
	revision int32
	updated  time.Time
	ride     string // the booking's own mark; "": it has none
	eta      float64
	etaAt    time.Time
	settled  bool   // nothing has happened since eta was seen that may delay the car
	over     []byte // the record, once it has ended
}

// carSeen is where a car was last seen.
type carSeen struct {
	at   taxi.Point
	when time.Time
	busy bool // it had a journey
	free bool // an order may have moved it
}

const (
	leastPrice = 3.60 // the flag fall, and the late-cancel fee
	fastest    = 40   // more than any car drives, in metres a second
	near       = 30   // how exact a place is, in metres
)

// published is the OpenAPI document with which every answer is compared.
var published = sync.OnceValue(func() *golden.Document { return golden.ReadDocument(taxi.OpenAPI()) })

// asPublished compares an answer with the schemas of the document.
func asPublished(path string, status int, body []byte) error {
	if status != http.StatusOK {
		return published().Judge("#/components/schemas/Problem", body)
	}
	_, schema := published().At("#/paths", path, "post", "responses", "200", "content", "application/json", "schema")
	return published().Judge(schema, body)
}

// check compares the world with what must always be true of it.
func (m *machine) check(t *rapid.T) {
	m.now = m.world.Clock().Now() // what is due at this moment happens first
	arrived := m.checkChanges(t)
	has := m.checkFleet(t)
	for _, c := range arrived {
		m.checkPlace(t, c)
	}
	for _, j := range m.records.AllLive() {
		m.checkLive(t, j, has)
	}
	for id, s := range m.seen {
		m.checkOver(t, id, s)
	}
	for n, r := range m.rides {
		if r.acknowledged {
			is := m.journey(r.ref.JourneyID).Status
			require.True(t, !r.cancelled || is == taxi.Cancelled || m.ordered[r.ref.JourneyID], "ride %d was cancelled and is %s", n, is)
		}
	}
	require.True(t, m.wasFull || m.world.Stats().Void == 0, "an event was sent in vain")
}

// checkChanges compares the changes since the last check with the table of transitions. It
// returns those that happen at a certain place.
func (m *machine) checkChanges(t *rapid.T) (arrived []simulator.Transition) {
	for _, c := range m.changes {
		m.seq++
		require.Equal(t, m.seq, c.Seq)
		s := m.seen[c.Journey]
		require.Equal(t, s.status, c.From, "%s by %s to %s", c.Journey, c.Event, c.To)
		require.False(t, c.At.Before(s.updated) || c.At.After(m.now), "%s at %s", c.Journey, c.At)
		if c.Event != dispatch.EventEdit && (c.Event != dispatch.EventForce || !m.ordered[c.Journey]) {
			require.True(t, legal(c), "%s by %s to %s", c.From, c.Event, c.To)
		}
		if m.ordered[c.Journey] {
			delete(m.cars, c.VehicleID) // it may have been moved
		}
		if c.Event == dispatch.EventBook {
			s.ride = m.checkOnce(t, c.Journey)
			if s.ride != "" && m.scripts > 0 {
				m.scripts--
				m.ordered[c.Journey] = true
			}
		}
		if (c.Event == dispatch.EventArrive || c.Event == dispatch.EventFinish) && c.At.Equal(m.now) && !m.ordered[c.Journey] {
			arrived = append(arrived, c)
		}
		s.status, s.settled, s.over = c.To, false, nil
		m.seen[c.Journey] = s
	}
	m.changes = nil
	return arrived
}

func legal(c simulator.Transition) bool {
	for _, row := range dispatch.Transitions() {
		if row.From == c.From && row.Event == c.Event && row.To == c.To {
			return true
		}
	}
	return false
}

// checkOnce requires that a booking that is requested again results in one journey. It returns
// the ride.
func (m *machine) checkOnce(t *rapid.T, id taxi.JourneyID) string {
	var mark struct{ Ride *int }
	if json.Unmarshal(m.journey(id).PluginData, &mark) != nil || mark.Ride == nil {
		return "" // a resident's
	}
	ride := fmt.Sprint(*mark.Ride)
	for other, s := range m.seen {
		again := m.forgot && m.ordered[other] // of somebody who was forgotten when it had ended, and then ordered back
		require.False(t, s.ride == ride && !s.status.Terminal() && !again, "ride %s is %s and %s", ride, other, id)
	}
	return ride
}

// checkFleet compares each car with its journey, and returns which car has which journey.
func (m *machine) checkFleet(t *rapid.T) map[taxi.JourneyID]string {
	_, all := m.world.Vehicles()
	own, has := 0, map[taxi.JourneyID]string{}
	for _, v := range all {
		if !v.Partner {
			own++
			m.checkSpeed(t, v)
		}
		if v.Journey == "" {
			require.Contains(t, []simulator.CarState{simulator.CarFree, simulator.CarAsked, simulator.CarOffDuty}, v.State, v.ID)
			continue
		}
		require.Empty(t, has[v.Journey], "two cars for %s", v.Journey)
		has[v.Journey] = v.ID
		require.Contains(t, map[simulator.CarState][]taxi.Status{
			simulator.CarToPickup: {taxi.Accepted, taxi.EnRoute},
			simulator.CarAtPickup: {taxi.Arrived},
			simulator.CarOnBoard:  {taxi.POB},
		}[v.State], m.seen[v.Journey].status, "%s is %s with %s", v.ID, v.State, v.Journey)
	}
	require.Equal(t, machineCars, own)
	return has
}

// checkSpeed requires that a car has gone no faster than a car, also over a restart.
func (m *machine) checkSpeed(t *rapid.T, v simulator.Vehicle) {
	was, known := m.cars[v.ID]
	is := carSeen{v.Location, m.now, v.Journey != "", m.ordered[v.Journey]}
	m.cars[v.ID] = is
	if known && !was.free && !is.free {
		most := near + fastest*is.when.Sub(was.when).Seconds()
		require.LessOrEqual(t, metres(was.at, is.at), most, "%s, %s, since %s", v.ID, v.State, was.when)
	}
}

// checkPlace requires that a car arrives at the pickup, and ends at the last drop-off.
func (m *machine) checkPlace(t *rapid.T, c simulator.Transition) {
	car, own := m.cars[c.VehicleID]
	j := m.journey(c.Journey)
	to := j.Pickup
	if c.Event == dispatch.EventFinish {
		to = &j.Dropoffs[len(j.Dropoffs)-1]
		if len(j.Dropoffs) == 1 && metres(*j.Pickup.Location, *to.Location) < near {
			return // the passenger said on the way where to
		}
	}
	if own { // a partner firm's car has left for home
		require.Less(t, metres(car.at, *to.Location), float64(near), "%s: %s by %s", c.Journey, c.Event, c.VehicleID)
	}
}

// checkLive compares a live journey with what was seen of it before, and with its car.
func (m *machine) checkLive(t *rapid.T, j *store.Snapshot, has map[taxi.JourneyID]string) {
	id := j.JourneyID
	s := m.seen[id]
	require.Equal(t, s.status, j.Status, "%s, and no change said so", id)
	require.False(t, j.Revision < s.revision || j.UpdatedAt.Before(s.updated) || j.UpdatedAt.After(m.now), "%s was updated at %s", id, j.UpdatedAt)
	s.revision, s.updated = j.Revision, j.UpdatedAt
	crew := dispatch.Fields(j.Status).Crew
	require.Equal(t, crew, has[id] != "", "%s at %s", id, j.Status)
	require.True(t, !crew || has[id] == j.VehicleID, "%s has %s and %s", id, has[id], j.VehicleID)
	shown := j.Journey.Journey
	if crew {
		var err error
		shown, err = m.world.Service().Status(t.Context(), taxi.JourneyRef{UserID: j.UserID, JourneyID: id})
		require.NoError(t, err)
	}
	if j.Status == taxi.Held && !m.records.full && !m.ordered[id] && m.now.Sub(m.room) > 10*time.Second {
		require.False(t, m.now.After(m.world.Service().Policy().ReleaseAt(j.Journey)), "%s is to be released", id)
	}
	m.checkShown(t, shown)
	m.checkETA(t, shown, &s)
	m.seen[id] = s
}

// checkShown checks what a caller sees of a journey.
func (m *machine) checkShown(t *rapid.T, j taxi.Journey) {
	requirePresence(t, j)
	require.True(t, j.Price == nil || j.Price.Value >= leastPrice, "%s costs %v", j.JourneyID, j.Price)
	charged := j.Data != nil && j.Data.Charge != nil
	require.True(t, j.Status != taxi.Cancelled || charged == (j.Price != nil), "%s is charged: %t", j.JourneyID, charged)
}

// checkETA requires that an ETA falls while a car drives, and rises by a minute at most unless
// something has happened.
func (m *machine) checkETA(t *rapid.T, j taxi.Journey, s *followed) {
	if j.ETA == nil || m.ordered[j.JourneyID] {
		s.settled = false
		return
	}
	require.False(t, j.ETA.Value < 0 || j.ETA.Value != math.Trunc(j.ETA.Value) || j.Status == taxi.Arrived && j.ETA.Value != 0, "%v", j.ETA)
	if !s.settled {
		s.eta, s.etaAt, s.settled = j.ETA.Value, m.now, true
		return
	}
	most := s.eta + 1
	if dispatch.Fields(j.Status).Location {
		most = max(1, most-math.Floor(m.now.Sub(s.etaAt).Minutes()))
	}
	require.LessOrEqual(t, j.ETA.Value, most, "%s at %s: %v minutes at %s, and nothing happened to it", j.JourneyID, j.Status, s.eta, s.etaAt)
}

// checkOver requires that a journey that has ended stays as it is.
func (m *machine) checkOver(t *rapid.T, id taxi.JourneyID, s followed) {
	if !s.status.Terminal() {
		return
	}
	j := m.journey(id)
	text := j.JSON()
	if s.over == nil {
		m.checkShown(t, j.Journey.Journey)
		s.over = bytes.Clone(text)
		m.seen[id] = s
	}
	require.Equal(t, string(s.over), string(text), "what is over stays as it is")
}

// edit is an edit of one field.
type edit struct {
	rule  dispatch.EditRule
	small bool
	same  bool // it changes nothing, or too little to be a large change
}

// checkEdit compares the answer to an edit with the edit matrix.
func (m *machine) checkEdit(t *rapid.T, field string, was *store.Snapshot, e edit, a answer) {
	refused := a.problem.Code == taxi.CodeEditNotAllowed || a.problem.Code == taxi.CodeJourneyClosed
	if e.same || a.status != http.StatusOK && !refused {
		return
	}
	accepted := e.rule != dispatch.EditNever && (e.rule != dispatch.EditNear || e.small)
	require.Equal(t, accepted, a.status == http.StatusOK, "%s at %s is %q", field, was.Status, e.rule)
	require.True(t, !refused || (a.problem.Code == taxi.CodeJourneyClosed) == was.Status.Terminal())
	if accepted && e.rule == dispatch.EditKeep && !m.ordered[was.JourneyID] {
		require.Equal(t, e.small, a.journey.Status == taxi.Accepted, "%s at %s, a small change: %t", field, was.Status, e.small)
	}
}

// durable returns what is durable of the journeys.
func (m *machine) durable() map[taxi.JourneyID]followed {
	all := make(map[taxi.JourneyID]followed, len(m.seen))
	for id, s := range m.seen {
		s.settled = false
		all[id] = s
	}
	return all
}

// carsAtWork returns the cars that continue from where they are after a restart.
func (m *machine) carsAtWork() map[string]carSeen {
	all := map[string]carSeen{}
	for id, c := range m.cars {
		if c.busy {
			all[id] = c
		}
	}
	return all
}

// checkRestored compares the records after a restart with what was durable.
func (m *machine) checkRestored(t *rapid.T) {
	all, err := m.records.Journeys(t.Context(), 0)
	require.NoError(t, err)
	require.Len(t, all, len(m.seen))
	for _, j := range all {
		require.Equal(t, m.seen[j.JourneyID].status, j.Status, j.JourneyID)
	}
	m.check(t)
}
