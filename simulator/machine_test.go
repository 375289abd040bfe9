package simulator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/demand"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// machine is a small town under random commands and faults, and what was seen of it. Callers
// send HTTP requests, some of them twice, late or cut off; an operator gives orders; the disk is
// full at times, and the process ends and starts again with what was durable.
type machine struct {
	*rapid.T
	options simulator.Options
	world   *simulator.World
	records *fullDisk
	kept    *shelf
	handler http.Handler
	changes []simulator.Transition // since the last check
	now     time.Time
	seq     uint64
	rides   []*wish
	late    []wire // that may arrive again
	seen    map[taxi.JourneyID]followed
	ordered map[taxi.JourneyID]bool // an order was about it, so that it may go where no journey goes by itself
	scripts int                     // that wait for a booking
	cars    map[string]carSeen
	forgot  bool // a user was
	wasFull bool
	room    time.Time // when the disk last had room again
}

// wish is one caller's wish for a taxi.
type wish struct {
	ref          taxi.JourneyRef // "": nothing is acknowledged
	acknowledged bool
	cancelled    bool // that is acknowledged
}

// wire is a request of the platform.
type wire struct {
	path, key string
	body      []byte
	sent      time.Time
}

const (
	machineCars = 5
	areaServed  = 400_000 // metres, York included
)

// TestAnythingMayHappenInAnyOrder runs random commands and faults, and checks the invariants
// after every request and every event, and that every journey ends. If it fails, rapid shortens
// the sequence, and prints the command that repeats it.
func TestAnythingMayHappenInAnyOrder(t *testing.T) {
	unwritten := lostTicket(t)
	rapid.Check(t, func(rt *rapid.T) {
		o := drawOptions(rt)
		o.Demand = demand.Demand{PerHour: rapid.SampledFrom([]int{0, 0, 5}).Draw(rt, "demand"), Prebooked: 20}
		m := openMachine(rt, o, store.Memory())
		m.records.unwritten = unwritten
		rt.Repeat(map[string]func(*rapid.T){
			"look up": m.lookUp, "book": m.book, "book more": m.book, "edit": m.edit, "cancel": m.cancel, "late": m.arriveLate,
			"advance": m.advance, "wait": m.advance, "step": m.step, "office": m.office, "disk": m.disk, "restart": m.restart,
			"transition": m.transition, "force": m.transition, "hold": m.hold, "release": m.release, "reassign": m.reassign,
			"script": m.script, "duty": m.duty, "break down": m.breakDown, "place": m.placeCar, "user": m.user,
			"": m.check,
		})
		m.end()
	})
}

// drawOptions draws a world without residents.
func drawOptions(t *rapid.T) simulator.Options {
	policy := dispatch.DefaultPolicy()
	policy.RefuseLate, policy.AreaRadius = rapid.Bool().Draw(t, "refuseLate"), areaServed
	behaviour, err := simulator.ParseBehaviour(rapid.SampledFrom([]string{"calm", "typical", "stormy"}).Draw(t, "behaviour"))
	require.NoError(t, err)
	assigner, err := assign.Parse(rapid.SampledFrom([]string{"eta", "nearest", "batch", "rank", "clear"}).Draw(t, "assigner"))
	require.NoError(t, err)
	return simulator.Options{
		Start: simulator.Epoch, Seed: rapid.Uint64().Draw(t, "seed"), Cars: machineCars, Policy: &policy, Behaviour: behaviour, Assigner: assigner,
		Town: rapid.SampledFrom([]*streetmap.Town{nil, smallTown}).Draw(t, "town"),
	}
}

func openMachine(t *rapid.T, o simulator.Options, records *store.Store) *machine {
	m := &machine{T: t, options: o, kept: &shelf{}, seen: map[taxi.JourneyID]followed{}, ordered: map[taxi.JourneyID]bool{}, cars: map[string]carSeen{}}
	m.records = &fullDisk{}
	m.open(records)
	return m
}

// open creates the world from its records.
func (m *machine) open(records *store.Store) {
	m.records = &fullDisk{Store: records, unwritten: m.records.unwritten}
	m.options.Keep = m.kept
	world, err := simulator.New(m.Context(), m.records, m.options)
	require.NoError(m, err)
	m.world, m.seq, m.changes, m.now = world, 0, nil, m.options.Start
	world.Watch(func(t simulator.Transition) { m.changes = append(m.changes, t) })
	m.handler = world.Service().Handler(func() time.Time { return m.now }, dispatch.HTTPOptions{})
}

