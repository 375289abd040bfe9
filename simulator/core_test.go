package simulator

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEventsComeInOrder(t *testing.T) {
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

func TestDeadlinesRoundUp(t *testing.T) {
	sharp := time.Date(2026, 1, 1, 0, 0, 0, int(time.Millisecond), time.UTC)
	require.Equal(t, sharp, momentOf(sharp).time())
	require.Equal(t, sharp.Add(time.Millisecond), momentOf(sharp.Add(1)).time())
}
