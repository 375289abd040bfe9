package simulator_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/store"
)

// slowMachine is a wall clock that advances by a step whenever it is read.
type slowMachine struct {
	at   time.Time
	step time.Duration
}

func (m *slowMachine) now() time.Time {
	m.at = m.at.Add(m.step)
	return m.at
}

// TestOverloadedWorldReportsItsActualSpeed checks a city at ×10,000 on a machine that needs five
// milliseconds for 64 events: a turn ends long before everything due has happened, the clock
// waits for the world, and the speed that the world reaches is reported and logged.
func TestOverloadedWorldReportsItsActualSpeed(t *testing.T) {
	machine := &slowMachine{simulator.Epoch, 5 * time.Millisecond}
	var log bytes.Buffer
	city, err := demand.Parse("city")
	require.NoError(t, err)
	w, err := simulator.New(t.Context(), store.Memory(), simulator.Options{
		Seed: 1, Wall: machine.now, Speed: simulator.MaxSpeed, Cars: 50, Demand: city,
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.NoError(t, err)
	machine.at = machine.at.Add(time.Hour)
	events := w.Stats().Events
	now := w.Clock().Now()
	require.Less(t, now.Sub(simulator.Epoch), 1000*time.Hour, "ten thousand hours are not lived in one turn")
	require.Less(t, w.Stats().Events-events, uint64(2000))

	for range 400 {
		next := w.Clock().Now()
		require.False(t, next.Before(now))
		now = next
	}
	read := w.Clock().Read()
	require.Positive(t, read.Lives)
	require.Less(t, read.Lives, read.Speed)
	require.Contains(t, log.String(), "this machine cannot live that fast")
	require.Contains(t, log.String(), "lives=")

	require.NoError(t, w.Clock().SetSpeed(1))
	machine.step = time.Microsecond
	require.Zero(t, w.Clock().Read().Lives, "at this speed it has not been tried")
}

// sleepyWall is the clock of a machine that can be suspended: its wall clock continues
// meanwhile, and its monotonic clock does not.
type sleepyWall struct {
	at    time.Time // with a monotonic reading
	moved time.Duration
}

// now moves the wall's part of a reading only: a time.Time with a monotonic reading
// keeps the wall's seconds from bit 30 of its first word.
func (s *sleepyWall) now() time.Time {
	at := s.at
	*(*uint64)(unsafe.Pointer(&at)) += uint64(s.moved/time.Second) << 30
	return at
}

func TestWorldFollowsJumpsOfTheSystemClock(t *testing.T) {
	wall := &sleepyWall{at: time.Now()}
	var log bytes.Buffer
	tn := newTown(t, simulator.Options{Seed: 1, Wall: wall.now, Speed: 1, Log: slog.New(slog.NewTextHandler(&log, nil))})
	apart := func() time.Duration { return tn.clock.Now().Sub(wall.now()).Round(time.Second) }
	require.Zero(t, apart())

	wall.moved = 8 * time.Hour // the lid was closed for a night
	require.Zero(t, apart())
	require.Contains(t, log.String(), "the world follows")
	wall.at = wall.at.Add(time.Hour)
	require.Zero(t, apart())

	wall.moved = 6 * time.Hour // the clock was set back
	require.Equal(t, 2*time.Hour, apart(), "no time runs back")
	wall.at = wall.at.Add(time.Hour)
	require.Equal(t, 2*time.Hour, apart(), "and none stands still")
	ref := tn.book(1, wall.now().Add(10*time.Minute), station, hospital)
	require.Equal(t, taxi.Waiting, tn.status(ref).Status, "ten minutes ahead by the caller's clock")

	wall.moved = 8 * time.Hour // and forward again
	require.Zero(t, apart())
}

// TestClockIsPausedWhilePopulating checks that the clock of a world stands still while the
// first people are added, although the wall clock advances, and runs afterwards.
func TestClockIsPausedWhilePopulating(t *testing.T) {
	machine := &slowMachine{simulator.Epoch, time.Second}
	w, err := simulator.New(t.Context(), store.Memory(), simulator.Options{Seed: 1, Wall: machine.now, Speed: simulator.MaxSpeed})
	require.NoError(t, err)
	before := w.Clock().Now()
	require.NoError(t, w.Populate(t.Context(), fixtures.People()))
	seconds := w.Clock().Now().Sub(before) / simulator.MaxSpeed / time.Second
	require.Less(t, seconds, time.Duration(20), "each look at the wall is a second")
	require.False(t, w.Clock().Read().Paused)
}