// fullDisk refuses changes while it is full. As with a real disk, some changes are accepted
// before, and then cannot be written.
type fullDisk struct {
	*store.Store
	full      bool
	accepts   int          // changes that are still accepted
	unwritten store.Ticket // of a change that could not be written
}

func (d *fullDisk) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	if d.full && d.accepts == 0 {
		return store.Ticket{}, fmt.Errorf("%w: no room", store.ErrUnavailable)
	}
	ticket, err := d.Store.Apply(fn)
	if err == nil && d.full {
		d.accepts--
		return d.unwritten, nil
	}
	return ticket, err
}

func (d *fullDisk) Prune(ctx context.Context, before store.Before) (int, error) {
	if d.full {
		return 0, store.ErrUnavailable
	}
	return d.Store.Prune(ctx, before)
}

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

// lostTicket returns the ticket of a change that was accepted and could not be written: a
// database was given a record that cannot be encoded.
func lostTicket(t *testing.T) store.Ticket {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "full.db"), store.Options{})
	require.NoError(t, err)
	ticket, err := s.Apply(func(tx *store.Tx) error {
		u := &store.User{EndUser: taxi.EndUser{UserID: "nobody"}}
		tx.PutUser(u)
		u.Data = &taxi.Settings{Other: map[string]json.RawMessage{"broken": json.RawMessage("{")}}
		return nil
	})
	require.NoError(t, err)
	require.ErrorIs(t, ticket.Wait(t.Context()), store.ErrUnavailable)
	_ = s.Close() // returns the same error
	return ticket
}

// answer is a response, with what it holds by its path and status.
type answer struct {
	status  int
	journey taxi.Journey
	problem taxi.Problem
}

// serve sends a request to the handler, and checks the answer and the world.
func (m *machine) serve(r wire) (a answer) {
	req := httptest.NewRequestWithContext(m.Context(), http.MethodPost, r.path, bytes.NewReader(r.body))
	req.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		req.Header.Set(taxi.IdempotencyHeader, r.key)
	}
	w := httptest.NewRecorder()
	m.handler.ServeHTTP(w, req)
	a.status = w.Code
	require.NoError(m, asPublished(r.path, w.Code, w.Body.Bytes()), "%s: %s", r.path, w.Body)
	switch {
	case a.status != http.StatusOK:
		require.NoError(m, json.Unmarshal(w.Body.Bytes(), &a.problem))
		require.NotEqual(m, taxi.CodeInternal, a.problem.Code)
	case r.path != taxi.PathConfig && r.path != taxi.PathUser:
		require.NoError(m, json.Unmarshal(w.Body.Bytes(), &a.journey))
		requirePresence(m, a.journey)
	}
	m.check(m.T)
	return a
}

// send sends a request over a network that may deliver it cut off, twice, or again after its
// answer was lost. It returns the last answer.
func (m *machine) send(t *rapid.T, path, key string, in any) answer {
	body, err := json.Marshal(in)
	require.NoError(t, err)
	r := wire{path, key, body, m.now}
	switch rapid.SampledFrom([]string{"good", "good", "good", "cut", "twice", "lost", "late"}).Draw(t, "network") {
	case "cut":
		half := r
		half.body = body[:rapid.IntRange(1, len(body)-1).Draw(t, "at")]
		require.Equal(t, taxi.CodeMalformedJSON, m.serve(half).problem.Code)
	case "twice":
		m.serve(r)
	case "lost":
		m.serve(r)
		m.pass(t, time.Duration(rapid.IntRange(2, 40).Draw(t, "seconds"))*time.Second)
	case "late":
		m.late = append(m.late, r)
	}
	return m.serve(r)
}

// arriveLate delivers a copy of an earlier request. After a minute, a booking without a key
// would be another booking.
func (m *machine) arriveLate(t *rapid.T) {
	m.late = slices.DeleteFunc(m.late, func(r wire) bool {
		return r.path == taxi.PathBook && r.key == "" && m.now.Sub(r.sent) > 45*time.Second
	})
	if len(m.late) == 0 {
		t.Skip("there is none")
	}
	m.serve(rapid.SampledFrom(m.late).Draw(t, "request"))
}

