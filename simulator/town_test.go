package simulator_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// town is a world under test, with the five operations as a caller has them.
type town struct {
	*testing.T
	records *store.Store
	world   *simulator.World
	clock   simulator.Clock
	desk    *dispatch.Service
}

var (
	station  = place("Railway Station", 0, 0)
	hospital = place("General Hospital", 1.5, 0.8)
	airport  = place("Airport", -4, 2)
	harbour  = place("Harbour", 0.6, -1.4)
	york     = taxi.Address{Address: "York", Location: &taxi.Point{Longitude: -1.0815, Latitude: 53.9583}}
)

// place returns a place so many kilometres to the east and north of the town's centre.
func place(name string, east, north float64) taxi.Address {
	centre := road.SpotOf(taxi.Point{Longitude: 2.10, Latitude: 54.70})
	centre.Lon += int32(east * 1e7 / 64.4)
	centre.Lat += int32(north * 1e7 / 111.3)
	at := centre.Point()
	return taxi.Address{Address: name + ", Otterbridge", Location: &at}
}

func newTown(t *testing.T, o simulator.Options) *town {
	t.Helper()
	return openTown(t, store.Memory(), o)
}

func openTown(t *testing.T, records *store.Store, o simulator.Options) *town {
	t.Helper()
	return openOn(t, records, records, o)
}

// openOn opens a world that stores its changes through disk, which may refuse them.
func openOn(t *testing.T, disk simulator.Records, records *store.Store, o simulator.Options) *town {
	t.Helper()
	w, err := simulator.New(t.Context(), disk, o)
	require.NoError(t, err)
	return &town{t, records, w, w.Clock(), w.Service()}
}

// asap books a ride for now.
func (tn *town) asap(caller int, pickup taxi.Address, dropoffs ...taxi.Address) taxi.JourneyRef {
	tn.Helper()
	return tn.book(caller, tn.clock.Now(), pickup, dropoffs...)
}

func (tn *town) book(caller int, at time.Time, pickup taxi.Address, dropoffs ...taxi.Address) taxi.JourneyRef {
	tn.Helper()
	r := request(caller, at, pickup, dropoffs...)
	j, err := tn.desk.Book(tn.Context(), r)
	require.NoError(tn, err)
	u, err := tn.desk.User(tn.Context(), taxi.UserRequest{PhoneNumber: r.PhoneNumber})
	require.NoError(tn, err)
	return taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}
}

func request(caller int, at time.Time, pickup taxi.Address, dropoffs ...taxi.Address) taxi.BookRequest {
	return taxi.BookRequest{
		Name:        fmt.Sprintf("Caller %d", caller),
		PhoneNumber: taxi.E164(fmt.Sprintf("44207946%04d", caller)),
		Pickup:      &pickup,
		Dropoffs:    dropoffs,
		PickupTime:  taxi.At(at),
	}
}

func (tn *town) status(r taxi.JourneyRef) taxi.Journey {
	tn.Helper()
	j, err := tn.desk.Status(tn.Context(), r)
	require.NoError(tn, err)
	return j
}

// until moves the clock until the journey has the status.
func (tn *town) until(r taxi.JourneyRef, s taxi.Status) taxi.Journey {
	tn.Helper()
	require.NoError(tn, tn.clock.UntilStatus(tn.Context(), r.JourneyID, s, 6*time.Hour))
	return tn.status(r)
}

func (tn *town) advance(d time.Duration) {
	tn.Helper()
	require.NoError(tn, tn.clock.Advance(tn.Context(), d))
}

// cars counts the cars in each state.
func (tn *town) cars() map[simulator.CarState]int {
	_, all := tn.world.Vehicles()
	n := map[simulator.CarState]int{}
	for _, v := range all {
		n[v.State]++
	}
	return n
}

// places lists where cars are.
func places(all []simulator.Vehicle) []taxi.Point {
	var points []taxi.Point
	for _, v := range all {
		points = append(points, v.Location)
	}
	return points
}

// metres between two points, near enough.
func metres(a, b taxi.Point) float64 {
	return math.Hypot((a.Longitude-b.Longitude)*math.Cos(a.Latitude*math.Pi/180), a.Latitude-b.Latitude) * 111_319
}
