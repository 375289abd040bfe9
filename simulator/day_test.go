package simulator_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/simulator/road"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// journal collects the changes of a world, a line each.
type journal struct{ strings.Builder }

func (j *journal) of(w *simulator.World) {
	w.Watch(func(t simulator.Transition) {
		fmt.Fprintln(j, t.At.UnixMilli(), t.Seq, t.Journey, t.Event, t.From, t.To, t.VehicleID, t.Resident)
	})
}

// journeys adds the records of all journeys, with their prices.
func (j *journal) journeys(t *testing.T, records *store.Store) {
	t.Helper()
	all, err := records.Journeys(t.Context(), 0)
	require.NoError(t, err)
	for _, s := range all {
		text, err := json.Marshal(s.Journey)
		require.NoError(t, err)
		fmt.Fprintf(j, "%s\n", text)
	}
}

// stormyDay is half a day of a stormy town with residents, callers who book, edit and cancel,
// an operator, and a disk that is full at times. It returns the journal.
func stormyDay(t *testing.T, seed uint64, assigner string) string {
	t.Helper()
	policy, err := assign.Parse(assigner)
	require.NoError(t, err)
	disk := &fullDisk{Store: store.Memory()}
	tn := openOn(t, disk, disk.Store, simulator.Options{
		Seed: seed, Town: smallTown, Behaviour: simulator.Stormy(), Assigner: policy,
		Demand: demand.Demand{PerHour: 30, Prebooked: 20},
	})
	var told journal
	told.of(tn.world)
	doors := doors(road.Streets(smallTown))
	for i := range 60 {
		tn.caller(i, doors[i], doors[i*7+100])
		tn.operator(i)
		disk.full = i%20 == 19
		tn.advance(4*time.Minute + 17*time.Second)
	}
	disk.full = false
	tn.advance(8 * time.Hour)
	require.Zero(t, tn.world.Stats().Void)
	told.journeys(t, disk.Store)
	return told.String()
}

// caller books, and edits or cancels some bookings. Answers may be refusals.
func (tn *town) caller(i int, from, to taxi.Address) {
	at := tn.clock.Now()
	if i%4 == 3 {
		at = at.Add(time.Duration(i) * time.Minute)
	}
	r := request(i, at, from, to)
	j, err := tn.desk.Book(tn.Context(), r)
	if err != nil {
		return
	}
	u, err := tn.desk.User(tn.Context(), taxi.UserRequest{PhoneNumber: r.PhoneNumber})
	require.NoError(tn, err)
	tn.advance(time.Duration(i) * time.Second)
	switch r.JourneyID, r.UserID = &j.JourneyID, u.UserID; i % 5 {
	case 1:
		_, _ = tn.desk.Cancel(tn.Context(), taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID})
	case 2:
		r.Dropoffs = []taxi.Address{to, from}
		_, _ = tn.desk.Book(tn.Context(), r)
	}
}

// operator gives an order about a live journey, a car or a user. It may be refused.
func (tn *town) operator(i int) {
	ctx, car := tn.Context(), fmt.Sprintf("car-%d", 1+i%30)
	all := tn.records.AllLive()
	if len(all) == 0 {
		return
	}
	id := all[i%len(all)].JourneyID
	switch i % 9 {
	case 0:
		_, _ = tn.world.Transition(ctx, simulator.TransitionOrder{Journey: id, To: taxi.Statuses()[i%len(taxi.Statuses())], Force: i%2 == 0})
	case 1:
		_, _ = tn.world.Hold(ctx, id)
	case 2:
		_, _ = tn.world.Release(ctx, id)
	case 3:
		_, _ = tn.world.Reassign(ctx, simulator.ReassignOrder{Journey: id})
	case 4:
		_, _ = tn.world.Script(ctx, simulator.ScriptOrder{Journey: id, Steps: []simulator.ScriptStep{{To: taxi.Accepted}, {Drop: true}}})
	case 5:
		_, _ = tn.world.SetDuty(ctx, car, i%2 == 0)
	case 6:
		_, _ = tn.world.BreakDown(ctx, simulator.BreakdownOrder{Vehicle: car})
	case 7:
		_, _ = tn.world.PlaceVehicle(ctx, car, *all[0].Pickup.Location)
	default:
		_, _, _ = tn.world.PutUser(ctx, fmt.Sprintf("44207947%04d", i), dispatch.UserChange{Name: "Ada"})
	}
}