// mayBe requires that a refusal has one of the codes, or that the office is closed or the disk full.
func (m *machine) mayBe(a answer, codes ...taxi.Code) {
	if a.status != http.StatusOK {
		if m.forgot { // with their journeys, which have ended
			codes = append(codes, taxi.CodeJourneyNotFound, taxi.CodeUserNotFound)
		}
		if m.world.Service().System().Status != taxi.SystemOK {
			codes = append(codes, taxi.CodeServiceClosed, taxi.CodeDispatchPaused)
		}
		if m.records.full {
			codes = append(codes, taxi.CodeStorageUnavailable, taxi.CodeOutcomeUnknown)
		}
		require.Contains(m, codes, a.problem.Code, a.problem.Detail)
	}
}

func (m *machine) spot(t *rapid.T, name string) taxi.Address {
	spots := []taxi.Address{station, hospital, harbour, airport, york}
	for i := range 15 {
		spots = append(spots, place("Corner", float64(i%4)-1.5, float64(i/4)-1.7))
	}
	return rapid.SampledFrom(spots).Draw(t, name)
}

func (m *machine) lookUp(t *rapid.T) {
	if rapid.Bool().Draw(t, "config") {
		require.Equal(t, http.StatusOK, m.send(t, taxi.PathConfig, "", taxi.ConfigRequest{}).status)
		return
	}
	number := request(rapid.IntRange(0, 3).Draw(t, "caller"), m.now, station).PhoneNumber
	m.mayBe(m.send(t, taxi.PathUser, "", taxi.UserRequest{PhoneNumber: number}), taxi.CodeUserNotFound)
}

func (m *machine) book(t *rapid.T) {
	ahead := rapid.SampledFrom([]time.Duration{0, 0, 5 * time.Minute, 20 * time.Minute, 2 * time.Hour}).Draw(t, "ahead")
	r := request(rapid.IntRange(0, 3).Draw(t, "caller"), m.now.Add(ahead), m.spot(t, "from"), m.spot(t, "to"))
	if rapid.Bool().Draw(t, "via") {
		r.Dropoffs = append(r.Dropoffs, m.spot(t, "then"))
	}
	r.VehicleCategory = rapid.SampledFrom([]string{"", "", "saloon", "mpv", "accessible"}).Draw(t, "category")
	r.Data = fmt.Appendf(nil, `{"ride":%d}`, len(m.rides))
	key := ""
	if rapid.Bool().Draw(t, "keyed") {
		key = fmt.Sprintf("ride-%d", len(m.rides))
	}
	one := &wish{}
	m.rides = append(m.rides, one)
	a := m.send(t, taxi.PathBook, key, r)
	m.mayBe(a)
	if a.status == http.StatusOK {
		one.acknowledged, one.ref = true, taxi.JourneyRef{UserID: m.journey(a.journey.JourneyID).UserID, JourneyID: a.journey.JourneyID}
	}
}

// journey returns a record.
func (m *machine) journey(id taxi.JourneyID) *store.Snapshot {
	j, err := m.records.Journey(m.Context(), id)
	require.NoError(m, err, id)
	return j
}

// some picks one of the rides whose booking was acknowledged.
func (m *machine) some(t *rapid.T) *wish {
	booked := slices.DeleteFunc(slices.Clone(m.rides), func(r *wish) bool { return !r.acknowledged })
	if len(booked) == 0 {
		t.Skip("nothing is booked yet")
	}
	return booked[rapid.IntRange(0, len(booked)-1).Draw(t, "ride")]
}

