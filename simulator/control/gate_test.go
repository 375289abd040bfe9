package control

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// openStill opens a small host whose clock the test moves.
func openStill(t *testing.T, world func(*simulator.Options)) *host.Host {
	t.Helper()
	config := host.Default()
	config.Speed, config.Cars = 0, 1
	h, err := host.Open(t.Context(), config, host.Deps{Now: time.Now, World: world})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// TestFailedRestartKeepsTheOldWorld checks that the old world stays if a restart fails.
func TestFailedRestartKeepsTheOldWorld(t *testing.T) {
	var options *simulator.Options
	h := openStill(t, func(o *simulator.Options) { options = o })
	box := &sandbox{World: &worlds.World{Gate: worlds.NewGate(h)}}
	options.Sweep = "never"
	was := h.World()
	require.ErrorContains(t, behind{box: box}.Restart(t.Context(), true), "never")
	visit, err := box.Gate.Enter(t.Context())
	require.NoError(t, err)
	defer visit.Leave()
	require.Same(t, was, visit.Host.World())
}

// waiting is a context that calls a function when somebody begins to wait for it.
type waiting struct {
	context.Context

	meanwhile func()
}

func (w waiting) Done() <-chan struct{} {
	w.meanwhile()
	return w.Context.Done()
}

// TestSetClockRefusesATimePassedWhileWaiting checks that a clock cannot be set to a moment that
// it has passed while the request waited.
func TestSetClockRefusesATimePassedWhileWaiting(t *testing.T) {
	h := openStill(t, nil)
	began := h.World().Clock().Now()
	c := &call{host: h, box: &sandbox{clock: make(chan struct{}, 1)}, w: httptest.NewRecorder()}
	c.Context = waiting{t.Context(), func() {
		require.NoError(t, h.World().Clock().AdvanceTo(context.WithoutCancel(t.Context()), began.Add(2*time.Hour)))
	}}
	_, err := setClock(c, ClockOrder{Now: new(began.Add(time.Hour))})
	require.ErrorIs(t, err, &taxi.Problem{Code: codeTimePassed})
}