// TestSameSeedAndCommandsGiveTheSameDay compares the journal of a day with that of another run,
// and with a hash from another processor: it was taken on amd64 at level v1. The gate also runs
// this test with GOAMD64=v3, whose compiler fuses multiplications and additions.
func TestSameSeedAndCommandsGiveTheSameDay(t *testing.T) {
	var hashes strings.Builder
	for i, name := range []string{"eta", "batch", "rank", "clear"} {
		day := stormyDay(t, 7, name)
		if i == 0 {
			require.Greater(t, strings.Count(day, "\n"), 1000)
			require.Equal(t, day, stormyDay(t, 7, name))
			require.NotEqual(t, day, stormyDay(t, 8, name))
		}
		sum := sha256.Sum256([]byte(day))
		hashes.WriteString(hex.EncodeToString(sum[:]) + "  " + name + "\n")
	}
	golden.Equal(t, "testdata/days.sha256", hashes.String())
}

// hoarder is a store that never deletes what is forgotten.
type hoarder struct{ *store.Store }

func (hoarder) Prune(context.Context, store.Before) (int, error) { return 0, nil }

// TestPruningDoesNotChangeTheWorld checks that a town with a short retention has the same
// transitions whether or not expired records are deleted from the disk.
func TestPruningDoesNotChangeTheWorld(t *testing.T) {
	policy := dispatch.DefaultPolicy()
	policy.Retention, policy.KeepReplies = time.Hour, time.Hour
	quiet, err := demand.Parse("quiet")
	require.NoError(t, err)
	days := func(records simulator.Records) string {
		tn := openOn(t, records, nil, simulator.Options{Seed: 6, Policy: &policy, Demand: quiet})
		var told journal
		told.of(tn.world)
		tn.advance(3 * 24 * time.Hour)
		return told.String()
	}
	kept, cleared := store.Memory(), store.Memory()
	require.Equal(t, days(hoarder{kept}), days(cleared))
	all, err := kept.Users(t.Context())
	require.NoError(t, err)
	left, err := cleared.Users(t.Context())
	require.NoError(t, err)
	require.Less(t, len(left), len(all)*9/10)
}

// TestLedger counts the work of a journey in a day of a town of 150 cars, including everything
// that happens beside it: shifts that begin and end, cars that wait, jobs that are declined.
func TestLedger(t *testing.T) {
	ledger.Countable(t)
	const day = 24 * time.Hour
	streets := streetmap.Default()
	var journeys, events int
	rows := ledger.Work("a journey of a town's day", 1, func() {
		records := store.Memory()
		w, err := simulator.New(t.Context(), records, simulator.Options{
			Seed: 1, Town: streets, Cars: 150, Start: simulator.Epoch.Truncate(day),
			Demand: demand.Demand{PerHour: 125, Prebooked: 20}, Sweep: "0 * * * *",
		})
		require.NoError(t, err)
		require.NoError(t, w.Clock().Advance(t.Context(), day))
		all, err := records.Journeys(t.Context(), 0)
		require.NoError(t, err)
		journeys, events = len(all), int(w.Stats().Events)
	})
	for i := range rows {
		rows[i].Count /= float64(journeys)
	}
	ledger.Compare(t, "simulator", append(rows, ledger.Row{What: rows[0].What, Count: float64(events) / float64(journeys), Unit: "events"})...)
}