func (m *machine) cancel(t *rapid.T) {
	r := m.some(t)
	is := m.journey(r.ref.JourneyID)
	body, err := json.Marshal(r.ref)
	require.NoError(t, err)
	a := m.serve(wire{path: taxi.PathCancel, body: body})
	switch late := is.Status == taxi.Arrived; {
	case a.status == http.StatusOK:
		r.cancelled = true
		require.Equal(t, taxi.Cancelled, a.journey.Status)
		require.NotContains(t, []taxi.Status{taxi.POB, taxi.Complete}, is.Status)
		if is.Status != taxi.Cancelled {
			require.Equal(t, late, a.journey.Price != nil, "only a late cancellation costs")
			require.Equal(t, late, a.journey.Data.Charge != nil)
		}
		if late {
			require.False(t, m.options.Policy.RefuseLate)
			require.GreaterOrEqual(t, a.journey.Data.Charge.Value, leastPrice)
			require.Equal(t, a.journey.Price, a.journey.Data.Charge)
		}
	case late:
		m.mayBe(a, taxi.CodeCancelRefused)
	default:
		m.mayBe(a, map[taxi.Status]taxi.Code{taxi.POB: taxi.CodeJourneyInProgress, taxi.Complete: taxi.CodeJourneyClosed}[is.Status])
	}
	if again := m.serve(wire{path: taxi.PathCancel, body: body}); a.status == http.StatusOK && again.status == http.StatusOK {
		require.Equal(t, a.journey, again.journey)
	}
}

func (m *machine) edit(t *rapid.T) {
	ref := m.some(t).ref
	is := m.journey(ref.JourneyID)
	r := taxi.BookRequest{
		JourneyID: &ref.JourneyID, UserID: ref.UserID, Name: is.Passenger.Name, PhoneNumber: is.Passenger.PhoneNumber,
		Pickup: is.Pickup, Dropoffs: is.Dropoffs, PickupTime: is.Date,
	}
	row := rapid.SampledFrom(dispatch.EditMatrix()).Draw(t, "field")
	e := edit{rule: row.Rules[is.Status], small: rapid.Bool().Draw(t, "small")}
	policy := m.world.Service().Policy()
	switch row.Field {
	case "name":
		r.Name += "!"
	case "phoneNumber":
		r.PhoneNumber = "+442079460399"
		e.same = is.Passenger.PhoneNumber.Digits() == r.PhoneNumber.Digits()
	case "data":
		r.Data = fmt.Appendf(nil, `{"note":%d}`, m.seq)
		e.same = bytes.Equal(r.Data, is.PluginData)
	case "dropoffs":
		r.Dropoffs = append(slices.Clone(is.Dropoffs[:1]), m.spot(t, "then"))
		e.same = len(is.Dropoffs) == 2 && *is.Dropoffs[1].Location == *r.Dropoffs[1].Location
	case "pickup":
		near := *is.Pickup.Location
		near.Latitude += 0.001 // about a hundred metres
		r.Pickup = &taxi.Address{Address: "Up the road", Location: &near}
		if !e.small {
			r.Pickup = new(m.spot(t, "from"))
			limit := policy.KeepDriverMetres
			if is.Status == taxi.EnRoute {
				limit = policy.RerouteMetres
			}
			e.same = metres(*is.Pickup.Location, *r.Pickup.Location) < 1.1*limit
		}
	case "pickupTime":
		shift := policy.KeepDriver - 2*time.Minute
		if !e.small {
			shift = 4 * policy.KeepDriver
		}
		r.PickupTime = taxi.At(is.Date.Add(shift))
	default:
		r.VehicleCategory = rapid.SampledFrom([]string{"estate", "mpv"}).Draw(t, "category")
		e.same = r.VehicleCategory == is.Category
		classes := map[string]string{"mpv": "large", "accessible": "accessible"} // others are cars
		e.small = classes[r.VehicleCategory] == classes[is.Category]
	}
	body, err := json.Marshal(r)
	require.NoError(t, err)
	a := m.serve(wire{path: taxi.PathBook, body: body})
	m.mayBe(a, taxi.CodeEditNotAllowed, taxi.CodeJourneyClosed, taxi.CodePickupInPast)
	m.checkEdit(t, row.Field, is, e, a)
}

func (m *machine) advance(t *rapid.T) {
	m.pass(t, rapid.SampledFrom([]time.Duration{time.Second, 20 * time.Second, 3 * time.Minute, 15 * time.Minute}).Draw(t, "by"))
}

// pass lets time pass, and checks the world after every event.
func (m *machine) pass(t *rapid.T, d time.Duration) {
	err := m.world.Clock().Until(t.Context(), d, func() bool { m.check(t); return false })
	require.ErrorIs(t, err, simulator.ErrNotReached)
}

