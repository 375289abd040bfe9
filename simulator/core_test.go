package simulator

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

func TestQueuePopsEventsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var all []event
		for i, at := range rapid.SliceOfN(rapid.Int64Range(0, 9), 1, 60).Draw(t, "at") {
			e := event{at: moment(at), seq: uint64(i)}
			all = append(all, e)
			q.push(e)
			if rapid.IntRange(0, 3).Draw(t, "pop") == 0 {
				slices.SortFunc(all, bySeq)
				require.Equal(t, all[0], q.pop())
				all = all[1:]
			}
		}
		slices.SortFunc(all, bySeq)
		for _, want := range all {
			at, ok := q.next()
			require.True(t, ok)
			require.Equal(t, want.at, at)
			require.Equal(t, want, q.pop())
		}
		_, ok := q.next()
		require.False(t, ok)
	})
}

func bySeq(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq)) }

func TestMinutesAreRoundedUp(t *testing.T) {
	for d, want := range map[time.Duration]float64{
		-time.Second: 1, 0: 1, time.Second: 1, time.Minute: 1, 61 * time.Second: 2, 2 * time.Minute: 2,
	} {
		require.InDelta(t, want, minutes(d).Value, 0, d)
	}
}

func TestATimelineDoesNotOverflow(t *testing.T) {
	wall := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	line := timeline{wall: func() time.Time { return wall }}
	line.move(0)
	line.setSpeed(MaxSpeed, false)
	wall = wall.Add(100*24*time.Hour + 100*time.Microsecond)
	require.Equal(t, moment(100*24*time.Hour/time.Millisecond*MaxSpeed+1000), line.now())
	require.Equal(t, 100*time.Nanosecond, line.wallUntil(line.now()+1))
	require.Zero(t, line.wallUntil(line.now()))
}

func TestMomentsRoundUpToTheMillisecond(t *testing.T) {
	sharp := time.Date(2026, 1, 1, 0, 0, 0, int(time.Millisecond), time.UTC)
	require.Equal(t, sharp, momentOf(sharp).time())
	require.Equal(t, sharp.Add(time.Millisecond), momentOf(sharp.Add(1)).time())
}

// TestDepartedPartnerCarsAreReplaced checks that a new partner car takes the place of one that
// has gone home, so that a year of pickups out of town needs no more memory than a day.
func TestDepartedPartnerCarsAreReplaced(t *testing.T) {
	w, err := New(t.Context(), store.Memory(), Options{Seed: 1, Cars: 1})
	require.NoError(t, err)
	abroad, nearby := road.Spot{Lon: -10_815_000, Lat: 539_583_000}.Point(), road.Spot{Lon: -10_823_000, Lat: 539_623_000}.Point()
	for range 3 {
		for _, caller := range []taxi.E164{"442079460001", "442079460002"} {
			_, err := w.Service().Book(t.Context(), taxi.BookRequest{
				Name: "Ada", PhoneNumber: caller, PickupTime: taxi.At(w.Clock().Now()),
				Pickup:   &taxi.Address{Address: "York", Location: &abroad},
				Dropoffs: []taxi.Address{{Address: "York Minster", Location: &nearby}},
			})
			require.NoError(t, err)
		}
		require.NoError(t, w.Clock().UntilIdle(t.Context(), time.Hour))
		require.Len(t, w.fleet.cars, 3, "the firm's and two")
	}
}