func (m *machine) step(t *rapid.T) {
	for range rapid.IntRange(1, 20).Draw(t, "events") {
		require.NoError(t, m.world.Clock().Step(t.Context()))
		m.check(t)
	}
}

func (m *machine) office(t *rapid.T) {
	status := rapid.SampledFrom([]taxi.SystemStatus{taxi.SystemOK, taxi.SystemOK, taxi.SystemClosed, taxi.SystemMaintenance}).Draw(t, "system")
	m.world.Service().SetSystem(taxi.ConfigResponse{Status: status})
}

// disk makes the disk full, or makes room again.
func (m *machine) disk(t *rapid.T) {
	if d := m.records; d.full {
		d.full, m.room = false, m.now
	} else {
		d.full, d.accepts, m.wasFull = true, rapid.IntRange(0, 6).Draw(t, "accepts"), true
	}
}

// restart ends the process, a few events after the last that is durable, and starts it again
// after a while.
func (m *machine) restart(t *rapid.T) {
	if m.records.full {
		t.Skip("the disk is full")
	}
	image, standing, scripts, seen, cars := m.records.Image(), m.kept.orders, m.scripts, m.durable(), m.carsAtWork()
	orders, lost, down := m.world.Standing(), rapid.IntRange(0, 7).Draw(t, "lost"), max(0, rapid.IntRange(-100, 300).Draw(t, "seconds"))
	for range lost {
		require.NoError(t, m.world.Clock().Step(t.Context()))
		m.check(t)
	}
	m.options.Start = m.now.Add(time.Duration(down) * time.Second)
	m.options.Standing, m.scripts, m.seen, m.cars = standing, scripts, seen, cars
	m.open(store.FromImage(image, store.Options{}))
	m.checkRestored(t)
	if lost+down == 0 {
		require.Equal(t, orders, m.world.Standing())
	}
}

// end runs the world until every journey has ended.
func (m *machine) end() {
	m.world.Service().SetSystem(taxi.ConfigResponse{Status: taxi.SystemOK})
	if m.records.full {
		m.disk(m.T)
	}
	m.letGo()
	ended := func() bool {
		return !slices.ContainsFunc(m.rides, func(r *wish) bool { return r.acknowledged && !m.journey(r.ref.JourneyID).Status.Terminal() })
	}
	err := m.world.Clock().Until(context.Background(), 5*24*time.Hour, ended)
	require.NoError(m, err, "everything ends, but: %+v", m.records.AllLive())
	clear(m.cars)
	m.check(m.T)
}

// letGo revokes the orders that keep journeys from ending.
func (m *machine) letGo() {
	_, all := m.world.Vehicles()
	for _, v := range all {
		if !v.Partner {
			_, err := m.world.SetDuty(m.Context(), v.ID, true)
			require.NoError(m, err)
		}
	}
	for _, j := range m.records.AllLive() {
		_, err := m.world.Script(m.Context(), simulator.ScriptOrder{Journey: j.JourneyID})
		require.NoError(m, err)
		_, err = m.world.Release(m.Context(), j.JourneyID)
		require.NoError(m, err)
	}
}

// mayRefuse fails the test if an error is neither a refusal nor due to a full disk.
func mayRefuse(t *rapid.T, err error) {
	var r *simulator.Refusal
	if err != nil && !errors.As(err, &r) && !errors.Is(err, store.ErrUnavailable) {
		t.Fatalf("not refused but broken: %v", err)
	}
}

// about picks a journey that an order is about.
func (m *machine) about(t *rapid.T) taxi.JourneyID {
	id := m.some(t).ref.JourneyID
	m.ordered[id] = true
	return id
}

func (m *machine) transition(t *rapid.T) {
	o := simulator.TransitionOrder{
		Journey: m.about(t), To: rapid.SampledFrom(taxi.Statuses()).Draw(t, "to"), Force: rapid.Bool().Draw(t, "force"),
		Event: rapid.SampledFrom([]dispatch.Event{"", "", "", dispatch.EventNoShow}).Draw(t, "event"),
	}
	v, err := m.world.Transition(t.Context(), o)
	mayRefuse(t, err)
	if err == nil {
		require.Equal(t, o.To, v.Status)
		requirePresence(t, v.Journey)
	} else if o.Force && o.Event == "" && !m.records.full {
		require.ErrorContains(t, err, "already")
	}
}

func (m *machine) hold(t *rapid.T) {
	v, err := m.world.Hold(t.Context(), m.about(t))
	mayRefuse(t, err)
	require.Equal(t, err == nil, v.Held)
	if err == nil && rapid.Bool().Draw(t, "look") { // it stays as it is
		m.pass(t, 7*time.Minute)
		now, err := m.world.Journey(t.Context(), v.JourneyID)
		require.NoError(t, err)
		require.Equal(t, v, now)
	}
}

func (m *machine) release(t *rapid.T) {
	v, err := m.world.Release(t.Context(), m.about(t))
	mayRefuse(t, err)
	require.False(t, v.Held)
}

func (m *machine) reassign(t *rapid.T) {
	_, err := m.world.Reassign(t.Context(), simulator.ReassignOrder{
		Journey: m.about(t), Vehicle: rapid.SampledFrom([]string{"", "car-1", "car-4", "car-9"}).Draw(t, "vehicle"),
	})
	mayRefuse(t, err)
}

func (m *machine) script(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "next") == 0 {
		_, err := m.world.ScriptNext(t.Context(), simulator.NextScriptOrder{Steps: []simulator.ScriptStep{{To: taxi.Accepted}, {Hold: true}}})
		require.NoError(t, err)
		m.scripts++
		return
	}
	id := m.about(t)
	j, err := m.world.Journey(t.Context(), id)
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
	_, err = m.world.Script(t.Context(), o)
	mayRefuse(t, err)
	require.Equal(t, j.Status.Terminal(), err != nil, "%v", err)
}

func (m *machine) duty(t *rapid.T) {
	car, on := rapid.SampledFrom([]string{"car-1", "car-2", "car-3"}).Draw(t, "car"), rapid.Bool().Draw(t, "on")
	v, err := m.world.SetDuty(t.Context(), car, on)
	require.NoError(t, err)
	require.Equal(t, !on, v.Grounded)
	if !on {
		require.NotEqual(t, simulator.CarFree, v.State)
	}
}

// car picks a car that an order is about.
func (m *machine) car(t *rapid.T) simulator.Vehicle {
	_, all := m.world.Vehicles()
	v := rapid.SampledFrom(all).Draw(t, "car")
	if v.Journey != "" {
		m.ordered[v.Journey] = true
	}
	delete(m.cars, v.ID)
	return v
}

func (m *machine) breakDown(t *rapid.T) {
	v := m.car(t)
	is, err := m.world.BreakDown(t.Context(), simulator.BreakdownOrder{
		Vehicle: v.ID, For: simulator.Span(rapid.IntRange(0, 90).Draw(t, "minutes")) * simulator.Span(time.Minute),
	})
	mayRefuse(t, err)
	if !m.records.full {
		require.Equal(t, v.State == simulator.CarOnBoard || v.Partner, err != nil)
	}
	if err == nil {
		require.Equal(t, simulator.CarOffDuty, is.State)
		require.Empty(t, is.Journey)
	}
}

func (m *machine) placeCar(t *rapid.T) {
	at := *m.spot(t, "at").Location
	is, err := m.world.PlaceVehicle(t.Context(), m.car(t).ID, at)
	mayRefuse(t, err)
	if err == nil {
		require.InDelta(t, at.Longitude, is.Location.Longitude, 1e-7)
	}
}

func (m *machine) user(t *rapid.T) {
	key := string(request(rapid.IntRange(0, 3).Draw(t, "caller"), m.now, station).PhoneNumber)
	if rapid.Bool().Draw(t, "forget") {
		err := m.world.ForgetUser(t.Context(), key)
		mayRefuse(t, err)
		m.forgot = m.forgot || err == nil || errors.Is(err, store.ErrUnavailable)
		return
	}
	u, _, err := m.world.PutUser(t.Context(), key, dispatch.UserChange{Name: rapid.SampledFrom([]string{"", "Ada"}).Draw(t, "name")})
	mayRefuse(t, err)
	if err == nil {
		require.Equal(t, key, string(u.PhoneNumber))
	}
}
